import { commonPairs, heaviestPairs, inOrder } from './ordered-pairs.js';

/** What a message is known by when two transcripts are aligned. */
export interface Alignable {
  readonly role: string;
  readonly id: string | null;
  readonly callIds: string | null;
  readonly content: string;
}

/** One place of an alignment; the numbers are indices into the two lists. */
export type Slot =
  | { readonly kind: 'pair'; readonly before: number; readonly after: number; readonly isMoved: boolean }
  | { readonly kind: 'removed'; readonly before: number }
  | { readonly kind: 'added'; readonly after: number };

/**
 * Aligns two lists of messages: by position where both begin and end alike, then by what identifies a message (its id,
 * the ids of its calls, its role and content) wherever that occurs once on each side, then by role and order in what
 * is left between. Identified messages that stand in another order are moved. Takes n log n steps, and bounded ones for
 * each gap.
 */
export function alignMessages(before: readonly Alignable[], after: readonly Alignable[]): Slot[] {
  const partners = new Map<number, number>();
  const rest = trimEnds(whole(before, after), before, after, partners);
  for (const key of IDENTITIES) pairByKey(key, rest, before, after, partners);
  const settled = inOrder(partners);
  const moved = [...partners].filter(([b]) => !settled.has(b));
  const taken = { before: new Set(moved.map(([b]) => b)), after: new Set(moved.map(([, a]) => a)) };
  const placed = new Map(settled);
  for (const gap of gapsBetween(settled, before.length, after.length, taken))
    pairGap(gap, before, after, placed);
  return slots(before.length, after.length, placed, new Map(moved));
}

type Key = (message: Alignable) => string | null;

const IDENTITIES: readonly Key[] = [
  ({ id }) => id,
  ({ callIds, role }) => (callIds === null ? null : `${role} ${callIds}`),
  ({ content }) => content,
];

