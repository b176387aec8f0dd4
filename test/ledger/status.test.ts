import { describe, expect, test } from 'vitest';
import { readLedgers } from '../../src/ledger/conversation-ledger.js';
import { type CitationProof, parseLedger } from '../../src/ledger/entry.js';
import { questionStatuses, type StatusInput } from '../../src/ledger/status.js';
import { memorySource } from '../../src/transcript/lines.js';
import { line } from '../chat-lines.js';

const capability = (name: string, record: object = {}): object => ({
  type: 'capability',
  capability: name,
  tool_names: [],
  ...record,
});

interface ChunkUse {
  readonly in?: string;
  readonly retrieved?: readonly number[];
  readonly cited?: readonly number[];
  readonly proofs?: readonly CitationProof[];
}

const chunk = (
  id: string,
  { in: owner = 'kb', retrieved = [], cited = [], proofs = [] }: ChunkUse,
): object => ({
  type: 'evidence',
  capability: owner,
  chunk_id: id,
  retrieved_in_questions: retrieved,
  cited_in_questions: cited,
  citations: proofs,
});

const proof = (question: number, message: number, kind: CitationProof['kind'] = 'marker'): CitationProof => ({
  question,
  kind,
  message,
  quote: '[c]',
});

/** Questions at 0 and 5, of ten messages; the first retrieved at 2. */
function input(lines: readonly object[], more: Partial<StatusInput> = {}): StatusInput {
  return {
    ledger: parseLedger(lines.map((line) => JSON.stringify(line)).join('\n'), 'ledger'),
    isGiven: false,
    questions: [0, 5],
    arrivals: [{ capability: 'kb', position: 2 }],
    citeCalls: [],
    messages: 10,
    ...more,
  };
}

interface Case {
  readonly name: string;
  readonly input: StatusInput;
  /** Of the questions at 0 and 5. */
  readonly statuses: readonly [string, string];
}

const kb = capability('kb');
const web = capability('web');

const cases: readonly Case[] = [
  {
    name: 'nothing retrieved, nothing cited',
    input: input([kb], { arrivals: [] }),
    statuses: ['missing', 'missing'],
  },
  {
    name: 'an answer that cites what it retrieved',
    input: input([kb, chunk('a', { retrieved: [0], cited: [0], proofs: [proof(0, 3)] })]),
    statuses: ['grounded', 'missing'],
  },
  {
    name: 'an answer that cites nothing has declared nothing',
    input: input([kb, chunk('a', { retrieved: [0] })]),
    statuses: ['missing', 'missing'],
  },
  {
    name: 'a cite tool that names nothing says that the answer rests on nothing',
    input: input([kb, chunk('a', { retrieved: [0] })], { citeCalls: [3] }),
    statuses: ['ungrounded', 'missing'],
  },
  {
    name: 'a cite tool that names a chunk',
    input: input([kb, chunk('a', { retrieved: [0], cited: [0], proofs: [proof(0, 3, 'declared')] })], {
      citeCalls: [3],
    }),
    statuses: ['grounded', 'missing'],
  },
  {
    name: 'a cite tool that was called before the newest evidence',
    input: input([kb, chunk('a', { retrieved: [0] })], { citeCalls: [1] }),
    statuses: ['missing', 'missing'],
  },
  {
    name: 'evidence that came after the citation',
    input: input([kb, chunk('a', { retrieved: [0], cited: [0], proofs: [proof(0, 3)] })], {
      arrivals: [2, 4].map((position) => ({ capability: 'kb', position })),
    }),
    statuses: ['missing', 'missing'],
  },
  {
    name: 'evidence of another capability that came after the citation',
    input: input([kb, web, chunk('a', { retrieved: [0], cited: [0], proofs: [proof(0, 3)] })], {
      arrivals: [
        { capability: 'web', position: 4 },
        { capability: 'kb', position: 2 },
      ],
    }),
    statuses: ['missing', 'missing'],
  },
  {
    name: 'one citation after the newest evidence is enough',
    input: input([
      kb,
      chunk('a', { retrieved: [0], cited: [0], proofs: [proof(0, 1)] }),
      chunk('b', { retrieved: [0], cited: [0], proofs: [proof(0, 1), proof(0, 4)] }),
    ]),
    statuses: ['grounded', 'missing'],
  },
  {
    name: 'a message that brings the evidence in and cites it',
    input: input([kb, chunk('a', { retrieved: [0], cited: [0], proofs: [proof(0, 2)] })]),
    statuses: ['grounded', 'missing'],
  },
  {
    name: 'a later question that cites the evidence of an earlier one',
    input: input([kb, chunk('a', { retrieved: [0], cited: [5], proofs: [proof(5, 6)] })]),
    statuses: ['missing', 'grounded'],
  },
  {
    name: 'a capsule does not say where its entries were cited',
    input: input([kb, chunk('a', { retrieved: [5], cited: [0], proofs: [proof(0, 7, 'carried')] })]),
    statuses: ['missing', 'missing'],
  },
  {
    name: 'a citation without proof counts as made when the question ended',
    input: input([kb, chunk('a', { retrieved: [0], cited: [0, 5] })], {
      isGiven: true,
      arrivals: [4, 9].map((position) => ({ capability: 'kb', position })),
    }),
    statuses: ['grounded', 'grounded'],
  },
  {
    name: 'a record that came along says what the newest question declared',
    input: input(
      [
        capability('kb', {
          question: 5,
          latest_evidence_epoch: 7,
          declaration: { question: 5, epoch: 8, refs: [] },
        }),
        chunk('a', { retrieved: [0], cited: [0, 5] }),
      ],
      { isGiven: true },
    ),
    statuses: ['grounded', 'ungrounded'],
  },
  {
    name: 'a record that was derived is replayed',
    input: input([capability('kb', { question: 5 }), chunk('a', { cited: [5], proofs: [proof(5, 8)] })]),
    statuses: ['missing', 'grounded'],
  },
];

