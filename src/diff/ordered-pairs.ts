import { diffArrays } from 'diff';

/** The largest part of the pairs that keeps its order on both sides, by patience sorting. */
export function inOrder(pairs: ReadonlyMap<number, number>): Map<number, number> {
  const sorted = [...pairs].toSorted(([a], [b]) => a - b);
  const tails: number[] = []; // index into `sorted` of the pair that ends the best run of each length
  const previous: (number | undefined)[] = [];
  sorted.forEach(([, a], i) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[tails[middle] ?? 0]?.[1] ?? 0) < a) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? undefined : tails[low - 1]);
    tails[low] = i;
  });
  const kept: [number, number][] = [];
  for (let i = tails.at(-1); i !== undefined; i = previous[i]) {
    const pair = sorted[i];
    if (pair !== undefined) kept.push(pair);
  }
  return new Map(kept.toReversed());
}

/** Pairs in order with the largest sum of weights; 0 is no pair. */
export function heaviestPairs(
  rows: number,
  columns: number,
  weigh: (i: number, j: number) => number,
): [number, number][] {
  const width = columns + 1;
  const best = new Uint32Array((rows + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] ?? 0;
  const paired = (i: number, j: number): number => {
    const weight = weigh(i, j);
    return weight === 0 ? 0 : weight + at(i + 1, j + 1);
  };
  for (let i = rows - 1; i >= 0; i -= 1)
    for (let j = columns - 1; j >= 0; j -= 1)
      best[i * width + j] = Math.max(at(i + 1, j), at(i, j + 1), paired(i, j));
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (at(i, j) > 0 && at(i, j) === paired(i, j)) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(i, j) === at(i + 1, j)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Edits that are looked for between two long lists: a second at most, and tens of megabytes. */
const MOST_EDITS = 2_000;

/**
 * Equal items in order, as many as the shortest way from one list to the other keeps; of lists that are further apart,
 * those that stand at the same place.
 */
export function commonPairs<Item>(left: readonly Item[], right: readonly Item[]): [number, number][] {
  const changes = diffArrays([...left], [...right], { maxEditLength: MOST_EDITS });
  if (changes === undefined)
    return left.flatMap((item, i): [number, number][] =>
      i < right.length && item === right[i] ? [[i, i]] : [],
    );
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  for (const { count, added, removed } of changes) {
    if (!added && !removed) for (let k = 0; k < count; k += 1) pairs.push([i + k, j + k]);
    if (!added) i += count;
    if (!removed) j += count;
  }
  return pairs;
}