/** Indices of messages of each side, ascending. */
interface Range {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

function whole(before: readonly unknown[], after: readonly unknown[]): Range {
  return { before: [...before.keys()], after: [...after.keys()] };
}

/** Pairs what is alike from both ends of a range, and gives back what is left. */
function trimEnds(
  range: Range,
  before: readonly Alignable[],
  after: readonly Alignable[],
  pairs: Map<number, number>,
): Range {
  const shorter = Math.min(range.before.length, range.after.length);
  const pairAt = (fromB: number, fromA: number): boolean => {
    const [b, a] = [range.before.at(fromB), range.after.at(fromA)];
    if (b === undefined || a === undefined || !isAlike(before[b], after[a])) return false;
    pairs.set(b, a);
    return true;
  };
  let first = 0;
  while (first < shorter && pairAt(first, first)) first += 1;
  let last = 0;
  while (last < shorter - first && pairAt(-1 - last, -1 - last)) last += 1;
  return {
    before: range.before.slice(first, range.before.length - last),
    after: range.after.slice(first, range.after.length - last),
  };
}

function isAlike(one: Alignable | undefined, other: Alignable | undefined): boolean {
  if (one === undefined || other === undefined || one.content !== other.content) return false;
  return one.id === null || other.id === null || one.id === other.id;
}

/** Only what occurs once identifies: ids repeat in real files. */
function pairByKey(
  key: Key,
  range: Range,
  before: readonly Alignable[],
  after: readonly Alignable[],
  pairs: Map<number, number>,
): void {
  const taken = new Set(pairs.values());
  const left = onlyOnce(
    key,
    before,
    range.before.filter((i) => !pairs.has(i)),
  );
  const right = onlyOnce(
    key,
    after,
    range.after.filter((i) => !taken.has(i)),
  );
  for (const [name, b] of left) {
    const a = right.get(name);
    if (b !== null && a !== undefined && a !== null) pairs.set(b, a);
  }
}

/** Index by key; null for a key that occurs again. */
function onlyOnce(
  key: Key,
  messages: readonly Alignable[],
  among: readonly number[],
): Map<string, number | null> {
  const found = new Map<string, number | null>();
  for (const i of among) {
    const message = messages[i];
    const name = message === undefined ? null : key(message);
    if (name !== null) found.set(name, found.has(name) ? null : i);
  }
  return found;
}

interface Taken {
  readonly before: ReadonlySet<number>;
  readonly after: ReadonlySet<number>;
}

/** What stands between settled pairs on both sides, without what moved. */
function gapsBetween(
  settled: ReadonlyMap<number, number>,
  before: number,
  after: number,
  taken: Taken,
): Range[] {
  const ends: [number, number][] = [...settled, [before, after]];
  let [b, a] = [0, 0];
  return ends.flatMap(([nextB, nextA]) => {
    const gap = {
      before: indices(b, nextB).filter((i) => !taken.before.has(i)),
      after: indices(a, nextA).filter((i) => !taken.after.has(i)),
    };
    [b, a] = [nextB + 1, nextA + 1];
    return gap.before.length > 0 && gap.after.length > 0 ? [gap] : [];
  });
}

function indices(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** How many pairs of messages of one gap are weighed; a larger gap is cut where both sides say the same first. */
const WEIGHED = 250_000;

/** Pairs what nothing identifies: messages of one role, in their order, alike ones first. */
function pairGap(
  gap: Range,
  before: readonly Alignable[],
  after: readonly Alignable[],
  pairs: Map<number, number>,
): void {
  const { before: left, after: right } = trimEnds(gap, before, after, pairs);
  const one = (i: number): Alignable | undefined => before[left[i] ?? -1];
  const other = (j: number): Alignable | undefined => after[right[j] ?? -1];
  const settle = ([i, j]: readonly [number, number]): void => {
    const [b, a] = [left[i], right[j]];
    if (b !== undefined && a !== undefined) pairs.set(b, a);
  };
  if (left.length * right.length <= WEIGHED) {
    heaviestPairs(left.length, right.length, (i, j) => weight(one(i), other(j))).forEach(settle);
    return;
  }
  const alike = commonPairs(
    left.map((_, i) => one(i)?.content),
    right.map((_, j) => other(j)?.content),
  );
  if (alike.length === 0) {
    commonPairs(
      left.map((_, i) => one(i)?.role),
      right.map((_, j) => other(j)?.role),
    ).forEach(settle);
    return;
  }
  alike.forEach(settle);
  for (const part of gapsBetween(new Map(alike), left.length, right.length, NOTHING_TAKEN))
    pairGap({ before: picked(left, part.before), after: picked(right, part.after) }, before, after, pairs);
}

const NOTHING_TAKEN: Taken = { before: new Set(), after: new Set() };

function picked(among: readonly number[], places: readonly number[]): number[] {
  return places.flatMap((place) => among[place] ?? []);
}

function weight(one: Alignable | undefined, other: Alignable | undefined): number {
  if (one === undefined || one.role !== other?.role) return 0;
  return one.content === other.content ? ALIKE : 1;
}

const ALIKE = 3;

/** In the order of the second list; what the first one alone has stands where it stood. */
function slots(
  before: number,
  after: number,
  placed: ReadonlyMap<number, number>,
  moved: ReadonlyMap<number, number>,
): Slot[] {
  const movedFrom = new Map([...moved].map(([b, a]) => [a, b]));
  const result: Slot[] = [];
  let [b, a] = [0, 0];
  const goTo = (nextB: number, nextA: number): void => {
    for (; b < nextB; b += 1) if (!moved.has(b)) result.push({ kind: 'removed', before: b });
    for (; a < nextA; a += 1) {
      const from = movedFrom.get(a);
      if (from === undefined) result.push({ kind: 'added', after: a });
      else result.push({ kind: 'pair', before: from, after: a, isMoved: true });
    }
  };
  for (const [nextB, nextA] of [...placed].toSorted(([one], [other]) => one - other)) {
    goTo(nextB, nextA);
    result.push({ kind: 'pair', before: nextB, after: nextA, isMoved: false });
    [b, a] = [nextB + 1, nextA + 1];
  }
  goTo(before, after);
  return result;
}
