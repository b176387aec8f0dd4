import { wordsOf } from './names.js';

/** Words that a run may not consist of alone: everybody says them. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also an and any are as at be because been before but by can could did do does for from had has ' +
    'have he her his how i if in into is it its just like make may me more most my no not now of on one only or other ' +
    'our out over s she should so some such t than that the their them then there these they this to up us use was we ' +
    'were what when where which who will with would you your'
  ).split(' '),
);

/** A run of content words is found for certain when it has `RUN + WINDOW - 1` words: eight; stop words may hide one. */
const RUN = 5;
const WINDOW = 4;

interface Place {
  readonly result: number;
  readonly line: number;
}

/** A run of words of a line that a message repeats. */
export interface RepeatedRun extends Place {
  /** The message's own words, as they stand in it. */
  readonly quote: string;
}

/**
 * Finds runs of words that answers repeat from results. Of a line's word groups only the smallest hash of every few is
 * kept (winnowing), which bounds memory and still finds most runs of eight words.
 */
export class RunIndex {
  readonly #places = new Map<number, Place>();
  readonly #heard = new Set<number>();

  /** The operator's words: repeating them cites nothing. */
  hear(text: string): void {
    for (const { hash } of groups(text)) this.#heard.add(hash);
  }

  retrieve(lines: readonly string[], result: number): void {
    lines.forEach((text, i) => {
      const hashes = groups(text);
      for (let at = 0; at + WINDOW <= hashes.length; at++) {
        const smallest = hashes.slice(at, at + WINDOW).reduce((a, b) => (b.hash < a.hash ? b : a));
        this.#places.set(smallest.hash, { result, line: i + 1 });
      }
    });
  }

  /** The runs of an answer that stand in results retrieved so far; one for each line, the newest line that has it. */
  repeated(text: string): RepeatedRun[] {
    const found = new Map<string, RepeatedRun>();
    for (const { hash, start, end } of groups(text)) {
      const place = this.#heard.has(hash) ? undefined : this.#places.get(hash);
      if (place === undefined) continue;
      const key = `${place.result}:${place.line}`;
      if (!found.has(key)) found.set(key, { ...place, quote: text.slice(start, end) });
    }
    return [...found.values()];
  }
}

interface Group {
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

/** Every group of `RUN` words of a text that are not all stop words. */
function groups(text: string): Group[] {
  const words = wordsOf(text);
  const found: Group[] = [];
  for (let i = 0; i + RUN <= words.length; i++) {
    const group = words.slice(i, i + RUN);
    if (group.filter(({ word }) => !STOP_WORDS.has(word)).length < 2) continue;
    found.push({
      hash: hashWords(group.map(({ word }) => word)),
      start: group[0]?.start ?? 0,
      end: group.at(-1)?.end ?? 0,
    });
  }
  return found;
}

/** FNV-1a over the words' UTF-16 units, 32 bits, with a space between words. */
function hashWords(words: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const word of words) {
    for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ 0x20, 0x01000193);
  }
  return hash >>> 0;
}
