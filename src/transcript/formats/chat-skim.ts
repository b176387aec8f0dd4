import { findMembers, MEMBER_SIZE } from '../members.js';
import type { Skimmed, SkimmedCall } from './format.js';
import { field, listOf, stringOrNull } from './values.js';

/** The members of a message that its outline needs. */
const READ = ['role', 'content', 'tool_call_id', 'name', 'tool_calls', 'function_call'] as const;
/** A record with one of these may be something else than it looks like: it is parsed. */
const PARSED = ['source', 'type'] as const;

type Key = (typeof READ | typeof PARSED)[number];

const ROLES = (['tool', 'assistant', 'user', 'system'] as const).map((name) => ({
  name,
  written: Buffer.from(`"${name}"`),
}));

/** Where the value of a key stands; -1 when it is not there. */
interface Place {
  start: number;
  end: number;
}

// Used again for every record: what is made for each would be most of what reading a large file costs.
const members: number[] = [];
const places: Readonly<Record<Key, Place>> = {
  role: { start: -1, end: -1 },
  content: { start: -1, end: -1 },
  tool_call_id: { start: -1, end: -1 },
  name: { start: -1, end: -1 },
  tool_calls: { start: -1, end: -1 },
  function_call: { start: -1, end: -1 },
  source: { start: -1, end: -1 },
  type: { start: -1, end: -1 },
};
const allPlaces = Object.values(places);

interface Known {
  readonly bytes: Buffer;
  readonly place: Place;
}

/** The keys of each length, with their places. */
const KNOWN: readonly (readonly Known[])[] = byLength();

function byLength(): Known[][] {
  const known = [...READ, ...PARSED].map((key) => ({ bytes: Buffer.from(key), place: places[key] }));
  const longest = Math.max(...known.map(({ bytes }) => bytes.length));
  return Array.from({ length: longest + 1 }, (_, length) =>
    known.filter(({ bytes }) => bytes.length === length),
  );
}

const NONE: readonly Known[] = [];
const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/**
 * What a Chat Completions message says to an outline, by its bytes alone (see `Format.skim`); null for a record that has
 * to be parsed: damaged or no message, with a key that occurs twice or is written with escapes, or of a shape that is
 * not common.
 */
export function skimChatMessage(bytes: Buffer, from: number, to: number): Skimmed | null {
  if (!placeMembers(bytes, from, to) || isThere(places.source) || isThere(places.type)) return null;
  switch (roleAt(bytes, places.role)) {
    case 'tool':
      return toolResult(bytes);
    case 'assistant':
      return isThere(places.function_call) ? null : calls(bytes, places.tool_calls);
    case 'user':
      return isPlainQuestion(bytes, places.content) && !hasCalls() ? QUESTION : null;
    case 'system':
      return hasCalls() ? null : SPEECH;
    default:
      return null;
  }
}

/** Made in one place, so that all have one shape: the loop over them is fast then. */
function skimmed(
  kind: Skimmed['kind'],
  calls: readonly SkimmedCall[],
  callId: string | null,
  tool: string | null,
  payload: Place,
): Skimmed {
  return { kind, calls, callId, tool, start: payload.start, end: payload.end };
}

const NO_CALLS: readonly SkimmedCall[] = [];
const NOWHERE: Place = { start: 0, end: 0 };
const SPEECH = skimmed('speech', NO_CALLS, null, null, NOWHERE);
const QUESTION = skimmed('question', NO_CALLS, null, null, NOWHERE);

function isThere({ start }: Place): boolean {
  return start >= 0;
}

function hasCalls(): boolean {
  return isThere(places.tool_calls) || isThere(places.function_call);
}

function roleAt(bytes: Buffer, { start, end }: Place): (typeof ROLES)[number]['name'] | undefined {
  for (const { name, written } of ROLES)
    if (written.length === end - start && standsAt(bytes, start, written)) return name;
  return undefined;
}

/** Fills the places; false where a key occurs twice or may be written with escapes, and for damaged records. */
function placeMembers(bytes: Buffer, from: number, to: number): boolean {
  const count = findMembers(bytes, from, to, members);
  for (let i = 0; i < allPlaces.length; i += 1) clear(allPlaces[i]);
  for (let i = 0; i < count; i += MEMBER_SIZE) {
    const place = placeOf(bytes, members[i] ?? 0, members[i + 1] ?? 0);
    if (place === undefined) continue;
    if (place === null || isThere(place)) return false;
    place.start = members[i + 2] ?? 0;
    place.end = members[i + 3] ?? 0;
  }
  return count > 0;
}

function clear(place: Place | undefined): void {
  if (place !== undefined) place.start = -1;
}

/** Undefined for a name that does not matter, null for one with escapes, which may be any. */
function placeOf(bytes: Buffer, start: number, end: number): Place | undefined | null {
  const known = KNOWN[end - start] ?? NONE;
  for (let i = 0; i < known.length; i += 1) {
    const one = known[i];
    if (one !== undefined && standsAt(bytes, start, one.bytes)) return one.place;
  }
  for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) return null;
  return undefined;
}

/** Several times as fast as Buffer.compare for words as short as these. */
function standsAt(bytes: Buffer, start: number, word: Buffer): boolean {
  for (let i = 0; i < word.length; i += 1) if (bytes[start + i] !== word[i]) return false;
  return true;
}

function toolResult(bytes: Buffer): Skimmed | null {
  const { content, tool_call_id: id, name } = places;
  if (!isThere(content) || bytes[content.start] !== QUOTE) return null;
  return skimmed('result', NO_CALLS, stringAt(bytes, id), stringAt(bytes, name), content);
}

/** Null for what is no string. */
function stringAt(bytes: Buffer, place: Place): string | null {
  if (!isThere(place) || bytes[place.start] !== QUOTE) return null;
  const written = bytes.toString('utf8', place.start, place.end);
  return written.includes('\\') ? stringOrNull(parsed(written)) : written.slice(1, -1);
}

/** Undefined for what is not JSON. */
function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined; // the reader says what is wrong with it
  }
}

function calls(bytes: Buffer, place: Place): Skimmed | null {
  if (!isThere(place)) return SPEECH;
  const value = parsed(bytes.toString('utf8', place.start, place.end));
  if (value === undefined) return null;
  return skimmed('speech', listOf(value).map(chatCallName), null, null, NOWHERE);
}

/** The id and tool of a call, without its arguments. */
export function chatCallName(call: unknown): SkimmedCall {
  const named = field(call, 'function') ?? field(call, 'custom');
  return { id: stringOrNull(field(call, 'id')), tool: stringOrNull(field(named, 'name')) ?? '' };
}

/** A text that begins with a word: neither blank, nor the output of a tool that an agent sent as a user. */
function isPlainQuestion(bytes: Buffer, { start }: Place): boolean {
  if (start < 0 || bytes[start] !== QUOTE || !isLetter(bytes[start + 1])) return false;
  // `observation:` is what such an output may begin with.
  return !(isLetterOf(bytes[start + 1], 'o') && isLetterOf(bytes[start + 2], 'b'));
}

function isLetter(byte = 0): boolean {
  return (byte | LOWER_CASE) >= 0x61 && (byte | LOWER_CASE) <= 0x7a;
}

function isLetterOf(byte: number | undefined, letter: string): boolean {
  return ((byte ?? 0) | LOWER_CASE) === letter.charCodeAt(0);
}

/** The bit that an ASCII letter has in lower case and not in upper case. */
const LOWER_CASE = 0x20;
