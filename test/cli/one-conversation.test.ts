import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { line } from '../chat-lines.js';
import { type Folder, makeFolder } from './folder.js';
import { runCommand } from './run.js';

const PAYLOAD = 'The ferry leaves from the north pier at seven, every day but Sunday. '.repeat(8);
const row = (id: string, text: string): string =>
  line({
    id,
    messages: [
      { role: 'user', content: text },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: PAYLOAD },
      { role: 'assistant', content: 'At seven.' },
      { role: 'user', content: 'And then?' },
    ],
  });

let folder: Folder;

beforeAll(() => {
  folder = makeFolder({
    // The id of the first is the index of the second.
    'rows.jsonl': row('1', 'First?') + row('b', 'Second?') + row('c', 'Third?'),
    'twins.jsonl': row('a', 'One?') + row('a', 'Two?'),
    'chat.jsonl': line({ role: 'user', content: 'When?' }) + line({ role: 'tool', content: 'x' }),
  });
});

afterAll(() => folder.remove());

/** Each with the file where `FILE` stands. */
const COMMANDS: readonly (readonly string[])[] = [
  ['resolve', 'FILE'],
  ['recall', 'FILE', '--literal', 'ferry'],
  ['show', 'FILE', '0'],
  ['anaphora', 'FILE'],
  ['convert', 'FILE', '--to', 'anthropic-messages', '--lossy'],
  ['ledger', 'FILE'],
  ['formats', 'FILE'],
  ['compact', 'FILE', '--allow-uncited'],
];

const run = (args: readonly string[], file: string, ...more: readonly string[]) =>
  runCommand([...args.map((word) => (word === 'FILE' ? file : word)), ...more], { cwd: folder.path });

describe.each(COMMANDS)('thread %s', (...args) => {
  test.each(['1', 'b'])('--conversation %s is the second: an index, else an id', async (id) => {
    const byIndex = await run(args, 'rows.jsonl', '--conversation', '1');
    expect(byIndex.code).toBe(0);
    expect(await run(args, 'rows.jsonl', '--conversation', id)).toStrictEqual(byIndex);
  });

  test('what is not there is told with what there is', async () => {
    expect(await run(args, 'rows.jsonl', '--conversation', 'x')).toMatchObject({
      code: 2,
      stderr:
        'thread: rows.jsonl: no conversation "x"\n  hint: it holds 3 conversations, 0 to 2: 0 is "1", 1 is "b", 2 is "c"\n',
    });
  });

  test('an id of several names none', async () => {
    expect(await run(args, 'twins.jsonl', '--conversation', 'a')).toMatchObject({
      code: 2,
      stderr:
        'thread: twins.jsonl: several conversations have the id "a", such as 0 and 1\n  hint: name the one that is meant by its index\n',
    });
  });

  test('a named format has to find a message', async () => {
    expect(await run(args, 'chat.jsonl', '--format', 'pi')).toMatchObject({
      code: 2,
      stderr:
        'thread: chat.jsonl: no message of the format pi in it\n  hint: leave --format away to have it detected\n',
    });
  });
});

test('compact --conversation changes that one only, and verify proves it', async () => {
  const args = ['compact', 'FILE', '--allow-uncited', '--recent', '0'];
  const { stdout } = await run(args, 'rows.jsonl', '--conversation', 'b');
  const lines = stdout.split('\n');
  expect([lines[0], lines[2]]).toStrictEqual([row('1', 'First?').trim(), row('c', 'Third?').trim()]);
  expect(lines[1]).toContain('thread show FILE --conversation 1 2.0');
  for (const more of [[], ['--conversation', 'b']])
    expect(
      await runCommand(['verify', 'rows.jsonl', '-', ...more], { cwd: folder.path, stdin: stdout }),
    ).toMatchObject({ code: 0 });
  expect(
    await runCommand(['verify', 'rows.jsonl', '-', '--conversation', 'c'], {
      cwd: folder.path,
      stdin: stdout,
    }),
  ).toMatchObject({ code: 1 });
});
