import type { Ledger, LedgerCapability } from './entry.js';
import {
  beginQuestion,
  type CitationStatus,
  citationStatus,
  declareCitations,
  type EvidenceRecord,
  emptyRecord,
  noteEvidence,
} from './record.js';

/** Evidence of a capability that a message brought in. */
export interface Arrival {
  readonly capability: string;
  readonly position: number;
}

export interface StatusInput {
  readonly ledger: Ledger;
  /**
   * Whether a host carried the ledger's records along: then they say what the newest question declared. Records that
   * were derived are replayed instead.
   */
  readonly isGiven: boolean;
  /** Positions of the questions, ascending. */
  readonly questions: readonly number[];
  readonly arrivals: readonly Arrival[];
  /** Positions of the messages that call a cite tool, whatever they name. */
  readonly citeCalls: readonly number[];
  /** How many messages the conversation has. */
  readonly messages: number;
}

/** What became of one question. */
export interface QuestionStatus {
  readonly question: number;
  readonly status: CitationStatus;
  /** How many chunks it retrieved, and how many it cited. */
  readonly retrieved: number;
  readonly cited: number;
  /** Whether evidence came in for it at all; a chunk that the ledger does not know counts too. */
  readonly hasEvidence: boolean;
}

/**
 * Whether the answer to each question says what it rests on: the rules of record.ts, replayed for one question after the
 * other. A citation counts as declared by the message that makes it, so an answer is `grounded` when it cites after its
 * newest evidence. An answer that merely cites nothing has declared nothing: `missing`, as is one that does not stand
 * yet. It is `ungrounded` when it says so: when it calls a cite tool and names nothing that was retrieved.
 */
export function questionStatuses(input: StatusInput): QuestionStatus[] {
  const recorded = input.isGiven ? newestRecorded(input.ledger) : null;
  const records = input.ledger.capabilities.map(({ record }) => record);
  return input.questions.map((question, i): QuestionStatus => {
    const span = { question, end: input.questions[i + 1] ?? input.messages };
    const retrieved = countChunks(input.ledger, ({ retrievedInQuestions }) => retrievedInQuestions, question);
    return {
      question,
      status: citationStatus(question === recorded ? records : replayed(input, span), question),
      retrieved,
      cited: countChunks(input.ledger, ({ citedInQuestions }) => citedInQuestions, question),
      hasEvidence: retrieved > 0 || input.arrivals.some((one) => isInside(one, span)),
    };
  });
}

/** The question that the newest record is about; null without any. */
function newestRecorded({ capabilities }: Ledger): number | null {
  return capabilities
    .map(({ record }) => record.question)
    .reduce((newest, question) => (newest === null || (question ?? -1) > newest ? question : newest), null);
}

type Usage = {
  readonly retrievedInQuestions: readonly number[];
  readonly citedInQuestions: readonly number[];
};

function countChunks(
  ledger: Ledger,
  questionsOf: (usage: Usage) => readonly number[],
  question: number,
): number {
  return ledger.capabilities
    .flatMap(({ record }) => [...record.occurrences.values()])
    .filter((occurrence) => questionsOf(occurrence).includes(question)).length;
}

/** A question's own messages: from its position up to the next question, which is not among them. */
interface QuestionSpan {
  readonly question: number;
  readonly end: number;
}

function isInside({ position }: { readonly position: number }, { question, end }: QuestionSpan): boolean {
  return position >= question && position < end;
}

type RecordEvent =
  | { readonly kind: 'evidence'; readonly owner: string; readonly position: number }
  | {
      readonly kind: 'declaration';
      readonly owner: string;
      readonly position: number;
      readonly chunkIds: readonly string[];
    };

/** Owns the calls of cite tools: that they were made, not what they name. */
const CITE_CALLS = '';

/** The records that a host would have at the end of a question. */
function replayed(input: StatusInput, span: QuestionSpan): EvidenceRecord[] {
  const events = [
    ...input.arrivals
      .filter((one) => isInside(one, span))
      .map(({ capability, position }): RecordEvent => ({ kind: 'evidence', owner: capability, position })),
    ...input.citeCalls
      .filter((position) => isInside({ position }, span))
      .map((position): RecordEvent => ({ kind: 'declaration', owner: CITE_CALLS, position, chunkIds: [] })),
    ...input.ledger.capabilities.flatMap((owner) => declarations(owner, span)),
  ].sort((a, b) => a.position - b.position);
  const records = new Map<string, EvidenceRecord>();
  for (const event of events) {
    const record = records.get(event.owner) ?? beginQuestion(emptyRecord(), span.question);
    records.set(event.owner, applied(record, event));
  }
  return [...records.values()];
}

/**
 * Epochs are message counts. A message that brings evidence in and cites, as a provider's own search does, cites what it
 * brought: it declares behind itself.
 */
function applied(record: EvidenceRecord, event: RecordEvent): EvidenceRecord {
  const arrived = event.position + 1;
  if (event.kind === 'evidence') return noteEvidence(record, arrived);
  const refs = event.chunkIds.map((chunkId) => ({ capability: event.owner, chunkId }));
  return declareCitations(record, { refs, epoch: arrived + 1 });
}

/**
 * A citation stands in the message that proves it. One that a capsule carries on proves nothing of where it was made; one
 * that a ledger states without a proof counts as made when the question ended.
 */
function declarations(owner: LedgerCapability, { question, end }: QuestionSpan): RecordEvent[] {
  return [...owner.record.occurrences.values()].flatMap(({ chunkId, citedInQuestions }) => {
    if (!citedInQuestions.includes(question)) return [];
    const proofs = (owner.proofs.get(chunkId) ?? []).filter((proof) => proof.question === question);
    const positions = proofs
      .filter(({ kind }) => kind !== 'carried')
      .map(({ message }) => Math.max(message, question));
    return (proofs.length === 0 ? [end] : positions).map(
      (position): RecordEvent => ({
        kind: 'declaration',
        owner: owner.capability,
        position,
        chunkIds: [chunkId],
      }),
    );
  });
}
