import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answer, ask, call, line, result } from '../chat-lines.js';
import { type Folder, makeFolder } from '../cli/folder.js';
import { type Outcome, ROOT, runCommand } from '../cli/run.js';

const HEADER =
  '[Evidence cited earlier in this conversation, kept so later questions can rely on it. Cite these chunk_ids directly when you use them.]';
const RECEIPT =
  '[Evidence retrieved for an earlier question, no longer shown. It does not count as cited for the current question.]';

const TIDE = 'High water at the pier comes 40 minutes after the lock.';
const LOCK = 'High water at the lock comes with the moon due south.';
const KEEPER = 'The keeper writes it on the board at the gate.';
const tides = `[tide-1] Source: kb/tides\n${TIDE}\n\n[tide-2] Source: kb/tides\nNobody asked for this.`;
const locks = `[lock-1] Source: kb/lock\n${LOCK}\n\n[lock-2] Source: kb/lock\n${KEEPER}`;

const chunk = (id: string, uri: string, content: string, questions: readonly number[]): string =>
  line({
    ...{ type: 'evidence', capability: 'tides', chunk_id: id, document_uri: uri, content },
    ...{ retrieved_in_questions: questions, cited_in_questions: questions },
  });
const capability = line({
  ...{ type: 'capability', capability: 'tides', tool_names: ['search'] },
  ...{ question: 8, in_progress: true },
});
const ledger =
  capability +
  chunk('tide-1', 'kb/tides', TIDE, [0]) +
  chunk('lock-1', 'kb/lock', LOCK, [4]) +
  chunk('lock-2', 'kb/lock', KEEPER, [4]);

const pier = ask('When is high water at the pier?') + call('c1');
const between = answer('40 minutes after the lock.') + ask('And at the lock?') + call('c2');
const end = answer('With the moon due south.') + ask('Thanks!');
const chat = pier + result('c1', tides) + between + result('c2', locks) + end;

const lock1 = `[lock-1] Source: kb/lock\n${LOCK}`;
const lock2 = `[lock-2] Source: kb/lock\n${KEEPER}`;
const tide1 = `[tide-1] Source: kb/tides\n${TIDE}`;
const newest = `${HEADER}\n\n[Cited evidence group 1]\n\n${lock1}\n\n${lock2}`;
const capsule = `${newest}\n\n[Cited evidence group 2]\n\n${tide1}`;

/** What a compaction of the chat is, with other payloads in place of the right ones. */
const smaller = (first = RECEIPT, second = capsule): string =>
  pier + result('c1', first) + between + result('c2', second) + end;

/** The same, with an answer that cites by a mark. */
const cited = (first: string, second: string): string =>
  smaller(first, second).replace('"40 minutes', '"[tide-1] 40 minutes');

const files: Readonly<Record<string, string>> = {
  'chat.jsonl': chat,
  'chat.ledger.jsonl': ledger,
  'plain.jsonl': chat,
  'other.jsonl': ledger,
  'stream.jsonl': ledger + chat,
  'uncited.jsonl': capability + cited(`[tide-1]\nSource: kb/tides\nContent:\n${TIDE.repeat(5)}`, locks),
  'none.json': '[]\n',
  'cut.jsonl': `${chat}{"role":"assi`,
  'smaller.jsonl': smaller(),
  'rows.jsonl': [ask('One?'), ask('Two?')].map((row) => line({ messages: [JSON.parse(row)] })).join(''),
  'lost.jsonl': line({ type: 'capability', capability: 'tides', tool_names: ['search'] }),
};

let folder: Folder;

beforeAll(() => {
  folder = makeFolder(files);
});

afterAll(() => folder.remove());

const verify = (args: readonly string[], stdin = ''): Promise<Outcome> =>
  runCommand(['verify', ...args], { cwd: folder.path, stdin });

interface Case {
  readonly name: string;
  /** Behind `thread verify`; by default `chat.jsonl -`, so that the file that is checked comes in. */
  readonly args?: readonly string[];
  readonly stdin?: string;
  readonly code: number;
  /** Default: nothing. */
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
}

