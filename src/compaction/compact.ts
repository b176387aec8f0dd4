import { beginsLikeReceipt, CAPSULE_HEADER, RECEIPT } from '../ledger/carried.js';
import type { Ledger } from '../ledger/entry.js';
import { type EditedRecord, mergeEdits } from '../transcript/edited.js';
import { memberOf } from '../transcript/formats/values.js';
import { type ByteSource, readRange } from '../transcript/lines.js';
import type { OutlineMessage, OutlineResult } from '../transcript/outline.js';
import { findBoundary } from '../transcript/question.js';
import type { JsonStyle } from '../transcript/splice.js';
import type { Conversation } from '../transcript/transcript.js';
import { findAgreedBoundary } from './boundary.js';
import { capsuleWithin } from './budget.js';
import type { Capsule, CapsuleEvidence, CapsuleGroup, CapsulePicture } from './capsule.js';
import { planHistory, type ReturnPlan } from './history.js';
import { type LabelledPicture, pictureItem, placePictures } from './pictures.js';
import { lowerBoundary } from './recent.js';
import { checkRecords } from './record-check.js';
import { copyEdits, rewriteEdits } from './rewrite.js';
import type { CompactRules } from './rules.js';

/** What is known of a conversation when it is compacted. */
export interface CompactInput {
  readonly conversation: Conversation;
  readonly outline: readonly OutlineMessage[];
  /** Pictures with a text in front of them, in file order. */
  readonly pictures: readonly LabelledPicture[];
  readonly rules: CompactRules;
  readonly style: JsonStyle;
}

export interface CompactOptions {
  /** Compact as if a new question arrived at this position. */
  readonly boundary?: number | undefined;
  /** Everything from this position on stays in place, however much it is; by default `recent` finds it. */
  readonly keepFrom?: number | undefined;
  /** Shrink the copies of results that a record keeps for viewers. */
  readonly copies: boolean;
  /** About how many tokens of the newest earlier evidence stay in place. */
  readonly recent: number;
  /** About how many tokens a capsule may have; whole groups are given up for it, oldest first. */
  readonly budget?: number | undefined;
}

export interface EvidenceReturn {
  readonly message: OutlineMessage;
  readonly result: OutlineResult;
}

/** What a compaction does to one conversation. */
export interface Compaction {
  /** Where the current question begins. */
  readonly boundary: number;
  /** Everything from this position on stays in place. */
  readonly keepFrom: number;
  readonly returns: readonly ReturnPlan[];
  /** Evidence returns that stay as they are. */
  readonly kept: readonly EvidenceReturn[];
  readonly capsule: Capsule;
  /** Groups that the budget had no room for, oldest first. */
  readonly givenUp: readonly CapsuleGroup[];
  readonly edits: readonly EditedRecord[];
  readonly missingPictures: readonly CapsulePicture[];
  readonly warnings: readonly string[];
}

/**
 * Decides what of the earlier evidence stays and how the records change. Pure but for the bytes of kept pictures.
 * @throws RuleError when the ledger does not fit the transcript, lacks a record, or lacks a cited chunk's text.
 */
export function compactConversation(input: CompactInput, options: CompactOptions): Compaction {
  const { rules, outline, conversation, style } = input;
  const { format, source } = conversation.transcript;
  const { capabilities } = rules.ledger;
  const counted = { messages: outline.length, lastQuestion: findBoundary(outline) };
  const boundary = findAgreedBoundary(rules.ledger, counted, options.boundary);
  const keepFrom =
    options.keepFrom ??
    lowerBoundary({ outline, isEvidence: rules.isEvidence, textOf: rules.textOf }, boundary, options.recent);
  checkRecords(capabilities, outline, keepFrom);
  const evidence = capabilities.map(
    (one): CapsuleEvidence => ({
      capability: one.capability,
      occurrences: rules.earlierOccurrences(one, keepFrom),
      citations: one.citations,
    }),
  );
  const { capsule, givenUp } = capsuleWithin(evidence, options.budget);
  const pictures = placePictures(capsule.pictures, earlierPictures(input, keepFrom), format, (picture) =>
    chunkIdsOf(evidence, picture),
  );
  const plan = planHistory(outline, {
    boundary: keepFrom,
    isOwned: rules.isEvidence,
    hasCapsule: capsule.text !== '',
    keepsPicture: pictures.stays,
  });
  const pictureItems = pictures.moving.flatMap((placed) => pictureItem(source, placed, format, style));
  const textFor = rules.texts(plan, capsule.text, keepFrom, boundary);
  const edits = rewriteEdits(plan, { format, style, pictureItems, textFor });
  const copies = options.copies ? plan.returns.flatMap((one) => copyEdited(source, one, style)) : [];
  return {
    boundary,
    keepFrom,
    returns: plan.returns,
    kept: keptReturns(input, plan.returns),
    capsule,
    givenUp,
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

function keptReturns({ outline, rules }: CompactInput, planned: readonly ReturnPlan[]): EvidenceReturn[] {
  const replaced = new Set(planned.map(({ result }) => result));
  return outline.flatMap((message) =>
    message.results
      .filter((result) => !replaced.has(result) && rules.isEvidence(result, message))
      .map((result) => ({ message, result })),
  );
}

function copyEdited(source: ByteSource, { result }: ReturnPlan, style: JsonStyle): EditedRecord[] {
  return result.copies.map(({ record, at }) => {
    const value: unknown = JSON.parse(readRange(source, record.start, record.end).toString('utf8'));
    return { record, edits: copyEdits(at, at.reduce(memberOf, value), RECEIPT, style) };
  });
}

function chunkIdsOf(evidence: readonly CapsuleEvidence[], picture: CapsulePicture): string[] {
  const owner = evidence.filter(({ capability }) => capability === picture.capability);
  const citations = owner.flatMap(({ citations }) => [...citations.values()]);
  return citations
    .filter(({ documentId }) => documentId === picture.documentId)
    .map(({ chunkId }) => chunkId);
}

/** Cited text is never altered, but a reader could take a line in it for one of ours. */
export function misleadingLines(evidence: readonly CapsuleEvidence[], { groups }: Capsule): string[] {
  const texts = new Map(evidence.map(({ capability, citations }) => [capability, citations]));
  return groups.flatMap(({ entries }) =>
    entries
      .filter(({ capability, chunkId }) => {
        const content = texts.get(capability)?.get(chunkId)?.content ?? '';
        // All of ours begin with a bracket, which few texts have at the start of a line.
        return /^\[/m.test(content) && content.split('\n').some(readsLikeOurs);
      })
      .map(
        ({ chunkId }) =>
          `the text of [${chunkId}] has a line that looks like a capsule's own heading or entry`,
      ),
  );
}

/** Whether a line reads like our own: a heading, an entry, a receipt. */
function readsLikeOurs(line: string): boolean {
  if (line.startsWith(CAPSULE_HEADER) || beginsLikeReceipt(line)) return true;
  return /^(?:\[Cited evidence group \d+\]|\[[^\]\n]+\] Source: )/.test(line);
}

/** A ledger whose evidence was cited at all. */
export function citesAnything(ledger: Ledger): boolean {
  return ledger.capabilities.some(({ record }) =>
    [...record.occurrences.values()].some(({ citedInQuestions }) => citedInQuestions.length > 0),
  );
}
