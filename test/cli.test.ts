import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './chat-lines.js';
import { type Folder, makeFolder } from './cli/folder.js';
import { ROOT } from './cli/run.js';
import { openShell, type Shell } from './cli/shell.js';
import { startOllamaServer } from './query/planners/ollama-server.js';

const THREAD = join(ROOT, 'bin/thread.js');

/** A conversation of 20,000 messages, about 1.6 MB: more than any pipe holds. */
const long = Array.from({ length: 20_000 }, (_, i) =>
  i % 2 === 0
    ? `{"role":"user","content":"Question ${i}: how deep is the harbour at low water?"}\n`
    : `{"role":"assistant","content":"Answer ${i}: four metres, and five at the pier."}\n`,
).join('');

let folder: Folder;
let bash: Shell;

beforeAll(() => {
  folder = makeFolder({ 'long.jsonl': long, 'cut.jsonl': '{"role":"us' });
  bash = openShell('bash');
});

afterAll(() => {
  folder.remove();
  bash.remove();
});

/** What a shell gives for a script that uses the built command, run in the folder. */
function shell(script: string) {
  return bash.run(script, folder.path);
}

describe('the built command', () => {
  test('is a program that the shell can start', () => {
    expect(readFileSync(THREAD, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(() => accessSync(THREAD, constants.X_OK)).not.toThrow();
  });

  test('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await shell('thread --version')).toStrictEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each(['thread --help', 'thread compact --help', 'thread check --help'])(
    '%s fits a screen',
    async (command) => {
      const { code, stdout, stderr } = await shell(command);
      const lines = stdout.trimEnd().split('\n');
      expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
      expect(lines.length).toBeLessThanOrEqual(32);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    },
  );

  test('exits with 0 when it is done, and says so on stderr', async () => {
    const { code, stdout, stderr } = await shell('thread compact fixtures/support.jsonl');
    expect({ code, lines: stdout.split('\n').length - 1 }).toStrictEqual({ code: 0, lines: 17 });
    expect(stderr).toMatch(/^thread: 17 messages, 3 evidence returns below the boundary, [^\n]*\n$/);
  });

  test.each([
    ['bad input', 'thread compact cut.jsonl', /^thread: cut\.jsonl:1:9: not JSON/],
    [
      'a bad option',
      'thread compact --lenent',
      /^thread: unknown option '--lenent'\n\(Did you mean --lenient\?\)\n$/,
    ],
    [
      'an unknown command',
      'thread compat',
      /^thread: unknown command 'compat'\n\(Did you mean compact\?\)\n$/,
    ],
    ['no command', 'thread', /^Usage: thread \[options\] \[command\]\n/],
  ])('exits with 2 for %s', async (_, command, message) => {
    const outcome = await shell(command);
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });
});

describe('pipes', () => {
  test('a pipe gets all of an output that is larger than it holds', async () => {
    const { code, stdout } = await shell('thread compact -q long.jsonl | cat; exit $PIPESTATUS');
    expect({ code, isWhole: stdout === long }).toStrictEqual({ code: 0, isWhole: true });
  });

  test('so does a slow one', async () => {
    const { stdout } = await shell('thread compact -q long.jsonl | (sleep 0.3; cat)');
    expect(stdout === long).toBe(true);
  });

  test('standard input of that size is read whole', async () => {
    const { code, stdout } = await shell('cat long.jsonl | thread compact -q');
    expect({ code, isWhole: stdout === long }).toStrictEqual({ code: 0, isWhole: true });
  });

  test('-o may name a pipe', async () => {
    const { code, stdout } = await shell('thread compact -q long.jsonl -o /dev/stdout | cat');
    expect({ code, isWhole: stdout === long }).toStrictEqual({ code: 0, isWhole: true });
  });

  test('ends quietly when the reader has gone', async () => {
    const outcome = await shell('thread compact long.jsonl | head -1; exit $PIPESTATUS');
    expect(outcome).toStrictEqual({ code: 0, stdout: `${long.split('\n')[0]}\n`, stderr: '' });
  });

  test('a closed standard error is no failure', async () => {
    const { code, stdout } = await shell('thread compact fixtures/support.jsonl 2>&-');
    expect({ code, lines: stdout.split('\n').length - 1 }).toStrictEqual({ code: 0, lines: 17 });
  });
});

test('a report does not replace the file that is the standard input', async () => {
  expect(await shell('thread compact --report cut.jsonl < cut.jsonl')).toStrictEqual({
    code: 2,
    stdout: '',
    stderr: 'thread: --report cut.jsonl: that file is the input\n',
  });
  expect(await shell('cat cut.jsonl')).toMatchObject({ stdout: '{"role":"us' });
});

describe('a standard input that cannot be read is said, with exit code 2:', () => {
  test.each([
    ['a directory', 'thread compact < folder', 'it is a directory'],
    ['one that is open for writing only', 'thread ledger 0> folder/x', 'bad file descriptor'],
  ])('%s', async (_, command, problem) => {
    const stderr = `thread: <stdin>: cannot read: ${problem}\n`;
    expect(await shell(command)).toStrictEqual({ code: 2, stdout: '', stderr });
  });
});

/** Sends the program a signal at each write to a file, so that it comes in the middle of one. */
const hook = (signal: string): string => `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { writeSync } = fs;
fs.writeSync = (descriptor, ...rest) => {
  if (descriptor > 2) process.kill(process.pid, '${signal}');
  return writeSync(descriptor, ...rest);
};
syncBuiltinESMExports();
`;

describe('a signal in the middle of -o leaves the file as it was, and no other beside it:', () => {
  test.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('%s', async (signal, code) => {
    folder.write('hook.mjs', hook(signal));
    folder.write('old.jsonl', 'old');
    const names = [...folder.contents().keys()];
    const script = 'NODE_OPTIONS="--import ./hook.mjs" thread compact long.jsonl -o old.jsonl';
    expect(await shell(script)).toStrictEqual({ code, stdout: '', stderr: '' });
    expect([...folder.contents().keys()]).toStrictEqual(names);
    expect(folder.read('old.jsonl')).toBe('old');
  });

  test('so does one while the report is written', async () => {
    folder.write('hook.mjs', hook('SIGTERM'));
    const names = [...folder.contents().keys()];
    const script = 'NODE_OPTIONS="--import ./hook.mjs" thread compact -q long.jsonl --report report.json';
    expect(await shell(script)).toStrictEqual({ code: 143, stdout: '', stderr: '' });
    expect([...folder.contents().keys()]).toStrictEqual(names);
  });
});

describe('a signal while a model is asked', () => {
  test('calls off the request, whatever would stand in for the plan', async () => {
    const server = await startOllamaServer();
    folder.write('chat.jsonl', ask('How deep is it?'));
    const args = [
      THREAD,
      'resolve',
      join(folder.path, 'chat.jsonl'),
      '--planner',
      'ollama',
      '--model',
      'small',
    ];
    const asking = execa(process.execPath, args, { env: { OLLAMA_HOST: server.host }, reject: false });
    const request = await server.nextRequest();
    asking.kill('SIGINT');
    const { exitCode, stdout, stderr } = await asking;
    expect({ exitCode, stdout, stderr }).toStrictEqual({ exitCode: 130, stdout: '', stderr: '' });
    expect(await request.over).toBe('broken off');
    await server.stop();
  });
});

const hasFullDevice = existsSync('/dev/full');

describe.skipIf(!hasFullDevice)(
  `a full device${hasFullDevice ? '' : ' (skipped: no /dev/full here)'}`,
  () => {
    test('is said, with exit code 2', async () => {
      expect(await shell('thread compact -q fixtures/support.jsonl > /dev/full')).toStrictEqual({
        code: 2,
        stdout: '',
        stderr: 'thread: cannot write the standard output: no space left on the device\n',
      });
    });

    test('is said of -o too', async () => {
      expect(await shell('thread compact -q fixtures/support.jsonl -o /dev/full')).toStrictEqual({
        code: 2,
        stdout: '',
        stderr: 'thread: cannot write /dev/full: no space left on the device\n',
      });
    });

    test('is said of a report before anything is printed', async () => {
      expect(await shell('thread compact -q fixtures/support.jsonl --report /dev/full')).toStrictEqual({
        code: 2,
        stdout: '',
        stderr: 'thread: cannot write /dev/full: no space left on the device\n',
      });
    });
  },
);
