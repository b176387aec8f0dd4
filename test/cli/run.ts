import { fileURLToPath } from 'node:url';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/main.js';
import { memorySink } from '../../src/cli/memory-sink.js';

/** The repository's root, from which paths like `fixtures/support.jsonl` are meant. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Buffer;
}

export interface Surroundings {
  /** Of a list, each piece arrives by itself. */
  readonly stdin?: string | Uint8Array | readonly Uint8Array[];
  readonly cwd?: string;
  readonly env?: Io['env'];
  /** Whether the standard input is a terminal; then nothing can be read from it. */
  readonly isTerminal?: boolean;
  /** The width of the terminal on the standard output; none by default. */
  readonly columns?: number;
}

/** Runs one command line in this process and gives back what it wrote. */
export async function runCommand(args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  const { stdin = '', cwd = ROOT, env = {}, isTerminal = false, columns } = surroundings;
  const [stdout, stderr] = [memorySink(), memorySink()];
  const io: Io = {
    stdin: bytesOf(stdin),
    stdout,
    stderr,
    env,
    cwd,
    isTerminal: { stdin: isTerminal, stdout: columns !== undefined, stderr: false },
    columns,
  };
  const code = await run(args, io);
  const stdoutBytes = stdout.bytes();
  return { code, stdout: stdoutBytes.toString('utf8'), stderr: stderr.bytes().toString('utf8'), stdoutBytes };
}

async function* bytesOf(text: string | Uint8Array | readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const pieces = typeof text === 'string' || text instanceof Uint8Array ? [Buffer.from(text)] : text;
  yield* pieces;
}
