import * as z from 'zod';
import { field, type JsonObject } from '../transcript/formats/values.js';
import { firstValueEnd } from '../transcript/json-text.js';
import type { EvidenceRecord } from './record.js';
import { assembleLedger, type CapabilityRow, type EvidenceRow, type PlacedRow } from './rows.js';
import {
  citedContent,
  list,
  object,
  parseShape,
  recordState,
  string,
  strings,
  usage,
  wholeNumber,
} from './schema.js';
import { parseJson, type Spot } from './spot.js';
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
  return assembleLedger(readRows(lines, file), file);
}

function* readRows(lines: readonly LedgerLine[], file: string): Generator<PlacedRow> {
  for (const { text, line } of lines) {
    const value = parseJson(text, { file, line });
    const { type } = parseShape(ledgerLine, value, { file, line, path: '' });
    const spot = { file, line, path: `.${type}` };
    yield { row: type === 'capability' ? capabilityRow(value, spot) : evidenceRow(value, spot), value, spot };
  }
}

function capabilityRow(value: unknown, spot: Spot): CapabilityRow {
  const { capability, tool_names: toolNames } = parseShape(capabilityLine, value, spot);
  return { type: 'capability', capability, toolNames, state: parseShape(recordState, value, spot) };
}

function evidenceRow(value: unknown, spot: Spot): EvidenceRow {
  const { capability, chunk_id: chunkId, content, citations: proofs } = parseShape(evidenceLine, value, spot);
  return {
    ...{ type: 'evidence', capability, chunkId, proofs },
    usage: parseShape(usage, value, spot),
    cited: content === undefined ? null : parseShape(citedContent, value, spot),
  };
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
