// What is unusual about a transcript file, so that nobody has to look for it: seen, never mended.
import { type ByteSource, readLines } from '../transcript/lines.js';
import type { OutlineMessage } from '../transcript/outline.js';

export type DamageKind =
  | 'cut last line'
  | 'two records on one line'
  | 'comment line'
  | 'blank line'
  | 'byte-order mark'
  | 'mixed line ends'
  | 'call without a result'
  | 'result without a call'
  | 'call id used twice';

export interface Damage {
  readonly kind: DamageKind;
  readonly count: number;
  /** The first one's line, from 1. */
  readonly line: number;
}

const OBJECTS_GLUED = /\}[ \t]*\{"/;
const CR = 0x0d;

/** What the bytes themselves show. `broken` is the lines that were passed over. */
export function fileDamage(source: ByteSource, broken: readonly number[]): readonly Damage[] {
  const found = new Map<DamageKind, Damage>();
  const ends = { crlf: 0, lf: 0, first: 0 };
  for (const { number, start, end, next, bytes } of readLines(source)) {
    if (number === 1 && start > 0) note(found, 'byte-order mark', 1);
    if (bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CR))
      note(found, 'blank line', number);
    else if (bytes.subarray(0, 2).equals(COMMENT)) note(found, 'comment line', number);
    else if (isGlued(bytes)) note(found, 'two records on one line', number);
    if (next > end) {
      if (next - end === 2) ends.crlf += 1;
      else ends.lf += 1;
      if (ends.first === 0 && ends.crlf > 0 && ends.lf > 0) ends.first = number;
    }
  }
  if (ends.first > 0)
    found.set('mixed line ends', {
      kind: 'mixed line ends',
      count: Math.min(ends.crlf, ends.lf),
      line: ends.first,
    });
  for (const line of broken) note(found, 'cut last line', line);
  return [...found.values()];
}

const COMMENT = Buffer.from('//');

/** A line that is one value is parsed as such; only what is left can be two. */
function isGlued(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  if (!text.startsWith('{') || !OBJECTS_GLUED.test(text)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return text.trimEnd().endsWith('}'); // a cut line is reported as such
  }
}

function note<Kind>(
  found: Map<Kind, { kind: Kind; count: number; line: number }>,
  kind: Kind,
  line: number,
): void {
  const known = found.get(kind);
  found.set(kind, { kind, count: (known?.count ?? 0) + 1, line: known?.line ?? line });
}

/** Adds the calls and results of one conversation that do not find each other. */
export function pairDamage(
  before: readonly Damage[],
  messages: readonly OutlineMessage[],
): readonly Damage[] {
  const found = new Map(before.map((damage) => [damage.kind, damage]));
  const open = new Map<string, number>();
  const seen = new Set<string>();
  for (const { calls, results, record } of messages) {
    for (const id of calls) {
      if (id === null) continue;
      if (seen.has(id)) note(found, 'call id used twice', record.line);
      seen.add(id);
      open.set(id, record.line);
    }
    for (const { callId } of results) {
      if (callId === null) continue;
      if (!seen.has(callId)) note(found, 'result without a call', record.line);
      open.delete(callId);
    }
  }
  for (const line of open.values()) note(found, 'call without a result', line);
  return [...found.values()];
}
