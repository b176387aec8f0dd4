import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oneLine } from '../../src/cli/columns.js';
import { answer, ask, call, line, result } from '../chat-lines.js';
import { CORPUS, corpusFiles, isCorpusMissing, readCorpusFile } from '../corpus-files.js';
import { type Case, expectCase, expectHelpFits } from './case.js';
import { type Folder, makeFolder } from './folder.js';
import { ROOT, runCommand } from './run.js';

const TIDES =
  '[tide-1] Source: "Tide tables" (kb/tides.md)\nHigh water at the north pier comes 40 minutes after high water at the lock, late in a neap week.';
const chat = ask('When?') + call('c1') + result('c1', TIDES) + answer('Late [tide-1].') + ask('Tomorrow?');
const CAPSULE = `[Evidence cited earlier in this conversation, kept so later questions can rely on it. Cite these chunk_ids directly when you use them.]

[Cited evidence group 1]

[tide-1] Source: "Tide tables" (kb/tides.md)
High water at the north pier comes 40 minutes after high water at the lock, late in a neap week.`;
const MANY =
  CAPSULE + Array.from({ length: 30 }, (_, i) => `\n\n[tide-${i + 2}] Source: kb/${i}\nx`).join('');
const RECEIPT = '[Earlier evidence, no longer shown; not cited now.]';
const rows = (...conversations: readonly { id: string; text: string }[]): string =>
  conversations.map(({ id, text }) => line({ id, messages: [{ role: 'user', content: text }] })).join('');
const PICTURE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
const anthropic = (text: string): string => anthropicWith(TIDES, text);
const anthropicWith = (content: unknown, text = 'Late [tide-1].'): string =>
  line({
    model: 'm',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'When?' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'search', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] },
      { role: 'assistant', content: [{ type: 'text', text }] },
      { role: 'user', content: 'Tomorrow?' },
    ],
  });
const long = (word: string): string => Array.from({ length: 30 }, (_, i) => `${word} ${i}`).join('\n');
const capability = { type: 'capability', capability: 'tides', tool_names: ['search'], question: 4 };
const ledger =
  line({ ...capability, in_progress: true, latest_evidence_epoch: 3, declaration: null }) +
  line({
    ...{
      type: 'evidence',
      capability: 'tides',
      chunk_id: 'tide-1',
      document_id: 'd',
      document_uri: 'kb/tides.md',
    },
    ...{ document_title: 'Tide tables', content: 'x', picture_refs: [] },
    ...{ retrieved_in_questions: [0], cited_in_questions: [0, 4] },
  });

const files: Readonly<Record<string, string | Uint8Array>> = {
  'chat.jsonl': chat,
  'spaced.jsonl': chat.replace(
    '{"role":"user","content":"When?"}',
    '{ "content": "\\u0057hen?", "role": "user" }',
  ),
  'crlf.jsonl': chat.replaceAll('\n', '\r\n'),
  'inserted.jsonl': ask('Wait.') + chat,
  'moved.jsonl': chat.replace(ask('When?'), '') + ask('When?'),
  'words.jsonl': chat.replace('Late [tide-1].', 'Very late [tide-1].'),
  'field.jsonl': chat.replace('"content":"When?"', '"content":"When?","at":7'),
  'capsule.jsonl': chat.replace(JSON.stringify(TIDES), JSON.stringify(CAPSULE)),
  'many.jsonl': chat.replace(JSON.stringify(TIDES), JSON.stringify(MANY)),
  'receipt.jsonl': chat.replace(JSON.stringify(TIDES), JSON.stringify(RECEIPT)),
  'anthropic.json': anthropic('Late [tide-1].'),
  'anthropic-other.json': anthropic('Early.'),
  'picture.json': anthropicWith([{ type: 'text', text: TIDES }, PICTURE]),
  'two.jsonl': rows({ id: 'a', text: 'One?' }, { id: 'b', text: 'Two?' }),
  'two-swapped.jsonl': rows({ id: 'b', text: 'Two!' }, { id: 'a', text: 'One?' }),
  'cut.jsonl': `${chat}{"role":"assi`,
  'empty.jsonl': '',
  'blank.jsonl': '\n\n',
  'long-a.jsonl': ask(long('left')),
  'long-b.jsonl': ask(long('right')),
  'unsafe-a.jsonl': ask('red \u001b[31m, back \u0008, bidi \u202e, half \ud83d, old'),
  'unsafe-b.jsonl': ask('red \u001b[31m, back \u0008, bidi \u202e, half \ud83d, new'),
  'chunk.ledger.jsonl': ledger,
};

let folder: Folder;

beforeAll(() => {
  folder = makeFolder(files);
});

afterAll(() => folder.remove());

const ESC = '\u001b';
const SAME = /\nthe same\n$/;

