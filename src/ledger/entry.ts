import * as z from 'zod';
import { field, isObject, type JsonObject } from '../transcript/formats/values.js';
import { firstValueEnd } from '../transcript/json-text.js';
import type { EvidenceRecord, Occurrence } from './record.js';
import {
  citedContent,
  fieldError,
  list,
  object,
  parseJson,
  parseShape,
  recordState,
  type Spot,
  string,
  strings,
  usage,
  wholeNumber,
} from './schema.js';
import { parseStateObject } from './state-object.js';

export { renderLedger } from './render.js';

/** The text of a chunk as it may be cited, and where it comes from. */
export interface CanonicalCitation {
  readonly chunkId: string;
  readonly documentId: string;
  readonly documentUri: string;
  readonly documentTitle: string | null;
  readonly content: string;
  readonly pictureRefs: readonly string[];
}

/** Why a chunk counts as cited by a question: the exact quote, and the position of the message that it stands in. */
export interface CitationProof {
  readonly question: number;
  readonly kind: 'declared' | 'marker' | 'quote' | 'carried';
  readonly message: number;
  readonly quote: string;
  /** Where the chunk's content holds the quote: UTF-16 units, the end excluded. Absent where it stands outside. */
  readonly span?: readonly [start: number, end: number];
}

export interface LedgerCapability {
  readonly capability: string;
  readonly toolNames: readonly string[];
  readonly record: EvidenceRecord;
  /** Whether the ledger has a record of the capability at all: whether the record has a question. */
  readonly stateCarried: boolean;
  /** By chunk id; a chunk without canonical citation is not in here. */
  readonly citations: ReadonlyMap<string, CanonicalCitation>;
  /** By chunk id; a chunk without proofs is not in here. */
  readonly proofs: ReadonlyMap<string, readonly CitationProof[]>;
  /** Fields that we have no name for, kept as they came. */
  readonly unknown: UnknownFields;
}

export interface UnknownFields {
  /** Of the capability's own line. */
  readonly own: JsonObject;
  /** By chunk id; a chunk without unknown fields is not in here. */
  readonly byChunk: ReadonlyMap<string, JsonObject>;
}

export interface Ledger {
  /** In order of first appearance. */
  readonly capabilities: readonly LedgerCapability[];
}

/** One line of a ledger and its 1-based number in the file. */
export interface LedgerLine {
  readonly text: string;
  readonly line: number;
}

/** What the lines about one capability have said so far; maps by chunk id. */
interface Owner {
  header:
    | {
        line: number;
        toolNames: readonly string[];
        state: Omit<EvidenceRecord, 'occurrences'>;
        unknown: JsonObject;
      }
    | undefined;
  readonly lines: Map<string, number>;
  readonly occurrences: Map<string, Occurrence>;
  readonly citations: Map<string, CanonicalCitation>;
  readonly proofs: Map<string, readonly CitationProof[]>;
  readonly unknown: Map<string, JsonObject>;
}

const ledgerLine = object({
  type: z.enum(['capability', 'evidence'], 'expected "capability" or "evidence"'),
});

const capabilityLine = object({ capability: string, tool_names: strings });

const proof = object({
  question: wholeNumber,
  kind: z.enum(
    ['declared', 'marker', 'quote', 'carried'],
    'expected "declared", "marker", "quote" or "carried"',
  ),
  message: wholeNumber,
  quote: string,
  span: z.tuple([wholeNumber, wholeNumber], 'expected two whole numbers').readonly().exactOptional(),
});

const evidenceLine = object({
  capability: string,
  chunk_id: string,
  content: string.optional(),
  citations: list(proof).default([]),
});

/**
 * The ledger in a text: JSON Lines, or one state object as hosts dump it. Blank text is a ledger of no capabilities.
 * `file` is what messages call the text. Throws an `InputError` that names file, line and field.
 */
export function parseLedger(text: string, file: string): Ledger {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.trim() === '') return { capabilities: [] };
  const firstEnd = firstValueEnd(body) ?? body.length;
  const first = parseJson(body.slice(0, firstEnd), { file, line: 1 });
  const isOnlyValue = body.slice(firstEnd).trim() === '';
  if (isOnlyValue && !isLine(first, body.slice(0, firstEnd)))
    return { capabilities: parseStateObject(body, file) };
  return parseLedgerLines(splitLines(body), file);
}

/**
 * The ledger in lines that are all its own, in any order. Throws an `InputError` for a line of another kind, a second
 * line about the same capability or chunk, and evidence of a capability that has no line.
 */
