import { isAscii, isUtf8 } from 'node:buffer';

const READ_SIZE = 1 << 20;
const LF = 0x0a;
const CR = 0x0d;
/** As in `\\u00e9`. */
const ESCAPE_START = Buffer.from('\\u');
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Random access to the bytes of one input, so that it can be read twice without being held in memory. */
export interface ByteSource {
  /** What messages call the input: a path as the user gave it, or `<stdin>`. */
  readonly name: string;
  /** In bytes, fixed when the input was opened: a file that grows later is read up to here. */
  readonly size: number;
  /** Copies bytes from offset `at` into `into` and returns how many; 0 only at the end. */
  read(into: Uint8Array, at: number): number;
}

/** One physical line. The lines of a source tile it: each starts where the one before ended (`next`). */
export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Byte offset of the text, after a byte-order mark on the first line. */
  readonly start: number;
  /** Byte offset behind the text: before the LF and the one CR in front of it, if there are any. */
  readonly end: number;
  /** Byte offset of the next line: behind the LF, or the end of the source. */
  readonly next: number;
  /** The text's bytes: a view that is valid until the next line is asked for. */
  readonly bytes: Buffer;
  /** Whether the text is known to be UTF-8, because all of what was read with it is. */
  readonly isText: boolean;
}

/**
 * Splits a source into lines at LF only (U+2028 is text). Nothing is lost: a byte-order mark, CR before LF, blank lines
 * and a missing final newline are all in the offsets. A line may be of any length.
 */
export function* readLines(source: ByteSource): Generator<Line> {
  const cursor = openLines(source);
  try {
    while (cursor.next()) yield lineAt(cursor.line);
  } finally {
    cursor.close();
  }
}

/** A line by its place in a buffer. The same object for every line: what it says is valid until the next is asked for. */
export interface LineSpan {
  /** 1-based. */
  number: number;
  buffer: Buffer;
  /** Where the line's text stands in the buffer: as `start` and `end` of a `Line`. */
  from: number;
  to: number;
  isText: boolean;
  /** Whether the text is known to be ASCII, likewise. */
  isAscii: boolean;
  /** Whether there may be an escape such as `\u00e9` in what was read with it. */
  mayEscape: () => boolean;
  /** Byte offset in the source of the buffer's first byte. */
  offset: number;
  /** Byte offset of the next line. */
  nextLine: number;
}

/** The line in full. */
export function lineAt({ number, buffer, from, to, offset, nextLine, isText }: LineSpan): Line {
  const bytes = buffer.subarray(from, to);
  return { number, start: offset + from, end: offset + to, next: nextLine, isText, bytes };
}

/** Gives what `readLines` does, for whoever looks at many lines and needs few of them: nothing is made for a line. */
export interface LineCursor {
  /** The line that `next` went to. */
  readonly line: LineSpan;
  /** Goes to the next line; false when there is none. */
  next(): boolean;
  /** To be called at the end, and when it is not read to the end. */
  close(): void;
}

/** Thousands of files are read one after the other: a buffer for each would be the memory of all of them. */
let spare: Buffer<ArrayBuffer> | undefined;

export function openLines(source: ByteSource): LineCursor {
  const taken = spare ?? Buffer.allocUnsafe(READ_SIZE);
  spare = undefined;
  const line: LineSpan = {
    ...{ number: 0, buffer: taken, from: 0, to: 0, offset: 0, nextLine: 0 },
    ...{ isText: false, isAscii: false, mayEscape: () => true },
  };
  let filled = 0;
  let lineStart = 0; // index in the buffer
  let last = -1; // index in the buffer of the last LF in it
  let isBehindEnd = false;
  /** Reads on until there is the end of a line; false at the end of the source. */
  const fill = (): boolean => {
    last = -1;
    while (last < 0) {
      const kept = filled - lineStart;
      if (kept === line.buffer.length) line.buffer = grown(line.buffer, source, line.offset);
      else if (lineStart > 0) line.buffer.copyWithin(0, lineStart, filled);
      line.offset += lineStart;
      lineStart = 0;
      const read = source.read(line.buffer.subarray(kept), line.offset + kept);
      filled = kept + read;
      if (read === 0) return false;
      const lf = line.buffer.subarray(kept, filled).lastIndexOf(LF);
      if (lf >= 0) last = kept + lf;
    }
    look(line, line.buffer.subarray(0, last));
    return true;
  };
  /** What stands behind the last LF, if anything does. */
  const lastLine = (): boolean => {
    isBehindEnd = true;
    look(line, undefined);
    if (filled > 0) place(line, 0, filled, false);
    return filled > 0;
  };
  return {
    line,
    next() {
      if (lineStart > last && (isBehindEnd || !fill())) return !isBehindEnd && lastLine();
      const lf = line.buffer.indexOf(LF, lineStart);
      place(line, lineStart, lf, true);
      lineStart = lf + 1;
      return true;
    },
    close() {
      spare = taken;
    },
  };
}

/** Looks at all lines that were read together at once: that is much faster than line by line. */
function look(span: LineSpan, text: Buffer | undefined): void {
  span.isAscii = text !== undefined && isAscii(text);
  span.isText = span.isAscii || (text !== undefined && isUtf8(text));
  let found: boolean | undefined;
  span.mayEscape = () => {
    found ??= text === undefined || text.includes(ESCAPE_START);
    return found;
  };
}

function place(span: LineSpan, start: number, end: number, hasLf: boolean): void {
  const { buffer } = span;
  span.number += 1;
  span.from = start;
  span.to = end;
  span.nextLine = span.offset + end + (hasLf ? 1 : 0);
  if (hasLf && end > start && buffer[end - 1] === CR) span.to -= 1;
  if (span.number === 1 && buffer.subarray(start, span.to).indexOf(UTF8_BOM) === 0)
    span.from += UTF8_BOM.length;
}

/** A larger buffer for a line that fills the one it begins in: of its length, found by looking ahead, and some more. */
function grown(buffer: Buffer, source: ByteSource, offset: number): Buffer<ArrayBuffer> {
  const ahead = Buffer.allocUnsafe(READ_SIZE);
  let end = offset + buffer.length;
  for (let read = source.read(ahead, end); read > 0; read = source.read(ahead, end)) {
    const lf = ahead.subarray(0, read).indexOf(LF);
    end += lf < 0 ? read : lf;
    if (lf >= 0) break;
  }
  const larger = Buffer.allocUnsafe(end - offset + READ_SIZE);
  buffer.copy(larger);
  return larger;
}

/** The bytes `[start, end)` of a source, in a buffer of their own. */
export function readRange(source: ByteSource, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  let filled = 0;
  while (filled < bytes.length) {
    const read = source.read(bytes.subarray(filled), start + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

/** A source over bytes that are in memory. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read(into, at) {
      const piece = bytes.subarray(at, at + into.length);
      into.set(piece);
      return piece.length;
    },
  };
}