const cases: readonly Case[] = [
  { name: 'the same', args: ['chat.jsonl', 'chat.jsonl'], stdout: SAME },
  { name: 'two empty files', args: ['empty.jsonl', 'empty.jsonl'], stdout: SAME },
  {
    name: 'a blank file is no empty one',
    args: ['empty.jsonl', 'blank.jsonl'],
    stdout: /\nno messages\nwhat stands between/,
    code: 1,
  },
  {
    name: 'a header, then a block for each message that changed, with its words marked',
    args: ['chat.jsonl', 'words.jsonl'],
    stdout: [
      '--- chat.jsonl (openai-chat)',
      '+++ words.jsonl (openai-chat)',
      'messages  5 → 5',
      'evidence  1 return → 1 return',
      `bytes     ${chat.length} → ${chat.length + 5} (+1 %)`,
      'tokens    51 → 52 (+2 %), estimated',
      '4 same, 1 changed',
      '',
      '=== 3 assistant: changed, 47 → 52 bytes',
      'text',
      '@@ -1 +1 @@',
      '- [-Late-] [tide-1].',
      '+ {+Very late +}[tide-1].',
      '',
    ].join('\n'),
    code: 1,
  },
  {
    name: 'only bytes',
    args: ['chat.jsonl', 'spaced.jsonl'],
    stdout: /\n4 same, 1 reformatted\n\n=== 0 user: reformatted: only spacing, escapes or [^\n]*\n$/,
    code: 1,
  },
  {
    name: 'only line ends',
    args: ['chat.jsonl', 'crlf.jsonl'],
    stdout: /\n5 same\nwhat stands between/,
    code: 1,
  },
  {
    name: 'a field that no model reads',
    args: ['chat.jsonl', 'field.jsonl'],
    stdout: /\nits text is the same; other fields differ: \/at\n$/,
    code: 1,
  },
  {
    name: 'an inserted message shifts nothing',
    args: ['chat.jsonl', 'inserted.jsonl'],
    stdout:
      /\n5 same, 1 added\n\n=== 0 user: added, 0 → 33 bytes\ntext \(added\)\n@@ -0,0 \+1 @@\n\+ Wait\.\n$/,
    code: 1,
  },
  {
    name: 'a removed one',
    args: ['inserted.jsonl', 'chat.jsonl'],
    stdout: /\n5 same, 1 removed\n\n=== 0 user: removed, 33 → 0 bytes\n/,
    code: 1,
  },
  {
    name: 'a moved one',
    args: ['chat.jsonl', 'moved.jsonl'],
    stdout: /\n4 same, 1 moved\n\n=== 0 → 4 user: moved, 33 bytes\n$/,
    code: 1,
  },
  {
    name: 'a capsule lists its chunks and who cites them',
    args: ['chat.jsonl', 'capsule.jsonl'],
    stdout:
      /\n=== 2 tool search: capsule with 1 chunk, .*\nresult of search\n {2}\[tide-1\] cited by 0: 96 characters\n@@/,
    code: 1,
  },
  {
    name: '--ledger says who cites them',
    args: ['chat.jsonl', 'capsule.jsonl', '--ledger', 'chunk.ledger.jsonl'],
    stdout: /\n {2}\[tide-1\] cited by 0, 4: 96 characters\n/,
    code: 1,
  },
  {
    name: 'ledger lines in the stream too, and they are no messages',
    args: ['-', 'capsule.jsonl'],
    stdin: ledger + chat,
    stdout: /\n4 same, 1 capsule\n(.|\n)*\n {2}\[tide-1\] cited by 0, 4: 96 characters\n/,
    code: 1,
  },
  {
    name: 'a long list of chunks is folded',
    args: ['chat.jsonl', 'many.jsonl'],
    stdout: /\n {2}\[tide-24\] in group 1: 1 character\n {2}… 7 more chunks\n@@/,
    code: 1,
  },
  {
    name: '--full lists them all',
    args: ['chat.jsonl', 'many.jsonl', '--full'],
    stdout: /\n {2}\[tide-31\] in group 1: 1 character\n@@/,
    code: 1,
  },
  {
    name: 'a receipt',
    args: ['chat.jsonl', 'receipt.jsonl'],
    stdout: /\nevidence {2}1 return → 0 returns, 1 receipt\n(.|\n)*\n=== 2 tool search: receipt, /,
    code: 1,
  },
  {
    name: 'another format that says the same is the same, and that is said',
    args: ['chat.jsonl', 'anthropic.json'],
    stdout: /\nacross formats: [^\n]*\nthe same\n$/,
  },
  {
    name: 'another format that says something else',
    args: ['chat.jsonl', 'anthropic-other.json'],
    stdout: /\n4 same, 1 changed\n\n=== 3 assistant: changed/,
    code: 1,
  },
  {
    name: 'a result that lost a picture says so',
    args: ['picture.json', 'chat.jsonl'],
    stdout: /: changed, .*\nresult of search with 1 picture → result of search\n$/,
    code: 1,
  },
  {
    name: 'conversations are paired by id',
    args: ['two.jsonl', 'two-swapped.jsonl'],
    stdout: /\nconversations {2}2 → 2\n(.|\n)*\n1 same, 1 changed\n\n##### conversation 0 b: 1 changed\n/,
    code: 1,
  },
  {
    name: 'the first may be the standard input',
    args: ['-', 'chat.jsonl'],
    stdin: chat,
    stdout: SAME,
  },
  { name: 'the second too', args: ['chat.jsonl', '-'], stdin: chat, stdout: SAME },
  {
    name: 'but not both',
    args: ['-', '-'],
    stdin: chat,
    stderr: 'thread: the standard input cannot be both files\n',
    code: 2,
  },
  {
    name: '--stat is a bar for each message',
    args: ['chat.jsonl', 'receipt.jsonl', '--stat', '--width', '60'],
    stdout: /\n2 {2}tool search {2}receipt {2}192 → 99 {2}#+-+\n$/,
    code: 1,
  },
  {
    name: 'long runs are folded, and counted',
    args: ['long-a.jsonl', 'long-b.jsonl'],
    stdout: /\n {2}… 22 more lines removed\n/,
    code: 1,
  },
  {
    name: '--full folds nothing',
    args: ['long-a.jsonl', 'long-b.jsonl', '--full'],
    stdout: /\n- (\[-)?left(-\])? 15\n/,
    code: 1,
  },
  {
    name: '--context is how many unchanged lines are shown',
    args: ['chat.jsonl', '-', '--context', '0'],
    stdin: chat.replace('late in', 'soon in'),
    stdout: /\n@@ -2 \+2 @@\n- High water [^\n]*\[-late-\][^\n]*\n/,
    code: 1,
  },
  {
    name: '--width is how wide the output is',
    args: ['chat.jsonl', 'words.jsonl', '--width', '20'],
    stdout: /^(?:[^\n]{0,20}\n)+$/,
    code: 1,
  },
  {
    name: '--width is that of --stat too',
    args: ['chat.jsonl', 'receipt.jsonl', '--stat', '--width', '20'],
    stdout: /^(?:[^\n]{0,20}\n)+$/,
    code: 1,
  },
  {
    name: 'a terminal says how wide it is, and has colour',
    args: ['chat.jsonl', 'words.jsonl'],
    columns: 40,
    stdout: new RegExp(`\\n${ESC}\\[32m\\+${ESC}\\[39m ${ESC}\\[32m${ESC}\\[7mVery late`),
    code: 1,
  },
  {
    name: '--no-color',
    args: ['chat.jsonl', 'words.jsonl', '--no-color'],
    columns: 40,
    stdout: /\n\+ \{\+Very late \+\}/,
    code: 1,
  },
  {
    name: '--color',
    args: ['chat.jsonl', 'words.jsonl', '--color'],
    stdout: new RegExp(`${ESC}\\[32m`),
    code: 1,
  },
  {
    name: 'what a terminal would obey is escaped',
    args: ['unsafe-a.jsonl', 'unsafe-b.jsonl'],
    stdout: /\n- red \\x1b\[31m, back \\x08, bidi \\u202e, half \\ud83d, \[-old-\]\n/,
    code: 1,
  },
  { name: '-f names the format', args: ['chat.jsonl', 'chat.jsonl', '-f', 'openai-chat'], stdout: SAME },
  {
    name: '--format too',
    args: ['chat.jsonl', 'chat.jsonl', '--format=nope'],
    stderr: /^thread: no format "nope"\n/,
    code: 2,
  },
  {
    name: 'a cut line',
    args: ['chat.jsonl', 'cut.jsonl'],
    stderr: /^thread: cut\.jsonl:6:9: not JSON: a string is not closed\n {2}hint: /,
    code: 2,
  },
  {
    name: '--lenient passes over it',
    args: ['chat.jsonl', 'cut.jsonl', '--lenient'],
    stdout: /\n5 same\n/,
    stderr: 'thread: warning: cut.jsonl:6: the last line is cut; compared without it\n',
    code: 1,
  },
  {
    name: 'a file that is not there',
    args: ['chat.jsonl', 'nope.jsonl'],
    stderr: 'thread: nope.jsonl: cannot read: no such file or directory\n',
    code: 2,
  },
  {
    name: 'one file alone',
    args: ['chat.jsonl'],
    stderr: /^thread: missing required argument 'after'\n/,
    code: 2,
  },
  {
    name: 'a width that nothing fits',
    args: ['chat.jsonl', 'chat.jsonl', '--width', '3'],
    stderr: /a width is a whole number from 20\.\n/,
    code: 2,
  },
  {
    name: '--json and --stat',
    args: ['chat.jsonl', 'chat.jsonl', '--json', '--stat'],
    stderr: /cannot be used with option/,
    code: 2,
  },
];

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(join(ROOT, 'docs/schemas/diff.schema.json'), 'utf8')),
);