export function parseLedgerLines(lines: readonly LedgerLine[], file: string): Ledger {
  const owners = new Map<string, Owner>();
  for (const { text, line } of lines) {
    const value = parseJson(text, { file, line });
    const { type } = parseShape(ledgerLine, value, { file, line, path: '' });
    const spot = { file, line, path: `.${type}` };
    if (type === 'capability') addHeader(owners, value, spot);
    else addEvidence(owners, value, spot);
  }
  return { capabilities: [...owners].map(([capability, owner]) => toCapability(capability, owner, file)) };
}

/** A ledger of one line; a document over several lines is none, whatever its `type` says. */
function isLine(value: unknown, text: string): boolean {
  return typeof field(value, 'type') === 'string' && !text.trim().includes('\n');
}

function splitLines(text: string): LedgerLine[] {
  return text
    .split('\n')
    .map((content, i) => ({ text: content, line: i + 1 }))
    .filter((line) => line.text.trim() !== '');
}

function addHeader(owners: Map<string, Owner>, value: unknown, spot: Spot): void {
  const { capability, tool_names: toolNames } = parseShape(capabilityLine, value, spot);
  const owner = findOwner(owners, capability);
  requireNew(owner.header?.line, JSON.stringify(capability), { ...spot, path: `${spot.path}.capability` });
  owner.header = {
    line: spot.line,
    toolNames,
    state: parseShape(recordState, value, spot),
    unknown: unknownFields(value, CAPABILITY_FIELDS),
  };
}

function addEvidence(owners: Map<string, Owner>, value: unknown, spot: Spot): void {
  const { capability, chunk_id: chunkId, content, citations: proofs } = parseShape(evidenceLine, value, spot);
  const owner = findOwner(owners, capability);
  const what = `${JSON.stringify(chunkId)} of ${JSON.stringify(capability)}`;
  requireNew(owner.lines.get(chunkId), what, { ...spot, path: `${spot.path}.chunk_id` });
  owner.lines.set(chunkId, spot.line);
  owner.occurrences.set(chunkId, { chunkId, capability, ...parseShape(usage, value, spot) });
  if (content !== undefined)
    owner.citations.set(chunkId, { chunkId, ...parseShape(citedContent, value, spot) });
  if (proofs.length > 0) owner.proofs.set(chunkId, proofs);
  const unknown = unknownFields(value, EVIDENCE_FIELDS);
  if (Object.keys(unknown).length > 0) owner.unknown.set(chunkId, unknown);
}

const CAPABILITY_FIELDS: ReadonlySet<string> = new Set([
  ...['type', 'capability', 'tool_names'],
  ...['question', 'in_progress', 'latest_evidence_epoch', 'declaration'],
]);

const EVIDENCE_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'type',
    'capability',
    'chunk_id',
    'document_id',
    'document_uri',
    'document_title',
    'content',
    'picture_refs',
  ],
  ...['retrieved_in_questions', 'cited_in_questions', 'citations'],
]);

function unknownFields(value: unknown, known: ReadonlySet<string>): JsonObject {
  const fields = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(fields.filter(([key]) => !known.has(key)));
}

function findOwner(owners: Map<string, Owner>, capability: string): Owner {
  const known = owners.get(capability);
  if (known !== undefined) return known;
  const owner: Owner = {
    header: undefined,
    lines: new Map(),
    occurrences: new Map(),
    citations: new Map(),
    proofs: new Map(),
    unknown: new Map(),
  };
  owners.set(capability, owner);
  return owner;
}

function requireNew(lineBefore: number | undefined, what: string, spot: Spot): void {
  if (lineBefore !== undefined) throw fieldError(spot, `${what} already stands on line ${lineBefore}`);
}

function toCapability(capability: string, owner: Owner, file: string): LedgerCapability {
  const { header, occurrences, citations, proofs, unknown } = owner;
  if (header === undefined) throw unknownCapability(capability, file, [...owner.lines.values()][0] ?? 1);
  return {
    capability,
    toolNames: header.toolNames,
    record: { ...header.state, occurrences },
    stateCarried: header.state.question !== null,
    citations,
    proofs,
    unknown: { own: header.unknown, byChunk: unknown },
  };
}

function unknownCapability(capability: string, file: string, line: number): Error {
  const name = JSON.stringify(capability);
  return fieldError(
    { file, line, path: '.evidence.capability' },
    `no capability line for ${name}`,
    `add a line {"type":"capability","capability":${name},"tool_names":[…]}`,
  );
}
