import { findWords, lowerCase } from './words.js';

/** Words that a run may not consist of alone: everybody says them. */
const STOP_WORDS = (
  'a about after all also an and any are as at be because been before but by can could did do does for from had has ' +
  'have he her his how i if in into is it its just like make may me more most my no not now of on one only or other ' +
  'our out over s she should so some such t than that the their them then there these they this to up us use was we ' +
  'were what when where which who will with would you your'
).split(' ');

/** A run of content words is found for certain when it has `RUN + WINDOW - 1` words: eight; stop words may hide one. */
const RUN = 5;
const WINDOW = 4;

/** A run of words of a line that a message repeats. */
export interface RepeatedRun {
  readonly result: number;
  /** 1-based, in the result. */
  readonly line: number;
  /** The message's own words, as they stand in it. */
  readonly quote: string;
}

/**
 * Finds runs of words that answers repeat from results. Of a line's word groups only the smallest hash of every few is
 * kept (winnowing), which bounds memory and still finds most runs of eight words.
 */
export class RunIndex {
  readonly #places = new PlaceTable();
  /** Hashes with a sign: numbers above 2^31 take memory of their own. */
  readonly #heard = new Set<number>();

  /** The operator's words: repeating them cites nothing. */
  hear(text: string): void {
    const count = findGroups(text);
    for (let i = 0; i < count; i++) this.#heard.add((groupHashes[i] ?? 0) | 0);
  }

  retrieve(lines: readonly string[], result: number): void {
    lines.forEach((text, i) => {
      const count = findGroups(text);
      for (let at = 0; at + WINDOW <= count; at++) this.#places.set(smallestOf(at), result, i + 1);
    });
  }

  /** The runs of an answer that stand in results retrieved so far; one for each line, the newest line that has it. */
  repeated(text: string): RepeatedRun[] {
    const found = new Map<string, RepeatedRun>();
    const count = findGroups(text);
    for (let i = 0; i < count; i++) {
      const hash = groupHashes[i] ?? 0;
      const place = this.#heard.has(hash | 0) ? undefined : this.#places.get(hash);
      if (place === undefined) continue;
      const key = `${place.result}:${place.line}`;
      if (!found.has(key))
        found.set(key, { ...place, quote: text.slice(groupStarts[i] ?? 0, groupEnds[i] ?? 0) });
    }
    return [...found.values()];
  }
}

// Of the text that was looked at last, its groups in order. Used again for every line: a transcript has millions.
const groupHashes: number[] = [];
const groupStarts: number[] = [];
const groupEnds: number[] = [];
const wordStarts: number[] = [];
const wordEnds: number[] = [];
/** 1 for a word that is no stop word, else 0. */
const wordContents: number[] = [];

function smallestOf(at: number): number {
  let smallest = groupHashes[at] ?? 0;
  for (let i = at + 1; i < at + WINDOW; i++) smallest = Math.min(smallest, groupHashes[i] ?? 0);
  return smallest;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Finds every group of `RUN` words of a text that are not all stop words, and returns how many there are. Its hash is
 * FNV-1a over the words' UTF-16 units, 32 bits, with a space behind each word. The hashes of the `RUN` groups that a
 * word stands in go on side by side, so that every unit is looked at once: `oldest` began so many words ago.
 */
function findGroups(text: string): number {
  const words = findWords(text, wordStarts, wordEnds);
  if (words < RUN) return 0;
  const lower = lowerCase(text);
  let found = 0;
  let content = 0; // words of the current group that are no stop words
  let [oldest, second, third, fourth, newest] = [0, 0, 0, 0, 0];
  for (let i = 0; i < words; i++) {
    wordContents[i] = isContent(lower, wordStarts[i] ?? 0, wordEnds[i] ?? 0) ? 1 : 0;
    content += wordContents[i] ?? 0;
    if (i >= RUN) content -= wordContents[i - RUN] ?? 0;
    oldest = second;
    second = third;
    third = fourth;
    fourth = newest;
    newest = FNV_OFFSET;
    const end = wordEnds[i] ?? 0;
    for (let at = wordStarts[i] ?? 0; at <= end; at++) {
      const unit = at < end ? lower.charCodeAt(at) : 0x20;
      oldest = Math.imul(oldest ^ unit, FNV_PRIME);
      second = Math.imul(second ^ unit, FNV_PRIME);
      third = Math.imul(third ^ unit, FNV_PRIME);
      fourth = Math.imul(fourth ^ unit, FNV_PRIME);
      newest = Math.imul(newest ^ unit, FNV_PRIME);
    }
    if (i + 1 < RUN || content < 2) continue;
    const first = i + 1 - RUN;
    groupHashes[found] = oldest >>> 0;
    groupStarts[found] = wordStarts[first] ?? 0;
    groupEnds[found] = wordEnds[i] ?? 0;
    found += 1;
  }
  return found;
}

/** Whether a word is no stop word: compared as numbers, because cutting every word out of its text takes longer. */
function isContent(lower: string, start: number, end: number): boolean {
  if (end - start > LONGEST_STOP_WORD) return true;
  let key = 0;
  for (let i = start; i < end; i++) {
    const letter = lower.charCodeAt(i) - 0x60;
    if (letter < 1 || letter > 26) return true;
    key = key * 32 + letter;
  }
  return !STOP_KEYS.has(key);
}

const LONGEST_STOP_WORD = Math.max(...STOP_WORDS.map(({ length }) => length));
const STOP_KEYS: ReadonlySet<number> = new Set(
  STOP_WORDS.map((word) => [...word].reduce((key, letter) => key * 32 + letter.charCodeAt(0) - 0x60, 0)),
);

interface Place {
  readonly result: number;
  readonly line: number;
}

/** A map from hashes to places, in columns: one of objects would take ten times the memory. The newest place counts. */
class PlaceTable {
  #keys = new Uint32Array(1 << 12);
  /** One more than the result; 0 where nothing is. */
  #results = new Uint32Array(1 << 12);
  #lines = new Uint32Array(1 << 12);
  #count = 0;

  set(key: number, result: number, line: number): void {
    if (this.#count * 3 > this.#keys.length * 2) this.#grow();
    const slot = this.#slotOf(key);
    if (this.#results[slot] === 0) this.#count += 1;
    this.#keys[slot] = key;
    this.#results[slot] = result + 1;
    this.#lines[slot] = line;
  }

  get(key: number): Place | undefined {
    const slot = this.#slotOf(key);
    const result = this.#results[slot] ?? 0;
    return result === 0 ? undefined : { result: result - 1, line: this.#lines[slot] ?? 0 };
  }

  /** Where the key stands, or the free slot where it would. */
  #slotOf(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 0) & mask;
    while (this.#results[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, results, lines] = [this.#keys, this.#results, this.#lines];
    this.#keys = new Uint32Array(keys.length * 2);
    this.#results = new Uint32Array(keys.length * 2);
    this.#lines = new Uint32Array(keys.length * 2);
    this.#count = 0;
    for (let i = 0; i < keys.length; i++)
      if (results[i] !== 0) this.set(keys[i] ?? 0, (results[i] ?? 1) - 1, lines[i] ?? 0);
  }
}