describe('thread diff', () => {
  test.each(cases)('$name', (one) => expectCase('diff', one, folder.path));

  test('--help fits a screen', () => expectHelpFits('diff', { rows: 32, columns: 102 }));

  test.each(Object.keys(files).filter((name) => /^(?!cut|chunk).*json/.test(name)))(
    '--json of chat.jsonl and %s is as its schema says',
    async (name) => {
      const { stdout } = await runCommand(['diff', 'chat.jsonl', name, '--json'], { cwd: folder.path });
      validate(JSON.parse(stdout));
      expect(validate.errors).toBeNull();
    },
  );

  test('--json counts, and says where and what', async () => {
    const { stdout } = await runCommand(['diff', 'chat.jsonl', 'capsule.jsonl', '--json'], {
      cwd: folder.path,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'different',
      counts: { same: 4, capsule: 1 },
      after: { evidence: { returns: 0, capsules: 1, chunks: 1, receipts: 0 } },
      conversations: [
        {
          messages: [
            {
              ...{ kind: 'capsule', role: 'tool', tool: 'search', content_changed: true },
              before: { position: 2, line: 3 },
              parts: [{ title: 'result of search', became: 'capsule', length_before: TIDES.length }],
              chunks: [{ chunk_id: 'tide-1', group: 1, cited_in_questions: [0] }],
            },
          ],
        },
      ],
    });
  });
});

