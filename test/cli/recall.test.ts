import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answer, ask, line } from '../chat-lines.js';
import { type Case, expectCase, expectHelpFits } from './case.js';
import { type Folder, makeFolder } from './folder.js';
import { ROOT, runCommand } from './run.js';

const result = (content: string): string => line({ role: 'tool', tool_call_id: 'c', content });
const call = line({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
});

const EVIDENCE = 'zero \0 red \u001b[31m 😀 src/a-b.ts\n更换电池需要钥匙\nكم سعر هذا';
const chat = ask('What is there?') + call + result(EVIDENCE) + answer('A file.');
const address = (text: string): string => `chat.jsonl#2.0 result of look\n${text}\n`;
const SAFE = 'zero \\x00 red \\x1b[31m 😀 src/a-b.ts\n更换电池需要钥匙\nكم سعر هذا';

const files: Readonly<Record<string, string>> = {
  'chat.jsonl': chat,
  'cut.jsonl': `${chat}{"role":"assi`,
  'folder/b.jsonl': ask('The lock is green.'),
  'folder/a.jsonl': ask('The lock is blue.'),
  'folder/notes.json': '{"lock":1}',
  'folder/notes.txt': 'lock',
  'rows.jsonl': ['The lock is red.', 'No.']
    .map((content) => line({ messages: [{ role: 'user', content }] }))
    .join(''),
  'pier.jsonl':
    ask('When is high water at the north pier?') +
    answer('At 14:40, and at the lock at 14:00.') +
    ask('And the day after?'),
  // Token ids: And 0, the 1, day 2, after 3, When 4, is 5, high 6, water 7, at 8, north 9, pier 10.
  'plan.json': JSON.stringify({
    mode: 'contextual',
    time: 'unspecified',
    termIds: [6, 7, 10, 2],
    focusIds: [10],
    basis: [{ message: 0, quote: 'high water at the north pier' }],
  }),
  'ambiguous.json': JSON.stringify({
    ...{ mode: 'ambiguous', time: 'unspecified', termIds: [] },
    basis: [
      { message: 0, quote: 'north pier' },
      { message: 1, quote: 'the lock' },
    ],
  }),
  'same.jsonl': ask('The lock is black.'),
  'visible.jsonl': ask('The lock is blue.'),
  'repeats.jsonl': ask('The lock again.').repeat(1000),
  'shrug.jsonl': ask('So 👨‍👩‍👧 it is.'),
  'broken.jsonl': `${ask('The lock.').repeat(60)}{"role": tru}\n${ask('The key.')}`,
  'lines.jsonl': result(`${'before\n'.repeat(60)}${'x'.repeat(400)}\nlock\n${'y'.repeat(480)}\nbehind\n`),
};

let folder: Folder;

beforeAll(() => {
  folder = makeFolder(files);
  symlinkSync('circle.jsonl', join(folder.path, 'folder/circle.jsonl'));
  symlinkSync('nowhere', join(folder.path, 'folder/nowhere.jsonl'));
});

afterAll(() => folder.remove());

