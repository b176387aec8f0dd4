import type { MessageDraft, Part, Speaker } from '../message.js';
import type { TreeNode } from '../path.js';
import type { JsonPath } from '../splice.js';
import { blockLists, readBlocks } from './blocks.js';
import type { Entry, Format } from './format.js';
import { field, isObject, stringOrNull } from './values.js';

/** Line types that occur without being chained messages (formats.md section 2.1), each with a `sessionId`. */
const SESSION_TYPES: ReadonlySet<unknown> = new Set([
  'queue-operation',
  'mode',
  'permission-mode',
  'last-prompt',
  'ai-title',
  'custom-title',
]);

/** Texts that the harness writes into user lines (formats.md section 2.7). */
const HARNESS_TEXT =
  /^\s*(?:<command-name>|<command-message>|<local-command-stdout>|<local-command-caveat>|<bash-input>|<bash-stdout>|<task-notification>|<system-reminder>|\[Request interrupted|Caveat:)/;

/** Claude Code session JSONL (formats.md section 2). */
export const claudeCode: Format = {
  name: 'claude-code',
  title: 'Claude Code session',
  marks: 'lines with `type`, `sessionId`, `uuid` and `parentUuid`, or a session bookkeeping line',
  pictures: 'in-result',
  citations: 'citations of text blocks',
  weigh(entry) {
    const type = field(entry, 'type');
    if (!isObject(entry) || typeof type !== 'string') return 0;
    if ('sessionId' in entry && 'uuid' in entry && 'parentUuid' in entry) return 5;
    if (type === 'summary' && 'leafUuid' in entry) return 5;
    if (type === 'file-history-snapshot') return 5;
    return SESSION_TYPES.has(type) && 'sessionId' in entry ? 5 : 0;
  },
  conversations: () => null,
  read({ value, at }: Entry): MessageDraft[] {
    const type = field(value, 'type');
    const message = field(value, 'message');
    if ((type !== 'user' && type !== 'assistant') || !isObject(message)) return [];
    const contentAt = [...at, 'message', 'content'];
    const parts = withCopy(readBlocks(message.content, contentAt), value, at);
    const lists = type === 'user' ? blockLists(message.content, contentAt) : [];
    return [
      { at, role: type, speaker: type === 'user' ? userSpeaker(value, parts) : 'assistant', parts, lists },
    ];
  },
  treeNode(value): TreeNode | null {
    const id = field(value, 'uuid');
    if (typeof id !== 'string') return null;
    const type = field(value, 'type');
    const content = field(field(value, 'message'), 'content');
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    return {
      id,
      parent: stringOrNull(field(value, 'parentUuid')),
      isSide: field(value, 'isSidechain') === true,
      isMessage: type === 'user' || type === 'assistant',
      reply: type === 'assistant' ? stringOrNull(field(field(value, 'message'), 'id')) : null,
      calls: idsOf(blocks, 'tool_use', 'id'),
      results: idsOf(blocks, 'tool_result', 'tool_use_id'),
    };
  },
};

function idsOf(blocks: readonly unknown[], type: string, key: string): string[] {
  return blocks
    .filter((block) => field(block, 'type') === type)
    .map((block) => field(block, key))
    .filter((id) => typeof id === 'string');
}

/** `toolUseResult` repeats the line's one tool result for viewers; the API never sees it (formats.md section 2.6). */
function withCopy(parts: readonly Part[], value: unknown, at: JsonPath): Part[] {
  const copy = field(value, 'toolUseResult');
  const isOnly = parts.filter((part) => part.kind === 'tool-result').length === 1;
  if (copy === undefined || copy === null || !isOnly) return [...parts];
  return parts.map((part) =>
    part.kind === 'tool-result' ? { ...part, copy: { at: [...at, 'toolUseResult'], value: copy } } : part,
  );
}

function userSpeaker(value: unknown, parts: readonly Part[]): Speaker {
  if (field(value, 'isCompactSummary') === true) return 'summary';
  if (field(field(value, 'origin'), 'kind') === 'human') return 'operator';
  if (field(value, 'isMeta') === true || field(value, 'isSidechain') === true) return 'context';
  if (field(value, 'toolUseResult') !== undefined) return 'context';
  if (parts.some((part) => part.kind === 'tool-result')) return 'context';
  const text = parts.find((part) => part.kind === 'text')?.text ?? '';
  if (HARNESS_TEXT.test(text)) return hasCommandArguments(text) ? 'operator' : 'context';
  return 'operator';
}

/** A slash command carries a request of the operator's in its arguments, when it has any. */
function hasCommandArguments(text: string): boolean {
  const start = text.indexOf('<command-args>');
  const end = text.indexOf('</command-args>', start);
  return start >= 0 && end > start && text.slice(start + '<command-args>'.length, end).trim() !== '';
}
