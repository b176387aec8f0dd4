import type { Sink } from './io.js';

/** Takes what a command writes, and gives it back. It copies: a command may use its buffer again. */
export function memorySink(): Sink & { bytes(): Buffer } {
  const pieces: Buffer[] = [];
  return {
    write(bytes) {
      pieces.push(Buffer.from(bytes));
    },
    bytes: () => Buffer.concat(pieces),
  };
}
