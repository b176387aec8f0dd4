import { parentPort } from 'node:worker_threads';
import { unmatchedPatterns } from '../golden/check.js';
import { confined, type FileUse } from './confinement.js';
import { run } from './main.js';
import { memorySink } from './memory-sink.js';

/** A command line to run in a folder, and what to look for in what it writes. */
export interface CaseTask {
  /** An absolute path without links. */
  readonly folder: string;
  readonly args: readonly string[];
  readonly stdin: Uint8Array;
  readonly patterns: readonly string[];
}

export interface CaseResult extends FileUse {
  readonly exit: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly unmatched: readonly string[];
}

/** What a worker says: that it is there, and what came of each task. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: CaseResult };

parentPort?.on('message', async (task: CaseTask) => {
  say({ kind: 'done', result: await runTask(task) });
});
say({ kind: 'ready' });

function say(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

/** Without environment and terminal: the same on every machine. */
async function runTask({ folder, args, stdin, patterns }: CaseTask): Promise<CaseResult> {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const { result, violation, hasWritten } = await confined(folder, () =>
    run(args, {
      stdin: once(stdin),
      stdout,
      stderr,
      env: {},
      cwd: folder,
      isTerminal: { stdin: false, stdout: false, stderr: false },
    }),
  );
  const said = stderr.bytes().toString('utf8');
  const unmatched = unmatchedPatterns(patterns, said);
  return { exit: result, stdout: stdout.bytes(), stderr: said, unmatched, violation, hasWritten };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
