import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { compactTranscript } from '../../src/compaction/compact-transcript.js';
import { compactReport } from '../../src/compaction/report.js';
import { createTally } from '../../src/compaction/tally.js';
import { parseLedger } from '../../src/ledger/entry.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { FORMATS } from '../../src/transcript/formats/index.js';
import { memorySource } from '../../src/transcript/lines.js';
import { ROOT } from '../cli/run.js';

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/compact-report.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema);

async function reportOn(text: string, ledger?: string, options: object = {}): Promise<unknown> {
  const source = memorySource('chat.jsonl', Buffer.from(text));
  const compacted = await compactTranscript(source, {
    ledger: ledger === undefined ? undefined : parseLedger(ledger, 'ledger'),
    allowUncited: true,
    copies: false,
    lenient: false,
    ...options,
  });
  const tally = createTally(compacted, createHash);
  for (const piece of editedPieces(source, compacted.edits, compacted.style)) tally.see(piece);
  return compactReport(source, compacted, tally);
}

async function compactedText(text: string): Promise<string> {
  const source = memorySource('chat.jsonl', Buffer.from(text));
  const compacted = await compactTranscript(source, { allowUncited: false, copies: false, lenient: false });
  let output = '';
  for (const { bytes } of editedPieces(source, compacted.edits, compacted.style))
    output += Buffer.from(bytes).toString('utf8');
  return output;
}

function fixture(name: string): string {
  return readFileSync(join(ROOT, 'fixtures', name), 'utf8');
}

function errorsOf(report: unknown): unknown {
  validate(report);
  return validate.errors ?? [];
}

const call =
  '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"search","arguments":"{}"}}]}';
const sentence = 'The ferry leaves the north pier at seven, and again at noon when the tide allows it.';
/** A ledger cites a chunk with a picture; the current question searches again and has its call unanswered. */
const chat = [
  '{"role":"user","content":"When does the ferry leave?"}',
  call,
  `{"role":"tool","tool_call_id":"c1","content":"${sentence}"}`,
  '{"role":"assistant","content":"At seven."}',
  '{"role":"user","content":"Only then?"}',
  call.replace('"c1"', '"c2"'),
  `{"role":"tool","tool_call_id":"c2","content":"${sentence}"}`,
  call.replace('"c1"', '"c3"'),
  '',
].join('\n');
const ledger = [
  '{"type":"capability","capability":"ferry","tool_names":["search"],"question":4,"in_progress":true}',
  '{"type":"evidence","capability":"ferry","chunk_id":"f1","document_id":"d","document_uri":"kb://ferry","content":"[f9] Source: x","picture_refs":["#/p/0"],"retrieved_in_questions":[0,4],"cited_in_questions":[0]}',
  '',
].join('\n');

const toolCall = (id: string): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'search', arguments: '{}' } }],
});
const toolResult = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'x' });
const functionCall = { role: 'assistant', content: null, function_call: { name: 'search', arguments: '{}' } };
const functionResult = { role: 'function', name: 'search', content: 'x' };

/** Counted are calls, results, calls without a result, and results without a call. */
const pairings: readonly {
  readonly name: string;
  readonly messages: readonly object[];
  readonly pairs: readonly number[];
}[] = [
  {
    name: 'a call that is answered twice as one pair',
    messages: [toolCall('a'), toolResult('a'), toolResult('a')],
    pairs: [1, 2, 0, 1],
  },
  {
    name: 'two calls of one id, of which one is answered',
    messages: [toolCall('a'), toolCall('a'), toolResult('a')],
    pairs: [2, 1, 1, 0],
  },
  {
    name: 'a result above its call as without one',
    messages: [toolResult('a'), toolCall('a')],
    pairs: [1, 1, 1, 1],
  },
  {
    name: 'a function_call without an id with the next role:function result',
    messages: [functionCall, functionResult, functionResult, functionCall],
    pairs: [2, 2, 1, 1],
  },
  {
    name: 'a result without an id as none of a call with one',
    messages: [toolCall('a'), functionResult],
    pairs: [1, 1, 1, 1],
  },
];

