import type { EditedRecord } from '../transcript/edited.js';
import { type ByteSource, readRange } from '../transcript/lines.js';
import type { RecordRange } from '../transcript/records.js';
import { type JsonPath, type JsonStyle, locate, writeJson } from '../transcript/splice.js';
import { prefixLength } from './prefix.js';
import type { Recollection } from './recollect.js';

/**
 * The edits that put each prefix in front of its answer's first text. An answer that begins with a prefix already keeps
 * the one it has, so that applying twice is applying once.
 */
export function prefixEdits(
  source: ByteSource,
  recollections: readonly Recollection[],
  style: JsonStyle,
): EditedRecord[] {
  const byRecord = new Map<number, Insertions>();
  for (const { turn, prefix } of recollections) {
    if (prefix === null || turn.answer === null || prefixLength(turn.answer.text) > 0) continue;
    const { record, at } = turn.answer;
    const insertions = byRecord.get(record.start) ?? { record, places: [] };
    insertions.places.push({ at, prefix });
    byRecord.set(record.start, insertions);
  }
  return [...byRecord.values()]
    .toSorted((a, b) => a.record.start - b.record.start)
    .map((insertions) => recordEdits(source, insertions, style));
}

interface Insertions {
  readonly record: RecordRange;
  readonly places: { readonly at: JsonPath; readonly prefix: string }[];
}

/** The text behind the prefix stays as it is spelled: its raw JSON is taken over, not written anew. */
function recordEdits(source: ByteSource, { record, places }: Insertions, style: JsonStyle): EditedRecord {
  const text = readRange(source, record.start, record.end).toString('latin1');
  const found = locate(
    text,
    places.map(({ at }) => at),
  );
  const edits = places.map(({ at, prefix }, i) => {
    const span = found[i];
    if (span === undefined) throw new Error(`no text at /${at.join('/')}`);
    const rest = Buffer.from(text.slice(span.start + 1, span.end), 'latin1').toString('utf8');
    return { op: 'replace', at, json: writeJson(prefix, style).slice(0, -1) + rest } as const;
  });
  return { record, edits };
}
