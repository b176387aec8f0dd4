import { isUtf8 } from 'node:buffer';

const READ_SIZE = 1 << 20;
const LF = 0x0a;
const CR = 0x0d;
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
  /** Whether the text is known to be UTF-8, because all of what was read with it is. */
  isText: boolean;
  /** Byte offset in the source of the buffer's first byte. */
  offset: number;
  /** Byte offset of the next line. */
  next: number;
}

/** The line in full. */
export function lineAt({ number, buffer, from, to, offset, next }: LineSpan): Line {
  return { number, start: offset + from, end: offset + to, next, bytes: buffer.subarray(from, to) };
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
  const span: LineSpan = { number: 0, buffer: taken, from: 0, to: 0, isText: false, offset: 0, next: 0 };
  let filled = 0;
  let fresh = 0; // index in the buffer behind what was searched before
  let lineStart = 0; // index in the buffer
  for (;;) {
    const { buffer } = span;
    const last = fresh + buffer.subarray(fresh, filled).lastIndexOf(LF);
    span.isText = last >= fresh && isUtf8(buffer.subarray(0, last));
    while (lineStart <= last && last >= fresh) {
      const lf = buffer.indexOf(LF, Math.max(lineStart, fresh));
      place(span, lineStart, lf, true);
      lineStart = lf + 1;
      yield span;
    }
    const kept = filled - lineStart;
    if (kept === buffer.length) span.buffer = grown(buffer);
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
  span.isText = false;
  place(span, 0, filled, false);
  yield span;
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

function grown(window: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(window.length + (window.length >> 1));
  window.copy(larger);
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