const REFUTED = /^thread: refuted: \d+ findings?\n$/;
const proof =
  'verified: 7 records identical, 2 returns replaced (1 capsule with 3 chunks, 1 receipt), 2 pairs hold\n';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const proved: readonly Case[] = [
  { name: 'a compaction', args: ['chat.jsonl', 'smaller.jsonl'], code: 0, stdout: proof },
  { name: 'a compaction from the standard input', stdin: smaller(), code: 0, stdout: proof },
  {
    name: 'an original from the standard input',
    args: ['-', 'smaller.jsonl', '--ledger', 'chat.ledger.jsonl'],
    stdin: chat,
    code: 0,
    stdout: proof,
  },
  {
    name: '--ledger names the ledger',
    args: ['plain.jsonl', 'smaller.jsonl', '--ledger', 'chat.ledger.jsonl'],
    code: 0,
    stdout: proof,
  },
  {
    name: 'ledger lines in the stream count, and have to stay',
    args: ['stream.jsonl', '-'],
    stdin: ledger + smaller(),
    code: 0,
    stdout: proof.replace('7 records', '11 records'),
  },
  {
    name: 'a ledger line in the stream says what was cited, whatever the words say',
    args: ['uncited.jsonl', '-'],
    stdin: capability + cited(RECEIPT, RECEIPT),
    code: 0,
    stdout: 'verified: 8 records identical, 2 returns replaced (no capsule, 2 receipts), 2 pairs hold\n',
  },
  { name: '-q says nothing', args: ['chat.jsonl', 'smaller.jsonl', '-q'], code: 0 },
  { name: '--quiet says nothing', args: ['chat.jsonl', 'smaller.jsonl', '--quiet'], code: 0 },
  {
    name: '-f names the format',
    args: ['chat.jsonl', 'smaller.jsonl', '-f', 'openai-chat'],
    code: 0,
    stdout: proof,
  },
  {
    name: '--dropped lists every return that is not shown any more, with its digest',
    args: ['chat.jsonl', 'smaller.jsonl', '--dropped'],
    code: 0,
    stdout: `${proof}dropped 2.0 line 3 search ${JSON.stringify(tides).length} bytes sha256 ${sha256(JSON.stringify(tides))}
dropped 6.0 line 7 search ${JSON.stringify(locks).length} bytes sha256 ${sha256(JSON.stringify(locks))}
`,
  },
  {
    name: 'the original itself',
    args: ['chat.jsonl', 'chat.jsonl'],
    code: 0,
    stdout: 'verified: 9 records identical, 0 returns replaced (no capsule, 0 receipts), 2 pairs hold\n',
  },
  {
    name: 'a compaction below an earlier question',
    stdin: smaller(`${HEADER}\n\n[Cited evidence group 1]\n\n${tide1}`, locks),
    code: 0,
    stdout:
      'verified: 8 records identical, 1 return replaced (1 capsule with 1 chunk, 0 receipts), 2 pairs hold\n',
  },
  {
    name: 'a compaction with a budget, which it tells',
    stdin: smaller(RECEIPT, newest),
    code: 0,
    stdout: proof.replace('3 chunks', '2 chunks'),
    stderr: 'thread: warning: given up for a budget: 1 chunk cited by question 0: [tide-1]\n',
  },
  {
    name: 'a last line that is cut in both, with --lenient',
    args: ['cut.jsonl', '-', '--ledger', 'chat.ledger.jsonl', '--lenient'],
    stdin: `${smaller()}{"role":"assi`,
    code: 0,
    stdout: proof,
    stderr: /^(?:thread: warning: (?:cut\.jsonl|<stdin>):10: the last line is cut; compared as it is\n){2}$/,
  },
  {
    name: 'an empty array',
    args: ['-', 'none.json'],
    stdin: '[]\n',
    code: 0,
    stdout: 'verified: 0 records identical, 0 returns replaced (no capsule, 0 receipts), 0 pairs hold\n',
  },
  {
    name: 'receipts with their address',
    stdin: smaller(`${RECEIPT}\nthread show FILE 2.0`),
    code: 0,
    stdout: proof,
  },
];

/** One line of the output for one fault: place, kind and words. */
const finding = (place: string, words: string): RegExp =>
  new RegExp(
    `^<stdin>:${place} ${words.replace(/[\\.[\](){}*+?^$|]/g, '\\$&')}(?: \\(sha256 [0-9a-f]{12}, expected [0-9a-f]{12}\\))?\\n$`,
  );

