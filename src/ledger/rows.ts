import type { JsonObject } from '../transcript/formats/values.js';
import { isObject } from '../transcript/formats/values.js';
import type { CanonicalCitation, CitationProof, Ledger, LedgerCapability } from './entry.js';
import type { EvidenceRecord, Occurrence } from './record.js';
import { fieldError, type Spot } from './spot.js';

/** What one line of a ledger says. */
export type LedgerRow = CapabilityRow | EvidenceRow;

export interface CapabilityRow {
  readonly type: 'capability';
  readonly capability: string;
  readonly toolNames: readonly string[];
  readonly state: Omit<EvidenceRecord, 'occurrences'>;
}

export interface EvidenceRow {
  readonly type: 'evidence';
  readonly capability: string;
  readonly chunkId: string;
  readonly usage: Pick<Occurrence, 'retrievedInQuestions' | 'citedInQuestions'>;
  /** Null for a line without content. */
  readonly cited: Omit<CanonicalCitation, 'chunkId'> | null;
  readonly proofs: readonly CitationProof[];
}

/** A row, the value that it was read from, and where that stands. */
export interface PlacedRow {
  readonly row: LedgerRow;
  readonly value: unknown;
  readonly spot: Spot;
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

/**
 * The ledger of some rows, in any order. Throws an `InputError` for a second row about the same capability or chunk, and
 * for evidence of a capability that has no row.
 */
export function assembleLedger(rows: Iterable<PlacedRow>, file: string): Ledger {
  const owners = new Map<string, Owner>();
  for (const { row, value, spot } of rows) {
    if (row.type === 'capability') addHeader(owners, row, value, spot);
    else addEvidence(owners, row, value, spot);
  }
  return { capabilities: [...owners].map(([capability, owner]) => toCapability(capability, owner, file)) };
}

function addHeader(owners: Map<string, Owner>, row: CapabilityRow, value: unknown, spot: Spot): void {
  const { capability, toolNames, state } = row;
  const owner = findOwner(owners, capability);
  requireNew(owner.header?.line, JSON.stringify(capability), { ...spot, path: `${spot.path}.capability` });
  owner.header = { line: spot.line, toolNames, state, unknown: unknownFields(value, CAPABILITY_FIELDS) };
}

function addEvidence(owners: Map<string, Owner>, row: EvidenceRow, value: unknown, spot: Spot): void {
  const { capability, chunkId, usage, cited, proofs } = row;
  const owner = findOwner(owners, capability);
  const what = `${JSON.stringify(chunkId)} of ${JSON.stringify(capability)}`;
  requireNew(owner.lines.get(chunkId), what, { ...spot, path: `${spot.path}.chunk_id` });
  owner.lines.set(chunkId, spot.line);
  owner.occurrences.set(chunkId, { chunkId, capability, ...usage });
  if (cited !== null) owner.citations.set(chunkId, { chunkId, ...cited });
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
