import {
  appendFileSync,
  closeSync,
  fstatSync,
  readdirSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withSource } from '../../src/cli/input.js';
import type { Io } from '../../src/cli/io.js';
import { spool } from '../../src/cli/spool.js';
import { readRange } from '../../src/transcript/lines.js';
import { readRecords } from '../../src/transcript/records.js';
import { ask } from '../chat-lines.js';
import { type Folder, makeFolder } from './folder.js';
import { runCommand } from './run.js';

let folder: Folder;

beforeEach(() => {
  folder = makeFolder({ 'chat.jsonl': ask('Hello?') });
});

afterEach(() => folder.remove());

function ioOf(said: string[]): Io {
  return {
    stdin: (async function* () {})(),
    stdout: { write() {} },
    stderr: { write: (bytes) => said.push(String(bytes)) },
    ...{ env: {}, cwd: folder.path, isTerminal: { stdin: false, stdout: false, stderr: false } },
  };
}

describe('a file that changes while it is read', () => {
  test('and grows is read as it was, with a note', async () => {
    const said: string[] = [];
    const read = await withSource('chat.jsonl', ioOf(said), async (source) => {
      appendFileSync(join(folder.path, 'chat.jsonl'), ask('And now?'));
      return readRange(source, 0, 1000).subarray(0, source.size).toString();
    });
    expect(read).toBe(ask('Hello?'));
    expect(said).toStrictEqual([
      'thread: warning: chat.jsonl: it grew while it was read; what came later is left out\n',
    ]);
  });

  test('in the middle of a record is read up to that record, with a note', async () => {
    const half = ask('And now?').slice(0, 20);
    folder.write('chat.jsonl', ask('Hello?') + half);
    const said: string[] = [];
    const read = await withSource('chat.jsonl', ioOf(said), async (source) => {
      if (source.size > ask('Hello?').length)
        appendFileSync(join(folder.path, 'chat.jsonl'), ask('And now?').slice(20));
      return [...readRecords(source, { isDocument: false, lenient: false })].map(({ value }) => value);
    });
    expect(read).toStrictEqual([JSON.parse(ask('Hello?'))]);
    expect(said).toStrictEqual([
      'thread: warning: chat.jsonl: it grew while it was read; what came later is left out\n',
    ]);
  });

  test.each([
    { name: 'a record that is cut, and nobody goes on with', content: `${ask('Hello?')}{"role"`, more: '' },
    { name: 'a broken record before its end', content: `{"role"\n${ask('Hello?')}`, more: ask('And now?') },
    { name: 'a cut record that is all there is', content: '{"role"', more: ':"user","content":"Hello?"}\n' },
  ])('but with $name is an error', async ({ content, more }) => {
    folder.write('chat.jsonl', content);
    const work = withSource('chat.jsonl', ioOf([]), async (source) => {
      appendFileSync(join(folder.path, 'chat.jsonl'), more);
      return [...readRecords(source, { isDocument: false, lenient: false })];
    });
    await expect(work).rejects.toThrow('not JSON');
  });

  test('and shrinks is an error', async () => {
    const work = withSource('chat.jsonl', ioOf([]), async (source) => {
      truncateSync(join(folder.path, 'chat.jsonl'), 4);
      return readRange(source, 0, source.size);
    });
    await expect(work).rejects.toThrow('chat.jsonl: it became shorter while it was read');
  });

  test('and is written over is an error', async () => {
    const work = withSource('chat.jsonl', ioOf([]), async (source) => {
      writeFileSync(join(folder.path, 'chat.jsonl'), ask('Adieu?').padEnd(source.size));
      utimesSync(join(folder.path, 'chat.jsonl'), 1, 1); // a clock may be too coarse to tell
      return readRange(source, 0, source.size);
    });
    await expect(work).rejects.toThrow(/chat\.jsonl: it (became shorter|was written over) while it was read/);
  });

  test('and is replaced by another one is read as it was', async () => {
    const said: string[] = [];
    const read = await withSource('chat.jsonl', ioOf(said), async (source) => {
      folder.write('new.jsonl', ask('Another, and longer than the first?'));
      renameSync(join(folder.path, 'new.jsonl'), join(folder.path, 'chat.jsonl'));
      return readRange(source, 0, source.size).toString();
    });
    expect({ read, said }).toStrictEqual({ read: ask('Hello?'), said: [] });
  });
});

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function spoolFiles(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`thread-${process.pid}-`));
}

describe('a stream', () => {
  test('that is short is held', async () => {
    expect(await spool(pieces('ab', 'cd'), 4)).toStrictEqual({ bytes: Buffer.from('abcd') });
  });

  test('that is long goes to a file of its owner, which has no name any more', async () => {
    const spooled = await spool(pieces('ab', 'cd', 'e', 'fg'), 4);
    expect(spooled).toHaveProperty('descriptor');
    if (!('descriptor' in spooled)) return;
    const { size, nlink, mode } = fstatSync(spooled.descriptor);
    closeSync(spooled.descriptor);
    expect({ size, nlink, mode: mode & 0o777 }).toStrictEqual({ size: 7, nlink: 0, mode: 0o600 });
    expect(spoolFiles()).toStrictEqual([]);
  });

  test('that breaks leaves nothing', async () => {
    const broken = (async function* (): AsyncGenerator<Uint8Array> {
      yield* pieces('abcdef', 'g');
      throw new Error('gone');
    })();
    await expect(spool(broken, 4)).rejects.toThrow('gone');
    expect(spoolFiles()).toStrictEqual([]);
  });

  test('for which there is no place is no fault of the stream', async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = join(folder.path, 'nope');
    try {
      await expect(spool(pieces('abcdef'), 4)).rejects.toThrow(
        `cannot write a temporary file in ${folder.path}/nope: no such file or directory`,
      );
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });

  test('of more than is held is read as a file is', async () => {
    const chat = `${ask(`What is ${'x'.repeat(1_000_000)}?`).repeat(70)}`;
    const { code, stdout } = await runCommand(['compact', '-q'], { stdin: chat });
    expect(code).toBe(0);
    expect(stdout === chat).toBe(true);
  });
});