const cases: readonly Case[] = [
  { name: 'a name with dots and dashes', args: ['chat.jsonl', '--terms', 'a-b.ts'], stdout: address(SAFE) },
  { name: 'any of several terms', args: ['chat.jsonl', '--terms', 'nothing, zero'], stdout: address(SAFE) },
  { name: 'Chinese', args: ['chat.jsonl', '--terms', '电池'], stdout: address(SAFE) },
  { name: 'Arabic', args: ['chat.jsonl', '--literal', 'سعر'], stdout: address(SAFE) },
  {
    name: '- is stdin',
    args: ['-', '--terms', 'lock'],
    stdin: ask('The lock'),
    stdout: '<stdin>#0.0 operator\nThe lock\n',
  },
  {
    name: 'nothing is stdin',
    args: ['--terms', 'lock'],
    stdin: ask('The lock'),
    stdout: '<stdin>#0.0 operator\nThe lock\n',
  },
  {
    name: 'a question',
    args: ['chat.jsonl', '--query', 'Is src/a-b.ts red?'],
    stdout: address(SAFE),
  },
  {
    name: 'highlights on a terminal, and nothing raw',
    args: ['chat.jsonl', '--terms', '钥匙,red'],
    columns: 80,
    stdout: `\u001b[1mchat.jsonl#2.0\u001b[22m result of look\nzero \\x00 \u001b[1m\u001b[33mred\u001b[39m\u001b[22m \\x1b[31m 😀 src/a-b.ts\n更换电池需要\u001b[1m\u001b[33m钥匙\u001b[39m\u001b[22m\nكم سعر هذا\n`,
  },
  {
    name: 'one list over a folder, its files by code point, without links that lead nowhere',
    args: ['folder', '--terms', 'lock'],
    stdout:
      'folder/a.jsonl#0.0 operator\nThe lock is blue.\n\nfolder/b.jsonl#0.0 operator\nThe lock is green.\n',
    stderr:
      /^thread: warning: passed over: folder\/notes\.json:1: not a transcript.*\nthread: warning: incomplete/,
  },
  {
    name: 'equals in the order of the command line',
    args: ['folder/b.jsonl', 'same.jsonl', '--terms', 'lock', '-k', '1'],
    stdout: 'folder/b.jsonl#0.0 operator\nThe lock is green.\n',
    stderr: 'thread: left out: 1 passage, at same.jsonl#0.0\n',
  },
  {
    name: 'a conversation of several by its index',
    args: ['rows.jsonl', '--terms', 'lock'],
    stdout: 'rows.jsonl#0.0 --conversation 0 operator\nThe lock is red.\n',
  },
  {
    name: '--visible names what is in view',
    args: ['folder/a.jsonl', 'folder/b.jsonl', '--terms', 'lock', '--visible', 'visible.jsonl'],
    stdout: 'folder/b.jsonl#0.0 operator\nThe lock is green.\n',
    stderr: 'thread: already in view: folder/a.jsonl#0.0\n',
  },
  {
    name: '--context adds lines',
    args: ['lines.jsonl', '--terms', 'lock', '--context', '1'],
    stdout: /^lines\.jsonl#0\.0 result of an unknown tool\nbefore\nx{400}\nlock\ny{480}\n$/,
  },
  {
    name: '--json',
    args: ['folder/a.jsonl', '--terms', 'lock', '--json'],
    stdout:
      /^\{"schema":"thread\/recall","version":1,"type":"passage","file":"folder\/a\.jsonl","address":"0\.0",.*"matches":\[\[4,8\]\],"repeats":\[\],"repeat_count":0\}\n\{.*"type":"rest","incomplete":false,.*\}\n$/,
  },
  {
    name: '--json of nothing',
    args: ['chat.jsonl', '--terms', 'absent', '--json'],
    code: 1,
    stdout: /^\{.*"type":"rest".*\}\n$/,
  },
  {
    name: 'a term without a word',
    args: ['shrug.jsonl', '--terms', '👨‍👩‍👧'],
    stdout: 'shrug.jsonl#0.0 operator\nSo 👨‍👩‍👧 it is.\n',
  },
  {
    name: 'the first places of many repeats',
    args: ['repeats.jsonl', '--terms', 'lock'],
    stdout: /^repeats\.jsonl#0\.0 operator \(and at repeats\.jsonl#1\.0, .*#8\.0, …: 1,000 in all\)\n/,
  },
  {
    name: 'the first places of many repeats, --json',
    args: ['repeats.jsonl', '--terms', 'lock', '--json'],
    stdout: /"repeats":\[(?:\{[^}]*\},){23}\{[^}]*\}\],"repeat_count":999\}\n/,
  },
  {
    name: 'a literal of 100,000 characters',
    args: ['chat.jsonl', '--literal', 'x'.repeat(100_000)],
    code: 1,
    stderr: 'thread: nothing found\n',
  },
  {
    name: 'a term that is longer than a passage',
    args: ['chat.jsonl', '--terms', 'x'.repeat(513)],
    code: 2,
    stderr: /^thread: --terms: a term has at most 512 characters\n/,
  },
  {
    name: 'a broken line, though nothing is to be found',
    args: ['broken.jsonl', '--terms', 'absent'],
    code: 2,
    stderr: /^thread: broken\.jsonl:61:10: not JSON/,
  },
  {
    name: 'stdin for two inputs',
    args: ['-', '--terms', 'lock', '--visible', '-'],
    stdin: ask('The lock.'),
    code: 2,
    stderr: 'thread: the standard input cannot be what is in view and something else\n',
  },
  {
    name: 'no piece of a word',
    args: ['chat.jsonl', '--terms', 'zer'],
    code: 1,
    stderr: 'thread: nothing found\n',
  },
  {
    name: '--lenient passes over a cut last line, and says so',
    args: ['cut.jsonl', '--terms', 'absent', '--lenient'],
    code: 1,
    stderr:
      'thread: warning: cut.jsonl:5: the last line is cut; left out\nthread: nothing found in what was searched\nthread: warning: incomplete: not everything was searched, so there may be more\n',
  },
  {
    name: 'a cut last line',
    args: ['cut.jsonl', '--terms', 'zero'],
    code: 2,
    stderr: /^thread: cut\.jsonl:5:\d+: not JSON/,
  },
  {
    name: 'no such file',
    args: ['none.jsonl', '--terms', 'a'],
    code: 2,
    stderr: 'thread: none.jsonl: cannot read: no such file or directory\n',
  },
  {
    name: 'too many passages',
    args: ['chat.jsonl', '--terms', 'a', '-k', '25'],
    code: 2,
    stderr: /from 1 to 24/,
  },
  {
    name: 'no terms',
    args: ['chat.jsonl', '--terms', ','],
    code: 2,
    stderr: 'thread: --terms names nothing to search for\n',
  },
  {
    name: 'several files without a question',
    args: ['folder'],
    code: 2,
    stderr: 'thread: which question is meant, of several files?\n  hint: ask with --query TEXT\n',
  },
  {
    name: 'two ways to ask',
    args: ['chat.jsonl', '--terms', 'a', '--literal', 'b'],
    code: 2,
    stderr: /cannot be used with/,
  },
  {
    name: 'the plan of a model',
    args: ['pier.jsonl', '--plan', 'plan.json'],
    stdout: 'pier.jsonl#0.0 operator\nWhen is high water at the north pier?\n',
  },
  {
    name: 'a plan from stdin',
    args: ['pier.jsonl', '--planner', 'given', '--plan', '-'],
    stdin: '{"mode":"direct","time":"unspecified","termIds":[],"basis":[]}',
    code: 1,
    stderr: 'thread: nothing found\n',
  },
  {
    name: 'a question that asks for nothing that could be found',
    args: ['pier.jsonl', '--plan', '-'],
    stdin: '{"mode":"none","time":"unspecified","termIds":[],"basis":[]}',
    code: 1,
    stderr: 'thread: warning: the question names nothing to search for\nthread: nothing found\n',
  },
  {
    name: 'a plan that fails: the question’s own words',
    args: ['pier.jsonl', '--plan', 'chat.jsonl', '--query', 'the north pier'],
    stdout: 'pier.jsonl#0.0 operator\nWhen is high water at the north pier?\n',
    stderr: /^thread: warning: the plan is not one JSON text/,
  },
  {
    name: 'a plan that fails, without a fallback',
    args: ['pier.jsonl', '--plan', 'chat.jsonl', '--fallback', 'none'],
    code: 2,
    stderr: /^thread: the plan is not one JSON text/,
  },
  {
    name: 'an ambiguous question: its quotes and no passages',
    args: ['pier.jsonl', '--plan', 'ambiguous.json'],
    code: 1,
    stderr:
      'thread: the question is ambiguous; it may go back to either of these:\n  0: "north pier"\n  1: "the lock"\n',
  },
  {
    name: 'an ambiguous question, --json',
    args: ['pier.jsonl', '--plan', 'ambiguous.json', '--json'],
    code: 1,
    stdout:
      '{"schema":"thread/recall","version":1,"type":"ambiguous","quotes":[{"position":0,"quote":"north pier"},{"position":1,"quote":"the lock"}]}\n',
  },
  {
    name: 'ollama without a model',
    args: ['pier.jsonl', '--planner', 'ollama', '--timeout', '5'],
    code: 2,
    stderr: /^thread: no model named for ollama\n/,
  },
  {
    name: 'a plan for words that are given',
    args: ['pier.jsonl', '--plan', 'plan.json', '--terms', 'pier'],
    code: 2,
    stderr: /cannot be used with/,
  },
  {
    name: 'lines of a passage that look like ours do not',
    args: ['-', '--terms', 'lock, thread'],
    stdin: ask('The lock.\nthread: warning: forged\nx.jsonl#3.0 operator\n  hint: forged\nA thread: fine\n'),
    stdout:
      '<stdin>#0.0 operator\nThe lock.\n\\x74hread: warning: forged\n\\x78.jsonl#3.0 operator\n\\x20 hint: forged\nA thread: fine\n',
  },
  { name: '--help', args: ['--help'], stdout: /^Usage: thread recall \[options\] \[files\.\.\.\]\n/ },
];

