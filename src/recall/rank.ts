import { createDigests } from './digests.js';
import type { Piece, Source } from './passages.js';
import type { Hit, Matcher } from './terms.js';

/** What is ranked: a piece of a text, and who it is from. */
export interface Rankable {
  readonly text: string;
  readonly source: Source;
}

/** A text of which passages are ranked. */
export interface Part<T extends Rankable> {
  readonly text: string;
  readonly source: Source;
  /** The context of the question was taken from it, so it says nothing for it. */
  readonly isContext?: boolean;
  /** The passages that tile it, in order. */
  pieces(): Iterable<Piece>;
  passage(piece: Piece): T;
}

/** A passage with everything that it is told apart from its repeats by. */
export interface Ranked<T extends Rankable> {
  /** The first of the repeats that is no summary, else the first. */
  readonly passage: T;
  /** Passages with the same text, in the order in which they came: the first of them, itself among them. */
  readonly repeats: readonly T[];
  /** How many passages have the text. */
  readonly count: number;
  readonly score: number;
}

export interface Ranking<T extends Rankable> {
  add(part: Part<T>): void;
  /** Best first; then the best of each other kind of source, then the rest; what is derived stands behind all of them. */
  finish(): readonly Ranked<T>[];
  /** Matching passages that were let go of for want of room. */
  readonly dropped: number;
}

/** How often each form stands in a text, and how long the text is. */
interface Counted {
  readonly counts: ReadonlyMap<number, number>;
  readonly units: number;
}

interface Candidate<T extends Rankable> extends Counted {
  passage: T;
  readonly repeats: T[];
  count: number;
  readonly part: Counted;
  readonly order: number;
}

/** Of texts of one length or another: passages, or the parts that they are cut from. */
interface Statistics {
  texts: number;
  units: number;
  /** How many texts hold each form of a term. */
  readonly holding: number[];
}

/** Of one side: what was said or seen, or what was derived from it. */
interface Side {
  readonly passages: Statistics;
  readonly parts: Statistics;
}

/** Candidates that are held at most; the better half stays when there are more. */
const CAPACITY = 2000;
/** Places of one text that are held at most; the others are counted. */
const MOST_REPEATS = 25;

/**
 * Ranks passages in one pass of bounded memory, without an index: a transcript is asked a few things, not thousands.
 * Parts come in the order of their addresses, which decides between equals. Words are counted over the parts that hold
 * anything of what is searched for: the others need not be looked into.
 */
export function createRanking<T extends Rankable>(matcher: Matcher, capacity = CAPACITY): Ranking<T> {
  let candidates = new Map<string, Candidate<T>>();
  let dropped = 0;
  const droppedDigests = createDigests();
  let order = 0;
  const [said, derived] = [emptySide(matcher), emptySide(matcher)];
  const sideOf = ({ kind }: Source): Side => (kind === 'summary' ? derived : said);
  const scored = (): Scored<T>[] =>
    [...candidates.values()]
      .map((candidate) => ({ candidate, score: score(candidate, sideOf(candidate.passage.source), matcher) }))
      .toSorted(better);
  const hold = ({ passage }: Part<T>, piece: Piece, counted: Counted, part: Counted): void => {
    const known = candidates.get(piece.text);
    if (known !== undefined) {
      repeat(known, passage({ ...piece, text: known.passage.text }));
      return;
    }
    if (dropped > 0 && droppedDigests.has(piece.text)) return;
    const own = passage({ ...piece, text: ownCopy(piece.text) });
    candidates.set(own.text, { passage: own, repeats: [own], count: 1, ...counted, part, order });
    order += 1;
    if (candidates.size > capacity) letGo();
  };
  const letGo = (): void => {
    const all = scored().map(({ candidate }) => candidate);
    const gone = all.slice(Math.ceil(capacity / 2));
    dropped += gone.length;
    for (const { passage } of gone) droppedDigests.add(passage.text);
    candidates = new Map(
      all.slice(0, Math.ceil(capacity / 2)).map((candidate) => [candidate.passage.text, candidate]),
    );
  };
  return {
    add(given) {
      const { text, source, isContext } = given;
      const found = matcher.hits(text);
      if (found.length === 0) return;
      const side = sideOf(source);
      const hits = isContext ? found.filter(({ form }) => !matcher.isContext(form)) : found;
      const part = countHits(hits, text.length);
      note(side.parts, part);
      const sorted = hits.toSorted((a, b) => a.start - b.start);
      let at = 0;
      for (const piece of given.pieces()) {
        const from = at;
        const end = piece.offset + piece.text.length;
        while (at < sorted.length && (sorted[at]?.start ?? end) < end) at += 1;
        const counted = countHits(sorted.slice(from, at), piece.text.length);
        note(side.passages, counted);
        if (at > from && matcher.isEnough(counted.counts.keys())) hold(given, piece, counted, part);
      }
    },
    finish: () =>
      oneOfEachFirst(partsApart(scored())).map(({ candidate: { passage, repeats, count }, score }) => ({
        passage,
        repeats,
        count,
        score,
      })),
    get dropped() {
      return dropped;
    },
  };
}

