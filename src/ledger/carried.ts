import { compareCodePoints } from '../transcript/code-points.js';
import type { ChunkDraft, ChunkSource } from './chunks.js';

/** The first line of every capsule (vectors/capsule.jsonl). */
export const CAPSULE_HEADER =
  '[Evidence cited earlier in this conversation, kept so later questions can rely on it. ' +
  'Cite these chunk_ids directly when you use them.]';

/** What stands in place of a return that is no longer shown (vectors/history.jsonl). */
export const RECEIPT =
  '[Evidence retrieved for an earlier question, no longer shown. It does not count as cited for the current question.]';

/** True for a result that an earlier compaction left a receipt of: it is no evidence. */
export function isReceipt(text: string): boolean {
  return text.startsWith(RECEIPT);
}

/** An entry of a capsule that already stands in a transcript. */
export interface CarriedChunk extends ChunkDraft {
  readonly ownId: string;
  /** 1 is the group of the newest citing question. */
  readonly group: number;
  /** Counts up where ids do not ascend within a group: the entries of another capability begin there. */
  readonly series: number;
}

/**
 * The entries of a capsule, or undefined when the text is none. Building a capsule of them again, in their groups,
 * gives the same text; a line in an entry that looks like a heading makes two entries of it, and nothing is lost.
 */
export function carriedChunks(text: string): CarriedChunk[] | undefined {
  if (!text.startsWith(`${CAPSULE_HEADER}\n\n`)) return undefined;
  return splitGroups(text).flatMap((body, i) => groupEntries(body, i + 1));
}

/** Group headings count from 1; another number is text. */
function splitGroups(text: string): string[] {
  const bodies: string[] = [];
  const headingAt = (number: number, from: number): number =>
    text.indexOf(`\n\n[Cited evidence group ${number}]\n\n`, from);
  for (let number = 1, at = headingAt(1, CAPSULE_HEADER.length); at >= 0; number++) {
    const start = at + `\n\n[Cited evidence group ${number}]\n\n`.length;
    at = headingAt(number + 1, start);
    bodies.push(text.slice(start, at < 0 ? undefined : at));
  }
  return bodies;
}

const ENTRY_HEADING = /(?:^|\n\n)\[(.+?)\] Source: (.*)(?:\n|$)/g;

function groupEntries(body: string, group: number): CarriedChunk[] {
  const headings = [...body.matchAll(ENTRY_HEADING)];
  let series = 0;
  return headings.map((heading, i): CarriedChunk => {
    const [whole, ownId = '', source = ''] = heading;
    const before = headings[i - 1]?.[1];
    if (before !== undefined && !isAscending(before, ownId)) series += 1;
    const content = body.slice(heading.index + whole.length, headings[i + 1]?.index);
    return { ownId, label: null, content, source: readSourceLine(source), pictureRefs: [], group, series };
  });
}

function isAscending(before: string, id: string): boolean {
  return compareCodePoints(before, id) <= 0;
}

/** `"title" (uri)`, `"title"` or `uri`, so that writing it again gives the same line. */
function readSourceLine(line: string): ChunkSource {
  const quoted = /^"(.+)" \((.+)\)$/.exec(line) ?? /^"(.+)"()$/.exec(line);
  const [title, uri] = quoted === null ? [null, line] : [quoted[1] ?? '', quoted[2] ?? ''];
  return { documentId: uri || (title ?? ''), uri, title };
}