describe('the status of a question', () => {
  test.each(cases)('$name', ({ input: given, statuses }) => {
    expect(questionStatuses(given).map(({ status }) => status)).toStrictEqual(statuses);
  });

  test('does not depend on the order of the ledger’s lines', () => {
    const lines = [
      kb,
      chunk('a', { retrieved: [0], cited: [0], proofs: [proof(0, 4)] }),
      chunk('b', { retrieved: [0], cited: [0], proofs: [proof(0, 1)] }),
    ];
    expect(questionStatuses(input(lines.toReversed()))).toStrictEqual(questionStatuses(input(lines)));
  });

  test('comes with counts of what was retrieved and cited', () => {
    const lines = [kb, chunk('a', { retrieved: [0, 5], cited: [5] }), chunk('b', { retrieved: [5] })];
    expect(questionStatuses(input(lines, { isGiven: true }))).toStrictEqual([
      { question: 0, status: 'missing', retrieved: 1, cited: 0, hasEvidence: true },
      { question: 5, status: 'grounded', retrieved: 2, cited: 1, hasEvidence: true },
    ]);
  });

  test('knows evidence that the ledger has no chunk of', () => {
    expect(questionStatuses(input([kb], { isGiven: true }))).toMatchObject([
      { question: 0, retrieved: 0, hasEvidence: true },
      { question: 5, retrieved: 0, hasEvidence: false },
    ]);
  });
});

const call = (id: string, name: string, args: object): string =>
  line({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  });
const FERRY =
  '[ferry-1] Source: "Timetable" (kb/ferry.md)\nThe ferry leaves the north pier at seven and at noon, and on market days a third time at four.';
const asked =
  line({ role: 'user', content: 'When does the ferry leave?' }) +
  call('c1', 'search', {}) +
  line({ role: 'tool', tool_call_id: 'c1', content: FERRY });

const transcripts: readonly { readonly name: string; readonly text: string; readonly status: string }[] = [
  { name: 'not answered yet', text: asked, status: 'missing' },
  {
    name: 'a marker',
    text: asked + line({ role: 'assistant', content: 'At seven [ferry-1].' }),
    status: 'grounded',
  },
  {
    name: 'no marker',
    text: asked + line({ role: 'assistant', content: 'I cannot say.' }),
    status: 'missing',
  },
  {
    name: 'a cite tool',
    text: asked + call('c2', 'rag_cite', { chunk_ids: ['ferry-1'] }),
    status: 'grounded',
  },
  {
    name: 'a cite tool with no id',
    text: asked + call('c2', 'rag_cite', { chunk_ids: [] }),
    status: 'ungrounded',
  },
  {
    name: 'a cite tool with an id that nothing has',
    text: asked + call('c2', 'rag_cite', { chunk_ids: ['tram-9'] }),
    status: 'ungrounded',
  },
];

describe('the status of a question without a ledger', () => {
  test.each(transcripts)('$name: $status', async ({ text, status }) => {
    const { conversations } = await readLedgers(memorySource('chat', Buffer.from(text)), {
      lenient: false,
      onBrokenTail: () => {},
    });
    const statuses = conversations.flatMap(({ statusInput }) => questionStatuses(statusInput));
    expect(statuses).toMatchObject([{ question: 0, status, retrieved: 1, hasEvidence: true }]);
  });
});
