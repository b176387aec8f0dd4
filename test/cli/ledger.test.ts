import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answer, ask, call, line, result } from '../chat-lines.js';
import { type Case, expectCase, expectHelpFits } from './case.js';
import { type Folder, makeFolder } from './folder.js';
import { ROOT, runCommand } from './run.js';

const TIDES = [
  '[tide-1] Source: "Tide tables" (kb/tides.md)\nHigh water at the pier comes 40 minutes after high water at the lock.',
  '[tide-2] Source: "Tide tables" (kb/neap.md)\nIn a neap week it stands half a metre lower.',
].join('\n\n');
const LOCK =
  '[lock-1] Source: "Lock book" (kb/lock.md)\nThe keeper writes high water on the board at the gate each morning, in chalk and by hand.';

/** Questions at 0 and 4; the second one is not answered. */
const chat =
  ask('When is high water at the pier?') +
  call('c1') +
  result('c1', TIDES) +
  answer('40 minutes later [tide-1].') +
  ask('And at the lock?') +
  call('c2') +
  result('c2', LOCK);
const answered = chat + answer('See the board [lock-1].');

const messagesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one));

const record = { type: 'capability', capability: 'search', tool_names: ['search'] };
const derivedRecord = { question: 4, in_progress: true, latest_evidence_epoch: 7, declaration: null };
const tide1 = {
  ...{ type: 'evidence', capability: 'search', chunk_id: 'tide-1' },
  ...{ document_id: 'kb/tides.md', document_uri: 'kb/tides.md', document_title: 'Tide tables' },
  ...{ content: 'High water at the pier comes 40 minutes after high water at the lock.', picture_refs: [] },
  ...{ retrieved_in_questions: [0], cited_in_questions: [0] },
  citations: [{ question: 0, kind: 'marker', message: 3, quote: '[tide-1]' }],
};
const tide2 = {
  ...{ type: 'evidence', capability: 'search', chunk_id: 'tide-2' },
  ...{ document_id: 'kb/neap.md', document_uri: 'kb/neap.md', document_title: 'Tide tables' },
  ...{ content: 'In a neap week it stands half a metre lower.', picture_refs: [] },
  ...{ retrieved_in_questions: [0], cited_in_questions: [], citations: [] },
};
const lock1 = {
  ...{ type: 'evidence', capability: 'search', chunk_id: 'lock-1' },
  ...{ document_id: 'kb/lock.md', document_uri: 'kb/lock.md', document_title: 'Lock book' },
  ...{
    content: 'The keeper writes high water on the board at the gate each morning, in chalk and by hand.',
    picture_refs: [],
  },
  ...{ retrieved_in_questions: [4], cited_in_questions: [], citations: [] },
};
const head = { ...record, ...derivedRecord };
const whole = [head, tide1, tide2, lock1];

/** As a host writes it: other fields of its own, another order of keys, no proofs. */
const given = [
  { host: 'pier', ...record, question: 4, in_progress: true },
  {
    type: 'evidence',
    chunk_id: 'g1',
    capability: 'search',
    score: 0.5,
    cited_in_questions: [0],
    retrieved_in_questions: [0],
  },
  { type: 'evidence', chunk_id: 'g2', capability: 'search', retrieved_in_questions: [0] },
];
const givenHead = {
  ...record,
  ...{ question: 4, in_progress: true, latest_evidence_epoch: 0, declaration: null, host: 'pier' },
};
const g1 = {
  ...{ type: 'evidence', capability: 'search', chunk_id: 'g1' },
  ...{ retrieved_in_questions: [0], cited_in_questions: [0], citations: [], score: 0.5 },
};
const g2 = {
  ...{ type: 'evidence', capability: 'search', chunk_id: 'g2' },
  ...{ retrieved_in_questions: [0], cited_in_questions: [], citations: [] },
};
const jsonl = (values: readonly unknown[]): string => values.map(line).join('');
const givenText = jsonl(given);

const UNSAFE = 'chalk \u001b[2J\u202e and \u0085 by the old lock keeper of the north pier';

