import { firstValueEnd } from '../transcript/json-text.js';
import type { Change } from '../transcript/splice.js';

/** A stretch of a record as a compaction writes it, and what stands there. */
export interface Stretch {
  /** What wrote it; null for bytes that are copied from the original. */
  readonly change: Change | null;
  readonly expected: Buffer;
  /** Undefined when what stands before it is too different to tell. */
  readonly actual: Buffer | undefined;
  /** Where it begins, in the original record and in the actual one. */
  readonly originalAt: number;
  readonly actualAt: number;
}

/**
 * Walks along a record as it should be, the original's bytes with changes in them, and along the record that stands
 * there. After a difference the walk goes on where both agree again, so that one fault is one stretch.
 */
export function alignRecord(original: Buffer, changes: readonly Change[], actual: Buffer): Stretch[] {
  const stretches: Stretch[] = [];
  let originalAt = 0;
  let actualAt: number | undefined = 0;
  const step = (change: Change | null, expected: Buffer, end: number | undefined): void => {
    const stands = actualAt === undefined ? undefined : actual.subarray(actualAt, end);
    stretches.push({ change, expected, actual: stands, originalAt, actualAt: actualAt ?? actual.length });
    actualAt = end;
  };
  for (const change of changes) {
    const copied = original.subarray(originalAt, change.start);
    step(null, copied, copiedEnd(copied, actual, actualAt));
    originalAt = change.start;
    const written = Buffer.from(change.json, 'utf8');
    step(change, written, writtenEnd(written, change, actual, actualAt));
    originalAt = change.end;
  }
  step(null, original.subarray(originalAt), actualAt === undefined ? undefined : actual.length);
  return stretches;
}

export function isAsExpected({ expected, actual }: Stretch): boolean {
  return actual?.equals(expected) ?? false;
}

/** How many bytes before a change are looked for to find the way again: as many as possible. */
const TAILS = [64, 32, 16, 10];

function copiedEnd(copied: Buffer, actual: Buffer, at: number | undefined): number | undefined {
  if (at === undefined) return undefined;
  const end = at + copied.length;
  if (actual.subarray(at, end).equals(copied)) return end;
  for (const length of TAILS) {
    const tail = copied.subarray(-length);
    const found = tail.length < length ? -1 : actual.indexOf(tail, at);
    if (found >= 0) return found + length;
  }
  return undefined;
}

function writtenEnd(
  written: Buffer,
  { edit }: Change,
  actual: Buffer,
  at: number | undefined,
): number | undefined {
  if (at === undefined) return undefined;
  const end = at + written.length;
  if (actual.subarray(at, end).equals(written)) return end;
  if (edit.op !== 'replace') return at;
  return valueEnd(actual, at);
}

const FIRST_LOOK = 1 << 12;

/** Looks no further than about twice the value's length: the rest of a document would be read again for each value. */
function valueEnd(bytes: Buffer, at: number): number | undefined {
  for (let size = FIRST_LOOK; ; size *= 2) {
    const end = firstValueEnd(bytes.subarray(at, at + size).toString('latin1'));
    // A number that ends with the bytes that were looked at may go on behind them.
    const isWhole = at + size >= bytes.length || (end !== undefined && end < size);
    if (isWhole) return end === undefined ? undefined : at + end;
  }
}
