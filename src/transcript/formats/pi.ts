import type { Item, MessageDraft, Part, Speaker, ToolResult } from '../message.js';
import type { TreeNode } from '../path.js';
import type { JsonPath } from '../splice.js';
import type { Entry, Format } from './format.js';
import { field, isObject, stringOrNull } from './values.js';

const ROLES: ReadonlySet<unknown> = new Set([
  'user',
  'assistant',
  'toolResult',
  'bashExecution',
  'custom',
  'hookMessage', // what version 2 called `custom`
]);

/** Types of the lines that are no `message`, each with a key that it always has. */
const ENTRY_KEYS: ReadonlyMap<unknown, string> = new Map([
  ['session', 'cwd'],
  ['model_change', 'modelId'],
  ['thinking_level_change', 'thinkingLevel'],
  ['compaction', 'summary'],
  ['branch_summary', 'summary'],
  ['custom', 'customType'],
  ['custom_message', 'customType'],
  ['label', 'targetId'],
]);

/** Pi session JSONL (formats.md section 12): a flat list of entries in version 1, a tree of them since. */
export const pi: Format = {
  name: 'pi',
  title: 'Pi session',
  marks:
    'a line of `type` session with `cwd`, then lines with `type` message and a `message` with its `role`',
  pictures: 'in-result',
  weigh(entry) {
    const type = field(entry, 'type');
    if (type === 'message') return ROLES.has(field(field(entry, 'message'), 'role')) ? 5 : 0;
    const key = ENTRY_KEYS.get(type);
    return key !== undefined && typeof field(entry, key) === 'string' ? 5 : 0;
  },
  conversations: () => null,
  read({ value, at }: Entry): MessageDraft[] {
    switch (field(value, 'type')) {
      case 'message':
        return readMessage(field(value, 'message'), [...at, 'message']);
      case 'custom_message':
        return [userMessage(value, at, 'context')];
      case 'branch_summary':
        return readSummary(value, at);
      case 'compaction':
        return [...readSummary(value, at), ...readRetained(field(value, 'retainedTail'), at)];
      default:
        return [];
    }
  },
  treeNode(value): TreeNode | null {
    if (!isObject(value)) return null; // a line that Pi did not write
    const type = field(value, 'type');
    const isHeader = type === 'session'; // its id is the session's, but a version 1 index counts it
    return {
      id: isHeader ? null : stringOrNull(field(value, 'id')),
      // A `leaf` line says where the session goes on, wherever it stands itself.
      parent: stringOrNull(field(value, type === 'leaf' ? 'targetId' : 'parentId')),
      isSide: false,
      isMessage: !isHeader, // Pi takes a session up at its last entry, whatever that is
      reply: null,
      calls: [],
      results: [],
      ...(type === 'compaction' ? { keptFrom: firstKept(value) } : {}),
    };
  },
};

/** The first entry that a compaction keeps; none when it repeats the messages that it keeps in itself. */
function firstKept(compaction: unknown): string | number | null {
  if (Array.isArray(field(compaction, 'retainedTail'))) return null;
  const index = field(compaction, 'firstKeptEntryIndex');
  return stringOrNull(field(compaction, 'firstKeptEntryId')) ?? (typeof index === 'number' ? index : null);
}

function readRetained(messages: unknown, at: JsonPath): MessageDraft[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message, i) => readMessage(message, [...at, 'retainedTail', i]));
}

function readMessage(message: unknown, at: JsonPath): MessageDraft[] {
  switch (field(message, 'role')) {
    case 'user':
      return [userMessage(message, at, 'operator')];
    case 'assistant': {
      const parts = readContent(field(message, 'content'), [...at, 'content']);
      return [{ at, role: 'assistant', speaker: 'assistant', parts, lists: [] }];
    }
    case 'toolResult':
      return [{ at, role: 'tool', speaker: 'tool', parts: [toolResult(message, at)], lists: [] }];
    case 'bashExecution':
      return readShellCommand(message, at);
    case 'custom':
    case 'hookMessage':
      return [userMessage(message, at, 'context')];
    case 'branchSummary':
    case 'compactionSummary':
      return readSummary(message, at);
    default:
      return [];
  }
}