const files: Readonly<Record<string, string>> = {
  'chat.jsonl': chat,
  'answered.jsonl': answered,
  'kept.jsonl': chat,
  'kept.ledger.jsonl': givenText,
  'other.ledger.jsonl': givenText,
  'rows.jsonl': line({ messages: messagesOf(chat) }) + line({ messages: messagesOf(answered) }),
  'cut.jsonl': `${chat}{"role":"assi`,
  'empty.jsonl': '',
  'unsafe.jsonl':
    ask('Who?') +
    call('c1') +
    result('c1', `[k-1] Source: x\n${UNSAFE}`.padEnd(200, '.')) +
    answer(`${UNSAFE} [k-1]`),
};

let folder: Folder;

beforeAll(() => {
  folder = makeFolder(files);
});

afterAll(() => folder.remove());

const first = {
  question: 0,
  status: 'grounded',
  text: 'When is high water at the pier?',
  retrieved: 2,
  cited: 1,
};
const second = { question: 4, status: 'missing', text: 'And at the lock?', retrieved: 1, cited: 0 };
const secondAnswered = { ...second, status: 'grounded', cited: 1 };
const answeredLines = [
  {
    ...head,
    declaration: { question: 4, epoch: 8, refs: [{ capability: 'search', chunk_id: 'lock-1' }] },
  },
  tide1,
  tide2,
  {
    ...lock1,
    cited_in_questions: [4],
    citations: [{ question: 4, kind: 'marker', message: 7, quote: '[lock-1]' }],
  },
];
const numbered = (conversation: number, values: readonly object[]): object[] =>
  values.map((value) => ({ conversation, ...value }));

const summary = 'thread: 2 questions, 3 chunks, 1 cited, ledger derived\n';

