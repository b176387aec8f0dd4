import { isUtf8 } from 'node:buffer';
import type { Format, Skimmed } from './formats/format.js';
import { type Line, type LineSpan, lineAt, openLines } from './lines.js';
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
  transcript: Transcript,
  isStrict: boolean,
  style: StyleWatcher,
  visitor: SkimVisitor,
): void {
  const { source, recordOptions, isForeign } = transcript;
  let index = 0;
  const parse = (line: Line): void => {
    if (holdsNoRecord(line, index)) return;
    for (const located of lineRecords(source, line, recordOptions)) {
      const record = { ...located, index };
      index += 1;
      style.see(record.bytes);
      if (!isForeign(record)) visitor.parsed(record);
    }
  };
  const cursor = openLines(source);
  const { line } = cursor;
  try {
    while (cursor.next()) {
      const skimmed = skim(line, transcript.format, isStrict);
      if (skimmed === null) {
        parse(lineAt(line));
      } else {
        if (!style.isSettled(line)) style.see(lineAt(line).bytes);
        index += 1;
        visitor.skimmed(skimmed, line.offset);
      }
    }
  } finally {
    cursor.close();
  }
}

function skim({ buffer, from, to, isText }: LineSpan, format: Format, isStrict: boolean): Skimmed | null {
  if (!isText && !isUtf8(buffer.subarray(from, to))) return null;
  const skimmed = format.skim?.(buffer, from, to) ?? null;
  return skimmed === null || (isStrict && !isJson(buffer, from, to)) ? null : skimmed;
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
