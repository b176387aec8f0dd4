import { Writable } from 'node:stream';
import type { Ora } from 'ora';
import type { Io } from './io.js';

/** What is done sooner needs no spinner. */
const DELAY_MS = 300;

/**
 * Does work, with a spinner on the standard error while it lasts if that is a terminal. The work writes nothing to the
 * terminal meanwhile.
 */
export async function withSpinner<T>(text: string, io: Io, work: () => Promise<T>): Promise<T> {
  if (!io.isTerminal.stderr || io.env.TERM === 'dumb') return await work();
  let isDone = false;
  let spinner: Ora | undefined;
  const timer = setTimeout(async () => {
    const { default: ora } = await import('ora');
    if (!isDone) spinner = ora({ ...OPTIONS, text, stream: terminal(io) }).start();
  }, DELAY_MS);
  try {
    return await work();
  } finally {
    isDone = true;
    clearTimeout(timer);
    spinner?.stop();
  }
}

const OPTIONS = {
  isEnabled: true, // decided above
  color: false, // ora would ask chalk's default instance
  hideCursor: false, // nothing to put right whatever ends the process
  discardStdin: false, // Ctrl-C stays a signal
} as const;

/** The standard error as ora wants a terminal to be. */
function terminal(io: Io): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      try {
        io.stderr.write(chunk);
      } catch {
        // a terminal that has gone shows no progress, and the work does not depend on it
      }
      done();
    },
  });
  return Object.assign(stream, {
    isTTY: true,
    columns: io.columns,
    cursorTo: (column: number) => stream.write(`\x1b[${column + 1}G`),
    moveCursor: (_columns: number, rows: number) => stream.write(`\x1b[${-rows}A`),
    clearLine: () => stream.write('\x1b[K'),
  });
}
