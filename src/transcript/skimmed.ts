import { isUtf8 } from 'node:buffer';
import type { Skimmed } from './formats/format.js';
import { lineAt, readLineSpans } from './lines.js';
import { holdsNoRecord, lineRecords, type TranscriptRecord } from './records.js';
import type { StyleWatcher } from './style.js';
import type { Transcript } from './transcript.js';

/** Whoever reads a transcript without parsing it all. */
export interface SkimVisitor {
  /** A record that was only skimmed; `offset` is the byte offset in the source that its places count from. */
  skimmed(read: Skimmed, offset: number): void;
  parsed(record: TranscriptRecord): void;
}

/**
 * Visits the records of a transcript of messages in order, parsed only where their format cannot tell from the bytes what they
 * are. Of the others the structure is checked, so a record that is cut is an error here as it is in `readRecords`.
 * @param isStrict whether all are parsed, to find what a look at the structure does not
 * @throws InputError as `readRecords` does
 */
export function readSkimmed(
  { source, format, recordOptions, isForeign }: Transcript,
  isStrict: boolean,
  style: StyleWatcher,
  visitor: SkimVisitor,
): void {
  let index = 0;
  for (const span of readLineSpans(source)) {
    const { buffer, from, to, offset } = span;
    const isText = span.isText || isUtf8(buffer.subarray(from, to));
    const skimmed = isText ? (format.skim?.(buffer, from, to) ?? null) : null;
    if (skimmed !== null && (!isStrict || isJson(buffer, from, to))) {
      if (!style.isSettled(span)) style.see(buffer.subarray(from, to));
      index += 1;
      visitor.skimmed(skimmed, offset);
      continue;
    }
    const line = lineAt(span);
    if (holdsNoRecord(line, index)) continue;
    for (const located of lineRecords(source, line, recordOptions)) {
      const record = { ...located, index };
      index += 1;
      style.see(record.bytes);
      if (!isForeign(record)) visitor.parsed(record);
    }
  }
}

/** The bytes are known to be UTF-8; what characters above U+007F they are makes no difference to JSON. */
function isJson(bytes: Buffer, from: number, to: number): boolean {
  try {
    JSON.parse(bytes.toString('latin1', from, to));
    return true;
  } catch {
    return false; // the reader says what is wrong with it
  }
}
