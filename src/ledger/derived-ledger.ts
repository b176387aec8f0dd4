import { compareCodePoints } from '../transcript/code-points.js';
import { questionOf } from '../transcript/question.js';
import type { CarriedPlace, DerivedChunk } from './chunk-store.js';
import type { PlacedCitation } from './citations.js';
import type { ChunkAt } from './cut-chunks.js';
import type { CanonicalCitation, CitationProof, Ledger, LedgerCapability } from './entry.js';
import { beginQuestion, declareCitations, type EvidenceRecord, emptyRecord, noteEvidence } from './record.js';

/**
 * The ledger of a conversation out of what was found in it. Each tool is a capability of its own; they come in code
 * point order, their chunks in order of retrieval.
 */
export function buildDerivedLedger(
  chunks: readonly DerivedChunk[],
  citations: readonly PlacedCitation[],
  chunkAt: ChunkAt,
  questions: readonly number[],
): Ledger {
  const proofs = collectProofs(chunks, citations, chunkAt, questions);
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
  citations: readonly PlacedCitation[],
  chunkAt: ChunkAt,
  questions: readonly number[],
): Proofs {
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const proofs = new Map<string, CitationProof[]>();
  for (const chunk of chunks) {
    const carried = carriedProofs(chunk, questions);
    if (carried.length > 0) proofs.set(chunk.id, carried);
  }
  for (const citation of citations.toSorted((a, b) => a.position - b.position)) {
    const question = questionOf(citation.position, questions) ?? 0;
    for (const id of chunkAt(citation)) {
      const chunk = byId.get(id);
      if (chunk === undefined) continue;
      const list = proofs.get(id);
      if (list === undefined) proofs.set(id, [citationProof(citation, chunk, question)]);
      else addProof(list, citation, chunk, question);
    }
  }
  return proofs;
}

/** Of each question and kind the first proof and the newest are enough: a session repeats a name a thousand times. */
function addProof(
  proofs: CitationProof[],
  citation: PlacedCitation,
  chunk: DerivedChunk,
  question: number,
): void {
  let alike = 0;
  let newest = -1;
  // Proofs come in the order of their messages, so those of one question stand together at the end.
  for (let i = proofs.length - 1; proofs[i]?.question === question; i--) {
    if (proofs[i]?.kind !== citation.kind) continue;
    if (proofs[i]?.message === citation.position) return;
    if (alike === 0) newest = i;
    alike += 1;
  }
  if (alike > 1) proofs.splice(newest, 1);
  proofs.push(citationProof(citation, chunk, question));
}

/** The span is where the chunk holds the quote; a marker or an id usually stands outside the text it cites. */
function citationProof(
  { position, kind, quote }: PlacedCitation,
  chunk: DerivedChunk,
  question: number,
): CitationProof {
  const start = kind === 'quote' ? chunk.content.indexOf(quote) : -1;
  const span = start < 0 ? {} : { span: [start, start + quote.length] as const };
  return { question, kind, message: position, quote, ...span };
}

function carriedProofs({ carried }: DerivedChunk, questions: readonly number[]): CitationProof[] {
  if (carried === null) return [];
  const question = Math.max(0, carriedQuestion(carried, questions));
  return [{ question, kind: 'carried', message: carried.position, quote: `[${carried.ownId}]` }];
}

/**
 * The question that a carried group stands for: groups are for the questions before their capsule, newest first. More
 * groups than those are for later questions too; numbers below all questions keep the order of what is left.
 */
export function carriedQuestion(
  { position, group, groups }: CarriedPlace,
  questions: readonly number[],
): number {
  const before = questions.filter((question) => question <= position);
  const citing = groups > before.length ? questions.slice(0, groups) : before;
  return citing.at(-group) ?? citing.length - group;
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
    citations: new Map(chunks.map((chunk) => [chunk.id, new ChunkCitation(chunk)])),
    proofs: new Map(
      chunks.flatMap(({ id }) => ((proofs.get(id) ?? []).length > 0 ? [[id, proofs.get(id) ?? []]] : [])),
    ),
    unknown: { own: {}, byChunk: new Map() },
  };
}

/** Carried entries of several capabilities are told apart by marks behind their tool's name. */
function toolName(capability: string): string {
  return capability.replace(/~+\d+$/, '');
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

/** A class for the same reason as `PassageChunk`: only what is cited is ever read. */
class ChunkCitation implements CanonicalCitation {
  readonly chunkId: string;
  readonly documentId: string;
  readonly documentUri: string;
  readonly documentTitle: string | null;
  readonly pictureRefs: readonly string[];
  readonly #chunk: DerivedChunk;

  constructor(chunk: DerivedChunk) {
    this.chunkId = chunk.id;
    this.documentId = chunk.source.documentId;
    this.documentUri = chunk.source.uri;
    this.documentTitle = chunk.source.title;
    this.pictureRefs = chunk.pictureRefs;
    this.#chunk = chunk;
  }

  get content(): string {
    return this.#chunk.content;
  }
}

function distinct(numbers: readonly number[]): readonly number[] {
  if (numbers.length < 2) return numbers;
  return [...new Set(numbers)].sort((a, b) => a - b);
}
