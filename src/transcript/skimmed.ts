import { isUtf8 } from 'node:buffer';
import type { Skimmed } from './formats/format.js';
import { readLines } from './lines.js';
import { holdsNoRecord, lineRecords, type TranscriptRecord } from './records.js';
import type { StyleWatcher } from './style.js';
import type { Transcript } from './transcript.js';

/** A record that was only skimmed, with the byte offset at which it starts in the source, or one that was parsed. */
export type SkimmedRecord =
  | { readonly skimmed: Skimmed; readonly start: number }
  | { readonly record: TranscriptRecord };

/**
 * The records of a transcript of messages in order, parsed only where their format cannot tell from the bytes what they
 * are. Of the others the structure is checked, so a record that is cut is an error here as it is in `readRecords`.
 * @param isStrict whether all are parsed, to find what a look at the structure does not
 * @throws InputError as `readRecords` does
 */
export function* readSkimmed(
  { source, format, recordOptions, isForeign }: Transcript,
  isStrict: boolean,
  style: StyleWatcher,
): Generator<SkimmedRecord> {
  let index = 0;
  for (const line of readLines(source)) {
    const { bytes, start } = line;
    const skimmed = isUtf8(bytes) ? (format.skim?.(bytes) ?? null) : null;
    if (skimmed !== null && (!isStrict || isJson(bytes))) {
      if (!style.isSettled()) style.see(bytes);
      index += 1;
      yield { skimmed, start };
      continue;
    }
    if (holdsNoRecord(line, index)) continue;
    for (const located of lineRecords(source, line, recordOptions)) {
      const record = { ...located, index };
      index += 1;
      style.see(record.bytes);
      if (!isForeign(record)) yield { record };
    }
  }
}

/** The bytes are known to be UTF-8; what characters above U+007F they are makes no difference to JSON. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('latin1'));
    return true;
  } catch {
    return false; // the reader says what is wrong with it
  }
}
