import { type ByteSource, readRange } from './lines.js';
import type { RecordRange } from './records.js';
import { type Change, type Edit, type JsonStyle, splice } from './splice.js';

/** A record with the changes to make in it. */
export interface EditedRecord {
  readonly record: RecordRange;
  readonly edits: readonly Edit[];
}

/** One entry a record, in file order; the edits of a record keep their order. */
export function mergeEdits(edited: readonly EditedRecord[]): EditedRecord[] {
  const byStart = new Map<number, { record: RecordRange; edits: Edit[] }>();
  for (const { record, edits } of edited) {
    const known = byStart.get(record.start);
    if (known === undefined) byStart.set(record.start, { record, edits: [...edits] });
    else for (const edit of edits) known.edits.push(edit);
  }
  return [...byStart.values()].sort((a, b) => a.record.start - b.record.start);
}

const COPY_SIZE = 1 << 20;

/** A piece of the output: `edited` is null for bytes that are copied from the input as they are. */
export interface OutputPiece {
  readonly bytes: Uint8Array;
  readonly edited: {
    readonly record: RecordRange;
    readonly original: Uint8Array;
    readonly changes: readonly Change[];
  } | null;
}

/**
 * The source's bytes with some records edited. Everything between the edited records is copied in large runs and not
 * looked at. A piece's bytes are valid until the next piece is asked for.
 */
export function* editedPieces(
  source: ByteSource,
  edited: readonly EditedRecord[],
  style: JsonStyle,
): Generator<OutputPiece> {
  const buffer = Buffer.allocUnsafe(Math.min(COPY_SIZE, source.size));
  let copied = 0;
  for (const { record, edits } of edited) {
    yield* copyRange(source, copied, record.start, buffer);
    const original = readRange(source, record.start, record.end);
    const { bytes, changes } = splice(original, edits, style);
    yield { bytes, edited: { record, original, changes } };
    copied = record.end;
  }
  yield* copyRange(source, copied, source.size, buffer);
}

function* copyRange(source: ByteSource, start: number, end: number, buffer: Buffer): Generator<OutputPiece> {
  let at = start;
  while (at < end) {
    const read = source.read(buffer.subarray(0, Math.min(buffer.length, end - at)), at);
    if (read === 0) return;
    yield { bytes: buffer.subarray(0, read), edited: null };
    at += read;
  }
}
