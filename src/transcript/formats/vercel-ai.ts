import type { MessageDraft, Part, Role } from '../message.js';
import type { JsonPath } from '../splice.js';
import type { Entry, Format } from './format.js';
import { arraySlot, field, isObject, listOf, stringOrNull } from './values.js';
import { oldInvocations, promptList, readParts } from './vercel-parts.js';

const UI_ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['system', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
]);
const MODEL_ROLES: ReadonlyMap<unknown, Role> = new Map([...UI_ROLES, ['tool', 'tool']]);

/** Parts that only this SDK writes, in one of its two forms or in both. */
const OWN_TYPES: ReadonlySet<unknown> = new Set([
  'step-start',
  'source-url',
  'source-document',
  'dynamic-tool',
  'tool-invocation',
  'reasoning',
  'tool-approval-request',
  'tool-approval-response',
]);

/** Parts of a ModelMessage that other formats may have too, each with a key that only this SDK gives it. */
const OWN_KEYS: ReadonlyMap<unknown, string> = new Map([
  ['tool-call', 'toolName'],
  ['tool-result', 'toolName'],
  ['image', 'image'],
  ['file', 'mediaType'],
]);

/** Vercel AI SDK messages (formats.md section 7): UIMessage with `parts`, ModelMessage with `content`. */
export const vercelAi: Format = {
  name: 'vercel-ai',
  title: 'Vercel AI SDK messages',
  marks:
    '`role` with `parts` of a `type` (text, step-start, tool-NAME), or `content` with tool-call or tool-result parts',
  pictures: 'in-place',
  citations: 'source parts',
  weigh(entry) {
    if (isUiMessage(entry)) return 5;
    if (!isModelMessage(entry)) return 0;
    if (field(entry, 'providerOptions') !== undefined || Array.isArray(field(entry, 'toolInvocations')))
      return 5;
    return listOf(field(entry, 'content')).some(isOwnModelPart) ? 5 : 1;
  },
  conversations(value) {
    if (Array.isArray(value)) return value.every(isMessage) ? [arraySlot(value, [], null)] : null;
    const messages = field(value, 'messages');
    if (!Array.isArray(messages) || !messages.every(isMessage)) return null;
    return [arraySlot(messages, ['messages'], stringOrNull(field(value, 'id')))];
  },
  read({ value, at }: Entry): MessageDraft[] {
    const role = MODEL_ROLES.get(field(value, 'role'));
    if (role === undefined || !isMessage(value)) return [];
    const isUi = isUiMessage(value);
    const content = field(value, isUi ? 'parts' : 'content');
    const contentAt = [...at, isUi ? 'parts' : 'content'];
    const parts = Array.isArray(content) ? readParts(content, contentAt) : wholeText(content, contentAt);
    return [
      {
        at,
        role,
        speaker: role === 'user' ? 'operator' : role,
        parts: isUi ? parts : [...parts.map((part) => locked(part, role)), ...oldInvocations(value, at)],
        lists: role === 'user' && Array.isArray(content) ? [promptList(content, contentAt)] : [],
      },
    ];
  },
};

/** In a ModelMessage a result in the assistant's own message is of a provider's tool: it goes back as it came. */
function locked(part: Part, role: Role): Part {
  return part.kind === 'tool-result' && role === 'assistant' ? { ...part, isEditable: false } : part;
}

function isMessage(value: unknown): boolean {
  return isUiMessage(value) || isModelMessage(value);
}

function isUiMessage(value: unknown): boolean {
  const parts = field(value, 'parts');
  return (
    UI_ROLES.has(field(value, 'role')) &&
    Array.isArray(parts) &&
    (parts.length > 0 || typeof field(value, 'id') === 'string') &&
    parts.every((part) => typeof field(part, 'type') === 'string')
  );
}

/** Text alone is written alike in several formats. Calls beside the content, or a call's id, are another format's. */
function isModelMessage(value: unknown): boolean {
  const content = field(value, 'content');
  const foreign = ['type', 'parts', 'tool_calls', 'tool_call_id', 'function_call', 'uuid'];
  if (!MODEL_ROLES.has(field(value, 'role')) || foreign.some((key) => field(value, key) !== undefined))
    return false;
  if (field(value, 'role') === 'tool') return listOf(content).some(isOwnModelPart);
  return typeof content === 'string' || Array.isArray(content);
}

function isOwnModelPart(part: unknown): boolean {
  const type = field(part, 'type');
  const key = OWN_KEYS.get(type);
  if (key !== undefined) return field(part, key) !== undefined;
  return OWN_TYPES.has(type) || isObject(field(part, 'providerOptions'));
}

function wholeText(content: unknown, at: JsonPath): Part[] {
  return typeof content === 'string' ? [{ kind: 'text', text: content, at, annotations: [] }] : [];
}
