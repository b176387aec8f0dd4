import type { LiveMessages } from '../live.js';
import type { MessageDraft, Part, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import type { Entry, Format } from './format.js';
import { functionResponse, googleList, readGoogleParts } from './google-parts.js';
import { field, isObject, listOf, stringOrNull } from './values.js';

/**
 * Gemini CLI chats (formats.md section 10). Either one document with all messages, or a log: a line with what the
 * session is, then messages, changes of the session (`$set`) and steps back (`$rewindTo`).
 */
export const geminiCli: Format = {
  name: 'gemini-cli',
  title: 'Gemini CLI chat',
  marks:
    'an object or first line with `sessionId` and `projectHash`, messages with `id` and `type` user or gemini',
  pictures: 'in-place',
  weigh(entry) {
    if (isHeader(entry)) return 5;
    if (isMessage(entry)) return typeof field(entry, 'timestamp') === 'string' ? 5 : 2;
    if (field(entry, 'role') !== undefined) return 0;
    return isObject(field(entry, '$set')) || typeof field(entry, '$rewindTo') === 'string' ? 5 : 0;
  },
  conversations: () => null,
  read({ value, at }: Entry): MessageDraft[] {
    return messagesIn(value, at).map(readMessage);
  },
  watchLive,
};

function isHeader(value: unknown): boolean {
  return typeof field(value, 'sessionId') === 'string' && typeof field(value, 'projectHash') === 'string';
}

/** What the operator and the model say, and what the terminal showed besides. */
const TYPES: ReadonlySet<unknown> = new Set(['user', 'gemini', 'info', 'error', 'warning']);

function isMessage(value: unknown): boolean {
  const isTyped = typeof field(value, 'id') === 'string' && TYPES.has(field(value, 'type'));
  return isTyped && field(value, 'content') !== undefined;
}

/** The messages of an entry: itself, or those of a session or of a change to it. */
function messagesIn(value: unknown, at: JsonPath): Entry[] {
  if (isMessage(value)) return [{ value, at }];
  const change = field(value, '$set');
  const holder = isObject(change) ? change : value;
  const holderAt = isObject(change) ? [...at, '$set'] : at;
  return listOf(field(holder, 'messages'))
    .map((message, i) => ({ value: message, at: [...holderAt, 'messages', i] }))
    .filter((one) => isMessage(one.value));
}

function readMessage({ value, at }: Entry): MessageDraft {
  const type = field(value, 'type');
  const content = field(value, 'content');
  const contentAt = [...at, 'content'];
  const words = readGoogleParts(content, contentAt);
  switch (type) {
    case 'user':
      return { at, role: 'user', speaker: 'operator', parts: words, lists: googleList(content, contentAt) };
    case 'gemini':
      return { at, role: 'assistant', speaker: 'assistant', parts: replyParts(value, words, at), lists: [] };
    default:
      return { at, role: 'system', speaker: 'context', parts: words, lists: [] };
  }
}

/** The CLI writes what was said before the calls, and their results into them. */
function replyParts(message: unknown, words: readonly Part[], at: JsonPath): Part[] {
  const thoughts = listOf(field(message, 'thoughts')).map((thought): Part => {
    return { kind: 'thinking', text: stringOrNull(field(thought, 'description')) ?? '' };
  });
  const calls = listOf(field(message, 'toolCalls'));
  return [...thoughts, ...words, ...calls.flatMap((call, i) => readCall(call, [...at, 'toolCalls', i]))];
}

function readCall(call: unknown, at: JsonPath): Part[] {
  const id = stringOrNull(field(call, 'id'));
  const tool = stringOrNull(field(call, 'name')) ?? '';
  const called: Part = { kind: 'tool-call', id, tool, input: field(call, 'args') };
  const result = resultOf(field(call, 'result'), [...at, 'result']);
  if (result === undefined) return [called];
  return [
    called,
    { ...result, callId: id, tool, isError: isFailed(call, result), copy: displayed(call, at) },
  ];
}

/** The response among the parts of a result, which may be one part by itself. Pictures beside it stay. */
function resultOf(result: unknown, at: JsonPath): ToolResult | undefined {
  const parts = listOf(result);
  const index = parts.findIndex((part) => isObject(field(part, 'functionResponse')));
  const response = field(index < 0 ? result : parts[index], 'functionResponse');
  if (!isObject(response)) return undefined;
  return functionResponse(response, [...at, ...(index < 0 ? [] : [index]), 'functionResponse']);
}

function isFailed(call: unknown, { isError }: ToolResult): boolean {
  return isError || field(call, 'status') === 'error' || field(call, 'status') === 'cancelled';
}

/** What the terminal showed of the result, where that is text: a diff has to stay one. */
function displayed(call: unknown, at: JsonPath): ToolResult['copy'] {
  const value = field(call, 'resultDisplay');
  return typeof value === 'string' ? { at: [...at, 'resultDisplay'], value } : null;
}

/**
 * A message of an id that was there replaces that one in its place. A step back takes the message away and all behind
 * it, or everything when it is not there. What only the terminal showed is live nowhere.
 */
function watchLive(): LiveMessages {
  const live = new Map<string, { readonly position: number; readonly isSaid: boolean }>();
  return {
    see(value, position) {
      const rewindTo = field(value, '$rewindTo');
      if (typeof rewindTo === 'string') return stepBack(live, rewindTo);
      const messages = messagesIn(value, []);
      // A list of messages is all of them; an empty one is what a session that is written as a log begins with.
      if (messages.length > 0 && !isMessage(value)) live.clear();
      for (const [i, { value: message }] of messages.entries()) {
        const isSaid = field(message, 'type') === 'user' || field(message, 'type') === 'gemini';
        live.set(stringOrNull(field(message, 'id')) ?? '', { position: position + i, isSaid });
      }
    },
    live: () => new Set([...live.values()].filter(({ isSaid }) => isSaid).map(({ position }) => position)),
  };
}

function stepBack(live: Map<string, unknown>, id: string): void {
  const ids = [...live.keys()];
  const from = ids.indexOf(id);
  for (const gone of from < 0 ? ids : ids.slice(from)) live.delete(gone);
}