describe('the report', () => {
  test.each([
    ['support.jsonl', undefined],
    ['rag.jsonl', 'rag.ledger.jsonl'],
    ['session.claude.jsonl', undefined],
    ['request.anthropic.json', undefined],
    ['history.pydantic-ai.json', undefined],
  ])('on %s is as its schema says', async (name, ledgerName) => {
    const given = ledgerName === undefined ? undefined : fixture(ledgerName);
    expect(errorsOf(await reportOn(fixture(name), given))).toStrictEqual([]);
  });

  test.each([
    ['an empty input', ''],
    ['an empty array', '[]'],
    ['nothing to compact', '{"role":"user","content":"Hello?"}\n'],
    ['several conversations', '{"id":"a","messages":[{"role":"user","content":"Hello?"}]}\n'.repeat(2)],
  ])('on %s is as its schema says', async (_, text) => {
    expect(errorsOf(await reportOn(text))).toStrictEqual([]);
  });

  test('says of every evidence return what became of it', async () => {
    const report = await reportOn(chat, ledger);
    expect(errorsOf(report)).toStrictEqual([]);
    expect(report).toStrictEqual({
      schema: 'thread/compact-report',
      version: 1,
      file: 'chat.jsonl',
      format: 'openai-chat',
      bytes: { before: 784, after: 906 },
      sha256: { before: expect.any(String), after: expect.any(String) },
      first_changed_byte: 228,
      conversations: [
        {
          conversation: 0,
          id: null,
          ledger: 'given',
          messages: 8,
          boundary: 4,
          keep_from: 4,
          pairs: { calls: 3, results: 2, calls_without_result: 1, results_without_call: 0 },
          returns: [
            {
              position: 2,
              part: 0,
              line: 3,
              tool: 'search',
              call_id: 'c1',
              outcome: 'capsule',
              bytes_before: 86,
              bytes_after: 208,
              sha256: expect.any(String),
              chunks: [{ capability: 'ferry', chunk_id: 'f1', cited_in_questions: [0] }],
            },
            {
              position: 6,
              part: 0,
              line: 7,
              tool: 'search',
              call_id: 'c2',
              outcome: 'kept',
              bytes_before: null,
              bytes_after: null,
              sha256: null,
              chunks: [],
            },
          ],
          given_up: [],
          missing_pictures: [{ capability: 'ferry', chunk_id: 'f1', self_ref: '#/p/0' }],
          warnings: ["the text of [f1] has a line that looks like a capsule's own heading or entry"],
        },
      ],
    });
  });

  test('says from where on evidence was kept', async () => {
    const report = await reportOn(`${chat}{"role":"user","content":"Thanks."}\n`, ledger, {
      boundary: 8,
      recent: 30,
    });
    expect(errorsOf(report)).toStrictEqual([]);
    expect(report).toMatchObject({
      conversations: [
        {
          boundary: 8,
          keep_from: 6,
          returns: [
            { position: 2, outcome: 'capsule' },
            { position: 6, outcome: 'kept', bytes_before: null },
          ],
        },
      ],
    });
  });

  test('lists what was given up for the budget', async () => {
    const report = await reportOn(chat, ledger, { budget: 10 });
    expect(errorsOf(report)).toStrictEqual([]);
    expect(report).toMatchObject({
      conversations: [
        {
          returns: [
            { position: 2, outcome: 'receipt', chunks: [] },
            { position: 6, outcome: 'kept' },
          ],
          given_up: [{ question: 0, chunks: ['f1'] }],
          missing_pictures: [],
        },
      ],
    });
  });

  test('on a conversation that was compacted before names only questions that there are', async () => {
    const lines = [
      '{"role":"user","content":"When does the ferry leave?"}',
      call,
      `{"role":"tool","tool_call_id":"c1","content":"[f1] Source: a\\n${sentence}\\n\\n[f2] Source: b\\n${sentence}"}`,
      '{"role":"assistant","content":"At seven [f1]."}',
      '{"role":"user","content":"Only then?"}',
      '{"role":"assistant","content":"At noon too [f2]."}',
      '{"role":"user","content":"Thanks."}',
      '',
    ].join('\n');
    const once = await compactedText(lines);
    const report = await reportOn(once);
    expect(errorsOf(report)).toStrictEqual([]);
    expect(report).toMatchObject({
      conversations: [
        {
          returns: [
            {
              chunks: [
                { chunk_id: 'f2', cited_in_questions: [4] },
                { chunk_id: 'f1', cited_in_questions: [0] },
              ],
            },
          ],
        },
      ],
    });
  });

  test.each(pairings)('counts $name', async ({ messages, pairs }) => {
    const [calls, results, calls_without_result, results_without_call] = pairs;
    const counts = { calls, results, calls_without_result, results_without_call };
    const report = await reportOn(messages.map((one) => `${JSON.stringify(one)}\n`).join(''));
    expect(report).toMatchObject({ conversations: [{ pairs: counts }] });
  });

  test('finds a payload whose path in the output is another, because a picture before it went', async () => {
    const label = '[f1] (#/p/0) [haiku.rag/retrieved-image]';
    const picture = '{"kind":"binary","media_type":"image/png","data":"aGk="}';
    const text = `[{"kind":"request","parts":[{"part_kind":"user-prompt","content":"When?"}]},
{"kind":"request","parts":[{"part_kind":"user-prompt","content":["${label}",${picture}]},{"part_kind":"tool-return","tool_name":"search","tool_call_id":"c1","content":"${sentence}"}]},
{"kind":"request","parts":[{"part_kind":"user-prompt","content":"And?"}]}]`;
    const owner =
      '{"type":"capability","capability":"ferry","tool_names":["search"],"question":2,"in_progress":true}';
    expect(await reportOn(text, owner)).toMatchObject({
      conversations: [{ returns: [{ position: 1, outcome: 'receipt', bytes_before: 86, bytes_after: 117 }] }],
    });
  });

  test('names the digests that sha256sum gives', async () => {
    expect(await reportOn('[]')).toMatchObject({
      bytes: { before: 2, after: 2 },
      sha256: {
        before: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
        after: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
      },
    });
  });
});

describe('the schema', () => {
  test('knows every format', () => {
    const names = FORMATS.map(({ name }) => name);
    expect(schema.properties.format.anyOf).toStrictEqual([{ enum: names }, { type: 'null' }]);
  });

  test.each<[string, object]>([
    ['another version', { version: 2 }],
    ['a missing digest', { sha256: { before: null, after: null } }],
    ['a field that it does not know', { extra: 1 }],
    ['an unknown format', { format: 'xml' }],
  ])('refuses %s', async (_, change) => {
    const report = await reportOn('[]');
    if (typeof report !== 'object') throw new Error('no report');
    expect(errorsOf({ ...report, ...change })).not.toStrictEqual([]);
  });
});