const cases: readonly Case[] = [
  { name: 'a derived ledger', args: ['chat.jsonl'], stdout: jsonl(whole), stderr: summary },
  { name: '-q says nothing', args: ['chat.jsonl', '-q'], stdout: jsonl(whole) },
  { name: '--quiet says nothing', args: ['chat.jsonl', '--quiet'], stdout: jsonl(whole) },
  { name: '- is stdin', args: ['-', '-q'], stdin: chat, stdout: jsonl(whole) },
  { name: 'no argument is stdin', args: ['-q'], stdin: chat, stdout: jsonl(whole) },
  { name: '-f names the format', args: ['chat.jsonl', '-q', '-f', 'openai-chat'], stdout: jsonl(whole) },
  { name: '--format too', args: ['chat.jsonl', '-q', '--format=openai-chat'], stdout: jsonl(whole) },
  {
    name: '--ledger gives one, which keeps its own fields',
    args: ['chat.jsonl', '--ledger', 'other.ledger.jsonl'],
    stdout: jsonl([givenHead, g1, g2]),
    stderr: 'thread: 2 questions, 2 chunks, 1 cited, ledger given\n',
  },
  { name: 'a ledger beside it is found', args: ['kept.jsonl', '-q'], stdout: jsonl([givenHead, g1, g2]) },
  {
    name: 'ledger lines in the stream count',
    args: ['-q'],
    stdin: chat + givenText,
    stdout: jsonl([givenHead, g1, g2]),
  },
  {
    name: 'a ledger alone',
    args: ['other.ledger.jsonl', '--cited'],
    stdout: jsonl([givenHead, g1]),
    stderr: 'thread: 2 chunks, 1 cited, ledger given\n',
  },
  { name: 'an empty file', args: ['empty.jsonl'], stderr: 'thread: no messages, no ledger\n' },
  {
    name: '--question keeps what it retrieved',
    args: ['chat.jsonl', '-q', '--question', '4'],
    stdout: jsonl([head, lock1]),
  },
  {
    name: '--question keeps what it cited',
    args: ['chat.jsonl', '-q', '--question', '0'],
    stdout: jsonl([head, tide1, tide2]),
  },
  { name: '--cited', args: ['chat.jsonl', '-q', '--cited'], stdout: jsonl([head, tide1]) },
  {
    name: '--cited of a question',
    args: ['chat.jsonl', '-q', '--cited', '--question', '4'],
    stdout: jsonl([head]),
  },
  { name: '--status', args: ['chat.jsonl', '--status'], stdout: jsonl([first, second]), stderr: summary },
  {
    name: '--status of a question',
    args: ['chat.jsonl', '-q', '--status', '--question', '4'],
    stdout: jsonl([second]),
  },
  {
    name: '--status by a given ledger',
    args: ['kept.jsonl', '-q', '--status'],
    stdout: jsonl([first, { ...second, retrieved: 0 }]),
  },
  {
    name: '--status shows 80 characters of a question, and no half of one',
    args: ['-q', '--status'],
    stdin: ask(`${'x'.repeat(79)}🌊 and more`),
    stdout: jsonl([{ question: 0, status: 'missing', text: `${'x'.repeat(79)}🌊`, retrieved: 0, cited: 0 }]),
  },
  {
    name: '--require grounded: no',
    args: ['chat.jsonl', '--require', 'grounded'],
    code: 1,
    stdout: jsonl([first, second]),
    stderr: 'thread: 1 of 2 questions with evidence not grounded: 4 (missing)\n',
  },
  {
    name: '-q does not hide the reason',
    args: ['rows.jsonl', '-q', '--require', 'grounded'],
    code: 1,
    stdout: jsonl([...numbered(0, [first, second]), ...numbered(1, [first, secondAnswered])]),
    stderr: 'thread: 1 of 4 questions with evidence not grounded: 4 of conversation 0 (missing)\n',
  },
  {
    name: '--require grounded: yes',
    args: ['answered.jsonl', '-q', '--require', 'grounded'],
    stdout: jsonl([first, secondAnswered]),
  },
  {
    name: '--require asks nothing of a question without evidence',
    args: ['-q', '--require', 'grounded'],
    stdin: answered + ask('Thanks!'),
    stdout: jsonl([
      first,
      secondAnswered,
      { question: 8, status: 'missing', text: 'Thanks!', retrieved: 0, cited: 0 },
    ]),
  },
  {
    name: '--require of one question',
    args: ['chat.jsonl', '-q', '--require', 'grounded', '--question', '0'],
    stdout: jsonl([first]),
  },
  {
    name: 'lines of several conversations say which',
    args: ['rows.jsonl'],
    stdout: jsonl([...numbered(0, whole), ...numbered(1, answeredLines)]),
    stderr: 'thread: 2 conversations, 4 questions, 6 chunks, 3 cited, ledger derived\n',
  },
  {
    name: '--conversation chooses one, which needs no number',
    args: ['rows.jsonl', '-q', '--conversation', '1'],
    stdout: jsonl(answeredLines),
  },
  {
    name: 'a ledger for one conversation of several',
    args: ['rows.jsonl', '-q', '--conversation', '1', '--ledger', 'other.ledger.jsonl'],
    stdout: jsonl([givenHead, g1, g2]),
  },
  {
    name: '--json is one document',
    args: ['chat.jsonl', '-q', '--json', '--cited'],
    stdout: line({
      ...{ schema: 'thread/ledger', version: 1, file: 'chat.jsonl' },
      conversations: [{ conversation: 0, id: null, ledger: 'derived', lines: [head, tide1] }],
    }),
  },
  {
    name: '--json --status',
    args: ['rows.jsonl', '-q', '--json', '--status', '--conversation', '1'],
    stdout: line({
      ...{ schema: 'thread/ledger', version: 1, file: 'rows.jsonl' },
      conversations: [{ conversation: 1, id: null, ledger: 'derived', questions: [first, secondAnswered] }],
    }),
  },
  {
    name: '--explain is a table',
    args: ['chat.jsonl', '--explain'],
    stdout: [
      'search: 3 chunks, 1 cited',
      'CHUNK   SOURCE       LINES  RETRIEVED  CITED',
      'tide-1  kb/tides.md  -      0          0',
      '  cited by 0, marker in message 3: "[tide-1]"',
      'tide-2  kb/neap.md   -      0          -',
      'lock-1  kb/lock.md   -      4          -',
      '',
    ].join('\n'),
    stderr: summary,
  },
  {
    name: '--explain of several conversations',
    args: ['rows.jsonl', '-q', '--explain', '--cited'],
    stdout: [
      'conversation 0',
      'search: 1 chunk, 1 cited',
      'CHUNK   SOURCE       LINES  RETRIEVED  CITED',
      'tide-1  kb/tides.md  -      0          0',
      '  cited by 0, marker in message 3: "[tide-1]"',
      '',
      'conversation 1',
      'search: 2 chunks, 2 cited',
      'CHUNK   SOURCE       LINES  RETRIEVED  CITED',
      'tide-1  kb/tides.md  -      0          0',
      '  cited by 0, marker in message 3: "[tide-1]"',
      'lock-1  kb/lock.md   -      4          4',
      '  cited by 4, marker in message 7: "[lock-1]"',
      '',
    ].join('\n'),
  },
  {
    name: '--explain leaves out tools of which nothing is shown',
    args: ['fixtures/rag.jsonl', '-q', '--explain', '--question', '8'],
    stdout: [
      'handbook: 2 chunks, 1 cited',
      'CHUNK  SOURCE               LINES  RETRIEVED  CITED',
      'hb-31  handbook/feeding.md  -      1, 8       8',
      '  cited by 8, declared in message 11: "hb-31"',
      'hb-58  -                    -      8          -',
      '',
    ].join('\n'),
  },
  {
    name: '--explain is no wider than the terminal',
    args: ['chat.jsonl', '-q', '--explain', '--cited'],
    columns: 42,
    stdout: [
      'search: 1 chunk, 1 cited',
      'CHUNK   SOURCE     LINES  RETRIEVED  CITED',
      'tide-1  kb/tides…  -      0          0',
      '  cited by 0, marker in message 3: "[tide…',
      '',
    ].join('\n'),
  },
  {
    name: '--lenient passes over a cut last line',
    args: ['cut.jsonl', '-q', '--lenient'],
    stdout: jsonl(whole),
    stderr: 'thread: warning: cut.jsonl:8: the last line is cut; left out\n',
  },
  { name: '--help', args: ['--help'], stdout: /^Usage: thread ledger \[options\] \[file\]\n/ },
];

