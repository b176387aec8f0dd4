import { describe, expect, test } from 'vitest';
import {
  beginQuestion,
  type ChunkRef,
  citationStatus,
  declareCitations,
  type EvidenceRecord,
  emptyRecord,
  endQuestion,
  noteEvidence,
} from '../../src/ledger/record.js';
import { RuleError } from '../../src/transcript/errors.js';

const c1: ChunkRef = { capability: 'rag', chunkId: 'c1' };
const c2: ChunkRef = { capability: 'rag', chunkId: 'c2' };
const otherC1: ChunkRef = { capability: 'analysis', chunkId: 'c1' };

const asked = beginQuestion(emptyRecord(), 4);
const declared = declareCitations(noteEvidence(asked, 5), { refs: [c1], epoch: 6 });

const refusals: readonly {
  name: string;
  change: () => EvidenceRecord;
  message: string;
}[] = [
  {
    name: 'a question that is not past the one before',
    change: () => beginQuestion(endQuestion(asked), 4),
    message:
      'A question at message count 4 is not past question 4, which is already answered: identities separate one question from the next and are compared as recency.',
  },
  {
    name: 'evidence behind the question',
    change: () => noteEvidence(asked, 3),
    message:
      'Evidence at message count 3 is behind 4, which is already recorded: message history must be append-only for question identities and epochs to hold.',
  },
  {
    name: 'evidence behind the declaration',
    change: () => noteEvidence(declared, 5),
    message:
      'Evidence at message count 5 is behind 6, which is already recorded: message history must be append-only for question identities and epochs to hold.',
  },
  {
    name: 'a declaration behind the evidence',
    change: () => declareCitations(noteEvidence(asked, 9), { refs: [c1], epoch: 8 }),
    message:
      'A declaration at message count 8 is behind 9, which is already recorded: message history must be append-only for question identities and epochs to hold.',
  },
  {
    name: 'a declaration before any question, also one that is behind',
    change: () => declareCitations(noteEvidence(emptyRecord(), 3), { refs: [], epoch: 1 }),
    message: 'Citations cannot be declared before a run establishes the question identity.',
  },
];

describe('refused changes', () => {
  test.each(refusals)('$name', ({ change, message }) => {
    expect(change).toThrow(new RuleError('ValueError', message));
  });
});

const merges: readonly {
  name: string;
  before: EvidenceRecord;
  refs: readonly ChunkRef[];
  epoch: number;
  result: readonly ChunkRef[];
}[] = [
  { name: 'adds to a current declaration', before: declared, refs: [c2], epoch: 7, result: [c1, c2] },
  { name: 'keeps what it already names once', before: declared, refs: [c2, c1], epoch: 6, result: [c1, c2] },
  { name: 'keeps repeats inside one call', before: declared, refs: [c2, c2], epoch: 6, result: [c1, c2, c2] },
  {
    name: 'tells capabilities apart',
    before: declared,
    refs: [otherC1],
    epoch: 6,
    result: [c1, otherC1],
  },
  {
    name: 'adds when evidence is as old as the declaration',
    before: noteEvidence(declared, 6),
    refs: [c2],
    epoch: 6,
    result: [c1, c2],
  },
  {
    name: 'starts afresh after newer evidence',
    before: noteEvidence(declared, 7),
    refs: [c2],
    epoch: 8,
    result: [c2],
  },
  {
    name: 'starts afresh for a new question',
    before: beginQuestion(declared, 8),
    refs: [c2],
    epoch: 9,
    result: [c2],
  },
];

describe('a new declaration', () => {
  test.each(merges)('$name', ({ before, refs, epoch, result }) => {
    expect(declareCitations(before, { refs, epoch }).declaration).toStrictEqual({
      question: before.question,
      epoch,
      refs: result,
    });
  });

  test('marks retrieved only what it names, and each question once', () => {
    const first = declareCitations(asked, { refs: [c1, c2], epoch: 5, retrievedNow: ['c2', 'c3'] });
    const second = declareCitations(first, { refs: [c2], epoch: 6, retrievedNow: ['c2'] });
    expect([...second.occurrences.values()]).toStrictEqual([
      { chunkId: 'c1', capability: 'rag', retrievedInQuestions: [], citedInQuestions: [4] },
      { chunkId: 'c2', capability: 'rag', retrievedInQuestions: [4], citedInQuestions: [4] },
    ]);
  });

  test('leaves the record that it was given as it was', () => {
    declareCitations(declared, { refs: [c2], epoch: 7, retrievedNow: ['c2'] });
    expect([...declared.occurrences.keys()]).toStrictEqual(['c1']);
    expect(declared.declaration).toStrictEqual({ question: 4, epoch: 6, refs: [c1] });
  });
});

const ungrounded = declareCitations(asked, { refs: [], epoch: 6 });

const statuses: readonly { name: string; records: readonly EvidenceRecord[]; status: string }[] = [
  { name: 'no record', records: [], status: 'missing' },
  { name: 'no declaration', records: [asked], status: 'missing' },
  { name: 'a declaration with a chunk', records: [declared], status: 'grounded' },
  { name: 'a declaration without chunks', records: [ungrounded], status: 'ungrounded' },
  { name: 'one of each', records: [ungrounded, declared], status: 'grounded' },
  { name: 'evidence at the same epoch', records: [noteEvidence(declared, 6)], status: 'missing' },
  {
    name: 'newer evidence in a record without a question',
    records: [declared, noteEvidence(emptyRecord(), 7)],
    status: 'missing',
  },
  { name: 'a declaration of another question', records: [beginQuestion(declared, 8)], status: 'missing' },
];

describe('citation status of question 4', () => {
  test.each(statuses)('$name: $status', ({ records, status }) => {
    expect(citationStatus(records, 4)).toBe(status);
  });
});
