import { compareCodePoints } from '../transcript/code-points.js';
import type { Message, ToolResult } from '../transcript/message.js';
import { resultText } from '../transcript/message.js';
import type { OutlineMessage } from '../transcript/outline.js';
import { questionOf, questionPositions } from '../transcript/question.js';
import { type ChunkSource, resultChunks } from './chunks.js';
import {
  type Citable,
  type CitableChunk,
  declaredCitations,
  type FoundCitation,
  isCiteTool,
  markerCitations,
} from './citations.js';
import type { CanonicalCitation, CitationProof, Ledger, LedgerCapability } from './entry.js';
import { beginQuestion, declareCitations, type EvidenceRecord, emptyRecord, noteEvidence } from './record.js';

/** Results up to this many UTF-16 units are no evidence: a receipt would not be shorter. */
const SHORTEST_EVIDENCE = 118;

/** Tools that bring in what the operator says, not what was retrieved (formats.md section 2.7). */
const OPERATOR_TOOLS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ask_user', 'request_user_input']);

/** A chunk with its place in the transcript. */
export interface DerivedChunk extends CitableChunk {
  readonly capability: string;
  readonly source: ChunkSource;
  readonly pictureRefs: readonly string[];
  /** Where it was retrieved: the return's message position and part. */
  readonly retrievals: { readonly position: number; readonly part: number; readonly isEditable: boolean }[];
}

interface CitingMessage {
  readonly position: number;
  readonly citations: readonly FoundCitation[];
}

/** Watches a conversation's messages go by, in order, and says at the end which evidence they hold and cite. */
export interface Derivation {
  see(message: Message): void;
  finish(outline: readonly OutlineMessage[]): DerivedLedger;
}

export interface DerivedLedger {
  readonly ledger: Ledger;
  readonly chunks: readonly DerivedChunk[];
  /** Whether the result `part` of the message at `position` is evidence. */
  isEvidence(position: number, part: number): boolean;
}

/** Starts deriving a ledger for a conversation that has none (design.md "Ledger"). */
export function startDerivation(): Derivation {
  const chunks = new Map<string, DerivedChunk>();
  const citing: CitingMessage[] = [];
  const evidence = new Set<string>();
  const bases = new Map<string, number>();
  const index = new ChunkIndex();

  const addResult = (message: Message, result: ToolResult, part: number): void => {
    const base = uniqueBase(result.callId ?? `@${message.position}.${part}`, message.position, bases);
    resultChunks(result).forEach((draft, i) => {
      const id = uniqueId(draft.ownId ?? `${base}#${i + 1}`, draft.content, message.position, chunks);
      const retrieval = { position: message.position, part, isEditable: result.isEditable };
      const known = chunks.get(id);
      if (known !== undefined) known.retrievals.push(retrieval);
      const { content, source, label, pictureRefs } = draft;
      const capability = result.tool ?? 'unknown';
      const chunk = known ?? {
        id,
        label,
        uri: source.uri,
        title: source.title,
        content,
        source,
        pictureRefs,
        capability,
        retrievals: [retrieval],
      };
      chunks.set(id, chunk);
      index.add(chunk);
    });
  };

  return {
    see(message) {
      if (message.speaker === 'assistant')
        citing.push({ position: message.position, citations: citationsIn(message, index) });
      message.parts.forEach((part, i) => {
        if (part.kind !== 'tool-result' || !isEvidenceResult(part)) return;
        evidence.add(`${message.position}.${i}`);
        addResult(message, part, i);
      });
    },
    finish(outline) {
      const onPath = new Set(outline.filter(({ isOnPath }) => isOnPath).map(({ position }) => position));
      const live = [...chunks.values()]
        .map((chunk) => ({
          ...chunk,
          retrievals: chunk.retrievals.filter(({ position }) => onPath.has(position)),
        }))
        .filter(({ retrievals }) => retrievals.length > 0);
      return {
        ledger: buildLedger(
          live,
          citing.filter(({ position }) => onPath.has(position)),
          questionPositions(outline),
        ),
        chunks: live,
        isEvidence: (position, part) => evidence.has(`${position}.${part}`),
      };
    },
  };
}

function isEvidenceResult(result: ToolResult): boolean {
  if (isCiteTool(result.tool) || (result.tool !== null && OPERATOR_TOOLS.has(result.tool))) return false;
  return resultText(result).length >= SHORTEST_EVIDENCE || !result.isEditable;
}

/** Call ids may repeat: the second result of an id is told apart by its position. */
function uniqueBase(base: string, position: number, seen: Map<string, number>): string {
  const first = seen.get(base);
  if (first === undefined) seen.set(base, position);
  return first === undefined || first === position ? base : `${base}@${position}`;
}

