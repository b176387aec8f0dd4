import { Worker } from 'node:worker_threads';
import type { CaseResult, CaseTask, WorkerMessage } from './case-worker.js';

/** What came of a task: its result, or why there is none. */
export type TaskOutcome =
  | { readonly kind: 'done'; readonly result: CaseResult }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'crash'; readonly problem: string };

/** Runs one task after the other. */
export interface CaseLane {
  run(task: CaseTask): Promise<TaskOutcome>;
  close(): Promise<void>;
}

/** The built worker: from `src/cli/` and from `dist/chunks/` it is the same two steps. */
const BUILT_WORKER = new URL('../../dist/case-worker.js', import.meta.url);

/**
 * A thread of its own for tasks. A command that never ends blocks its thread, so the only way to end it is from
 * outside: its worker is thrown away, and the next task gets a new one.
 * @param timeoutMs for one task; the start of the worker does not count
 */
export function openLane(timeoutMs: number, program = BUILT_WORKER): CaseLane {
  let worker: Promise<Worker> | undefined;
  const close = async (): Promise<void> => {
    const old = await worker?.catch(() => undefined);
    worker = undefined;
    await old?.terminate();
  };
  return {
    async run(task) {
      worker ??= startWorker(program);
      const outcome = await runOn(await worker, task, timeoutMs);
      if (outcome.kind !== 'done') await close();
      return outcome;
    },
    close,
  };
}

function startWorker(program: URL): Promise<Worker> {
  // What a bug of ours prints belongs to no report, and the worker must not read our standard input.
  const worker = new Worker(program, { stdin: true, stdout: true, stderr: true, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve(worker));
    // Stays: a worker that is being ended may still fail, when nobody is there to hear it.
    worker.on('error', reject);
  });
}

function runOn(worker: Worker, task: CaseTask, timeoutMs: number): Promise<TaskOutcome> {
  return new Promise((resolve) => {
    const settle = (outcome: TaskOutcome): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const onMessage = (message: WorkerMessage): void => {
      if (message.kind === 'done') settle(message);
    };
    const onError = (error: unknown): void => settle({ kind: 'crash', problem: String(error) });
    const onExit = (): void => settle({ kind: 'crash', problem: 'its thread ended' });
    const timer = setTimeout(() => settle({ kind: 'timeout' }), timeoutMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(task);
  });
}
