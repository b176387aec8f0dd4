import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/transcript/formats/index.js';
import { answer, ask, call, line, result } from '../chat-lines.js';
import { type Case, expectCase } from './case.js';
import { type Folder, makeFolder } from './folder.js';
import { ROOT, runCommand } from './run.js';

const LONG =
  'The ferry leaves from the north pier at seven, and from the lock an hour later, every day but Sunday.';

const files: Readonly<Record<string, string | Uint8Array>> = {
  'chat.jsonl':
    ask('When?') + call('c1') + result('c1', LONG.repeat(2)) + answer('At seven.') + ask('And then?'),
  'empty.jsonl': '',
  'only.ledger.jsonl': line({
    ...{ type: 'evidence', capability: 'a', chunk_id: 'c1', document_id: 'd', document_uri: 'u' },
    ...{ picture_refs: [], retrieved_in_questions: [0], cited_in_questions: [] },
  }),
  'damaged.jsonl': `\ufeff// a note\r\n${ask('One?')}\n${line({ role: 'user', content: 'a' }).trim()}${ask('b')}${call('c1')}${call('c1')}${result('c9', 'x')}{"role":"as`,
  'garbled.json': Buffer.from('[{"role":"user","content":"\xff"}]\n', 'latin1'),
  'other/notes.json': '{"a":1}\n',
  'other/chat.jsonl': ask('Red \u001b[31m?'),
  'rows.jsonl':
    line({ messages: [{ role: 'user', content: 'a' }] }) +
    line({ messages: [{ role: 'user', content: 'b' }] }),
};

let folder: Folder;

beforeAll(() => {
  folder = makeFolder(files);
});

afterAll(() => folder.remove());

const cases: readonly Case[] = [
  {
    name: 'a file: format, messages, evidence, tokens',
    args: ['chat.jsonl'],
    stdout:
      /^chat\.jsonl\n {2}format {5}openai-chat \(\d+ % sure, by line 2\)\n {2}messages {3}5 messages, 2 questions\n {2}evidence {3}1 return\n {2}tokens {5}about \d+: user \d+ %, assistant \d+ %, tool \d+ %\n {2}tools {6}search: 1 result, about \d+ tokens \(\d+ %\)\n$/,
  },
  {
    name: 'an empty file',
    args: ['empty.jsonl'],
    stdout: 'empty.jsonl\n             empty: no messages\n',
  },
  {
    name: 'a ledger alone',
    args: ['only.ledger.jsonl'],
    stdout: 'only.ledger.jsonl\n             a ledger: what a conversation cited, without its messages\n',
  },
  {
    name: 'damage is listed with its lines',
    args: ['damaged.jsonl'],
    stdout:
      /\n {2}damage {5}byte-order mark: line 1\n {13}comment line: line 1\n {13}blank line: line 3\n {13}two records on one line: line 4\n {13}mixed line ends: line 2\n {13}cut last line: line 8\n {13}call id used twice: line 6\n {13}result without a call: line 7\n {13}call without a result: line 6\n$/,
  },
  {
    name: 'a file of several conversations',
    args: ['rows.jsonl'],
    stdout: /messages {3}2 conversations, 2 messages, 2 questions\n/,
  },
  {
    name: 'what is no transcript in a folder is said, and keeps nobody from the rest',
    args: ['other', '--json'],
    stdout: /^\{[^\n]*"file":"other\/chat\.jsonl"[^\n]*\}\n$/,
    stderr: 'thread: other/notes.json:1: not a transcript of a known format; looked for:\n',
  },
  {
    name: 'one that was named is an error',
    args: ['chat.jsonl', 'other/notes.json'],
    stdout: /^chat\.jsonl\n/,
    stderr: 'thread: other/notes.json:1: not a transcript of a known format; looked for:\n',
    code: 2,
  },
  {
    name: 'a file alone that is none',
    args: ['other/notes.json'],
    stderr: /^thread: other\/notes\.json:1: not a transcript of a known format; looked for:\n/,
    code: 2,
  },
  {
    name: 'one broken line alone is not empty',
    args: ['garbled.json'],
    stderr: 'thread: garbled.json:1:28: not UTF-8 text\n  hint: is this a binary file?\n',
    code: 2,
  },
  {
    name: 'no line is wider than the terminal',
    args: ['chat.jsonl'],
    columns: 30,
    stdout: /^(?:[^\n]{1,30}\n)+$/,
  },
  {
    name: '--format without a file',
    args: ['--format', 'pi'],
    stderr: 'thread: --format names how to read a file: name one as well\n',
    code: 2,
  },
  { name: 'the standard input', args: ['-'], stdin: ask('Now?'), stdout: /^-\n {2}format/ },
];

describe('thread formats', () => {
  test.each(cases)('$name', (one) => expectCase('formats', one, folder.path));

  test('without a file: a row for each format', async () => {
    const table = await runCommand(['formats']);
    const rows = table.stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split(' ')[0])).toStrictEqual([
      'FORMAT',
      ...FORMATS.map(({ name }) => name),
    ]);
    const { stdout } = await runCommand(['formats', '--json']);
    const names = stdout
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row).name);
    expect(names).toStrictEqual(FORMATS.map(({ name }) => name));
  });

  test.each(['chat.jsonl', 'empty.jsonl', 'only.ledger.jsonl', 'damaged.jsonl', 'rows.jsonl'])(
    '--json of %s is as its schema says',
    async (file) => {
      const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/formats.schema.json'), 'utf8'));
      const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
        schema,
      );
      const { stdout } = await runCommand(['formats', file, '--json'], { cwd: folder.path });
      expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true);
    },
  );
});
