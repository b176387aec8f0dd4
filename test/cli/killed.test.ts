import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answer, ask, call, line, result } from '../chat-lines.js';
import { seeded } from '../seeded.js';
import { type Folder, makeFolder } from './folder.js';
import { ROOT } from './run.js';

const THREAD = join(ROOT, 'bin/thread.js');
const SEED = Number(process.env.THREAD_KILL_SEED ?? 20261201);
/** Moments at which a run is ended, for each signal. */
const MOMENTS = Number(process.env.THREAD_KILL_MOMENTS ?? 17);

const turns = Array.from(
  { length: 400 },
  (_, i) =>
    ask(`What is ${i}?`) + call(`c${i}`) + result(`c${i}`, `It is ${i}. `.repeat(2000)) + answer(`${i}.`),
);
const transcript = `${turns.join('')}${ask('And now?')}`;
const ledger = line({
  type: 'capability',
  capability: 'rag',
  tool_names: ['search'],
  question: 1,
  in_progress: false,
});
const OLD = 'what was there before\n';

let folder: Folder;

beforeEach(() => {
  folder = makeFolder({ 'big.jsonl': transcript, 'big.ledger.jsonl': ledger, 'out.jsonl': OLD });
});

afterEach(() => folder.remove());

const ARGS = [THREAD, 'compact', '-q', 'big.jsonl', '-o', 'out.jsonl'];

function compacted(): string {
  const { status } = spawnSync(process.execPath, ARGS, { cwd: folder.path });
  expect(status).toBe(0);
  return folder.read('out.jsonl');
}

function temporaries(): string[] {
  return readdirSync(folder.path).filter((name) => name.includes('.thread-'));
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function started(args = ARGS): {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly end: Promise<End>;
} {
  const child = spawn(process.execPath, args, { cwd: folder.path, stdio: 'ignore' });
  const end = new Promise<End>((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
  return { kill: (signal) => child.kill(signal), end };
}

/** Before our own handling begins, a signal ends the process itself. */
const ENDS: readonly { readonly signal: NodeJS.Signals; readonly code: number | null }[] = [
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
  { signal: 'SIGKILL', code: null },
];

describe(`a run that is ended at any moment (THREAD_KILL_SEED=${SEED})`, () => {
  test.each(ENDS)('by $signal leaves the old file or the new one', async ({ signal, code }) => {
    const random = seeded(SEED);
    const fresh = compacted();
    expect(fresh).not.toBe(OLD);
    for (let i = 0; i < MOMENTS; i += 1) {
      folder.write('out.jsonl', OLD);
      const run = started();
      await setTimeout(random(400));
      run.kill(signal);
      const end = await run.end;
      expect([
        { code: 0, signal: null },
        { code, signal: null },
        { code: null, signal },
      ]).toContainEqual(end);
      expect([OLD, fresh]).toContain(folder.read('out.jsonl'));
      if (end.code === 0) expect(folder.read('out.jsonl')).toBe(fresh);
      if (signal !== 'SIGKILL') expect(temporaries()).toStrictEqual([]);
      expect(folder.read('big.jsonl')).toBe(transcript);
    }
    expect(compacted()).toBe(fresh);
    expect(temporaries()).toStrictEqual([]);
  });

  test('two runs at once onto one target make what one makes', async () => {
    const fresh = compacted();
    const ends = await Promise.all([started().end, started().end, started().end]);
    for (const end of ends) expect(end).toStrictEqual({ code: 0, signal: null });
    expect(folder.read('out.jsonl')).toBe(fresh);
    expect(temporaries()).toStrictEqual([]);
  });
});

describe('the temporary files of runs that are no more', () => {
  test('go with the next run onto that target; all others stay', () => {
    const { pid: dead } = spawnSync(process.execPath, ['-e', '0']);
    const staying = [
      `.out.jsonl.thread-${process.pid}.tmp`,
      `.other.jsonl.thread-${dead}.tmp`,
      '.out.jsonl.thread-x.tmp',
      `.out.jsonl.thread-${dead}.txt`,
    ];
    for (const name of [...staying, `.out.jsonl.thread-${dead}.tmp`]) folder.write(name, 'half');
    compacted();
    expect(temporaries().toSorted()).toStrictEqual(staying.toSorted());
  });
});

describe('a disk that takes no more', () => {
  test('leaves the old file', () => {
    const script = `ulimit -f 100; exec "$0" "$@"`;
    const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, ...ARGS], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toStrictEqual({
      status: 2,
      stderr: 'thread: cannot write out.jsonl: the file would be too large\n',
    });
    expect(folder.read('out.jsonl')).toBe(OLD);
    expect(temporaries()).toStrictEqual([]);
  });
});

const isRoot = process.getuid?.() === 0;

describe('a folder that may not be written to', () => {
  test.skipIf(isRoot)(`refuses at once${isRoot ? ' (skipped: root may write everywhere)' : ''}`, () => {
    chmodSync(folder.path, 0o500);
    const { status, stderr } = spawnSync(process.execPath, ARGS, { cwd: folder.path, encoding: 'utf8' });
    chmodSync(folder.path, 0o700);
    expect({ status, stderr }).toStrictEqual({
      status: 2,
      stderr: 'thread: cannot write out.jsonl: permission denied\n',
    });
    expect(folder.read('out.jsonl')).toBe(OLD);
  });
});
