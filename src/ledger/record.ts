import { RuleError } from '../transcript/errors.js';

/** A chunk as a declaration names it. */
export interface ChunkRef {
  readonly capability: string;
  readonly chunkId: string;
}

/** What happened to one chunk. Questions are identities, in the order in which they were recorded. */
export interface Occurrence {
  readonly chunkId: string;
  readonly capability: string;
  readonly retrievedInQuestions: readonly number[];
  readonly citedInQuestions: readonly number[];
}

/** What the answer to a question says that it cites. No refs: the answer says that it rests on no evidence. */
export interface Declaration {
  readonly question: number;
  readonly epoch: number;
  readonly refs: readonly ChunkRef[];
}

/** One capability's record. Question identities and epochs are message counts, so they are comparable as recency. */
export interface EvidenceRecord {
  /** By chunk id, in the order in which the chunks were first cited. */
  readonly occurrences: ReadonlyMap<string, Occurrence>;
  /** `null`: no question was begun, so there is no record. */
  readonly question: number | null;
  readonly inProgress: boolean;
  readonly latestEvidenceEpoch: number;
  readonly declaration: Declaration | null;
}

export type CitationStatus = 'missing' | 'grounded' | 'ungrounded';

/** A record of nothing, before its first question. */
export function emptyRecord(): EvidenceRecord {
  return {
    occurrences: new Map(),
    question: null,
    inProgress: false,
    latestEvidenceEpoch: 0,
    declaration: null,
  };
}

/**
 * The record with a new current question; occurrences stay, evidence epoch and declaration start afresh. Throws
 * `RuleError` unless `identity` is above the previous question, whether or not that one ended. The rules of this file
 * are pinned by the `ledger.jsonl` vectors.
 */
export function beginQuestion(record: EvidenceRecord, identity: number): EvidenceRecord {
  if (record.question !== null && identity <= record.question) {
    throw new RuleError(
      'ValueError',
      `A question at message count ${identity} is not past question ${record.question}, which is already answered: ` +
        'identities separate one question from the next and are compared as recency.',
    );
  }
  return { ...record, question: identity, inProgress: true, latestEvidenceEpoch: 0, declaration: null };
}

/** The record with its question answered; everything may still be noted and declared for that question. */
export function endQuestion(record: EvidenceRecord): EvidenceRecord {
  return { ...record, inProgress: false };
}

/**
 * The record with evidence that arrived at message count `epoch`, also before any question. Throws `RuleError` when the
 * epoch is behind something already recorded.
 */
export function noteEvidence(record: EvidenceRecord, epoch: number): EvidenceRecord {
  requireNotBehind(record, 'Evidence', epoch);
  return { ...record, latestEvidenceEpoch: epoch };
}

/**
 * The record with `refs` cited by the current question, declared at message count `epoch`. Chunk ids in `retrievedNow`
 * that are among the refs also count as retrieved by it. Throws `RuleError` without a question, or when the epoch is
 * behind something already recorded.
 */
export function declareCitations(
  record: EvidenceRecord,
  declared: {
    readonly refs: readonly ChunkRef[];
    readonly epoch: number;
    readonly retrievedNow?: readonly string[] | undefined;
  },
): EvidenceRecord {
  const { question } = record;
  if (question === null) {
    throw new RuleError(
      'ValueError',
      'Citations cannot be declared before a run establishes the question identity.',
    );
  }
  requireNotBehind(record, 'A declaration', declared.epoch);
  const standing = standingRefs(record, question);
  const added = declared.refs.filter((ref) => !standing.some((other) => isSameChunk(ref, other)));
  return {
    ...record,
    occurrences: markCited(record.occurrences, declared.refs, question, new Set(declared.retrievedNow)),
    declaration: { question, epoch: declared.epoch, refs: [...standing, ...added] },
  };
}

/**
 * Whether a question's answer has declared its citations since the newest evidence of all records: `missing` without
 * such a declaration, `grounded` when one of them names a chunk. A record of another question still counts for what is
 * newest.
 */
export function citationStatus(records: readonly EvidenceRecord[], question: number): CitationStatus {
  const horizon = records.reduce((newest, record) => Math.max(newest, record.latestEvidenceEpoch), 0);
  const current = records
    .map((record) => record.declaration)
    .filter((declaration) => declaration !== null)
    .filter((declaration) => declaration.question === question && declaration.epoch > horizon);
  if (current.length === 0) return 'missing';
  return current.some((declaration) => declaration.refs.length > 0) ? 'grounded' : 'ungrounded';
}

function requireNotBehind(record: EvidenceRecord, what: string, epoch: number): void {
  const newest = Math.max(record.question ?? 0, record.latestEvidenceEpoch, record.declaration?.epoch ?? 0);
  if (epoch >= newest) return;
  throw new RuleError(
    'ValueError',
    `${what} at message count ${epoch} is behind ${newest}, which is already recorded: ` +
      'message history must be append-only for question identities and epochs to hold.',
  );
}

/** The refs that a new declaration adds to: none once newer evidence has made the standing declaration stale. */
function standingRefs(record: EvidenceRecord, question: number): readonly ChunkRef[] {
  const { declaration, latestEvidenceEpoch } = record;
  if (declaration === null || declaration.question !== question) return [];
  return latestEvidenceEpoch <= declaration.epoch ? declaration.refs : [];
}

function isSameChunk(a: ChunkRef, b: ChunkRef): boolean {
  return a.capability === b.capability && a.chunkId === b.chunkId;
}

/** Occurrences are keyed by chunk id alone: the capability that cited a chunk first keeps it. */
function markCited(
  occurrences: ReadonlyMap<string, Occurrence>,
  refs: readonly ChunkRef[],
  question: number,
  retrieved: ReadonlySet<string>,
): ReadonlyMap<string, Occurrence> {
  const marked = new Map(occurrences);
  for (const ref of refs) {
    const before = marked.get(ref.chunkId) ?? { ...ref, retrievedInQuestions: [], citedInQuestions: [] };
    marked.set(ref.chunkId, {
      chunkId: before.chunkId,
      capability: before.capability,
      retrievedInQuestions: retrieved.has(ref.chunkId)
        ? withQuestion(before.retrievedInQuestions, question)
        : before.retrievedInQuestions,
      citedInQuestions: withQuestion(before.citedInQuestions, question),
    });
  }
  return marked;
}

function withQuestion(questions: readonly number[], question: number): readonly number[] {
  return questions.includes(question) ? questions : [...questions, question];
}
