import { isUtf8 } from 'node:buffer';
import { InputError } from './errors.js';
import { findFault, firstValueEnd } from './json-text.js';
import { type ByteSource, type Line, readLines, readRange } from './lines.js';

/** Where a record stands in its source. */
export interface RecordRange {
  /** 0-based, among the records. */
  readonly index: number;
  /** 1-based line on which it starts. */
  readonly line: number;
  /** Byte range in the source, without the line end. */
  readonly start: number;
  readonly end: number;
}

/** A record without its bytes, which are valid for a moment only. */
export function rangeOf({ index, line, start, end }: RecordRange): RecordRange {
  return { index, line, start, end };
}

/** One JSON value of the input: a line, one of two objects glued on a line, or a whole document. */
export interface TranscriptRecord extends RecordRange {
  /** The bytes of that range: a view that is valid until the next record is asked for. */
  readonly bytes: Buffer;
  readonly value: unknown;
}

export interface RecordOptions {
  /** The whole input is one JSON value, not a value a line. */
  readonly isDocument: boolean;
  /** Pass over a last line that is not complete JSON (a file that is still being written). */
  readonly lenient: boolean;
  /** Called with the line number of a last line that was passed over. */
  readonly onBrokenTail?: (line: number) => void;
}

/**
 * The records of a source in order. Blank lines and `//` lines above the first record are no records. Two objects glued
 * on one line are two records.
 * @throws InputError for a line that is not JSON or not UTF-8, naming file, line and column.
 */
export function* readRecords(source: ByteSource, options: RecordOptions): Generator<TranscriptRecord> {
  if (options.isDocument) {
    yield readDocument(source);
    return;
  }
  let index = 0;
  for (const line of readLines(source)) {
    if (holdsNoRecord(line, index)) continue;
    for (const record of lineRecords(source, line, options)) {
      yield { ...record, index };
      index += 1;
    }
  }
}

export type Located = Omit<TranscriptRecord, 'index'>;

/** Whether a line is blank, or a comment above the first record; `before` counts the records in front of it. */
export function holdsNoRecord({ bytes }: Line, before: number): boolean {
  return isBlank(bytes) || (before === 0 && isComment(bytes));
}

/** The records of one line that is not blank: see `readRecords`. */
export function lineRecords(source: ByteSource, line: Line, options: RecordOptions): Located[] {
  const { bytes, number, start, end } = line;
  const value = parsed(bytes, line.isText);
  if (value !== undefined) return [{ line: number, start, end, bytes, value }];
  const glued = gluedRecords(line);
  if (glued !== undefined) return glued;
  if (options.lenient && line.next >= source.size) {
    options.onBrokenTail?.(number);
    return [];
  }
  throw notJson(source.name, bytes, number, line.next >= source.size ? 'last line' : 'line');
}

/** The parsed value, or undefined when the bytes are not one JSON value in UTF-8. */
function parsed(bytes: Buffer, isText: boolean): unknown {
  if (!isText && !isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The objects of a line that holds two or more of them back to back, or undefined when it does not. */
function gluedRecords(line: Line): Located[] | undefined {
  const text = line.bytes.toString('latin1');
  const records: Located[] = [];
  let at = skipBlank(text, 0);
  while (at < text.length) {
    const length = text.charAt(at) === '{' ? firstValueEnd(text.slice(at)) : undefined;
    if (length === undefined) return undefined;
    const bytes = line.bytes.subarray(at, at + length);
    const value = parsed(bytes, line.isText);
    if (value === undefined) return undefined;
    records.push({ line: line.number, start: line.start + at, end: line.start + at + length, bytes, value });
    at = skipBlank(text, at + length);
  }
  return records;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

function readDocument(source: ByteSource): TranscriptRecord {
  const lines = readLines(source);
  for (const first of lines) {
    if (isBlank(first.bytes) || isComment(first.bytes)) continue;
    const bytes = readRange(source, first.start, source.size);
    const value = parsed(bytes, false);
    if (value === undefined) throw notJson(source.name, bytes, first.number, 'document');
    return {
      index: 0,
      line: first.number,
      start: first.start,
      end: first.start + bytes.length,
      bytes,
      value,
    };
  }
  throw new InputError({ file: source.name }, 'no JSON in it');
}

const CUT_HINT = 'a file that is still being written? add --lenient';
const DOCUMENT_HINT =
  'a JSON document over several lines stands alone in its file: ledger lines go into another, for --ledger';

/** What was to be read as one value. */
type Unit = 'line' | 'last line' | 'document';

/** The error for bytes that JSON.parse refuses; they start in column 1 of line `firstLine`. */
function notJson(file: string, bytes: Buffer, firstLine: number, unit: Unit): InputError {
  const isText = isUtf8(bytes);
  const { offset, problem } = isText
    ? findFault(bytes.toString('latin1'))
    : { offset: firstBadByte(bytes), problem: '' };
  const before = bytes.subarray(0, offset).toString('utf8');
  const lines = before.split('\n');
  const place = { file, line: firstLine + lines.length - 1, column: (lines.at(-1) ?? '').length + 1 };
  if (!isText) {
    const isCutCharacter = unit === 'last line' && bytes.length - offset < 4;
    return new InputError(place, 'not UTF-8 text', {
      hint: isCutCharacter ? CUT_HINT : 'is this a binary file?',
    });
  }
  const isHinted = {
    'last line': problem.endsWith('not closed') || offset === bytes.length,
    // As whoever spreads a document over lines begins it.
    line: /^[[{]\s*$/.test(bytes.toString('latin1', 0, 100)),
    document: problem.startsWith('more text'),
  }[unit];
  const hint = unit === 'last line' ? CUT_HINT : DOCUMENT_HINT;
  return new InputError(place, `not JSON: ${problem}`, { hint: isHinted ? hint : undefined });
}

/**
 * Decoding replaces bad bytes by U+FFFD, so encoding again differs at the first of them, or inside the U+FFFD when the
 * bad bytes begin as its own bytes do.
 */
function firstBadByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'), 'utf8');
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  while (isContinuation(again[at])) at -= 1;
  return at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** True for bytes that are JSON white space only. */
export function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes)
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a) return false;
  return true;
}

function isComment(bytes: Buffer): boolean {
  return bytes[0] === 0x2f && bytes[1] === 0x2f;
}