function userMessage(message: unknown, at: JsonPath, speaker: Speaker): MessageDraft {
  const content = field(message, 'content');
  const contentAt = [...at, 'content'];
  const items = readItems(content, contentAt);
  return {
    at,
    role: 'user',
    speaker,
    parts: readContent(content, contentAt),
    lists: items === null ? [] : [{ at: contentAt, owner: null, items }],
  };
}

/** Summaries reach the model as user messages; an empty one does not. */
function readSummary(value: unknown, at: JsonPath): MessageDraft[] {
  const parts = readText(value, 'summary', at);
  const isEmpty = parts.length === 0 || field(value, 'summary') === '';
  return isEmpty ? [] : [{ at, role: 'user', speaker: 'summary', parts, lists: [] }];
}

/**
 * A command that the operator ran with `!`. The model reads it as a user message, not as the result of a call of its
 * own; one that was run with `!!` it never sees.
 */
function readShellCommand(message: unknown, at: JsonPath): MessageDraft[] {
  if (field(message, 'excludeFromContext') === true) return [];
  const parts = [...readText(message, 'command', at), ...readText(message, 'output', at)];
  return [{ at, role: 'user', speaker: 'context', parts, lists: [] }];
}

function readText(value: unknown, key: string, at: JsonPath): Part[] {
  const text = field(value, key);
  return typeof text === 'string' ? [{ kind: 'text', text, at: [...at, key], annotations: [] }] : [];
}

function readContent(content: unknown, at: JsonPath): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content, at, annotations: [] }];
  if (!Array.isArray(content)) return [];
  return content.map((block, i) => readBlock(block, [...at, i]));
}

function readBlock(block: unknown, at: JsonPath): Part {
  const type = stringOrNull(field(block, 'type')) ?? '';
  switch (type) {
    case 'text':
      return readText(block, 'text', at)[0] ?? { kind: 'raw', type };
    case 'thinking':
      return { kind: 'thinking', text: stringOrNull(field(block, 'thinking')) ?? '' };
    case 'image':
      return { kind: 'image' };
    case 'toolCall':
      return {
        kind: 'tool-call',
        id: stringOrNull(field(block, 'id')),
        tool: stringOrNull(field(block, 'name')) ?? '',
        input: field(block, 'arguments'),
      };
    default:
      return { kind: 'raw', type };
  }
}

function toolResult(message: unknown, at: JsonPath): ToolResult {
  const value = field(message, 'content');
  return {
    kind: 'tool-result',
    callId: stringOrNull(field(message, 'toolCallId')),
    tool: stringOrNull(field(message, 'toolName')),
    isError: field(message, 'isError') === true,
    at: [...at, 'content'],
    value,
    blocks: readItems(value, [...at, 'content']),
    isEditable: value !== undefined,
    copy: truncatedCopy(message, at),
  };
}

/**
 * Tools that cut their output off keep a copy of what they showed. The rest of `details` is no copy: extensions keep
 * their state in it.
 */
function truncatedCopy(message: unknown, at: JsonPath): ToolResult['copy'] {
  const value = field(field(field(message, 'details'), 'truncation'), 'content');
  return typeof value === 'string' ? { at: [...at, 'details', 'truncation', 'content'], value } : null;
}

/** The items of a content array; null for other content. */
function readItems(content: unknown, at: JsonPath): Item[] | null {
  return Array.isArray(content) ? content.map((block, i) => readItem(block, [...at, i])) : null;
}

function readItem(block: unknown, at: JsonPath): Item {
  const type = field(block, 'type');
  const text = field(block, 'text');
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text, at };
  return type === 'image'
    ? { kind: 'image', data: stringOrNull(field(block, 'data')), at }
    : { kind: 'other', at };
}
