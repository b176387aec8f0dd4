import type { Io, Sink } from './io.js';
import { safeEscapes } from './terminal.js';

/**
 * Where a transcript goes that is JSON itself: byte for byte, but on a terminal with what a terminal would obey as JSON
 * escapes, which mean the same.
 */
export function jsonOutput(io: Io): Sink {
  return io.isTerminal.stdout ? escapedJson(io.stdout) : io.stdout;
}

/** The same of any terminal. A piece may end within a character, which then goes with the next one. */
export function escapedJson(sink: Sink): Sink {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    write(bytes) {
      sink.write(safeEscapes(typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true })));
    },
  };
}
