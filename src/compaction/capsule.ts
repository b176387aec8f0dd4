import { CAPSULE_HEADER } from '../ledger/carried.js';
import type { CanonicalCitation } from '../ledger/entry.js';
import type { Occurrence } from '../ledger/record.js';
import { compareCodePoints } from '../transcript/code-points.js';
import { RuleError } from '../transcript/errors.js';

/** A picture of cited evidence. It belongs to the first chunk in capsule order that refers to it. */
export interface CapsulePicture {
  readonly capability: string;
  readonly chunkId: string;
  readonly documentId: string;
  readonly selfRef: string;
  /** The text that goes in front of the picture, without the machine tag. */
  readonly label: string;
}

/** The chunks that were last cited by one question, in capsule order. */
export interface CapsuleGroup {
  readonly question: number;
  readonly entries: readonly { readonly capability: string; readonly chunkId: string }[];
}

export interface Capsule {
  /** Empty when nothing was cited. */
  readonly text: string;
  readonly pictures: readonly CapsulePicture[];
  /** Newest question first: the order of the group numbers in the text. */
  readonly groups: readonly CapsuleGroup[];
}

/** One capability's evidence, both maps by chunk id. */
export interface CapsuleEvidence {
  readonly capability: string;
  readonly occurrences: ReadonlyMap<string, Occurrence>;
  readonly citations: ReadonlyMap<string, CanonicalCitation>;
}

interface Entry {
  readonly capability: string;
  readonly chunkId: string;
  readonly question: number;
  readonly citation: CanonicalCitation;
}

/**
 * The capsule of all cited evidence: each chunk once, whole, under the newest question that cited it. Throws
 * `RuleError` for the first cited chunk, in the given order, that has no canonical citation. Text and order are pinned
 * by the `capsule.jsonl` vectors.
 */
export function buildCapsule(evidence: readonly CapsuleEvidence[]): Capsule {
  const entries = evidence.flatMap(citedEntries).toSorted(compareEntries);
  const groups = groupByQuestion(entries);
  return {
    text: renderText(groups),
    pictures: collectPictures(entries),
    groups: groups.map((group) => ({
      question: group.question,
      entries: group.entries.map(({ capability, chunkId }) => ({ capability, chunkId })),
    })),
  };
}

function citedEntries({ capability, occurrences, citations }: CapsuleEvidence): Entry[] {
  const entries: Entry[] = [];
  for (const [chunkId, { citedInQuestions }] of occurrences) {
    if (citedInQuestions.length === 0) continue;
    const citation = citations.get(chunkId);
    if (citation === undefined) throw missingCitation(capability, chunkId, citedInQuestions);
    const question = citedInQuestions.reduce((newest, other) => Math.max(newest, other));
    entries.push({ capability, chunkId, question, citation });
  }
  return entries;
}

function missingCitation(capability: string, chunkId: string, questions: readonly number[]): RuleError {
  return new RuleError(
    'ValueError',
    `${capability} cited ${chunkId} in question(s) [${questions.join(', ')}] but has no citation record for it, ` +
      'so its content cannot be retained.',
  );
}

function compareEntries(a: Entry, b: Entry): number {
  return (
    b.question - a.question ||
    compareCodePoints(a.capability, b.capability) ||
    compareCodePoints(a.chunkId, b.chunkId)
  );
}

function groupByQuestion(entries: readonly Entry[]): { question: number; entries: readonly Entry[] }[] {
  const groups = new Map<number, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.question);
    if (group === undefined) groups.set(entry.question, [entry]);
    else group.push(entry);
  }
  return [...groups].map(([question, members]) => ({ question, entries: members }));
}

function renderText(groups: readonly { readonly entries: readonly Entry[] }[]): string {
  if (groups.length === 0) return '';
  const blocks = groups.flatMap((group, i) => [
    `[Cited evidence group ${i + 1}]`,
    ...group.entries.map(renderEntry),
  ]);
  return [CAPSULE_HEADER, ...blocks].join('\n\n');
}

function renderEntry({ chunkId, citation }: Entry): string {
  return `[${chunkId}] Source: ${renderSource(citation)}\n${citation.content}`;
}

function renderSource({ documentTitle, documentUri }: CanonicalCitation): string {
  if (documentTitle === null || documentTitle === '') return documentUri;
  if (documentUri === '' || documentUri === documentTitle) return `"${documentTitle}"`;
  return `"${documentTitle}" (${documentUri})`;
}

function collectPictures(entries: readonly Entry[]): CapsulePicture[] {
  const pictures = new Map<string, CapsulePicture>();
  for (const { capability, chunkId, citation } of entries) {
    for (const selfRef of citation.pictureRefs) {
      // As JSON, because joined plain text would make one picture of ("D#", "/p") and ("D", "#/p").
      const identity = JSON.stringify([capability, citation.documentId, selfRef]);
      if (pictures.has(identity)) continue;
      const label = pictureLabel(chunkId, selfRef);
      pictures.set(identity, { capability, chunkId, documentId: citation.documentId, selfRef, label });
    }
  }
  return [...pictures.values()];
}

function pictureLabel(chunkId: string, selfRef: string): string {
  return (
    `Page image retrieved from the knowledge base for cited evidence [${chunkId}] (${selfRef}). ` +
    'Not provided by the user.'
  );
}
