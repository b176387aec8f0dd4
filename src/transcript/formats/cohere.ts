import type { MessageDraft, Part, ResultDocument, Role, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import { contentItems } from './blocks.js';
import type { ConversationSlot, Entry, Format } from './format.js';
import { chatCall } from './openai-chat.js';
import { arraySlot, field, isObject, listOf, stringOrNull } from './values.js';

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
]);

/** Cohere v2 chat: requests with `messages`, and responses with one `message`. */
export const cohere: Format = {
  name: 'cohere',
  title: 'Cohere v2 chat',
  marks:
    'messages with `tool_plan`, `citations` with `sources`, or document blocks; or a response with a `message` and `finish_reason`',
  pictures: 'in-place',
  citations: 'citations of the message, with start, end and sources',
  weigh(entry) {
    if (isResponse(entry)) return 5;
    const role = ROLES.get(field(entry, 'role'));
    if (role === undefined) return 0;
    if (role === 'tool') return listOf(field(entry, 'content')).some(isDocumentBlock) ? 5 : 0;
    if (role !== 'assistant') return 0;
    return typeof field(entry, 'tool_plan') === 'string' || listOf(field(entry, 'citations')).some(isCitation)
      ? 5
      : 0;
  },
  conversations(value): ConversationSlot[] | null {
    if (isResponse(value)) return [{ id: stringOrNull(field(value, 'id')), entries: [{ at: [], value }] }];
    if (Array.isArray(value)) return value.some(isMessage) ? [arraySlot(value, [], null)] : null;
    const messages = field(value, 'messages');
    if (!Array.isArray(messages) || !messages.some(isMessage)) return null;
    return [arraySlot(messages, ['messages'], stringOrNull(field(value, 'id')))];
  },
  read({ value, at }: Entry): MessageDraft[] {
    return isResponse(value)
      ? readMessage(field(value, 'message'), [...at, 'message'])
      : readMessage(value, at);
  },
};

/** The reasons why an answer ends are in capitals here, and nowhere else. */
function isResponse(value: unknown): boolean {
  const reason = field(value, 'finish_reason');
  const message = field(value, 'message');
  return typeof reason === 'string' && /^[A-Z_]+$/.test(reason) && isMessage(message);
}

function isMessage(value: unknown): boolean {
  return (
    isObject(value) &&
    ROLES.has(value.role) &&
    ('content' in value || 'tool_calls' in value || 'tool_plan' in value)
  );
}

function isCitation(value: unknown): boolean {
  return typeof field(value, 'start') === 'number' && Array.isArray(field(value, 'sources'));
}

function isDocumentBlock(block: unknown): boolean {
  return field(block, 'type') === 'document' && isObject(field(block, 'document'));
}

function readMessage(value: unknown, at: JsonPath): MessageDraft[] {
  const role = ROLES.get(field(value, 'role'));
  const content = field(value, 'content');
  const contentAt = [...at, 'content'];
  if (role === undefined || !isMessage(value)) return [];
  if (role === 'tool')
    return [{ at, role, speaker: 'tool', parts: [toolResult(value, contentAt)], lists: [] }];
  const items = role === 'user' && Array.isArray(content) ? contentItems(content, contentAt) : null;
  return [
    {
      at,
      role,
      speaker: role === 'user' ? 'operator' : role,
      parts: [
        ...planOf(value, at),
        ...textParts(value, contentAt),
        ...listOf(field(value, 'tool_calls')).map(chatCall),
      ],
      lists: items === null ? [] : [{ at: contentAt, owner: null, items }],
    },
  ];
}

/** What the model means to look for; said before its calls, so it is text of its own. */
function planOf(value: unknown, at: JsonPath): Part[] {
  const plan = field(value, 'tool_plan');
  return typeof plan === 'string' && plan !== ''
    ? [{ kind: 'text', text: plan, at: [...at, 'tool_plan'], annotations: [] }]
    : [];
}

function textParts(value: unknown, at: JsonPath): Part[] {
  const content = field(value, 'content');
  const citations = listOf(field(value, 'citations'));
  if (typeof content === 'string') return [{ kind: 'text', text: content, at, annotations: citations }];
  return listOf(content).map((block, i): Part => {
    const type = stringOrNull(field(block, 'type')) ?? '';
    const text = field(block, 'text');
    // A citation without an index is of the first block.
    const annotations = citations.filter((one) => (field(one, 'content_index') ?? 0) === i);
    if (type === 'text' && typeof text === 'string')
      return { kind: 'text', text, at: [...at, i, 'text'], annotations };
    if (type === 'thinking') return { kind: 'thinking', text: stringOrNull(field(block, 'thinking')) ?? '' };
    return type === 'image_url' ? { kind: 'image' } : { kind: 'raw', type };
  });
}

function toolResult(value: unknown, at: JsonPath): ToolResult {
  const content = field(value, 'content');
  const callId = stringOrNull(field(value, 'tool_call_id'));
  return {
    kind: 'tool-result',
    callId,
    tool: null,
    isError: false,
    at,
    value: content,
    blocks: Array.isArray(content) ? contentItems(content, at) : null,
    isEditable: content !== undefined,
    copy: null,
    documents: listOf(content).flatMap((block, i) => blockDocument(block, callId, i)),
  };
}

/** A document has its own id, or is cited by its call's id and its place in the result. */
function blockDocument(block: unknown, callId: string | null, index: number): ResultDocument[] {
  if (!isDocumentBlock(block)) return [];
  const document = field(block, 'document');
  const data = field(document, 'data');
  const text = typeof data === 'string' ? data : documentText(data);
  const id = stringOrNull(field(document, 'id')) ?? (callId === null ? null : `${callId}:${index}`);
  const uri = stringOrNull(field(data, 'url') ?? field(data, 'source')) ?? '';
  return text === '' ? [] : [{ id, text, uri, title: stringOrNull(field(data, 'title')) }];
}

/** Its text under the usual names, else all of its fields. */
function documentText(data: unknown): string {
  const text = ['text', 'snippet', 'content']
    .map((key) => field(data, key))
    .find((one) => typeof one === 'string');
  if (typeof text === 'string') return text;
  return isObject(data) ? JSON.stringify(data) : '';
}
