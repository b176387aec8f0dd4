import type { ChunkStore } from './chunk-store.js';
import type { CitedLines } from './citable.js';
import { type LineSpan, splitPassages } from './passages.js';
import type { RetrievedResult } from './results.js';

/** Cited lines with at most this many others between them are one passage. */
const BRIDGED_LINES = 2;

/** The ids of the chunks that hold lines of a result. */
export type ChunkAt = (cited: CitedLines) => string[];

/**
 * Cuts the results into chunks: items of structured results as they are; other results at natural seams and around
 * what is cited, so that a cited passage is no longer than what was cited of it.
 * @returns a function from cited lines to the ids of the chunks that hold them
 */
export function cutChunks(
  results: readonly RetrievedResult[],
  isLive: (result: RetrievedResult) => boolean,
  cited: readonly CitedLines[],
  store: ChunkStore,
): ChunkAt {
  const citedByResult = new Map<number, CitedLines[]>();
  for (const one of cited) {
    const list = citedByResult.get(one.result);
    if (list === undefined) citedByResult.set(one.result, [one]);
    else list.push(one);
  }
  claimIds(results.filter(isLive), store);
  const pieces = results.map((result, i) =>
    isLive(result) ? cutResult(result, citedByResult.get(i) ?? [], store) : [],
  );
  return ({ result, first, last }) => piecesOf(pieces[result] ?? [], first, last).map(({ id }) => id);
}

/** The pieces with lines from `first` to `last`. They ascend, and a long result has very many. */
function piecesOf(pieces: readonly Piece[], first: number, last: number): Piece[] {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.last ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((pieces[end]?.first ?? Number.POSITIVE_INFINITY) <= last) end += 1;
  return pieces.slice(low, end);
}

/** Entries of a capsule keep their ids, because answers use them; of several texts under one id the newest has it. */
function claimIds(results: readonly RetrievedResult[], store: ChunkStore): void {
  const items = results.flatMap((result) => result.items ?? []).reverse();
  const carried = items.filter(({ draft }) => 'group' in draft);
  for (const { draft } of [...carried, ...items])
    if (draft.ownId !== null) store.claim(draft.ownId, draft.content);
}

interface Piece extends LineSpan {
  readonly id: string;
}

function cutResult(result: RetrievedResult, cited: readonly CitedLines[], store: ChunkStore): Piece[] {
  if (result.items !== null) {
    return result.items.map(({ draft, first, last }, i) => ({
      id: store.addItem(result, draft, i),
      first,
      last,
    }));
  }
  const { text, lines } = result;
  const whole = text.read();
  const pieces: Piece[] = [];
  let start = 0; // UTF-16 units
  for (const span of splitPassages(lines, passageCuts(cited))) {
    const { first, last } = span;
    let end = start - 1;
    for (let number = first; number <= last; number++) end += (lines[number - 1] ?? '').length + 1;
    const content = whole.slice(start, end);
    if (content.trim() !== '') {
      const id = store.addPassage(result, span, content, text.part(start, end));
      pieces.push({ first, last, id });
    }
    start = end + 1;
  }
  return pieces;
}

/** Where passages begin because of citations: at the first cited line of a group, and behind its last one. */
function passageCuts(cited: readonly LineSpan[]): Set<number> {
  const cuts = new Set<number>();
  let open: { first: number; last: number } | undefined;
  for (const { first, last } of cited.toSorted((a, b) => a.first - b.first || a.last - b.last)) {
    if (open !== undefined && first <= open.last + 1 + BRIDGED_LINES) {
      open.last = Math.max(open.last, last);
      continue;
    }
    if (open !== undefined) cuts.add(open.first).add(open.last + 1);
    open = { first, last };
  }
  if (open !== undefined) cuts.add(open.first).add(open.last + 1);
  return cuts;
}
