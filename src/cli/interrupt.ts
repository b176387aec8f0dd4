import { setImmediate } from 'node:timers/promises';

/** The signals that ask a program to end. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** A signal asked us to end: no failure, but what was begun is taken back. */
export class Interrupted extends Error {
  readonly exitCode: number;

  /** As shells count it. */
  constructor(signal: number) {
    super();
    this.exitCode = 128 + signal;
  }
}

/**
 * Does work that has to clean up behind itself: a signal that would end the process at once ends the work instead, by an
 * `Interrupted` that the next `pause` throws. Work that never pauses holds signals up.
 */
export async function interruptible(work: (pause: () => Promise<void>) => Promise<void>): Promise<void> {
  await cancellable((cancelled) =>
    work(async () => {
      await setImmediate(); // signals are seen between two turns of the event loop only
      cancelled.throwIfAborted();
    }),
  );
}

/**
 * Does work that waits for somebody else: a signal that would end the process aborts it instead, and what the work then
 * throws becomes an `Interrupted`.
 */
export async function cancellable<T>(work: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const listener = (_name: string, signal: number): void => stop.abort(new Interrupted(signal));
  for (const name of SIGNALS) process.on(name, listener);
  try {
    return await work(stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    for (const name of SIGNALS) process.off(name, listener);
  }
}
