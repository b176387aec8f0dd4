import { compareCodePoints } from '../transcript/code-points.js';
import { questionOf } from '../transcript/question.js';
import type { DerivedChunk } from './chunk-store.js';
import type { FoundCitation } from './citations.js';
import type { CanonicalCitation, CitationProof, Ledger, LedgerCapability } from './entry.js';
import { beginQuestion, declareCitations, type EvidenceRecord, emptyRecord, noteEvidence } from './record.js';

/** A message of the assistant's with the citations found in it. */
export interface CitingMessage {
  readonly position: number;
  readonly citations: readonly FoundCitation[];
}

/**
 * The ledger of a conversation out of what was found in it. Each tool is a capability of its own; they come in code
 * point order, their chunks in order of retrieval.
 */
export function buildDerivedLedger(
  chunks: readonly DerivedChunk[],
  citing: readonly CitingMessage[],
  questions: readonly number[],
): Ledger {
  const proofs = collectProofs(chunks, citing, questions);
  const byCapability = new Map<string, DerivedChunk[]>();
  for (const chunk of chunks) {
    const list = byCapability.get(chunk.capability);
    if (list === undefined) byCapability.set(chunk.capability, [chunk]);
    else list.push(chunk);
  }
  const names = [...byCapability.keys()].sort(compareCodePoints);
  return {
    capabilities: names.map((name) => buildCapability(name, byCapability.get(name) ?? [], proofs, questions)),
  };
}

type Proofs = ReadonlyMap<string, readonly CitationProof[]>;

function collectProofs(
  chunks: readonly DerivedChunk[],
  citing: readonly CitingMessage[],
  questions: readonly number[],
): Proofs {
  const proofs = new Map<string, CitationProof[]>(
    chunks.map((chunk) => [chunk.id, carriedProofs(chunk, questions)]),
  );
  for (const { position, citations } of citing) {
    const question = questionOf(position, questions) ?? 0;
    for (const { chunkId, kind, quote } of citations)
      proofs.get(chunkId)?.push({ question, kind, message: position, quote });
  }
  return proofs;
}

/** Groups of a capsule stand for the questions before it, newest first; beyond the first of them they count down. */
function carriedProofs({ id, carried }: DerivedChunk, questions: readonly number[]): CitationProof[] {
  if (carried === null) return [];
  const earlier = questions.filter((question) => question <= carried.position).reverse();
  const question = earlier[carried.group - 1] ?? earlier.length - carried.group;
  return [{ question, kind: 'carried', message: carried.position, quote: `[${id}]` }];
}

function buildCapability(
  capability: string,
  chunks: readonly DerivedChunk[],
  proofs: Proofs,
  questions: readonly number[],
): LedgerCapability {
  const occurrences = chunks.map((chunk) => ({
    chunkId: chunk.id,
    capability,
    retrievedInQuestions: distinct(
      chunk.retrievals.map(({ position }) => questionOf(position, questions) ?? 0),
    ),
    citedInQuestions: distinct((proofs.get(chunk.id) ?? []).map(({ question }) => question)),
  }));
  return {
    capability,
    toolNames: [toolName(capability)],
    record: {
      ...replay(capability, chunks, proofs, questions.at(-1) ?? 0),
      occurrences: new Map(occurrences.map((one) => [one.chunkId, one])),
    },
    stateCarried: true,
    citations: new Map(chunks.map((chunk) => [chunk.id, canonicalCitation(chunk)])),
    proofs: new Map(
      chunks.flatMap(({ id }) => ((proofs.get(id) ?? []).length > 0 ? [[id, proofs.get(id) ?? []]] : [])),
    ),
    unknown: { own: {}, byChunk: new Map() },
  };
}

/** Carried entries of several capabilities are told apart by a number behind their tool's name. */
function toolName(capability: string): string {
  return capability.replace(/~\d+$/, '');
}

/** The record that a host would have carried: the rules of record.ts applied to the current question, in order. */
function replay(
  capability: string,
  chunks: readonly DerivedChunk[],
  proofs: Proofs,
  current: number,
): EvidenceRecord {
  const events = chunks
    .flatMap((chunk) => [
      ...chunk.retrievals.map(({ position }) => ({ position, refs: null })),
      ...(proofs.get(chunk.id) ?? [])
        .filter(({ kind }) => kind !== 'carried')
        .map(({ message }) => ({ position: message, refs: [{ capability, chunkId: chunk.id }] })),
    ])
    .filter(({ position }) => position >= current)
    .sort((a, b) => a.position - b.position);
  return events.reduce<EvidenceRecord>(
    (record, { position, refs }) => {
      const epoch = position + 1;
      return refs === null ? noteEvidence(record, epoch) : declareCitations(record, { refs, epoch });
    },
    beginQuestion(emptyRecord(), current),
  );
}

function canonicalCitation({ id, source, content, pictureRefs }: DerivedChunk): CanonicalCitation {
  return {
    chunkId: id,
    documentId: source.documentId,
    documentUri: source.uri,
    documentTitle: source.title,
    content,
    pictureRefs,
  };
}

function distinct(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