describe('thread compact --diff', () => {
  test('prints the difference instead of the transcript', async () => {
    const { code, stdout, stderr } = await runCommand(['compact', '-q', '--diff', 'fixtures/support.jsonl']);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    const compacted = await runCommand(['compact', '-q', 'fixtures/support.jsonl']);
    const diff = await runCommand(['diff', 'fixtures/support.jsonl', '-'], { stdin: compacted.stdoutBytes });
    expect(diff.code).toBe(1);
    expect(stdout).toBe(diff.stdout.replace('<stdin>', 'fixtures/support.jsonl (compacted)'));
  });

  test('-o writes it, without colour, and as wide as anywhere', async () => {
    const args = ['compact', '-q', '--diff', 'fixtures/support.jsonl', '-o', 'diff.txt'];
    const outcome = await runCommand(args, { cwd: folder.path, columns: 30 });
    expect(outcome).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(folder.read('diff.txt')).toBe((await runCommand(args.slice(0, 4), { cwd: folder.path })).stdout);
  });

  test('by the ledger that it was compacted by', async () => {
    const args = ['compact', '-q', '--diff', 'fixtures/rag.jsonl', '--ledger', 'fixtures/rag.ledger.jsonl'];
    expect((await runCommand(args)).stdout).toMatch(/\n {2}\[hb-12\] cited by 1: /);
  });
});

const FORMATS = ['claude-code', 'openai-chat', 'anthropic-messages', 'pydantic-ai', 'pi'];

describe.skipIf(isCorpusMissing)(CORPUS, () => {
  test.each(corpusFiles(FORMATS))(
    '%s: the same as itself, and its compaction only in evidence',
    async (file) => {
      const original = readCorpusFile(file);
      const stem = `corpus-${file.replaceAll('/', '-')}`;
      folder.write(stem, original);
      const itself = await runCommand(['diff', stem, '-'], { cwd: folder.path, stdin: original });
      expect(itself).toMatchObject({ code: 0, stderr: '' });
      const { stdoutBytes } = await runCommand(['compact', '-q', '--allow-uncited', stem], {
        cwd: folder.path,
      });
      const isSame = stdoutBytes.equals(original);
      const surroundings = { cwd: folder.path, stdin: stdoutBytes };
      const { code, stdout } = await runCommand(['diff', stem, '-', '--json'], surroundings);
      expect(code).toBe(isSame ? 0 : 1);
      const report = JSON.parse(stdout);
      validate(report);
      expect(validate.errors).toBeNull();
      const { changed, removed, added, moved, reformatted } = report.counts;
      expect({ changed, removed, added, moved, reformatted }).toStrictEqual({
        ...{ changed: 0, removed: 0, added: 0, moved: 0, reformatted: 0 },
      });
      const pretty = await runCommand(['diff', stem, '-', '--width', '80'], surroundings);
      const lines = pretty.stdout.replaceAll('\n', '');
      expect(lines).toBe(oneLine(lines));
    },
  );
});
