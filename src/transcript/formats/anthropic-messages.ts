import type { MessageDraft, Role } from '../message.js';
import { blockLists, readBlocks } from './blocks.js';
import type { Entry, Format } from './format.js';
import { arraySlot, field, isObject, stringOrNull } from './values.js';

const BLOCK_TYPES: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'document',
  'search_result',
  'server_tool_use',
  'mcp_tool_use',
]);

/** Anthropic Messages API (formats.md section 6): a request body, a bare array, rows, a response. */
export const anthropicMessages: Format = {
  name: 'anthropic-messages',
  title: 'Anthropic messages',
  marks: '`role` user or assistant with content blocks such as tool_use, tool_result, thinking, document',
  pictures: 'in-result',
  citations: 'citations of text blocks',
  weigh(entry) {
    if (!isRow(entry)) return 0;
    const content = field(entry, 'content');
    if (!Array.isArray(content)) return 1;
    return content.some(isOwnBlock) || field(entry, 'type') === 'message' ? 3 : 1;
  },
  conversations(value) {
    if (Array.isArray(value)) return value.every(isRow) ? [arraySlot(value, [], null)] : null;
    const messages = field(value, 'messages');
    if (!Array.isArray(messages) || !messages.every(isRow)) return null;
    const slot = arraySlot(messages, ['messages'], stringOrNull(field(value, 'id')));
    return [{ ...slot, system: field(value, 'system') }];
  },
  read({ value, at }: Entry): MessageDraft[] {
    const role = roleOf(value);
    if (role === null) return [];
    const content = field(value, 'content');
    const contentAt = [...at, 'content'];
    return [
      {
        at,
        role,
        speaker: role === 'user' ? 'operator' : 'assistant',
        parts: readBlocks(content, contentAt),
        lists: role === 'user' ? blockLists(content, contentAt) : [],
      },
    ];
  },
};

function isRow(value: unknown): boolean {
  return (
    roleOf(value) !== null &&
    field(value, 'parts') === undefined &&
    (typeof field(value, 'content') === 'string' || Array.isArray(field(value, 'content')))
  );
}

function roleOf(value: unknown): Role | null {
  const role = field(value, 'role');
  if (!isObject(value) || (role !== 'user' && role !== 'assistant')) return null;
  const type = value.type;
  return type === undefined || type === 'message' ? role : null;
}

function isOwnBlock(block: unknown): boolean {
  const type = field(block, 'type');
  const isResult = typeof type === 'string' && type.endsWith('_tool_result');
  return (
    isResult ||
    BLOCK_TYPES.has(type) ||
    Array.isArray(field(block, 'citations')) ||
    field(block, 'cache_control') !== undefined ||
    isObject(field(block, 'source'))
  );
}
