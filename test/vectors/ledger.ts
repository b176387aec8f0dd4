import * as z from 'zod';
import {
  beginQuestion,
  citationStatus,
  declareCitations,
  type EvidenceRecord,
  endQuestion,
  noteEvidence,
} from '../../src/ledger/record.js';
import { outcome } from './outcome.js';
import { occurrence, toOccurrences } from './shapes.js';

const ref = z.object({ capability: z.string(), chunk_id: z.string() });

const state = z.object({
  occurrences: z.array(occurrence).default([]),
  question: z.number().nullable().default(null),
  in_progress: z.boolean().default(false),
  latest_evidence_epoch: z.number().default(0),
  declaration: z
    .object({ question: z.number(), epoch: z.number(), refs: z.array(ref) })
    .nullable()
    .default(null),
});

const change = z.discriminatedUnion('op', [
  z.object({ op: z.literal('begin_question'), record: z.number(), identity: z.number() }),
  z.object({ op: z.literal('end_question'), record: z.number() }),
  z.object({ op: z.literal('note_evidence'), record: z.number(), epoch: z.number() }),
  z.object({
    op: z.literal('declare'),
    record: z.number(),
    refs: z.array(ref),
    epoch: z.number(),
    retrieved_now: z.array(z.string()).nullish(),
  }),
]);

const status = z.object({
  op: z.literal('citation_status'),
  records: z.array(z.number()),
  question: z.number(),
});

const input = z.object({ records: z.array(state), steps: z.array(z.union([change, status])) });

/** `ledger.jsonl`: steps on records, one result a step. */
export function runLedger(vectorInput: unknown): unknown {
  const { records: states, steps } = input.parse(vectorInput);
  const records = states.map(toRecord);
  return steps.map((step) => {
    if (step.op === 'citation_status') {
      return {
        status: citationStatus(
          step.records.map((i) => at(records, i)),
          step.question,
        ),
      };
    }
    const result = outcome(() => applyChange(at(records, step.record), step));
    if ('error' in result) return { error: result.error, state: toState(at(records, step.record)) };
    records[step.record] = result;
    return { state: toState(result) };
  });
}

function applyChange(record: EvidenceRecord, step: z.output<typeof change>): EvidenceRecord {
  switch (step.op) {
    case 'begin_question':
      return beginQuestion(record, step.identity);
    case 'end_question':
      return endQuestion(record);
    case 'note_evidence':
      return noteEvidence(record, step.epoch);
    case 'declare':
      return declareCitations(record, {
        refs: step.refs.map(toRef),
        epoch: step.epoch,
        retrievedNow: step.retrieved_now ?? undefined,
      });
  }
}

function at(records: readonly EvidenceRecord[], i: number): EvidenceRecord {
  const record = records[i];
  if (record === undefined) throw new Error(`the vector has no record ${i}`);
  return record;
}

function toRef({ capability, chunk_id: chunkId }: z.output<typeof ref>) {
  return { capability, chunkId };
}

function toRecord(read: z.output<typeof state>): EvidenceRecord {
  const { declaration } = read;
  return {
    occurrences: toOccurrences(read.occurrences),
    question: read.question,
    inProgress: read.in_progress,
    latestEvidenceEpoch: read.latest_evidence_epoch,
    declaration: declaration === null ? null : { ...declaration, refs: declaration.refs.map(toRef) },
  };
}

function toState({ occurrences, question, inProgress, latestEvidenceEpoch, declaration }: EvidenceRecord) {
  return {
    occurrences: [...occurrences].map(
      ([chunkId, { capability, retrievedInQuestions, citedInQuestions }]) => ({
        chunk_id: chunkId,
        capability,
        retrieved_in_questions: retrievedInQuestions,
        cited_in_questions: citedInQuestions,
      }),
    ),
    question,
    in_progress: inProgress,
    latest_evidence_epoch: latestEvidenceEpoch,
    declaration: declaration && {
      question: declaration.question,
      epoch: declaration.epoch,
      refs: declaration.refs.map(({ capability, chunkId }) => ({ capability, chunk_id: chunkId })),
    },
  };
}
