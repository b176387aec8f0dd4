import { diffWordsWithSpace } from 'diff';
import { sharedEnds } from './line-diff.js';

/** A piece of a line; `isChanged` where the other line has something else. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface WordDiff {
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
}

/** Longer lines are compared from their two ends only. */
const LONGEST_LINE = 20_000;
const MOST_EDITS = 300;

/** What differs between two lines, by words; undefined for lines that have too little in common to be compared. */
export function diffWords(before: string, after: string): WordDiff | undefined {
  const isLong = Math.max(before.length, after.length) > LONGEST_LINE;
  const changes = isLong ? undefined : diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (changes === undefined) return orUndefined(betweenEnds(before, after));
  return orUndefined({
    before: changes
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, isChanged: removed })),
    after: changes
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, isChanged: added })),
  });
}

function betweenEnds(before: string, after: string): WordDiff {
  const [first, last] = wholeCharacters(before, after, sharedEnds(before, after));
  const cut = (text: string): Piece[] =>
    [
      { text: text.slice(0, first), isChanged: false },
      { text: text.slice(first, text.length - last), isChanged: true },
      { text: text.slice(text.length - last), isChanged: false },
    ].filter(({ text: piece }) => piece !== '');
  return { before: cut(before), after: cut(after) };
}

/** No piece begins or ends inside a pair of surrogates. */
function wholeCharacters(before: string, after: string, [first, last]: [number, number]): [number, number] {
  const isHigh = /[\ud800-\udbff]$/.test(before.slice(0, first));
  const isLow = [before, after].some((text) => /^[\udc00-\udfff]/.test(text.slice(text.length - last)));
  return [isHigh ? first - 1 : first, isLow && last > 0 ? last - 1 : last];
}

/** Below this share of what both have in common, marks would only be noise. */
const LEAST_SHARED = 0.3;

function orUndefined(diff: WordDiff): WordDiff | undefined {
  const shared = (pieces: readonly Piece[]): number => lengthOf(pieces.filter(({ isChanged }) => !isChanged));
  const longer = Math.max(lengthOf(diff.before), lengthOf(diff.after));
  return Math.max(shared(diff.before), shared(diff.after)) >= LEAST_SHARED * longer ? diff : undefined;
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.trim().length, 0);
}
