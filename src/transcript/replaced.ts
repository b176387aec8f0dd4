import type { ByteSource } from './lines.js';
import type { Span } from './splice.js';

/** A range of the source, and what stands there instead. */
export interface Replacement extends Span {
  readonly bytes: Uint8Array;
}

const PIECE_SIZE = 1 << 20;
/** Read at a time: more than most records, so that small ones do not take a read each, less than the long ones that are passed over. */
const WINDOW_SIZE = 1 << 16;

/**
 * The source's bytes with some ranges replaced. What stands between them is copied as it is, in large pieces; long
 * ranges that are replaced are not read again.
 * @param replacement gives each of the `count` replacements, in the order of their places
 */
export function* replacedPieces(
  source: ByteSource,
  count: number,
  replacement: (index: number) => Replacement,
): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafe(PIECE_SIZE);
  const read = windowedReader(source);
  let filled = 0;
  let copied = 0;
  for (let i = 0; i <= count; i += 1) {
    const { start, end, bytes } = i < count ? replacement(i) : atEnd(source);
    while (copied < start) {
      if (filled === piece.length) {
        yield piece;
        filled = 0;
      }
      const got = read(piece, filled, Math.min(piece.length - filled, start - copied), copied);
      if (got === 0) break;
      filled += got;
      copied += got;
    }
    copied = end;
    if (bytes.length > piece.length - filled) {
      yield piece.subarray(0, filled);
      filled = 0;
    }
    if (bytes.length > piece.length) {
      yield bytes;
    } else {
      piece.set(bytes, filled);
      filled += bytes.length;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** Copies up to `length` of the source's bytes from `at` on into `into` at `to`, and returns how many; 0 only at the end. */
type Reader = (into: Buffer, to: number, length: number, at: number) => number;

function windowedReader(source: ByteSource): Reader {
  const window = Buffer.allocUnsafe(WINDOW_SIZE);
  let start = 0; // offset in the source of what the window holds
  let end = 0;
  return (into, to, length, at) => {
    if (at < start || at >= end) {
      if (length >= window.length) return source.read(into.subarray(to, to + length), at);
      start = at;
      end = at + source.read(window, at);
    }
    return window.copy(into, to, at - start, Math.min(end, at + length) - start);
  };
}

const NOTHING = new Uint8Array(0);

function atEnd({ size }: ByteSource): Replacement {
  return { start: size, end: size, bytes: NOTHING };
}