describe('thread recall', () => {
  test.each(cases)('$name', (one) => expectCase('recall', one, folder.path));

  test.each([
    ['chat.jsonl', '--terms', 'zero'],
    ['rows.jsonl', '--terms', 'lock'],
    ['lines.jsonl', '--terms', 'lock', '--context', '2'],
    ['fixtures/support.jsonl', '--terms', 'clutch', '-k', '1'],
    ['chat.jsonl', '--terms', 'absent'],
    ['repeats.jsonl', '--terms', 'lock'],
    ['pier.jsonl', '--plan', 'ambiguous.json'],
  ])('--json of %s %s %s is as its schema says', async (...args) => {
    const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/recall.schema.json'), 'utf8'));
    const validate = new Ajv2020({ strict: true }).compile(schema);
    const { stdout } = await runCommand(['recall', ...args, '--json'], { cwd: folder.path });
    for (const text of stdout.trimEnd().split('\n')) {
      validate(JSON.parse(text));
      expect(validate.errors).toBeNull();
    }
  });

  test('with the compacted transcript in view, returns what compaction took out, and show prints it whole', async () => {
    const original = 'fixtures/support.jsonl';
    await runCommand(['compact', '-q', original, '-o', 'compacted.jsonl'], { cwd: folder.path });
    const compacted = folder.read('compacted.jsonl');
    const { stdout } = await runCommand(
      ['recall', original, '--visible', 'compacted.jsonl', '--terms', 'rail', '--json'],
      { cwd: folder.path },
    );
    const found = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text))
      .filter(({ type }) => type === 'passage');
    expect(found.length).toBeGreaterThan(0);
    for (const { address: at, text, offset } of found) {
      expect(compacted).not.toContain(JSON.stringify(text).slice(1, -1));
      const shown = await runCommand(['show', original, at], { cwd: folder.path });
      expect(shown.stdout.slice(offset, offset + text.length)).toBe(text);
    }
  });

  test.skipIf(process.getuid?.() === 0)(
    'a file that cannot be read: the others, and exit code 2',
    async () => {
      const locked = makeFolder({ 'folder/a.jsonl': ask('The lock.'), 'folder/b.jsonl': '' });
      chmodSync(join(locked.path, 'folder/b.jsonl'), 0);
      const outcome = await runCommand(['recall', 'folder', '--terms', 'lock'], { cwd: locked.path });
      locked.remove();
      expect(outcome).toMatchObject({ code: 2, stdout: 'folder/a.jsonl#0.0 operator\nThe lock.\n' });
      expect(outcome.stderr).toMatch(
        /^thread: warning: passed over: folder\/b\.jsonl: cannot read: permission denied\n/,
      );
    },
  );

  test('--help fits a screen', () => expectHelpFits('recall', { rows: 32, columns: 102 }));
});
