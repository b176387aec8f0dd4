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
  const taken = spare ?? Buffer.allocUnsafe(READ_SIZE);
  spare = undefined;
  try {
    yield* linesThrough(taken, source);
  } finally {
    spare = taken;
  }
}

/** Thousands of files are read one after the other: a buffer for each would be the memory of all of them. */
let spare: Buffer<ArrayBuffer> | undefined;

function* linesThrough(taken: Buffer<ArrayBuffer>, source: ByteSource): Generator<Line> {
  let window = taken;
  let windowStart = 0; // offset of window[0] in the source
  let filled = 0;
  let lineStart = 0;
  let searched = 0; // index in the window up to which there is no LF in the current line
  let number = 1;
  for (;;) {
    const lf = window.subarray(0, filled).indexOf(LF, searched);
    if (lf >= 0) {
      yield line(window, windowStart, lineStart, windowStart + lf, windowStart + lf + 1, number);
      number += 1;
      lineStart = windowStart + lf + 1;
      searched = lf + 1;
      continue;
    }
    const kept = windowStart + filled - lineStart;
    if (kept === window.length) window = grown(window);
    else if (kept < filled) window.copyWithin(0, filled - kept, filled);
    windowStart = lineStart;
    filled = kept;
    searched = kept;
    const read = source.read(window.subarray(filled), windowStart + filled);
    if (read === 0) break;
    filled += read;
  }
  if (filled > 0)
    yield line(window, windowStart, lineStart, windowStart + filled, windowStart + filled, number);
}

function line(
  window: Buffer,
  windowStart: number,
  from: number,
  lf: number,
  next: number,
  number: number,
): Line {
  let start = from - windowStart;
  let end = lf - windowStart;
  if (next > lf && end > start && window[end - 1] === CR) end -= 1;
  if (number === 1 && window.subarray(start, end).indexOf(UTF8_BOM) === 0) start += UTF8_BOM.length;
  return {
    number,
    start: windowStart + start,
    end: windowStart + end,
    next,
    bytes: window.subarray(start, end),
  };
}

function grown(window: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(window.length * 2);
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
