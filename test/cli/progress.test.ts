import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Io } from '../../src/cli/io.js';
import { withSpinner } from '../../src/cli/progress.js';

interface Surroundings {
  readonly isTerminal?: boolean;
  readonly env?: Io['env'];
  /** What the standard error does with a write besides keeping it. */
  readonly onWrite?: () => void;
}

function ioWith({ isTerminal = true, env = {}, onWrite }: Surroundings) {
  const written: string[] = [];
  const io: Io = {
    stdin: (async function* () {})(),
    stdout: {
      write() {
        throw new Error('progress on the standard output');
      },
    },
    stderr: {
      write(bytes) {
        written.push(Buffer.from(bytes).toString('utf8'));
        onWrite?.();
      },
    },
    env,
    cwd: '/',
    isTerminal: { stdin: false, stdout: false, stderr: isTerminal },
  };
  return { io, written };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** Work that lasts as long as given, on the fake clock, and then ends by what `end` does. */
async function during(milliseconds: number, io: Io, end: () => string = () => 'the plan'): Promise<string> {
  const { promise, finish } = pending();
  const result = withSpinner('asking llama3.2', io, () => promise.then(end));
  result.catch(() => {}); // looked at by the caller
  await vi.advanceTimersByTimeAsync(milliseconds);
  await vi.dynamicImportSettled(); // ora
  await vi.advanceTimersByTimeAsync(milliseconds);
  finish();
  return await result;
}

function pending(): { readonly promise: Promise<void>; readonly finish: () => void } {
  let finish = (): void => {};
  const promise = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { promise, finish: () => finish() };
}

interface Silence extends Surroundings {
  readonly name: string;
  readonly milliseconds?: number;
}

const silences: readonly Silence[] = [
  { name: 'for work that is done within 300 ms', milliseconds: 149 },
  { name: 'on no terminal', isTerminal: false },
  { name: 'on no terminal although colour is forced', isTerminal: false, env: { FORCE_COLOR: '1' } },
  { name: 'on a terminal that cannot go back in a line', env: { TERM: 'dumb' } },
];

describe('writes nothing', () => {
  test.each(silences)('$name', async ({ milliseconds = 5000, ...surroundings }) => {
    const { io, written } = ioWith(surroundings);
    expect(await during(milliseconds, io)).toBe('the plan');
    expect(written).toStrictEqual([]);
  });
});

const FRAME = /^\S asking llama3\.2$/;
const SYNCHRONIZED = ['\x1b[?2026h', '\x1b[?2026l'];
const CLEARED = ['\x1b[1G', '\x1b[K'];

test('shows the text after 300 ms, moving, and leaves the line empty', async () => {
  const { io, written } = ioWith({});
  expect(await during(400, io)).toBe('the plan');
  const seen = written.filter((piece) => !SYNCHRONIZED.includes(piece));
  const frames = seen.filter((piece) => !CLEARED.includes(piece));
  expect(new Set(frames).size).toBeGreaterThan(2);
  for (const frame of frames) expect(frame).toMatch(FRAME);
  expect(seen.slice(-2)).toStrictEqual(CLEARED);
});

test('passes a failure on and leaves the line empty', async () => {
  const { io, written } = ioWith({});
  const end = (): never => {
    throw new Error('no plan');
  };
  await expect(during(400, io, end)).rejects.toThrow('no plan');
  expect(written.slice(-2)).toStrictEqual(CLEARED);
});

test('shows nothing when the work is done while the spinner is still being loaded', async () => {
  const { io, written } = ioWith({});
  const { promise, finish } = pending();
  const result = withSpinner('asking', io, () => promise);
  vi.advanceTimersByTime(300);
  finish();
  await result;
  await vi.dynamicImportSettled();
  expect(written).toStrictEqual([]);
});

test('does the work although the terminal has gone', async () => {
  const onWrite = (): never => {
    throw new Error('EIO');
  };
  expect(await during(400, ioWith({ onWrite }).io)).toBe('the plan');
});
