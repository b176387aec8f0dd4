import type { MessageDraft, Role, Speaker } from '../message.js';
import type { ConversationSlot, Entry, Format } from './format.js';
import { groundingOf } from './google-grounding.js';
import { googleField, googleList, isOwnGooglePart, readGoogleParts } from './google-parts.js';
import { arraySlot, field, isObject, listOf, stringOrNull } from './values.js';

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['user', 'user'],
  ['model', 'assistant'],
  ['function', 'tool'],
]);

/** Keys under which a request, a saved chat of Gemini CLI, or a host's own file holds the contents. */
const HOLDERS = ['contents', 'history'];

/** Contents of Google's generateContent (formats.md section 10): requests, responses and saved histories. */
export const googleGenai: Format = {
  name: 'google-genai',
  title: 'Google GenAI contents',
  marks: '`role` user or model with `parts` that have no `type`: text, functionCall, functionResponse',
  pictures: 'in-place',
  citations: 'grounding metadata',
  weigh(entry) {
    if (!isContent(entry)) return 0;
    return field(entry, 'role') === 'model' || listOf(field(entry, 'parts')).some(isOwnGooglePart) ? 5 : 2;
  },
  conversations(value) {
    if (Array.isArray(value)) return value.every(isContent) ? [arraySlot(value, [], null)] : null;
    const holder = HOLDERS.find((key) => Array.isArray(field(value, key)));
    if (holder === undefined) return responseSlots(value);
    const contents = listOf(field(value, holder));
    if (!contents.every(isContent)) return null;
    const slot = arraySlot(contents, [holder], stringOrNull(field(value, 'id')));
    return [{ ...slot, entries: withGrounding(slot.entries, value) }];
  },
  read({ value, at }: Entry): MessageDraft[] {
    const role = ROLES.get(field(value, 'role'));
    if (role === undefined || !isContent(value)) return [];
    const parts = listOf(field(value, 'parts'));
    const partsAt = [...at, 'parts'];
    return [
      {
        at,
        role,
        speaker: speakerOf(role, parts),
        parts: readGoogleParts(parts, partsAt, groundingOf(value, parts)),
        lists: role === 'user' ? googleList(parts, partsAt) : [],
      },
    ];
  },
};

/** Parts of the Vercel AI SDK have a `type`; an empty list is anybody's. */
function isContent(value: unknown): boolean {
  const parts = field(value, 'parts');
  return (
    ROLES.has(field(value, 'role')) &&
    Array.isArray(parts) &&
    (parts.length > 0 || field(value, 'role') === 'model') &&
    parts.every((part) => isObject(part) && part.type === undefined && part.part_kind === undefined)
  );
}

/** A response: each candidate is a conversation of one message. */
function responseSlots(value: unknown): ConversationSlot[] | null {
  const candidates = listOf(field(value, 'candidates'));
  if (candidates.length === 0 || !candidates.every((one) => isContent(field(one, 'content')))) return null;
  return candidates.map((candidate, i) => {
    const entry = { at: ['candidates', i, 'content'], value: field(candidate, 'content') };
    return { id: stringOrNull(googleField(value, 'responseId')), entries: withGrounding([entry], candidate) };
  });
}

/** What grounds an answer stands beside the contents of which it is the last. */
function withGrounding(entries: readonly Entry[], holder: unknown): Entry[] {
  const keys = ['groundingMetadata', 'citationMetadata'];
  const metadata = keys.map((key) => [key, googleField(holder, key)] as const);
  const beside = Object.fromEntries(metadata.filter(([, value]) => value !== undefined));
  const last = entries.findLastIndex(({ value }) => field(value, 'role') === 'model');
  return entries.map((entry, i) =>
    i === last ? { ...entry, value: { ...beside, ...Object(entry.value) } } : entry,
  );
}

/** How Gemini CLI opens the histories that it saves. */
const OPENING = /^\s*(?:<session_context>|This is the Gemini CLI\. We are setting up the context)/;

function speakerOf(role: Role, parts: readonly unknown[]): Speaker {
  if (role !== 'user') return role;
  return OPENING.test(stringOrNull(field(parts[0], 'text')) ?? '') ? 'context' : 'operator';
}