const refuted: readonly (Pick<Case, 'name' | 'args'> & {
  readonly stdin: string;
  readonly stdout: RegExp;
})[] = [
  {
    name: 'a kept chunk with another text',
    stdin: smaller(RECEIPT, capsule.replace('40 minutes', '50 minutes')),
    stdout: finding('7: 6.0', 'chunk: [tide-1] is not the text of the ledger'),
  },
  {
    name: 'a kept chunk of another source',
    stdin: smaller(RECEIPT, capsule.replace('kb/lock', 'kb/look')),
    stdout: finding('7: 6.0', 'chunk: [lock-1] names another source'),
  },
  {
    name: 'a chunk that is missing in a group',
    stdin: smaller(RECEIPT, capsule.replace(`\n\n${lock2}`, '')),
    stdout: finding('7: 6.0', 'chunk: [lock-2] is missing'),
  },
  {
    name: 'a chunk that the ledger does not have',
    stdin: smaller(RECEIPT, `${capsule}\n\n[tide-9] Source: kb/tides\nInvented.`),
    stdout: finding('7: 6.0', 'chunk: [tide-9] is no chunk that a compaction keeps'),
  },
  {
    name: 'a chunk that stands twice',
    stdin: smaller(RECEIPT, `${capsule}\n\n${tide1}`),
    stdout: finding('7: 6.0', 'chunk: [tide-1] stands twice'),
  },
  {
    name: 'a chunk in another group',
    stdin: smaller(RECEIPT, `${newest}\n\n${tide1}`),
    stdout: finding('7: 6.0', 'chunk: [tide-1] stands in group 1, not in 2'),
  },
  {
    name: 'chunks in another order',
    stdin: smaller(RECEIPT, capsule.replace(`${lock1}\n\n${lock2}`, `${lock2}\n\n${lock1}`)),
    stdout: finding('7: 6.0', 'chunk: the chunks are out of order'),
  },
  {
    name: 'words around the chunks',
    stdin: smaller(RECEIPT, capsule.replace('cited earlier', 'cited before')),
    stdout: finding('7: 6.0', 'capsule: no capsule stands here, where the newest replaced return was'),
  },
  {
    name: 'a second capsule',
    stdin: smaller(`${HEADER}\n\n[Cited evidence group 1]\n\n${tide1}`),
    stdout: finding('3: 2.0', 'capsule: a capsule, which only the newest replaced return carries'),
  },
  {
    name: 'a receipt in other words',
    stdin: smaller('[No longer shown.]'),
    stdout: finding('3: 2.0', 'receipt: neither a capsule nor a receipt of a known form'),
  },
  {
    name: 'a receipt with more words',
    stdin: smaller(`${RECEIPT} Sorry.`),
    stdout: finding('3: 2.0', 'receipt: not the receipt that a compaction leaves here'),
  },
  {
    name: 'a return that is still shown below one that is not',
    stdin: smaller(tides),
    stdout: finding('3: 2.0', 'receipt: the original still stands here, not the receipt'),
  },
  {
    name: 'the address of another return',
    stdin: smaller(`${RECEIPT}\nthread show FILE 3.0`),
    stdout: finding('3: 2.0', 'address: ends with "thread show FILE 3.0", not with "thread show FILE 2.0"'),
  },
  {
    name: 'a payload that is no text',
    stdin: smaller().replace(JSON.stringify(RECEIPT), '[7]'),
    stdout: finding('3: 2.0', 'receipt: no text stands here'),
  },
  {
    name: 'a payload that is written in another way',
    stdin: smaller().replace('"[Evidence retrieved', '"\\u005bEvidence retrieved'),
    stdout: finding('3: 2.0', 'receipt: the right text, but written in another way'),
  },
  {
    name: 'a record without evidence',
    stdin: smaller().replace('moon due south."}\n{', 'moon due north."}\n{'),
    stdout: finding('8: 7', 'untouched: not the original’s record, which holds nothing that is replaced'),
  },
  {
    name: 'a space beside a payload',
    stdin: smaller().replace('"tool_call_id":"c1"', '"tool_call_id": "c1"'),
    stdout: finding('3: 2', 'around: not the original’s, beside what is replaced'),
  },
  {
    name: 'another line end',
    stdin: smaller().replace('\n', '\r\n'),
    stdout: finding('1: 0', 'between: behind this record stands "\\r\\n", not "\\n"'),
  },
  {
    name: 'a blank line',
    stdin: smaller().replace('\n', '\n\n'),
    stdout: finding('1: 0', 'between: behind this record stands "\\n\\n", not "\\n"'),
  },
  {
    name: 'a last line without an end',
    stdin: smaller().trimEnd(),
    stdout: finding('9: 8', 'between: behind this record stands nothing, not "\\n"'),
  },
  {
    name: 'a byte-order mark',
    stdin: `\ufeff${smaller()}`,
    stdout: finding('1: 0', 'between: before the first record stands "ï»¿", not nothing'),
  },
  {
    name: 'a record that is missing',
    stdin: smaller().replace(answer('40 minutes after the lock.'), ''),
    stdout: finding('4: 3', "record: the record of the original's line 4 is missing"),
  },
  {
    name: 'a record that was added',
    stdin: smaller() + ask('And tomorrow?'),
    stdout: finding(
      '10: 9',
      'record: a record that the original does not have here (9 records in the original, 10 here)',
    ),
  },
  {
    name: 'bytes in a file without messages',
    args: ['none.json', '-'],
    stdin: '[ ]\n',
    stdout: finding('1:', 'between: before the first record stands "[ ]\\n", not "[]\\n"'),
  },
  {
    name: 'everything missing',
    args: ['rows.jsonl', '-'],
    stdin: '',
    stdout: /^(?:<stdin>:1: 0 record: the record of the original's line [12] is missing\n){2}$/,
  },
  {
    name: 'records that changed places',
    stdin: smaller().replace(end, ask('Thanks!') + answer('With the moon due south.')),
    stdout: /^(?:<stdin>:[89]: [78] record: not the record that stands here in the original\n){2}$/,
  },
];

const unusable: readonly Case[] = [
  {
    name: 'one file',
    args: ['chat.jsonl'],
    code: 2,
    stderr: `thread: verify compares two files: the original, and what was made of it
  hint: with --pairs one file is checked alone
`,
  },
  { name: 'no file', args: [], code: 2, stderr: /missing required argument 'original'/ },
  {
    name: 'the standard input twice',
    args: ['-', '-'],
    code: 2,
    stderr: 'thread: the standard input cannot be both files\n',
  },
  {
    name: 'a file that is not there',
    args: ['chat.jsonl', 'nope.jsonl'],
    code: 2,
    stderr: /^thread: nope\.jsonl: cannot read/,
  },
  {
    name: 'a line that is not JSON',
    stdin: smaller().replace('{', ''),
    code: 2,
    stderr: /^thread: <stdin>:1:\d+: not JSON/,
  },
  {
    name: 'a cut last line without --lenient',
    stdin: `${smaller()}{"role":"assi`,
    code: 2,
    stderr: /^thread: <stdin>:10:\d+: not JSON.*\n {2}hint: .*--lenient\n$/,
  },
  {
    name: 'an unknown format',
    args: ['chat.jsonl', 'smaller.jsonl', '-f', 'xml'],
    code: 2,
    stderr: /^thread: no format "xml"/,
  },
  {
    name: 'an original that its ledger has no record for',
    args: ['plain.jsonl', 'smaller.jsonl', '--ledger', 'other.jsonl', '--recent', '0'],
    code: 2,
    stderr: /^thread: unknown option '--recent'/,
  },
];

function expected({ code, stdout = '', stderr = '' }: Case) {
  const like = (text: string | RegExp): unknown =>
    typeof text === 'string' ? text : expect.stringMatching(text);
  return { code, stdout: like(stdout), stderr: like(stderr) };
}

describe('thread verify', () => {
  test.each(proved)('proves: $name', async (one) => {
    const { args = ['chat.jsonl', '-'], stdin } = one;
    expect(await verify(args, stdin)).toMatchObject(expected(one));
  });

  test.each(refuted)('refutes: $name', async ({ args = ['chat.jsonl', '-'], stdin, stdout }) => {
    expect(stdin).not.toBe(smaller());
    expect(await verify(args, stdin)).toMatchObject(expected({ name: '', code: 1, stdout, stderr: REFUTED }));
  });

  test.each(unusable)('cannot read: $name', async (one) => {
    const { args = ['chat.jsonl', '-'], stdin } = one;
    expect(await verify(args, stdin)).toMatchObject(expected(one));
  });

  test('-q leaves only the findings', async () => {
    const outcome = await verify(['chat.jsonl', '-', '-q'], smaller('[No longer shown.]'));
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringContaining('receipt: '), stderr: '' });
  });

  test('of a compaction by another ledger it says so', async () => {
    expect(await verify(['plain.jsonl', 'smaller.jsonl'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^smaller\.jsonl:3: 2\.0 receipt: not by this ledger; was another one given to compact, or none\?/,
      ),
    });
  });

  test('text of a transcript reaches the terminal with visible control characters', async () => {
    const { stdout } = await verify(
      ['chat.jsonl', '-'],
      smaller(RECEIPT, `${capsule}\n\n[\u001b[31m] Source: x\ny`),
    );
    expect(stdout).toContain('[\\x1b[31m] is no chunk');
  });
});