const refused: readonly Case[] = [
  {
    name: 'a question that nobody asked',
    args: ['chat.jsonl', '--question', '1'],
    code: 2,
    stderr: 'thread: chat.jsonl: no question at position 1\n  hint: questions: 0, 4\n',
  },
  {
    name: 'a question of an empty file',
    args: ['empty.jsonl', '--question', '0'],
    code: 2,
    stderr: 'thread: empty.jsonl: no question at position 0\n  hint: nobody asks anything here\n',
  },
  {
    name: '--question is a number',
    args: ['chat.jsonl', '--question', 'x'],
    code: 2,
    stderr:
      "thread: option '--question <position>' argument 'x' is invalid. a position is a whole number from 0.\n",
  },
  {
    name: 'a conversation that is not there',
    args: ['chat.jsonl', '--conversation', '1'],
    code: 2,
    stderr: 'thread: chat.jsonl: no conversation 1\n  hint: it holds one conversation, 0\n',
  },
  {
    name: 'one ledger for two conversations',
    args: ['rows.jsonl', '--ledger', 'other.ledger.jsonl'],
    code: 2,
    stderr:
      'thread: rows.jsonl: one ledger for a file of 2 conversations\n  hint: its question numbers fit one of them only: name it with --conversation ID\n',
  },
  {
    name: 'the status of a ledger alone',
    args: ['other.ledger.jsonl', '--require', 'grounded'],
    code: 2,
    stderr:
      'thread: other.ledger.jsonl: a ledger without its transcript has no questions\n  hint: name both: thread ledger TRANSCRIPT --ledger other.ledger.jsonl\n',
  },
  {
    name: 'another requirement',
    args: ['chat.jsonl', '--require', 'cited'],
    code: 2,
    stderr:
      "thread: option '--require <status>' argument 'cited' is invalid. Allowed choices are grounded.\n",
  },
  ...[
    ['--explain', '--json'],
    ['--explain', '--status'],
    ['--cited', '--status'],
  ].map(([one = '', other = '']) => ({
    name: `${one} with ${other}`,
    args: ['chat.jsonl', one, other],
    code: 2,
    stderr: `thread: option '${one}' cannot be used with option '${other}'\n`,
  })),
  {
    name: 'another format than the file’s',
    args: ['chat.jsonl', '-f', 'pi'],
    code: 2,
    stderr:
      'thread: chat.jsonl: no message of the format pi in it\n  hint: leave --format away to have it detected\n',
  },
  {
    name: 'a ledger that is not there',
    args: ['chat.jsonl', '--ledger', 'nope.jsonl'],
    code: 2,
    stderr: 'thread: nope.jsonl: cannot read: no such file or directory\n',
  },
  {
    name: 'a terminal on stdin: help',
    args: [],
    isTerminal: true,
    code: 2,
    stderr:
      /^Usage: thread ledger .*\nExamples:\n.*\nthread: no input: name a transcript file, or pipe one in\n$/s,
  },
];

