import { RECEIPT } from '../ledger/carried.js';
import type { Ledger, LedgerCapability } from '../ledger/entry.js';
import { type EditedRecord, mergeEdits } from '../transcript/edited.js';
import { field } from '../transcript/formats/values.js';
import { type ByteSource, readRange } from '../transcript/lines.js';
import type { OutlineMessage, OutlineResult } from '../transcript/outline.js';
import type { JsonStyle } from '../transcript/splice.js';
import type { Conversation } from '../transcript/transcript.js';
import { findAgreedBoundary } from './boundary.js';
import { buildCapsule, type Capsule, type CapsuleEvidence, type CapsulePicture } from './capsule.js';
import { planHistory, type ReturnPlan } from './history.js';
import { type LabelledPicture, pictureItem, placePictures } from './pictures.js';
import { checkRecords } from './record-check.js';
import { copyEdits, rewriteEdits } from './rewrite.js';

/** What is known of a conversation when it is compacted. */
export interface CompactInput {
  readonly conversation: Conversation;
  readonly outline: readonly OutlineMessage[];
  /** Pictures with a text in front of them, in file order. */
  readonly pictures: readonly LabelledPicture[];
  readonly ledger: Ledger;
  /** Which results are evidence; by the ledger's tool names when the ledger was given. */
  readonly isEvidence: (result: OutlineResult, message: OutlineMessage) => boolean;
  /** Chunks whose returns stay where they are, so that no capsule has to carry them. */
  readonly staysInPlace: (chunkId: string, boundary: number) => boolean;
  readonly style: JsonStyle;
}

export interface CompactOptions {
  /** Compact as if a new question arrived at this position. */
  readonly boundary?: number | undefined;
  /** Shrink the copies of results that a record keeps for viewers. */
  readonly copies: boolean;
}

export interface EvidenceReturn {
  readonly message: OutlineMessage;
  readonly result: OutlineResult;
}

/** What a compaction does to one conversation. */
export interface Compaction {
  readonly boundary: number;
  readonly returns: readonly ReturnPlan[];
  /** Evidence returns that stay as they are. */
  readonly kept: readonly EvidenceReturn[];
  readonly capsule: Capsule;
  readonly edits: readonly EditedRecord[];
  readonly missingPictures: readonly CapsulePicture[];
  readonly warnings: readonly string[];
}

/**
 * Decides what of the earlier evidence stays and how the records change. Pure but for the bytes of kept pictures.
 * @throws RuleError when the ledger does not fit the transcript, lacks a record, or lacks a cited chunk's text.
 */
export function compactConversation(input: CompactInput, options: CompactOptions): Compaction {
  const { ledger, outline, conversation, style } = input;
  const { format, source } = conversation.transcript;
  const boundary = findAgreedBoundary(ledger, outline, options.boundary);
  checkRecords(ledger.capabilities, outline, boundary);
  const evidence = ledger.capabilities.map((capability) =>
    earlierEvidence(capability, (chunkId) => input.staysInPlace(chunkId, boundary)),
  );
  const capsule = buildCapsule(evidence);
  const pictures = placePictures(capsule.pictures, earlierPictures(input, boundary), format, (picture) =>
    chunkIdsOf(evidence, picture),
  );
  const plan = planHistory(outline, {
    boundary,
    isOwned: input.isEvidence,
    hasCapsule: capsule.text !== '',
    keepsPicture: pictures.stays,
  });
  const pictureItems = pictures.moving.flatMap((placed) => pictureItem(source, placed, format, style));
  const edits = rewriteEdits(plan, {
    format,
    style,
    capsule: { text: capsule.text, pictureItems },
    receiptFor: () => RECEIPT,
  });
  const copies = options.copies ? plan.returns.flatMap((one) => copyEdited(source, one, style)) : [];
  return {
    boundary,
    returns: plan.returns,
    kept: keptReturns(input, plan.returns),
    capsule,
    edits: mergeEdits([...edits, ...copies]),
    missingPictures: pictures.missing,
    warnings: misleadingLines(evidence, capsule),
  };
}

/** The labelled pictures below the boundary, on the path. */
function earlierPictures({ outline, pictures }: CompactInput, boundary: number): LabelledPicture[] {
  const earlier = new Set(
    outline
      .filter(({ isOnPath, position }) => isOnPath && position < boundary)
      .map(({ position }) => position),
  );
  return pictures.filter(({ position }) => earlier.has(position));
}

function keptReturns(
  { outline, isEvidence }: CompactInput,
  planned: readonly ReturnPlan[],
): EvidenceReturn[] {
  const replaced = new Set(planned.map(({ result }) => result));
  return outline.flatMap((message) =>
    message.results
      .filter((result) => !replaced.has(result) && isEvidence(result, message))
      .map((result) => ({ message, result })),
  );
}

function copyEdited(source: ByteSource, { message, result }: ReturnPlan, style: JsonStyle): EditedRecord[] {
  const { record } = message;
  if (result.copyAt === null) return [];
  const value: unknown = JSON.parse(readRange(source, record.start, record.end).toString('utf8'));
  const copy = result.copyAt.reduce<unknown>((inside, key) => field(inside, String(key)), value);
  return [{ record, edits: copyEdits(result.copyAt, copy, RECEIPT, style) }];
}

/** A capability's evidence without the chunks that still stand in their returns. */
function earlierEvidence(
  { capability, record, citations }: LedgerCapability,
  staysInPlace: (chunkId: string) => boolean,
): CapsuleEvidence {
  const earlier = [...record.occurrences].filter(([chunkId]) => !staysInPlace(chunkId));
  return { capability, occurrences: new Map(earlier), citations };
}

function chunkIdsOf(evidence: readonly CapsuleEvidence[], picture: CapsulePicture): string[] {
  const owner = evidence.filter(({ capability }) => capability === picture.capability);
  const citations = owner.flatMap(({ citations }) => [...citations.values()]);
  return citations
    .filter(({ documentId }) => documentId === picture.documentId)
    .map(({ chunkId }) => chunkId);
}

/** Lines that read like our own: a heading, an entry, a receipt. */
const CAPSULE_LIKE =
  /^(?:\[Evidence (?:cited earlier|retrieved for an earlier question)|\[Cited evidence group \d+\]|\[[^\]\n]+\] Source: )/m;

/** Cited text is never altered, but a reader could take a line in it for one of ours. */
function misleadingLines(evidence: readonly CapsuleEvidence[], { groups }: Capsule): string[] {
  const texts = new Map(evidence.map(({ capability, citations }) => [capability, citations]));
  return groups.flatMap(({ entries }) =>
    entries
      .filter(({ capability, chunkId }) =>
        CAPSULE_LIKE.test(texts.get(capability)?.get(chunkId)?.content ?? ''),
      )
      .map(
        ({ chunkId }) =>
          `the text of [${chunkId}] has a line that looks like a capsule's own heading or entry`,
      ),
  );
}

/** A ledger whose evidence was cited at all. */
export function citesAnything(ledger: Ledger): boolean {
  return ledger.capabilities.some(({ record }) =>
    [...record.occurrences.values()].some(({ citedInQuestions }) => citedInQuestions.length > 0),
  );
}
