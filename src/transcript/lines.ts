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
  for (const cursor of readLineSpans(source)) yield lineAt(cursor);
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
  next: number;
}

/** The line in full. */
export function lineAt({ number, buffer, from, to, offset, next, isText }: LineSpan): Line {
  return { number, start: offset + from, end: offset + to, next, isText, bytes: buffer.subarray(from, to) };
}

/** What `readLines` gives, for whoever looks at many lines and needs few of them: nothing is made for a line. */
export function* readLineSpans(source: ByteSource): Generator<LineSpan> {
  const taken = spare ?? Buffer.allocUnsafe(READ_SIZE);
  spare = undefined;
  try {
    yield* spansThrough(taken, source);
  } finally {
    spare = taken;
  }
}

/** Thousands of files are read one after the other: a buffer for each would be the memory of all of them. */
let spare: Buffer<ArrayBuffer> | undefined;

function* spansThrough(taken: Buffer<ArrayBuffer>, source: ByteSource): Generator<LineSpan> {
  const span: LineSpan = {
    ...{ number: 0, buffer: taken, from: 0, to: 0, offset: 0, next: 0 },
    ...{ isText: false, isAscii: false, mayEscape: () => true },
  };
  let filled = 0;
  let fresh = 0; // index in the buffer behind what was searched before
  let lineStart = 0; // index in the buffer
  for (;;) {
    const { buffer } = span;
    const last = fresh + buffer.subarray(fresh, filled).lastIndexOf(LF);
    look(span, last < fresh ? undefined : buffer.subarray(0, last));
    while (lineStart <= last && last >= fresh) {
      const lf = buffer.indexOf(LF, Math.max(lineStart, fresh));
      place(span, lineStart, lf, true);
      lineStart = lf + 1;
      yield span;
    }
    const kept = filled - lineStart;
    if (kept === buffer.length) span.buffer = grown(buffer, source, span.offset);
    else if (lineStart > 0) buffer.copyWithin(0, lineStart, filled);
    span.offset += lineStart;
    lineStart = 0;
    filled = kept;
    fresh = kept;
    const read = source.read(span.buffer.subarray(filled), span.offset + filled);
    if (read === 0) break;
    filled += read;
  }
  if (filled === 0) return;
  look(span, undefined);
  place(span, 0, filled, false);
  yield span;
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
  span.next = span.offset + end + (hasLf ? 1 : 0);
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