/** Files of `fixtures/`, compacted by the command and then tampered with. */
const tampered: readonly {
  readonly name: string;
  readonly file: string;
  readonly options: readonly string[];
  readonly change: readonly [from: RegExp, to: string];
  readonly stdout: RegExp;
}[] = [
  {
    name: 'the address of a derived receipt',
    file: 'support.jsonl',
    options: [],
    change: [/thread show FILE 3\.0/, 'thread show FILE 7.0'],
    stdout: /^<stdin>:4: 3\.0 address: ends with "thread show FILE 7\.0", not with "thread show FILE 3\.0"/,
  },
  {
    name: 'an address left away',
    file: 'support.jsonl',
    options: [],
    change: [/\\nthread show FILE 3\.0/, ''],
    stdout: /^<stdin>:4: 3\.0 address: ends with no address, not with "thread show FILE 3\.0"/,
  },
  {
    name: 'the receipt behind a capsule',
    file: 'support.jsonl',
    options: [],
    change: [/thread show FILE 11\.0/, 'thread show FILE 12.0'],
    stdout: /^<stdin>:12: 11\.0 address: /,
  },
  {
    name: 'a line of a shortened receipt that is not the return’s',
    file: 'coding.jsonl',
    options: ['--recent', '0'],
    change: [/const SUNRISE_OFFSET_MS = 20/, 'const SUNRISE_OFFSET_MS = 30'],
    stdout:
      /^<stdin>:3: 2\.0 receipt: ".*const SUNRISE_OFFSET_MS = 30.*" is no line of the original return, or out of its order/,
  },
  {
    name: 'lines of a shortened receipt that a compaction keeps',
    file: 'coding.jsonl',
    options: ['--recent', '0'],
    change: [/ {4}12→const SUNRISE_OFFSET_MS = [^"]*?\\n/, ''],
    stdout: /^<stdin>:3: 2\.0 excerpt: keeps other lines of the original return than a compaction does/,
  },
  {
    name: 'a copy for viewers',
    file: 'session.claude.jsonl',
    options: ['--copies'],
    change: [/("toolUseResult":.*?)no longer shown/, '$1no more shown'],
    stdout: /^<stdin>:\d+: \d+\.0 copy: /,
  },
  {
    name: 'a copy for viewers that was left alone',
    file: 'session.claude.jsonl',
    options: [],
    change: [/("toolUseResult":\{.*?)e/, '$1E'],
    stdout: /^<stdin>:\d+: \d+ around: /,
  },
  {
    name: 'a kept picture',
    file: 'request.anthropic.json',
    options: [],
    change: [/"data": ?"i/, '"data":"j'],
    stdout: /^<stdin>:\d+: \d+\.0 picture: /,
  },
  {
    name: 'the tag of a kept picture',
    file: 'request.anthropic.json',
    options: [],
    change: [/ \[haiku\.rag\/retrieved-image\]/, ''],
    stdout: /^<stdin>:\d+: \d+\.0 picture: /,
  },
  {
    name: 'the id of a call',
    file: 'history.pydantic-ai.json',
    options: [],
    change: [/"tool_call_id": ?"[^"]*/, '$&x'],
    stdout: /: 1 around: .*\n(?:.*\n)*.*pair: call .*: no result in the next message\n/,
  },
];

describe('a compacted fixture that was tampered with', () => {
  test.each(tampered)('is refuted: $name', async ({ file, options, change, stdout }) => {
    const { stdout: compacted } = await runCommand(['compact', '-q', `fixtures/${file}`, ...options]);
    const changed = compacted.replace(...change);
    expect(changed).not.toBe(compacted);
    const outcome = await verify([`fixtures/${file}`, '-'], changed);
    expect(outcome).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(stdout),
      stderr: expect.stringMatching(REFUTED),
    });
  });
});

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/verify.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema);

