import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TARGETS } from '../../src/convert/convert.js';
import { answer, ask, call, line, result } from '../chat-lines.js';
import { type Case, expectCase } from './case.js';
import { type Folder, makeFolder } from './folder.js';
import { ROOT, runCommand } from './run.js';

const PNG = 'iVBORw0KGgo=';
const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
const system = line({ role: 'system', content: 'Be brief.' });

const files: Readonly<Record<string, string>> = {
  'chat.jsonl': system + ask('When?') + call('c1') + result('c1', 'At seven.') + answer('At seven.'),
  'late.jsonl': ask('a') + call('c1') + call('c2') + result('c2', 'two') + result('c1', 'one') + answer('ok'),
  'open.jsonl': ask('a') + answer('b') + call('c1') + result('c9', 'x'),
  'picture.jsonl':
    line({ role: 'user', content: [{ type: 'text', text: 'This?' }, picture] }) + answer('Yes.'),
  'rows.jsonl': ['a', 'b'].map((id) => line({ id, messages: [{ role: 'user', content: id }] })).join(''),
  'odd-id.jsonl': ask('a') + call('c:1') + result('c:1', 'x') + answer('b'),
  'cut.jsonl': `${ask('a')}{"role":"as`,
};

let folder: Folder;

beforeAll(() => {
  folder = makeFolder(files);
});

afterAll(() => folder.remove());

const user = (content: unknown): object => ({ role: 'user', content });
const body = (messages: readonly object[], others: object = {}): string => line({ ...others, messages });
const use = (id: string): object => ({ type: 'tool_use', id, name: 'search', input: {} });
const came = (id: string, content: string): object => ({ type: 'tool_result', tool_use_id: id, content });

const cases: readonly Case[] = [
  {
    name: 'results come first in the next user message, the system text beside the messages',
    args: ['chat.jsonl', '--to', 'anthropic-messages'],
    stdout: body(
      [
        user('When?'),
        { role: 'assistant', content: [use('c1')] },
        user([came('c1', 'At seven.')]),
        { role: 'assistant', content: 'At seven.' },
      ],
      { system: 'Be brief.' },
    ),
  },
  {
    name: 'every result follows its call, wherever it stood',
    args: ['late.jsonl', '--to', 'anthropic-messages'],
    stdout: body([
      user('a'),
      { role: 'assistant', content: [use('c1')] },
      user([came('c1', 'one')]),
      { role: 'assistant', content: [use('c2')] },
      user([came('c2', 'two')]),
      { role: 'assistant', content: 'ok' },
    ]),
  },
  {
    name: 'a picture of the operator',
    args: ['picture.jsonl', '--to', 'anthropic-messages'],
    stdout: body([
      user([
        { type: 'text', text: 'This?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ]),
      { role: 'assistant', content: 'Yes.' },
    ]),
  },
  {
    name: 'a row for each of several conversations',
    args: ['rows.jsonl', '--to', 'anthropic-messages'],
    stdout: body([user('a')], { id: 'a' }) + body([user('b')], { id: 'b' }),
  },
  {
    name: 'one of them',
    args: ['rows.jsonl', '--to', 'anthropic-messages', '--conversation', '1'],
    stdout: body([user('b')]),
  },
  {
    name: 'what would be lost is refused with counts',
    args: ['open.jsonl', '--to', 'anthropic-messages'],
    stderr:
      'thread: open.jsonl: anthropic-messages has no place for call without a result (1), result without a call (1)\n  hint: add --lossy to leave them out\n',
    code: 2,
  },
  {
    name: 'and left out with --lossy',
    args: ['open.jsonl', '--to', 'anthropic-messages', '--lossy'],
    stdout: body([user('a'), { role: 'assistant', content: 'b' }]),
    stderr: 'thread: left out: call without a result (1), result without a call (1)\n',
  },
  {
    name: 'ids that the target does not take',
    args: ['odd-id.jsonl', '--to', 'anthropic-messages', '--lossy', '-q'],
    stdout: /"id":"c_1".*"tool_use_id":"c_1"/,
  },
  {
    name: 'what is in the format already is not touched',
    args: ['cut.jsonl', '--to', 'openai-chat', '--lenient'],
    stdout: files['cut.jsonl'] ?? '',
    stderr: 'thread: warning: cut.jsonl:2: the last line is cut; left out\n',
  },
  {
    name: 'a cut line is told once, though the file is read twice',
    args: ['cut.jsonl', '--to', 'anthropic-messages', '--lenient'],
    stdout: body([user('a')]),
    stderr: 'thread: warning: cut.jsonl:2: the last line is cut; left out\n',
  },
  {
    name: 'one conversation of a file in the format already',
    args: ['rows.jsonl', '--to', 'openai-chat', '--conversation', 'b'],
    stdout: line(user('b')),
  },
  {
    name: 'a named format that finds no message',
    args: ['rows.jsonl', '--to', 'anthropic-messages', '--format', 'pi'],
    stderr:
      'thread: rows.jsonl: no message of the format pi in it\n  hint: leave --format away to have it detected\n',
    code: 2,
  },
  {
    name: 'an unknown target',
    args: ['chat.jsonl', '--to', 'pi'],
    stderr: /'pi' is invalid\. Allowed choices are openai-chat, anthropic-messages\./,
    code: 2,
  },
];

const converted = async (file: string, target: string): Promise<string> => {
  const args = ['convert', file, '--to', target, '--lossy', '-q'];
  const { code, stdout, stderr } = await runCommand(args, { cwd: folder.path });
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('thread convert', () => {
  test.each(cases)('$name', (one) => expectCase('convert', one, folder.path));

  test.each(['chat.jsonl', 'picture.jsonl'])('%s comes back as it was', async (file) => {
    folder.write('there.json', await converted(file, 'anthropic-messages'));
    const back = await converted('there.json', 'openai-chat');
    const messages = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((row) => JSON.parse(row));
    expect(messages(back)).toStrictEqual(messages(files[file] ?? ''));
  });

  const fixtures = [
    'support.jsonl',
    'session.claude.jsonl',
    'history.pydantic-ai.json',
    'request.anthropic.json',
  ];
  const pairs = fixtures.flatMap((file) => TARGETS.map((target) => [file, target] as const));
  test.each(pairs)('%s as %s keeps the rules of its pairs and its questions', async (file, target) => {
    const path = join(ROOT, 'fixtures', file);
    folder.write('out.json', await converted(path, target));
    const checked = await runCommand(['verify', '--pairs', 'out.json'], { cwd: folder.path });
    expect({ code: checked.code, said: checked.stderr }).toMatchObject({ code: 0 });
    const questions = async (name: string): Promise<number> => {
      const { stdout } = await runCommand(['formats', name, '--json'], { cwd: folder.path });
      return JSON.parse(stdout).questions;
    };
    expect(await questions('out.json')).toBe(await questions(path));
  });
});
