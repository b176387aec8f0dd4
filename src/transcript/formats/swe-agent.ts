import type { MessageDraft, Part, Role, Speaker, ToolCall, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import { contentItems } from './blocks.js';
import type { ConversationSlot, Entry, Format } from './format.js';
import { chatCall } from './openai-chat.js';
import { field, isObject, listOf, stringOrNull } from './values.js';

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['exit', 'user'], // how a run of mini-swe-agent ended
]);

/** SWE-agent trajectories, and those of mini-swe-agent (formats.md section 14). */
export const sweAgent: Format = {
  name: 'swe-agent',
  title: 'SWE-agent and mini-swe-agent trajectories',
  marks:
    'messages with `role` and `agent` under `history`, or with `extra`, `<returncode>` or a mswea_bash_command block',
  pictures: 'in-place',
  weigh(entry) {
    if (!isMessage(entry)) return 0;
    if (typeof field(entry, 'agent') === 'string') return 5;
    if (isObject(field(entry, 'extra'))) return 4;
    return field(entry, 'role') === 'assistant' ? weighReply(textOf(entry)) : weighOutput(textOf(entry));
  },
  conversations(value): ConversationSlot[] | null {
    const key = ['history', 'messages'].find((name) => listOf(field(value, name)).some(isMessage));
    const at = key === undefined ? [] : [key];
    const messages = listOf(key === undefined ? value : field(value, key));
    if (!messages.some(isMessage)) return null;
    const entries = messages.map((one, i) => ({ at: [...at, i], value: one }));
    return [{ id: stringOrNull(field(value, 'instance_id')), entries }];
  },
  read({ value, at }: Entry, before?: unknown): MessageDraft[] {
    const role = ROLES.get(field(value, 'role'));
    if (role === undefined || !isObject(value)) return [];
    const isAnswer =
      role === 'tool' || (role === 'user' && value.role === 'user' && callsOf(before).length > 0);
    if (isAnswer && !isDemonstration(value)) {
      const result = toolResult(value, at, extraOf(value, at));
      return [{ at, role: 'tool', speaker: 'tool', parts: [result], lists: [] }];
    }
    const parts = [...thinking(value), ...texts(value.content, [...at, 'content']), ...callsOf(value)];
    return [{ at, role: role === 'tool' ? 'user' : role, speaker: speakerOf(value, role), parts, lists: [] }];
  },
};

function isMessage(value: unknown): boolean {
  return (
    ROLES.has(field(value, 'role')) && (field(value, 'content') !== undefined || callsOf(value).length > 0)
  );
}

/** What the prompts of mini-swe-agent ask for: a block with a name of its own, or a thought and a block of bash. */
function weighReply(text: string): number {
  if (text.includes('```mswea_bash_command')) return 4;
  return /^\s*THOUGHT:/.test(text.slice(0, 200)) && fencedCommand(text) !== undefined ? 3 : 0;
}

function weighOutput(text: string): number {
  return /^\s*<returncode>-?\d+<\/returncode>\s*<(?:output|warning)/.test(text.slice(0, 200)) ? 4 : 0;
}

/** A demonstration shows how the work is done; nobody asked it and no tool answered in it. */
function isDemonstration(value: unknown): boolean {
  return field(value, 'is_demo') === true || field(value, 'message_type') === 'demonstration';
}

function speakerOf(value: unknown, role: Role): Speaker {
  if (isDemonstration(value) || field(value, 'role') === 'exit') return 'context';
  return role === 'user' ? 'operator' : role;
}

/** Calls with ids, the command that the agent's parser found, or the one command in a fenced block. */
function callsOf(value: unknown): ToolCall[] {
  if (field(value, 'role') !== 'assistant' || isDemonstration(value)) return [];
  const calls = listOf(field(value, 'tool_calls'));
  if (calls.length > 0) return calls.map(chatCall);
  const action = field(value, 'action');
  if (typeof action === 'string') return [commandCall('shell', action)];
  const command = fencedCommand(textOf(value));
  return command === undefined ? [] : [commandCall('bash', command)];
}

function fencedCommand(text: string): string | undefined {
  const fence = /```(?:mswea_bash_command|bash)[ \t]*\n/.exec(text);
  if (fence === null) return undefined;
  const start = fence.index + fence[0].length;
  const end = text.indexOf('```', start);
  return end < 0 ? undefined : text.slice(start, end).trimEnd();
}

function commandCall(tool: string, command: string): ToolCall {
  return { kind: 'tool-call', id: null, tool, input: { command } };
}

function toolResult(value: unknown, at: JsonPath, copy: ToolResult['copy']): ToolResult {
  const content = field(value, 'content');
  const contentAt = [...at, 'content'];
  const exitCode = field(field(value, 'extra'), 'returncode');
  return {
    kind: 'tool-result',
    callId: stringOrNull(listOf(field(value, 'tool_call_ids'))[0] ?? field(value, 'tool_call_id')),
    tool: null,
    isError: typeof exitCode === 'number' && exitCode !== 0,
    at: contentAt,
    value: content,
    blocks: Array.isArray(content) ? contentItems(content, contentAt) : null,
    isEditable: content !== undefined,
    copy,
  };
}

/** What mini-swe-agent keeps of a command beside the text that the model sees: its raw output among it. */
function extraOf(value: unknown, at: JsonPath): ToolResult['copy'] {
  const extra = field(value, 'extra');
  return isObject(extra) ? { at: [...at, 'extra'], value: extra } : null;
}

function thinking(value: unknown): Part[] {
  const text = field(value, 'reasoning_content');
  if (typeof text === 'string' && text !== '') return [{ kind: 'thinking', text }];
  return listOf(field(value, 'thinking_blocks')).map((block): Part => {
    return { kind: 'thinking', text: stringOrNull(field(block, 'thinking')) ?? '' };
  });
}

function texts(content: unknown, at: JsonPath): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content, at, annotations: [] }];
  return listOf(content).map((block, i): Part => {
    const text = field(block, 'text');
    const type = stringOrNull(field(block, 'type')) ?? '';
    if (typeof text === 'string') return { kind: 'text', text, at: [...at, i, 'text'], annotations: [] };
    return type === 'image_url' ? { kind: 'image' } : { kind: 'raw', type };
  });
}

function textOf(value: unknown): string {
  const content = field(value, 'content');
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((block) => stringOrNull(field(block, 'text')) ?? '')
    .join('\n');
}
