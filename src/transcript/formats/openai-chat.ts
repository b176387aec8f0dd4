import type { MessageDraft, Part, Role, Speaker, ToolCall } from '../message.js';
import type { JsonPath } from '../splice.js';
import { blockLists, contentItems } from './blocks.js';
import { chatCallName, skimChatMessage } from './chat-skim.js';
import type { ConversationSlot, Entry, Format } from './format.js';
import { arraySlot, field, isObject, listOf, parsedArguments, stringOrNull } from './values.js';

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** What rows of data sets call their messages, besides what requests do. */
const LIST_KEYS = ['messages', 'conversation', 'conversations'];
const ID_KEYS = ['id', 'conversation_id', 'conversation_hash'];

/** Chat Completions messages (formats.md section 4), which are also the native form of `thread`. */
export const openaiChat: Format = {
  name: 'openai-chat',
  title: 'OpenAI chat messages',
  marks: 'objects with `role` and `content` or `tool_calls`: one a line, in an array, or under `messages`',
  pictures: 'in-place',
  citations: 'annotations of the text',
  skim: skimChatMessage,
  weigh(entry) {
    if (!isObject(entry) || !ROLES.has(entry.role)) return 0;
    if ('type' in entry || 'uuid' in entry || 'parts' in entry) return 0;
    if (!('content' in entry || 'tool_calls' in entry || 'function_call' in entry)) return 0;
    if (entry.role === 'tool' || entry.role === 'function' || 'tool_calls' in entry) return 3;
    return entry.role === 'user' || entry.role === 'assistant' ? 1 : 2;
  },
  conversations(value) {
    if (Array.isArray(value)) return value.every(isMessage) ? [arraySlot(value, [], null)] : null;
    for (const key of LIST_KEYS) {
      const messages = field(value, key);
      if (Array.isArray(messages))
        return messages.every(isMessage) ? [arraySlot(messages, [key], idOf(value))] : null;
    }
    return responseSlots(value);
  },
  read({ value, at }: Entry): MessageDraft[] {
    const role = isObject(value) ? ROLES.get(value.role) : undefined;
    if (role === undefined) return [];
    return [
      {
        at,
        role,
        speaker: speakerOf(value, role),
        parts: readParts(value, role, at),
        lists: role === 'user' ? blockLists(field(value, 'content'), [...at, 'content']) : [],
      },
    ];
  },
};

function isMessage(value: unknown): boolean {
  return (
    ROLES.has(field(value, 'role')) &&
    field(value, 'type') === undefined &&
    field(value, 'parts') === undefined
  );
}

function idOf(value: unknown): string | null {
  return stringOrNull(ID_KEYS.map((key) => field(value, key)).find((id) => typeof id === 'string'));
}

/** A Chat Completions response: each choice's message is a conversation of one message. */
function responseSlots(value: unknown): ConversationSlot[] | null {
  const choices = field(value, 'choices');
  if (!Array.isArray(choices) || !choices.every((choice) => isMessage(field(choice, 'message')))) return null;
  return choices.map((choice, i) => ({
    id: idOf(value),
    entries: [{ at: ['choices', i, 'message'], value: field(choice, 'message') }],
  }));
}

function speakerOf(value: unknown, role: Role): Speaker {
  const source = field(value, 'source');
  const type = field(source, 'type');
  if ((role === 'user' || role === 'system') && type === 'compaction-summary') return 'summary';
  if (role !== 'user') return role;
  if (isObject(source)) {
    const isSteering = type === 'runtime-context' && field(source, 'kind') === 'steering';
    return type === 'goal-round' || isSteering ? 'operator' : 'context';
  }
  return isObservation(field(value, 'content')) ? 'context' : 'operator';
}

/** Agents without tool roles send what their tools printed as user messages. */
function isObservation(content: unknown): boolean {
  const text =
    typeof content === 'string'
      ? content
      : stringOrNull(field(Array.isArray(content) ? content[0] : null, 'text'));
  return text !== null && /^\s*(?:<returncode>|<output>|observation:)/i.test(text.slice(0, 200));
}

function readParts(value: unknown, role: Role, at: JsonPath): Part[] {
  const content = field(value, 'content');
  const contentAt = [...at, 'content'];
  if (role === 'tool') return [toolResult(value, content, contentAt)];
  const reasoning =
    stringOrNull(field(value, 'reasoning')) ?? stringOrNull(field(value, 'reasoning_content'));
  return [
    ...(reasoning === null ? [] : [{ kind: 'thinking', text: reasoning } as const]),
    ...textParts(content, contentAt, listOf(field(value, 'annotations'))),
    ...toolCalls(value),
  ];
}

function toolResult(value: unknown, content: unknown, at: JsonPath): Part {
  return {
    kind: 'tool-result',
    callId: stringOrNull(field(value, 'tool_call_id')),
    tool: stringOrNull(field(value, 'name')),
    isError: false,
    at,
    value: content,
    blocks: Array.isArray(content) ? contentItems(content, at) : null,
    isEditable: content !== undefined,
    copy: null,
  };
}

function textParts(content: unknown, at: JsonPath, annotations: readonly unknown[]): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content, at, annotations }];
  return listOf(content).map((part, i): Part => {
    const type = stringOrNull(field(part, 'type')) ?? '';
    const key = type === 'refusal' ? 'refusal' : 'text';
    const text = field(part, key);
    if (typeof text === 'string') return { kind: 'text', text, at: [...at, i, key], annotations };
    if (type === 'image_url') return { kind: 'image' };
    if (type === 'file' || type === 'input_audio')
      return { kind: 'file', name: stringOrNull(field(field(part, 'file'), 'filename')) };
    return { kind: 'raw', type };
  });
}

/** A call as Chat Completions has it, which other formats hold too. */
export function chatCall(call: unknown): ToolCall {
  const named = field(call, 'function') ?? field(call, 'custom');
  return {
    kind: 'tool-call',
    ...chatCallName(call),
    input: parsedArguments(field(named, 'arguments') ?? field(named, 'input')),
  };
}

function toolCalls(value: unknown): ToolCall[] {
  const calls = listOf(field(value, 'tool_calls')).map(chatCall);
  const single = field(value, 'function_call');
  if (!isObject(single)) return calls;
  return [
    ...calls,
    {
      kind: 'tool-call',
      id: null,
      tool: stringOrNull(single.name) ?? '',
      input: parsedArguments(single.arguments),
    },
  ];
}
