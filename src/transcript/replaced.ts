import type { ByteSource } from './lines.js';
import type { Span } from './splice.js';

/** A range of the source, and what stands there instead. */
export interface Replacement extends Span {
  readonly bytes: Uint8Array;
}

const PIECE_SIZE = 1 << 20;

/**
 * The source's bytes with some ranges replaced. What stands between them is copied as it is, in large pieces; what is
 * replaced is not read again.
 * @param replacement gives each of the `count` replacements, in the order of their places
 */
export function* replacedPieces(
  source: ByteSource,
  count: number,
  replacement: (index: number) => Replacement,
): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafe(PIECE_SIZE);
  let filled = 0;
  let copied = 0;
  for (let i = 0; i <= count; i += 1) {
    const { start, end, bytes } = i < count ? replacement(i) : atEnd(source);
    while (copied < start) {
      if (filled === piece.length) {
        yield piece;
        filled = 0;
      }
      const room = Math.min(piece.length - filled, start - copied);
      const read = source.read(piece.subarray(filled, filled + room), copied);
      if (read === 0) break;
      filled += read;
      copied += read;
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

const NOTHING = new Uint8Array(0);

function atEnd({ size }: ByteSource): Replacement {
  return { start: size, end: size, bytes: NOTHING };
}