function emptySide(matcher: Matcher): Side {
  return { passages: emptyStatistics(matcher), parts: emptyStatistics(matcher) };
}

function emptyStatistics({ weights }: Matcher): Statistics {
  return { texts: 0, units: 0, holding: weights.map(() => 0) };
}

function countHits(hits: readonly Hit[], units: number): Counted {
  const counts = new Map<number, number>();
  for (const { form } of hits) counts.set(form, (counts.get(form) ?? 0) + 1);
  return { counts, units };
}

function note(statistics: Statistics, { counts, units }: Counted): void {
  statistics.texts += 1;
  statistics.units += units;
  for (const form of counts.keys()) statistics.holding[form] = (statistics.holding[form] ?? 0) + 1;
}

function repeat<T extends Rankable>(known: Candidate<T>, again: T): void {
  known.count += 1;
  if (known.repeats.length < MOST_REPEATS) known.repeats.push(again);
  if (known.passage.source.kind === 'summary' && again.source.kind !== 'summary') known.passage = again;
}

/** A slice of a string keeps all of it in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** What the whole part says of its passage: the subject is named once, and the answer stands some lines below. */
const PART_WEIGHT = 0.7;

function score<T extends Rankable>(candidate: Candidate<T>, side: Side, matcher: Matcher): number {
  return bm25(candidate, side.passages, matcher) + PART_WEIGHT * bm25(candidate.part, side.parts, matcher);
}

/** Robertson's usual constants: how soon more of the same word says no more, and how much length counts against it. */
const K1 = 1.2;
const B = 0.75;

function bm25(
  { counts, units: own }: Counted,
  { texts, units, holding }: Statistics,
  { weights }: Matcher,
): number {
  const length = (own * texts) / units;
  let sum = 0;
  for (const [form, count] of counts) {
    const held = holding[form] ?? 0;
    const rarity = Math.log(1 + (texts - held + 0.5) / (held + 0.5));
    const often = (count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    sum += (weights[form] ?? 0) * rarity * often;
  }
  return sum;
}

interface Scored<T extends Rankable> {
  readonly candidate: Candidate<T>;
  readonly score: number;
}

function better<T extends Rankable>(a: Scored<T>, b: Scored<T>): number {
  return isDerived(a) - isDerived(b) || b.score - a.score || a.candidate.order - b.candidate.order;
}

function isDerived<T extends Rankable>({ candidate }: Scored<T>): number {
  return candidate.passage.source.kind === 'summary' ? 1 : 0;
}

/** What each passage keeps of its score behind a better one of the same part, which leads the reader there already. */
const SAME_PART = 0.5;

function partsApart<T extends Rankable>(sorted: readonly Scored<T>[]): Scored<T>[] {
  const before = new Map<Counted, number>();
  return sorted
    .map(({ candidate, score }) => {
      const count = before.get(candidate.part) ?? 0;
      before.set(candidate.part, count + 1);
      return { candidate, score: score * SAME_PART ** count };
    })
    .toSorted(better);
}

function oneOfEachFirst<T extends Rankable>(sorted: readonly Scored<T>[]): Scored<T>[] {
  const seen = new Set<Source['kind']>();
  const firsts = new Set(
    sorted.filter(({ candidate }) => {
      const { kind } = candidate.passage.source;
      const isFirst = kind !== 'summary' && !seen.has(kind);
      seen.add(kind);
      return isFirst;
    }),
  );
  return [...firsts, ...sorted.filter((one) => !firsts.has(one))];
}
