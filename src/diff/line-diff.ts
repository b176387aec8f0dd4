import { diffArrays } from 'diff';

/** A run of lines: on both sides, or what stands on one side in place of what stands on the other. */
export type LineRun =
  | { readonly kind: 'same'; readonly lines: readonly string[] }
  | { readonly kind: 'replaced'; readonly removed: readonly string[]; readonly added: readonly string[] };

export interface LineDiff {
  readonly runs: readonly LineRun[];
  /** False for texts that differ in too much to be compared line by line: all between their ends is replaced. */
  readonly isComplete: boolean;
}

/** The shortest way from one text to the other by whole lines, in bounded time and memory. */
export function diffLines(before: string, after: string): LineDiff {
  const [left, right] = [linesOf(before), linesOf(after)];
  const [first, last] = sharedEnds(left, right);
  const [oldLines, newLines] = [
    left.slice(first, left.length - last),
    right.slice(first, right.length - last),
  ];
  const between = diffArrays(oldLines, newLines, {
    maxEditLength: editLimit(oldLines.length, newLines.length),
  });
  const runs = between === undefined ? [replaced(oldLines, newLines)] : joinChanges(between);
  const same = (lines: readonly string[]): LineRun => ({ kind: 'same', lines });
  return {
    runs: [same(left.slice(0, first)), ...runs, same(left.slice(left.length - last))].filter(isFilled),
    isComplete: between !== undefined,
  };
}

/** An empty text has no line, and a line end closes one. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** How many items two lists have alike at their beginning, and then at their end. */
export function sharedEnds<Item>(
  left: ArrayLike<Item>,
  right: ArrayLike<Item>,
): [first: number, last: number] {
  const length = Math.min(left.length, right.length);
  let first = 0;
  while (first < length && left[first] === right[first]) first += 1;
  let last = 0;
  while (last < length - first && left[left.length - 1 - last] === right[right.length - 1 - last]) last += 1;
  return [first, last];
}

/** Steps that a comparison may take: a fraction of a second, and tens of megabytes. */
const MOST_STEPS = 1_000_000;

/** Each edit looks at no more places than twice the shorter text has lines, and than there were edits. */
function editLimit(before: number, after: number): number {
  return Math.max(
    Math.floor(Math.sqrt(MOST_STEPS)),
    Math.floor(MOST_STEPS / (2 * Math.min(before, after) + 1)),
  );
}

interface Change {
  readonly value: readonly string[];
  readonly added: boolean;
  readonly removed: boolean;
}

function joinChanges(changes: readonly Change[]): LineRun[] {
  const runs: LineRun[] = [];
  for (const { value, added, removed } of changes) {
    const last = runs.at(-1);
    if (!added && !removed) runs.push({ kind: 'same', lines: value });
    else if (last?.kind === 'replaced')
      runs[runs.length - 1] = replaced(
        removed ? [...last.removed, ...value] : last.removed,
        added ? [...last.added, ...value] : last.added,
      );
    else runs.push(replaced(removed ? value : [], added ? value : []));
  }
  return runs;
}

function replaced(removed: readonly string[], added: readonly string[]): LineRun {
  return { kind: 'replaced', removed, added };
}

function isFilled(run: LineRun): boolean {
  return run.kind === 'same' ? run.lines.length > 0 : run.removed.length + run.added.length > 0;
}