/** The same id with the same text is the same chunk, retrieved again; with other text it is another chunk. */
function uniqueId(
  id: string,
  content: string,
  position: number,
  chunks: ReadonlyMap<string, DerivedChunk>,
): string {
  const known = chunks.get(id);
  return known === undefined || known.content === content ? id : `${id}@${position}`;
}

function citationsIn(message: Message, index: Citable): FoundCitation[] {
  return message.parts.flatMap((part) => {
    if (part.kind === 'text') return markerCitations(part, index);
    return part.kind === 'tool-call' ? declaredCitations(part, index) : [];
  });
}

/** The chunks retrieved so far, by what citations call them. */
class ChunkIndex implements Citable {
  readonly #ids = new Map<string, CitableChunk>();
  readonly #labels = new Map<string, CitableChunk>();
  readonly #uris = new Map<string, CitableChunk>();
  readonly #titles = new Map<string, CitableChunk>();

  add(chunk: CitableChunk): void {
    this.#ids.set(chunk.id, chunk);
    if (chunk.label !== null) this.#labels.set(chunk.label, chunk);
    if (chunk.uri !== '') this.#uris.set(chunk.uri, chunk);
    if (chunk.title !== null) this.#titles.set(chunk.title, chunk);
  }

  byId(id: string): CitableChunk | undefined {
    return this.#ids.get(id);
  }

  byLabel(label: string): CitableChunk | undefined {
    return this.#labels.get(label);
  }

  byUri(uri: string): CitableChunk | undefined {
    return this.#uris.get(uri);
  }

  byTitle(title: string): CitableChunk | undefined {
    return this.#titles.get(title);
  }

  byText(text: string): CitableChunk | undefined {
    return [...this.#ids.values()].findLast(({ content }) => content.includes(text.trim()));
  }
}

function buildLedger(
  chunks: readonly DerivedChunk[],
  citing: readonly CitingMessage[],
  questions: readonly number[],
): Ledger {
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const proofs = new Map<string, CitationProof[]>();
  for (const { position, citations } of citing) {
    for (const { chunkId, kind, quote } of citations) {
      if (!byId.has(chunkId)) continue;
      const proof: CitationProof = {
        question: questionOf(position, questions) ?? 0,
        kind,
        message: position,
        quote,
      };
      proofs.set(chunkId, [...(proofs.get(chunkId) ?? []), proof]);
    }
  }
  const names = [...new Set(chunks.map(({ capability }) => capability))].sort(compareCodePoints);
  return {
    capabilities: names.map((capability) =>
      buildCapability(
        capability,
        chunks.filter((chunk) => chunk.capability === capability),
        proofs,
        questions,
      ),
    ),
  };
}

function buildCapability(
  capability: string,
  chunks: readonly DerivedChunk[],
  allProofs: ReadonlyMap<string, readonly CitationProof[]>,
  questions: readonly number[],
): LedgerCapability {
  const occurrences = chunks.map((chunk) => ({
    chunkId: chunk.id,
    capability,
    retrievedInQuestions: distinct(
      chunk.retrievals.map(({ position }) => questionOf(position, questions) ?? 0),
    ),
    citedInQuestions: distinct((allProofs.get(chunk.id) ?? []).map(({ question }) => question)),
  }));
  const replayed = replay(capability, chunks, allProofs, questions);
  return {
    capability,
    toolNames: [capability],
    record: { ...replayed, occurrences: new Map(occurrences.map((one) => [one.chunkId, one])) },
    stateCarried: true,
    unknown: { own: {}, byChunk: new Map() },
    citations: new Map(chunks.map((chunk) => [chunk.id, canonicalCitation(chunk)])),
    proofs: new Map(chunks.flatMap(({ id }) => (allProofs.has(id) ? [[id, allProofs.get(id) ?? []]] : []))),
  };
}

/** The record that a host would have carried: the rules of record.ts applied to what happened, in order. */
function replay(
  capability: string,
  chunks: readonly DerivedChunk[],
  proofs: ReadonlyMap<string, readonly CitationProof[]>,
  questions: readonly number[],
): EvidenceRecord {
  const current = questions.at(-1) ?? 0;
  const retrieved = chunks
    .flatMap((chunk) => chunk.retrievals.map(({ position }) => position))
    .filter((position) => position >= current);
  const cited = chunks
    .flatMap((chunk) =>
      (proofs.get(chunk.id) ?? []).map((proof) => ({ position: proof.message, chunkId: chunk.id })),
    )
    .filter(({ position }) => position >= current);
  const events = [
    ...retrieved.map((position) => ({ position, chunkId: null })),
    ...cited.map(({ position, chunkId }) => ({ position, chunkId })),
  ].sort((a, b) => a.position - b.position);
  let record = beginQuestion(emptyRecord(), current);
  for (const { position, chunkId } of events) {
    const epoch = position + 1;
    record =
      chunkId === null
        ? noteEvidence(record, epoch)
        : declareCitations(record, { refs: [{ capability, chunkId }], epoch });
  }
  return record;
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
