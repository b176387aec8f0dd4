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
  let received: number | undefined;
  const listener = (_name: string, signal: number): void => {
    received ??= signal;
  };
  for (const name of SIGNALS) process.on(name, listener);
  try {
    await work(async () => {
      await setImmediate(); // signals are seen between two turns of the event loop only
      if (received !== undefined) throw new Interrupted(received);
    });
  } finally {
    for (const name of SIGNALS) process.off(name, listener);
  }
}