describe('thread ledger', () => {
  test.each([...cases, ...refused])('$name', (one) => expectCase('ledger', one, folder.path));

  test('--help fits a screen', () => expectHelpFits('ledger', { rows: 32, columns: 100 }));

  test.each([[], ['--json'], ['--status'], ['--explain']])(
    'lets no control character through: %s',
    async (...args) => {
      const { stdout } = await runCommand(['ledger', 'unsafe.jsonl', '-q', ...args], { cwd: folder.path });
      expect(stdout).not.toBe('');
      for (const character of ['\u001b', '\u202e', '\u0085']) expect(stdout).not.toContain(character);
    },
  );

  test('means the same although control characters are escaped', async () => {
    const { stdout } = await runCommand(['ledger', 'unsafe.jsonl', '-q'], { cwd: folder.path });
    expect(messagesOf(stdout)[1]).toMatchObject({ content: expect.stringContaining(UNSAFE) });
  });

  test.each([
    'support.jsonl',
    'session.claude.jsonl',
    'session.codex.jsonl',
    'session.openai-responses.json',
    'request.anthropic.json',
    'history.pydantic-ai.json',
  ])('of %s comes out of itself again', async (name) => {
    const file = join('fixtures', name);
    const { stdout } = await runCommand(['ledger', '-q', file], { cwd: folder.path });
    folder.write('derived.ledger.jsonl', stdout);
    const again = await runCommand(['ledger', '-q', file, '--ledger', 'derived.ledger.jsonl'], {
      cwd: folder.path,
    });
    expect(again).toMatchObject({ code: 0, stdout });
  });

  test('says which lines of its result a passage is', async () => {
    const listing = Array.from({ length: 50 }, (_, i) => `the keeper lights lamp number ${i + 1}`).join('\n');
    const stdin = ask('Which lamps?') + call('c1') + result('c1', listing) + answer('All.');
    const { stdout } = await runCommand(['ledger', '-q'], { stdin });
    const passages = messagesOf(stdout).slice(1);
    expect(passages).toMatchObject([
      { chunk_id: 'c1#1', lines: [1, 40] },
      { chunk_id: 'c1#41', lines: [41, 50] },
    ]);
    const table = await runCommand(['ledger', '-q', '--explain'], { stdin });
    expect(table.stdout).toContain('c1#41  -       41-50  0          -\n');
  });

  test.each([[], ['--status'], ['--cited']])('--json %s is as its schema says', async (...args) => {
    const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/ledger.schema.json'), 'utf8'));
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
    for (const file of ['rows.jsonl', 'kept.jsonl', 'fixtures/support.jsonl', 'empty.jsonl']) {
      const { stdout } = await runCommand(['ledger', '-q', file, '--json', ...args], { cwd: folder.path });
      validate(JSON.parse(stdout));
      expect(validate.errors).toBeNull();
    }
  });
});
