import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { compactTranscript } from '../../src/compaction/compact-transcript.js';
import { compactReport } from '../../src/compaction/report.js';
import { createTally } from '../../src/compaction/tally.js';
import { parseLedger } from '../../src/ledger/entry.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { memorySource } from '../../src/transcript/lines.js';
import { ROOT } from '../cli/run.js';

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/compact-report.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema);

async function reportOn(text: string, ledger?: string): Promise<unknown> {
  const source = memorySource('chat.jsonl', Buffer.from(text));
  const compacted = await compactTranscript(source, {
    ledger: ledger === undefined ? undefined : parseLedger(ledger, 'ledger'),
    allowUncited: true,
    copies: false,
    lenient: false,
  });
  const tally = createTally(compacted, true);
  for (const piece of editedPieces(source, compacted.edits, compacted.style)) tally.see(piece);
  return compactReport(source, compacted, tally);
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
          missing_pictures: [{ capability: 'ferry', chunk_id: 'f1', self_ref: '#/p/0' }],
          warnings: ["the text of [f1] has a line that looks like a capsule's own heading or entry"],
        },
      ],
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
