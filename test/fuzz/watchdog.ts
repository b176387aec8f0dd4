import { Worker } from 'node:worker_threads';

/** Ends this process, saying of what, when a piece of its work hangs or takes the machine's memory. */
export interface Watchdog {
  /** Work begins; `what` is said should it never end. */
  begin(what: string): void;
  end(): void;
  stop(): Promise<number>;
}

/** What no input of a few megabytes needs, on the slowest machine. */
export interface Bounds {
  readonly seconds: number;
  readonly mebibytes: number;
}

export const BOUNDS: Bounds = { seconds: 120, mebibytes: 3000 };

const TEXT_SIZE = 4096;

/**
 * In a thread of its own, because a loop without an end leaves the thread that it runs in no time to notice. It sees the
 * memory of the whole process.
 */
const WATCH = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const state = new Int32Array(workerData.shared, 0, 2);
const text = new Uint8Array(workerData.shared, 8);
let [seen, since] = [-1, Date.now()];
setInterval(() => {
  const work = Atomics.load(state, 0);
  if (work !== seen || work % 2 === 0) [seen, since] = [work, Date.now()];
  const hangs = Date.now() - since > workerData.seconds * 1000;
  const isHuge = work % 2 === 1 && process.memoryUsage.rss() > workerData.mebibytes * 1048576;
  if (!hangs && !isHuge) return;
  const what = Buffer.from(text.slice(0, Atomics.load(state, 1))).toString('utf8');
  writeSync(2, (hangs ? 'hangs' : 'takes too much memory') + ', ' + what + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, 50);
`;

export function startWatchdog({ seconds, mebibytes }: Bounds): Watchdog {
  const shared = new SharedArrayBuffer(8 + TEXT_SIZE);
  const state = new Int32Array(shared, 0, 2);
  const text = new Uint8Array(shared, 8);
  const worker = new Worker(WATCH, { eval: true, workerData: { shared, seconds, mebibytes } });
  worker.unref();
  return {
    begin(what) {
      Atomics.store(state, 1, new TextEncoder().encodeInto(what, text).written);
      Atomics.add(state, 0, 1);
    },
    end: () => void Atomics.add(state, 0, 1),
    stop: () => worker.terminate(),
  };
}
