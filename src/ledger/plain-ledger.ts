import { field, isObject, type JsonObject } from '../transcript/formats/values.js';
import type { CitationProof, Ledger } from './entry.js';
import type { Declaration } from './record.js';
import {
  assembleLedger,
  type CapabilityRow,
  type EvidenceRow,
  type LedgerRow,
  type PlacedRow,
} from './rows.js';

/**
 * The ledger in a text of JSON Lines that are all well formed, as `parseLedger` reads it; null for any other text. What
 * is wrong with it, or what else it is, is for `parseLedger` to say: its schemas take longer to load than a ledger of a
 * thousand chunks takes to read.
 * @throws InputError as `parseLedger` does, for rows that do not fit together
 */
export function parsePlainLedger(text: string, file: string): Ledger | null {
  const rows: PlacedRow[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    const row = plainRow(value);
    if (row === null) return null;
    rows.push({ row, value, spot: { file, line: i + 1, path: `.${row.type}` } });
  }
  return rows.length === 0 ? null : assembleLedger(rows, file);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // parseLedger says what is wrong with it
  }
}

/** What a value of a ledger's line says; null for one that does not fit. The schemas of entry.ts are the rule. */
function plainRow(value: unknown): LedgerRow | null {
  if (!isObject(value) || typeof value.capability !== 'string') return null;
  if (value.type === 'capability') return capabilityRow(value, value.capability);
  return value.type === 'evidence' ? evidenceRow(value, value.capability) : null;
}

function capabilityRow(value: JsonObject, capability: string): CapabilityRow | null {
  const {
    tool_names: toolNames = [],
    question = null,
    in_progress: inProgress = false,
    latest_evidence_epoch: epoch = 0,
    declaration = null,
  } = value;
  const declared = declaration === null ? null : plainDeclaration(declaration);
  if (!isStrings(toolNames) || typeof inProgress !== 'boolean' || !isWhole(epoch) || declared === undefined)
    return null;
  if (question !== null && !isWhole(question)) return null;
  const state = { question, inProgress, latestEvidenceEpoch: epoch, declaration: declared };
  return { type: 'capability', capability, toolNames, state };
}

function plainDeclaration(value: unknown): Declaration | undefined {
  if (!isObject(value)) return undefined;
  const { question, epoch, refs = [] } = value;
  if (!isWhole(question) || !isWhole(epoch) || !Array.isArray(refs)) return undefined;
  const read = refs.map((ref) => ({ capability: field(ref, 'capability'), chunkId: field(ref, 'chunk_id') }));
  return read.every(isRef) ? { question, epoch, refs: read } : undefined;
}

function isRef(ref: {
  capability: unknown;
  chunkId: unknown;
}): ref is { capability: string; chunkId: string } {
  return typeof ref.capability === 'string' && typeof ref.chunkId === 'string';
}

function evidenceRow(value: JsonObject, capability: string): EvidenceRow | null {
  const {
    chunk_id: chunkId,
    content,
    citations = [],
    retrieved_in_questions: retrievedInQuestions = [],
    cited_in_questions: citedInQuestions = [],
  } = value;
  if (typeof chunkId !== 'string' || !isWholes(retrievedInQuestions) || !isWholes(citedInQuestions))
    return null;
  const cited = content === undefined ? null : citedContent(value);
  const proofs = plainProofs(citations);
  if (cited === undefined || proofs === undefined) return null;
  const usage = { retrievedInQuestions, citedInQuestions };
  return { type: 'evidence', capability, chunkId, usage, cited, proofs };
}

function citedContent(value: JsonObject): EvidenceRow['cited'] | undefined {
  const {
    document_id: documentId = '',
    document_uri: documentUri = '',
    document_title: documentTitle = null,
    content,
    picture_refs: pictureRefs = [],
  } = value;
  if (typeof documentId !== 'string' || typeof documentUri !== 'string' || typeof content !== 'string')
    return undefined;
  if ((documentTitle !== null && typeof documentTitle !== 'string') || !isStrings(pictureRefs))
    return undefined;
  return { documentId, documentUri, documentTitle, content, pictureRefs };
}

/** Undefined where a proof is not well formed. */
function plainProofs(citations: unknown): CitationProof[] | undefined {
  if (!Array.isArray(citations)) return undefined;
  const proofs = citations.map(plainProof);
  return proofs.every((proof) => proof !== null) ? proofs : undefined;
}

function plainProof(value: unknown): CitationProof | null {
  if (!isObject(value)) return null;
  const { question, kind, message, quote } = value;
  if (!isWhole(question) || !isKind(kind) || !isWhole(message) || typeof quote !== 'string') return null;
  if (!Object.hasOwn(value, 'span')) return { question, kind, message, quote };
  const { span } = value;
  if (!isWholes(span)) return null;
  const [start, end, ...more] = span;
  if (start === undefined || end === undefined || more.length > 0) return null;
  return { question, kind, message, quote, span: [start, end] };
}

const KINDS: ReadonlySet<unknown> = new Set(['declared', 'marker', 'quote', 'carried']);

function isKind(value: unknown): value is CitationProof['kind'] {
  return KINDS.has(value);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isWholes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isWhole);
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
