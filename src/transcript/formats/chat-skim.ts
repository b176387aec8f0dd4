import { findMembers, MEMBER_SIZE } from '../members.js';
import type { Span } from '../splice.js';
import type { Skimmed, SkimmedCall } from './format.js';
import { field, listOf, stringOrNull } from './values.js';

/** The members of a message that its outline needs. */
const READ = ['role', 'content', 'tool_call_id', 'name', 'tool_calls', 'function_call'] as const;
/** A record with one of these may be something else than it looks like: it is parsed. */
const PARSED = ['source', 'type'] as const;

type Key = (typeof READ | typeof PARSED)[number];

const KEYS: readonly (readonly { readonly key: Key; readonly bytes: Buffer }[])[] = byLength();

function byLength(): { key: Key; bytes: Buffer }[][] {
  const keys = [...READ, ...PARSED].map((key) => ({ key, bytes: Buffer.from(key) }));
  const longest = Math.max(...keys.map(({ bytes }) => bytes.length));
  return Array.from({ length: longest + 1 }, (_, length) =>
    keys.filter(({ bytes }) => bytes.length === length),
  );
}

type Found = Partial<Record<Key, Span>>;

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/** Used for every record: an array for each would be what reading a large file mostly does. */
const members: number[] = [];

/**
 * What a Chat Completions message says to an outline, by its bytes alone; null for a record that has to be parsed:
 * damaged or no message, with a key that occurs twice or is written with escapes, or of a shape that is not common.
 */
export function skimChatMessage(bytes: Buffer): Skimmed | null {
  const found = foundMembers(bytes);
  if (found?.role === undefined || found.source !== undefined || found.type !== undefined) return null;
  const { start, end } = found.role;
  const role = ROLES.find(({ written }) => written.length === end - start && standsAt(bytes, start, written));
  switch (role?.name) {
    case 'tool':
      return toolResult(bytes, found);
    case 'assistant':
      return calls(bytes, found);
    case 'user':
      return isPlainQuestion(bytes, found.content) && !hasCalls(found) ? QUESTION : null;
    case 'system':
      return hasCalls(found) ? null : SPEECH;
    default:
      return null;
  }
}

const ROLES = (['tool', 'assistant', 'user', 'system'] as const).map((name) => ({
  name,
  written: Buffer.from(`"${name}"`),
}));

const QUESTION: Skimmed = { kind: 'question' };
const SPEECH: Skimmed = { kind: 'speech' };

function hasCalls({ tool_calls, function_call }: Found): boolean {
  return tool_calls !== undefined || function_call !== undefined;
}

/** The members with a name that matters; null where one occurs twice or a name may be written with escapes. */
function foundMembers(bytes: Buffer): Found | null {
  const count = findMembers(bytes, members);
  const found: Found = {};
  for (let i = 0; i < count; i += MEMBER_SIZE) {
    const [start = 0, end = 0] = [members[i], members[i + 1]];
    const key = keyAt(bytes, start, end);
    if (key === null) return null;
    if (key === undefined) continue;
    if (found[key] !== undefined) return null;
    found[key] = { start: members[i + 2] ?? 0, end: members[i + 3] ?? 0 };
  }
  return count < 0 ? null : found;
}

/** Undefined for a name that does not matter, null for one with escapes, which may be any. */
function keyAt(bytes: Buffer, start: number, end: number): Key | undefined | null {
  for (const { key, bytes: name } of KEYS[end - start] ?? []) if (standsAt(bytes, start, name)) return key;
  for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) return null;
  return undefined;
}

/** Several times as fast as Buffer.compare for words as short as these. */
function standsAt(bytes: Buffer, start: number, word: Buffer): boolean {
  for (let i = 0; i < word.length; i += 1) if (bytes[start + i] !== word[i]) return false;
  return true;
}

function toolResult(bytes: Buffer, found: Found): Skimmed | null {
  const { content, tool_call_id: id, name } = found;
  if (content === undefined || bytes[content.start] !== QUOTE) return null;
  return { kind: 'result', callId: stringAt(bytes, id), tool: stringAt(bytes, name), payload: content };
}

/** Null for what is no string. */
function stringAt(bytes: Buffer, span: Span | undefined): string | null {
  if (span === undefined || bytes[span.start] !== QUOTE) return null;
  const written = bytes.toString('utf8', span.start, span.end);
  return written.includes('\\') ? stringOrNull(parsed(written)) : written.slice(1, -1);
}

/** @throws SyntaxError */
function parsed(written: string): unknown {
  return JSON.parse(written);
}

function calls(bytes: Buffer, { tool_calls: list, function_call: single }: Found): Skimmed | null {
  if (single !== undefined) return null;
  if (list === undefined) return SPEECH;
  try {
    const value = parsed(bytes.toString('utf8', list.start, list.end));
    return { kind: 'calls', calls: listOf(value).map(chatCallName) };
  } catch {
    return null; // the reader says what is wrong with it
  }
}

/** The id and tool of a call, without its arguments. */
export function chatCallName(call: unknown): SkimmedCall {
  const named = field(call, 'function') ?? field(call, 'custom');
  return { id: stringOrNull(field(call, 'id')), tool: stringOrNull(field(named, 'name')) ?? '' };
}

/** A text that begins with a word: neither blank, nor the output of a tool that an agent sent as a user. */
function isPlainQuestion(bytes: Buffer, content: Span | undefined): boolean {
  if (content === undefined || bytes[content.start] !== QUOTE) return false;
  const first = bytes[content.start + 1] ?? 0;
  const letter = first | 0x20;
  const isLetter = letter >= 0x61 && letter <= 0x7a;
  // `observation:` is what such an output may begin with.
  return isLetter && letter !== 0x6f;
}
