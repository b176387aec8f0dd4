import { compareCodePoints } from '../transcript/code-points.js';
import type { ChunkDraft, ChunkSource } from './chunks.js';

/** The first line of every capsule (vectors/capsule.jsonl). */
export const CAPSULE_HEADER =
  '[Evidence cited earlier in this conversation, kept so later questions can rely on it. ' +
  'Cite these chunk_ids directly when you use them.]';

/** What stands in place of a return that is no longer shown (vectors/history.jsonl). */
export const RECEIPT =
  '[Evidence retrieved for an earlier question, no longer shown. It does not count as cited for the current question.]';

/** The same for evidence of a derived ledger, whose receipts are ours to word: shorter, because there are many. */
export const UNSHOWN = '[Earlier evidence, no longer shown; not cited now.]';

/** Stands before the lines that a receipt keeps of a return. */
export const SHORTENED = '[Earlier evidence, shortened to lines that name something; not cited now.]';

/** The end of a receipt that says where the original stands. */
const ADDRESS = /\nthread show FILE(?: --conversation \d+)? \d+\.\d+$/;

/**
 * True for a result that an earlier compaction left a receipt of: it is no evidence. What only begins like one holds
 * something besides, which must not be taken for dropped.
 */
export function isReceipt(text: string): boolean {
  const body = text.replace(ADDRESS, '');
  return body === RECEIPT || body === UNSHOWN || body === SHORTENED || body.startsWith(`${SHORTENED}\n`);
}

/** Whether a line of a text reads like the first one of a receipt. */
export function beginsLikeReceipt(line: string): boolean {
  return [RECEIPT, UNSHOWN, SHORTENED].some((beginning) => line.startsWith(beginning));
}

/** An entry of a capsule that already stands in a transcript. */
export interface CarriedChunk extends ChunkDraft {
  readonly ownId: string;
  /** The line above its text. */
  readonly heading: string;
  /** 1 is the group of the newest citing question. */
  readonly group: number;
  /** How many groups the capsule has. */
  readonly groups: number;
  /** Counts up where ids do not ascend within a group: the entries of another capability begin there. */
  readonly series: number;
}

/** A capsule that already stands in a transcript. */
export interface CarriedCapsule {
  readonly entries: readonly CarriedChunk[];
  /** The receipt of the return that carries it, which stands behind a capsule of a derived ledger; '' without one. */
  readonly receipt: string;
}

/**
 * Reads a capsule; undefined when the text is none. Building a capsule of its entries again, in their groups, gives the
 * same text; a line in an entry that looks like a heading makes two entries of it, and nothing is lost.
 */
export function readCapsule(text: string): CarriedCapsule | undefined {
  if (!text.startsWith(`${CAPSULE_HEADER}\n\n`)) return undefined;
  const entries = readEntries(text);
  const last = entries?.at(-1);
  if (entries === undefined || last === undefined) return undefined;
  const [content, receipt] = splitReceipt(last.content);
  return { entries: [...entries.slice(0, -1), { ...last, content }], receipt };
}

/** A receipt is the last paragraph. */
function splitReceipt(text: string): [before: string, receipt: string] {
  const end = text.lastIndexOf('\n\n');
  const paragraph = end < 0 ? '' : text.slice(end + 2);
  const isOurs = [UNSHOWN, SHORTENED].some((beginning) => paragraph.startsWith(beginning));
  return isOurs ? [text.slice(0, end), paragraph] : [text, ''];
}

/** An entry's heading, with that of the group which it begins. */
const HEADING = /\n\n(?:(\[Cited evidence group (\d{1,15})\])\n\n)?\[([^\n]+?)\] Source: ([^\n]*)\n/g;

function readEntries(text: string): CarriedChunk[] | undefined {
  const headings = [...text.matchAll(HEADING)];
  if (headings[0]?.index !== CAPSULE_HEADER.length || headings[0][2] !== '1') return undefined;
  let [group, series, before] = [0, 0, ''];
  const placed = headings.map(
    ({ 0: whole, 1: mark = '', 2: number, 3: ownId = '', 4: source = '', index }) => {
      const beginsGroup = number === String(group + 1);
      if (beginsGroup) [group, series] = [group + 1, 0];
      else if (compareCodePoints(before, ownId) >= 0) series += 1;
      before = ownId;
      // Groups count from 1: a heading with another number is text of the entry before it.
      const above = beginsGroup || mark === '' ? index : index + mark.length + 2;
      const heading = `[${ownId}] Source: ${source}`;
      const start = index + whole.length;
      return { ownId, heading, source: readSourceLine(source), group, series, above, start };
    },
  );
  const groups = group;
  return placed.map(({ ownId, heading, source, group, series, start }, i) => {
    const content = text.slice(start, placed[i + 1]?.above);
    return { ownId, heading, label: null, content, source, pictureRefs: [], group, groups, series };
  });
}

/**
 * The entries with an id of their own. Of several headings with one id at most one is a heading and the others are text
 * that imitates it: such a one becomes the text of the entry before it again, as it stands, unless it begins a group.
 */
export function distinctEntries(entries: readonly CarriedChunk[]): CarriedChunk[] {
  const isFirst = (i: number): boolean => entries[i]?.group !== entries[i - 1]?.group;
  const taken = new Set(entries.flatMap(({ ownId }, i) => (isFirst(i) ? [ownId] : [])));
  const distinct: { readonly entry: CarriedChunk; readonly texts: string[] }[] = [];
  entries.forEach((entry, i) => {
    const before = distinct.at(-1);
    if (before !== undefined && !isFirst(i) && taken.has(entry.ownId))
      before.texts.push(`${entry.heading}\n${entry.content}`);
    else distinct.push({ entry, texts: [entry.content] });
    taken.add(entry.ownId);
  });
  return distinct.map(({ entry, texts }) => ({ ...entry, content: texts.join('\n\n') }));
}

/** `"title" (uri)`, `"title"` or `uri`, so that writing it again gives the same line. */
function readSourceLine(line: string): ChunkSource {
  const [title, uri] = splitSource(line);
  // A title that equals its uri would be written without it.
  if (title === '' || title === uri) return { documentId: line, uri: line, title: null };
  return { documentId: uri || (title ?? ''), uri, title };
}

/**
 * The title and the uri of a source line: `"title" (uri)`, `"title"`, or the uri alone, whose title is null. By index,
 * because a pattern with two open ends takes quadratic time on a line of quotes.
 */
export function splitSource(line: string): [title: string | null, uri: string] {
  if (!line.startsWith('"') || line.length < 2) return [null, line];
  const between = line.lastIndexOf('" (');
  if (line.endsWith(')') && between > 0 && between + 3 < line.length - 1)
    return [line.slice(1, between), line.slice(between + 3, -1)];
  return line.endsWith('"') ? [line.slice(1, -1), ''] : [null, line];
}
