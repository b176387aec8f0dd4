import { type CarriedChunk, isReceipt, readCapsule } from '../ledger/carried.js';
import { counted } from '../transcript/counts.js';
import { type MessageDraft, type Part, resultText } from '../transcript/message.js';
import { writeJson } from '../transcript/splice.js';

/** A part of a message that differs, as text. */
export interface Section {
  readonly title: string;
  /** Null on the side that has no such part. */
  readonly before: string | null;
  readonly after: string | null;
  readonly became: 'capsule' | 'receipt' | 'other';
  /** What the capsule keeps, in its order; none in another section. */
  readonly entries: readonly CarriedChunk[];
}

export interface SectionSide {
  readonly parts: MessageDraft['parts'];
  /** Of the results, in their order. */
  readonly resultTools: readonly (string | null)[];
}

const NOTHING: SectionSide = { parts: [], resultTools: [] };

/** The parts that differ between two messages; of a message that the other side does not have, all of them. */
export function sectionsOf(before: SectionSide | null, after: SectionSide | null): Section[] {
  const [left, right] = [shownParts(before ?? NOTHING), shownParts(after ?? NOTHING)];
  const length = Math.min(left.length, right.length);
  const isSame = (i: number, j: number): boolean =>
    left.at(i)?.title === right.at(j)?.title && left.at(i)?.text === right.at(j)?.text;
  let first = 0;
  while (first < length && isSame(first, first)) first += 1;
  let last = 0;
  while (last < length - first && isSame(-1 - last, -1 - last)) last += 1;
  return pairParts(left.slice(first, left.length - last), right.slice(first, right.length - last));
}

interface ShownPart {
  readonly kind: Part['kind'];
  readonly title: string;
  readonly text: string;
}

function shownParts({ parts, resultTools }: SectionSide): ShownPart[] {
  let results = 0;
  return parts.map((part) => {
    const tool = part.kind === 'tool-result' ? (part.tool ?? resultTools[results++] ?? null) : null;
    return { kind: part.kind, title: partTitle(part, tool), text: partText(part) };
  });
}

/** In their order; a part of another kind than the one that stands there is removed, and the other one added. */
function pairParts(left: readonly ShownPart[], right: readonly ShownPart[]): Section[] {
  const length = Math.max(left.length, right.length);
  return Array.from({ length }, (_, i) => i).flatMap((i) => {
    const [before, after] = [left[i], right[i]];
    if (before?.kind === after?.kind && before?.title === after?.title && before?.text === after?.text)
      return [];
    if (before === undefined || after === undefined || before.kind === after.kind)
      return [section(before, after)];
    return [section(before, undefined), section(undefined, after)];
  });
}

function section(before: ShownPart | undefined, after: ShownPart | undefined): Section {
  const entries = after?.kind === 'tool-result' ? (readCapsule(after.text)?.entries ?? []) : [];
  const receipt = after?.kind === 'tool-result' && isReceipt(after.text) ? 'receipt' : 'other';
  return {
    title: titleOf(before, after),
    before: before?.text ?? null,
    after: after?.text ?? null,
    became: entries.length > 0 ? 'capsule' : receipt,
    entries,
  };
}

function titleOf(before: ShownPart | undefined, after: ShownPart | undefined): string {
  if (before === undefined || after === undefined) return (before ?? after)?.title ?? '';
  return before.title === after.title ? before.title : `${before.title} → ${after.title}`;
}

function partTitle(part: Part, tool: string | null): string {
  switch (part.kind) {
    case 'text':
    case 'thinking':
    case 'image':
      return part.kind;
    case 'tool-call':
      return `call of ${part.tool}`;
    case 'tool-result':
      return `${part.isError ? 'error' : 'result'} of ${tool ?? 'an unknown tool'}${picturesText(part)}`;
    case 'file':
      return `file ${part.name ?? 'without a name'}`;
    case 'raw':
      return part.type;
  }
}

/** Without it, a result that lost its pictures would seem to be the same. */
function picturesText({ blocks }: Extract<Part, { kind: 'tool-result' }>): string {
  const count = pictureCount(blocks);
  return count === 0 ? '' : ` with ${counted(count, 'picture')}`;
}

export function pictureCount(blocks: readonly { readonly kind: string }[] | null): number {
  return blocks?.filter(({ kind }) => kind === 'image').length ?? 0;
}

/** A part as a person reads it: of a call its arguments, a line each; nothing of pictures, files and unknown parts. */
export function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return part.text;
    case 'tool-call':
      return typeof part.input === 'string' ? part.input : argumentLines(part.input);
    case 'tool-result':
      return resultText(part);
    case 'image':
    case 'file':
    case 'raw':
      return '';
  }
}

const SPACED = { escapesNonAscii: false, spaced: true };

/** Text that stands in an argument, such as a file to write, keeps its lines. */
function argumentLines(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return input === undefined ? '' : writeJson(input, SPACED);
  return Object.entries(input)
    .map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : writeJson(value ?? null, SPACED)}`,
    )
    .join('\n');
}
