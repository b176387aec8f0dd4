import { existsSync, linkSync, lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Folder, makeFolder } from './folder.js';
import { runCommand } from './run.js';

const chat = '{"role":"user","content":"When does the ferry leave?"}\n';
const ledger = '{"type":"capability","capability":"ferry","tool_names":["search"]}\n';
const files = { 'chat.jsonl': chat, 'chat.ledger.jsonl': ledger, 'other.jsonl': ledger };

const LINKS: ReadonlyMap<string, string> = new Map([
  ['chat-link', 'chat.jsonl'],
  ['ledger-link', 'chat.ledger.jsonl'],
  ['other-link', 'other.jsonl'],
  ['here', '.'],
  ['new-link', 'folder/new.jsonl'],
  ['folder/new-link-link', '../new-link'],
  ['lost-link', 'nope/new.jsonl'],
  ['loop-link', 'loop-link'],
]);

let folder: Folder;

beforeEach(() => {
  folder = makeFolder(files);
  for (const [name, target] of LINKS) symlinkSync(target, join(folder.path, name));
  linkSync(join(folder.path, 'chat.jsonl'), join(folder.path, 'chat-hard'));
});

afterEach(() => folder.remove());

function compact(args: readonly string[]) {
  return runCommand(['compact', '-q', ...args], { cwd: folder.path });
}

/** No file was added, and those that there were are the same. */
function expectNothingWritten(): void {
  for (const [name, content] of Object.entries(files)) expect(folder.read(name)).toBe(content);
  expect(readdirSync(join(folder.path, 'folder'))).toStrictEqual(['new-link-link']);
  expect(readdirSync(folder.path)).toHaveLength(Object.keys(files).length + LINKS.size - 1 + 3);
}

const refused: readonly { readonly args: readonly string[]; readonly problem: string }[] = [
  { args: ['--report', 'chat.jsonl'], problem: '--report chat.jsonl: that file is the input' },
  { args: ['--report', 'chat-link'], problem: '--report chat-link: that file is the input' },
  { args: ['--report', 'chat-hard'], problem: '--report chat-hard: that file is the input' },
  { args: ['--report', 'here/chat.jsonl'], problem: '--report here/chat.jsonl: that file is the input' },
  {
    args: ['--report', 'chat.ledger.jsonl'],
    problem: '--report chat.ledger.jsonl: that file is the ledger',
  },
  {
    args: ['--ledger', 'other.jsonl', '--report', 'other-link'],
    problem: '--report other-link: that file is the ledger',
  },
  { args: ['-o', 'ledger-link'], problem: '--output ledger-link: that file is the ledger' },
  {
    args: ['--ledger', 'other-link', '-o', 'other.jsonl'],
    problem: '--output other.jsonl: that file is the ledger',
  },
  {
    args: ['-o', 'folder/new.jsonl', '--report', 'here/folder/new.jsonl'],
    problem: '--report here/folder/new.jsonl: that file is the output',
  },
  {
    args: ['-o', 'folder/new-link-link', '--report', './folder/../folder/new.jsonl'],
    problem: '--report ./folder/../folder/new.jsonl: that file is the output',
  },
  { args: ['-o', 'lost-link'], problem: 'cannot write lost-link: no such file or directory' },
  { args: ['-o', 'loop-link'], problem: 'cannot write loop-link: too many symbolic links' },
  // On the standard output, where nothing could be taken back.
  {
    args: ['--report', 'nope/report.json'],
    problem: 'cannot write nope/report.json: no such file or directory',
  },
  { args: ['--report', 'folder'], problem: 'cannot write folder: it is a directory' },
];

describe('refuses before anything is written', () => {
  test.each(refused)('$args', async ({ args, problem }) => {
    expect(await compact(['chat.jsonl', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `thread: ${problem}\n`,
    });
    expectNothingWritten();
  });
});

test('a report may go where the ledger would be beside another transcript', async () => {
  const args = ['chat.jsonl', '--ledger', 'other.jsonl', '--report', 'chat.ledger.jsonl'];
  expect(await compact(args)).toMatchObject({ code: 0, stdout: chat, stderr: '' });
});

test('two outputs may go to one device', async () => {
  const args = ['chat.jsonl', '-o', '/dev/null', '--report', '/dev/null'];
  expect(await compact(args)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expectNothingWritten();
});

test.each(['new-link', 'folder/new-link-link'])('-o %s makes what the link points to', async (link) => {
  expect(await compact(['chat.jsonl', '-o', link])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(folder.read('folder/new.jsonl')).toBe(chat);
  expect(lstatSync(join(folder.path, 'folder/new.jsonl')).isFile()).toBe(true);
  expect(lstatSync(join(folder.path, link)).isSymbolicLink()).toBe(true);
  expect(existsSync(join(folder.path, 'new.jsonl'))).toBe(false);
});

describe('the temporary file', () => {
  const temporary = (name: string): string => `.${name}.thread-${process.pid}.tmp`;

  test.each([
    { what: 'a link in its place is not followed', make: (at: string) => symlinkSync('other.jsonl', at) },
    {
      what: 'a file in its place is nobody else’s',
      make: (at: string) => writeFileSync(at, 'old', { mode: 0o666 }),
    },
  ])('$what', async ({ make }) => {
    make(join(folder.path, temporary('new.jsonl')));
    expect(await compact(['chat.jsonl', '-o', 'new.jsonl'])).toMatchObject({ code: 0, stderr: '' });
    expect(lstatSync(join(folder.path, 'new.jsonl')).isFile()).toBe(true);
    expect(folder.read('new.jsonl')).toBe(chat);
    expect(folder.read('other.jsonl')).toBe(ledger);
    expect(existsSync(join(folder.path, temporary('new.jsonl')))).toBe(false);
  });

  test.each(['n'.repeat(255), `n${'é'.repeat(127)}`, '水'.repeat(85)])('has room beside %s', async (name) => {
    expect(await compact(['chat.jsonl', '-o', name])).toMatchObject({ code: 0, stderr: '' });
    expect(folder.read(name)).toBe(chat);
  });
});

test('-o onto the input replaces it, by whichever name', async () => {
  const before = lstatSync(join(folder.path, 'chat.jsonl')).ino;
  expect(await compact(['chat.jsonl', '-o', 'chat-link'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(lstatSync(join(folder.path, 'chat-link')).isSymbolicLink()).toBe(true);
  expect(lstatSync(join(folder.path, 'chat.jsonl')).ino).not.toBe(before);
  expect(folder.read('chat.jsonl')).toBe(chat);
  expect(readdirSync(folder.path).filter((name) => name.includes('.thread-'))).toStrictEqual([]);
});