async function report(args: readonly string[], stdin = ''): Promise<{ code: number; report: unknown }> {
  const { code, stdout } = await verify([...args, '--json'], stdin);
  const parsed: unknown = JSON.parse(stdout);
  validate(parsed);
  expect(validate.errors ?? []).toStrictEqual([]);
  return { code, report: parsed };
}

describe('--json', () => {
  test('names every dropped return and every kept chunk', async () => {
    expect(await report(['chat.jsonl', 'smaller.jsonl'])).toStrictEqual({
      code: 0,
      report: {
        schema: 'thread/verify',
        version: 1,
        original: 'chat.jsonl',
        file: 'smaller.jsonl',
        format: 'openai-chat',
        verdict: 'proved',
        findings: [],
        notes: [],
        records: { original: 9, compacted: 9, identical: 7 },
        conversations: [{ conversation: 0, id: null, ledger: 'given', keep_from: 8 }],
        pairs: { calls: 2, results: 2, pairs: 2 },
        dropped: [
          {
            ...{
              conversation: 0,
              position: 2,
              part: 0,
              line: 3,
              tool: 'search',
              call_id: 'c1',
              outcome: 'receipt',
            },
            ...{ sha256: sha256(JSON.stringify(tides)), bytes: JSON.stringify(tides).length },
          },
          {
            ...{
              conversation: 0,
              position: 6,
              part: 0,
              line: 7,
              tool: 'search',
              call_id: 'c2',
              outcome: 'capsule',
            },
            ...{ sha256: sha256(JSON.stringify(locks)), bytes: JSON.stringify(locks).length },
          },
        ],
        kept_chunks: [
          ['lock-1', 1, 4, LOCK] as const,
          ['lock-2', 1, 4, KEEPER] as const,
          ['tide-1', 2, 0, TIDE] as const,
        ].map(([chunk_id, group, question, content]) => ({
          ...{ conversation: 0, capability: 'tides', chunk_id, group, question, position: 6, part: 0 },
          sha256: sha256(content),
        })),
        given_up: [],
      },
    });
  });

  test('says what is wrong, with whole digests', async () => {
    const changed = smaller(RECEIPT, capsule.replace('40 minutes', '50 minutes'));
    expect(await report(['chat.jsonl', '-'], changed)).toMatchObject({
      code: 1,
      report: {
        file: '<stdin>',
        verdict: 'refuted',
        findings: [
          {
            ...{ kind: 'chunk', conversation: 0, position: 6, part: 0, line: 7 },
            message: '[tide-1] is not the text of the ledger',
            expected: sha256(JSON.stringify(capsule)),
            actual: sha256(JSON.stringify(capsule.replace('40 minutes', '50 minutes'))),
          },
        ],
      },
    });
  });

  test.each<[name: string, args: readonly string[], stdin: string]>([
    ['a budget', ['chat.jsonl', '-'], smaller(RECEIPT, newest)],
    ['a missing record', ['chat.jsonl', '-'], pier],
    ['several conversations', ['rows.jsonl', 'rows.jsonl'], ''],
    ['no message at all', ['-', 'chat.jsonl', '--ledger', 'other.jsonl'], ''],
    ['the pairs of one file', ['--pairs', 'chat.jsonl'], ''],
    ['the pairs of two files', ['--pairs', 'chat.jsonl', 'smaller.jsonl'], ''],
    ['a pair that does not hold', ['--pairs', '-'], result('c1', 'x')],
    ['a document with pictures', ['fixtures/request.anthropic.json', 'fixtures/request.anthropic.json'], ''],
  ])('on %s is as its schema says', async (_, args, stdin) => {
    await report(args, stdin);
  });
});
