import type { Source } from './passages.js';
import type { Matcher } from './terms.js';

/** What is ranked: a text, and who it is from. */
export interface Rankable {
  readonly text: string;
  readonly source: Source;
}

/** A passage with everything that it is told apart from its repeats by. */
export interface Ranked<T extends Rankable> {
  /** The first of the repeats that is no summary, else the first. */
  readonly passage: T;
  /** All passages with the same text, in the order in which they came. */
  readonly repeats: readonly T[];
  readonly score: number;
}

export interface Ranking<T extends Rankable> {
  /** Text goes by, as so many passages: what a match is weighed against. */
  pass(kind: Source['kind'], units: number, passages: number): void;
  add(passage: T): void;
  /** Best first; then the best of each other kind of source, then the rest; what is derived stands behind all of them. */
  finish(): readonly Ranked<T>[];
  /** Matching passages that were let go of for want of room. */
  readonly dropped: number;
}

interface Candidate<T extends Rankable> {
  passage: T;
  readonly repeats: T[];
  readonly counts: readonly number[];
  readonly order: number;
}

/** Of the passages on one side: those that were said or seen, or those that were derived from them. */
interface Statistics {
  passages: number;
  units: number;
  /** How many distinct passages hold each form of a term. */
  readonly holding: number[];
}

/** Candidates that are held at most; the better half stays when there are more. */
const CAPACITY = 4000;

/**
 * Ranks passages in one pass of bounded memory, without an index: a transcript is asked a few things, not thousands.
 * Passages come in the order of their addresses, which decides between equals.
 */
export function createRanking<T extends Rankable>(matcher: Matcher, capacity = CAPACITY): Ranking<T> {
  let candidates = new Map<string, Candidate<T>>();
  let dropped = 0;
  const droppedDigests = new Set<number>();
  let order = 0;
  const said = emptyStatistics(matcher);
  const derived = emptyStatistics(matcher);
  const side = (kind: Source['kind']): Statistics => (kind === 'summary' ? derived : said);
  const scored = (): (Candidate<T> & { score: number })[] =>
    [...candidates.values()]
      .map((one) => ({ ...one, score: bm25(one, side(one.passage.source.kind), matcher) }))
      .toSorted(better);
  return {
    pass(kind, units, passages) {
      side(kind).units += units;
      side(kind).passages += passages;
    },
    add(passage) {
      const known = candidates.get(passage.text);
      if (known !== undefined) {
        repeat(known, passage);
        return;
      }
      if (droppedDigests.size > 0 && droppedDigests.has(digest(passage.text))) return;
      const counts = matcher.counts(passage.text);
      if (counts === undefined) return;
      const { holding } = side(passage.source.kind);
      for (const [i, count] of counts.entries()) if (count > 0) holding[i] = (holding[i] ?? 0) + 1;
      const own = { ...passage, text: ownCopy(passage.text) };
      candidates.set(own.text, { passage: own, repeats: [own], counts, order });
      order += 1;
      if (candidates.size <= capacity) return;
      const [kept, gone] = halves(scored(), Math.ceil(capacity / 2));
      dropped += gone.length;
      for (const {
        passage: { text },
      } of gone)
        if (droppedDigests.size < MOST_DIGESTS) droppedDigests.add(digest(text));
      candidates = new Map(kept.map((one) => [one.passage.text, one]));
    },
    finish: () =>
      oneOfEachFirst(scored()).map(({ passage, repeats, score }) => ({ passage, repeats, score })),
    get dropped() {
      return dropped;
    },
  };
}

function halves<T>(items: readonly T[], at: number): readonly [readonly T[], readonly T[]] {
  return [items.slice(0, at), items.slice(at)];
}

/** What was dropped is known again, so that its repeats do not count as others; beyond this many they do. */
const MOST_DIGESTS = 500_000;

/** 53 bits of FNV-1a in two lanes: enough that two passages of one search do not meet. */
function digest(text: string): number {
  let [low, high] = [0x811c9dc5, 0x1b873593];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

function emptyStatistics({ weights }: Matcher): Statistics {
  return { passages: 0, units: 0, holding: weights.map(() => 0) };
}

function repeat<T extends Rankable>(known: Candidate<T>, passage: T): void {
  const again = { ...passage, text: known.passage.text };
  known.repeats.push(again);
  if (known.passage.source.kind === 'summary' && again.source.kind !== 'summary') known.passage = again;
}

/** A slice of a string keeps all of it in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Robertson's usual constants: how soon more of the same word says no more, and how much length counts against it. */
const K1 = 1.2;
const B = 0.75;

/** Length is counted in UTF-16 units: it is known of passages that are not looked into. */
function bm25<T extends Rankable>(
  { passage, counts }: Candidate<T>,
  { passages, units, holding }: Statistics,
  { weights }: Matcher,
): number {
  const length = passage.text.length / (units / Math.max(1, passages) || 1);
  return counts.reduce((sum, count, i) => {
    const held = holding[i] ?? 0;
    const rarity = Math.log(1 + (Math.max(passages, held) - held + 0.5) / (held + 0.5));
    const often = (count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    return sum + (weights[i] ?? 0) * rarity * often;
  }, 0);
}

interface Scored extends Pick<Candidate<Rankable>, 'passage' | 'order'> {
  readonly score: number;
}

function better(a: Scored, b: Scored): number {
  return isDerived(a) - isDerived(b) || b.score - a.score || a.order - b.order;
}

function isDerived({ passage }: Scored): number {
  return passage.source.kind === 'summary' ? 1 : 0;
}

function oneOfEachFirst<S extends Scored>(sorted: readonly S[]): S[] {
  const seen = new Set<Source['kind']>();
  const firsts = new Set(
    sorted.filter((one) => {
      const { kind } = one.passage.source;
      const isFirst = kind !== 'summary' && !seen.has(kind);
      seen.add(kind);
      return isFirst;
    }),
  );
  return [...firsts, ...sorted.filter((one) => !firsts.has(one))];
}
