import { STOP_WORDS } from '../query/planners/embedded/stop-words.js';
import { wordKey } from '../query/planners/embedded/words.js';
import { wordsOf } from '../query/tokens.js';

/** What is searched for. */
export interface SearchTerm {
  readonly text: string;
  readonly weight: number;
  /** Names the subject: where some terms do, a passage has to hold one of them, or two of the others. */
  readonly isFocus: boolean;
  /** Only as it is spelled, case included. */
  readonly isLiteral: boolean;
}

/** Where a term stands in a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Matcher {
  /** What each count of a passage weighs. */
  readonly weights: readonly number[];
  /** Cheap, and never false for a text that holds a term. */
  mayMatch(text: string): boolean;
  /** How often the text holds each form of each term; undefined when it holds none that is required. */
  counts(text: string): readonly number[] | undefined;
  /** In order, without overlaps. */
  spans(text: string): readonly Span[];
}

interface Form {
  readonly pattern: RegExp;
  readonly term: SearchTerm;
}

/** So many terms make up for the subject; asking it of every passage loses a tenth of the answers (bench/recall). */
const WITHOUT_FOCUS = 2;

/** Terms that hold no word are left out; so are stop words, unless there is nothing else or they were asked for as such. */
export function compileTerms(terms: readonly SearchTerm[]): Matcher {
  const meant = terms.filter(({ text, isLiteral }) =>
    isLiteral ? text.trim() !== '' : wordsOf(text).length > 0,
  );
  const isAnyFocus = meant.some(({ isFocus }) => isFocus);
  const forms = meant.flatMap(formsOf);
  const stems = meant.flatMap(stemsOf);
  return {
    weights: forms.map(({ term }) => term.weight),
    mayMatch(text) {
      const lower = text.toLowerCase();
      return stems.some((stem) => lower.includes(stem));
    },
    counts(text) {
      const counts = forms.map(({ pattern }) => text.match(pattern)?.length ?? 0);
      const held = forms.filter((_, i) => (counts[i] ?? 0) > 0);
      const isHeld = held.some(({ term: { isFocus } }) => isFocus || !isAnyFocus);
      return isHeld || new Set(held.map(({ term }) => term)).size >= WITHOUT_FOCUS ? counts : undefined;
    },
    spans: (text) => withoutOverlaps(forms.flatMap(({ pattern }) => spansOf(pattern, text))),
  };
}

/** Without words that say nothing of what is meant. */
export function withoutStopWords(terms: readonly SearchTerm[]): readonly SearchTerm[] {
  const telling = terms.filter(({ text }) =>
    wordsOf(text).some((word) => !STOP_WORDS.has(word.toLowerCase())),
  );
  return telling.length > 0 ? telling : terms;
}

/**
 * A name is looked for by its words, and counts again where it stands as it is spelled: `a-b.ts` is then found before
 * `A B ts`, and a part of a longer name behind the name itself.
 */
function formsOf(term: SearchTerm): Form[] {
  const spelled = { pattern: spelledPattern(term.text, term.isLiteral), term };
  if (term.isLiteral) return [spelled];
  const worded = { pattern: wordsPattern(term.text), term };
  return isName(term.text) ? [worded, spelled] : [worded];
}

function isName(text: string): boolean {
  return /[^\p{L}]/u.test(text) || /\p{Ll}\p{Lu}/u.test(text);
}

/** Letters of scripts that write no spaces: a word may begin or end beside them. */
const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々ー]';
const INSIDE = `[[\\p{L}\\p{M}\\p{N}_]--${UNSPACED}]`;
const IS_UNSPACED = new RegExp(UNSPACED, 'v');
const IS_INSIDE = new RegExp(INSIDE, 'v');

/** Between the words of one term: `a-b`, `a.b` and `a b` are one name, words of two sentences are not. */
const JOINT = '[^\\p{L}\\p{N}_]{1,3}';

function wordsPattern(text: string): RegExp {
  const words = wordsOf(text).map((word) => alternatives(spellings(word)));
  return new RegExp(bounded(text, words.join(JOINT)), 'giv');
}

/** A word with its plain plural and singular. */
function spellings(word: string): string[] {
  const key = wordKey(word);
  if (IS_UNSPACED.test(word) || /\p{N}|_/u.test(word)) return [word];
  return [word, key, `${key}s`, `${key}es`, ...(key.endsWith('y') ? [`${key.slice(0, -1)}ies`] : [])];
}

function alternatives(words: readonly string[]): string {
  const forms = new Set(words.flatMap((word) => [word.normalize('NFC'), word.normalize('NFD'), word]));
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  return `(?:${longestFirst.map(escaped).join('|')})`;
}

function spelledPattern(text: string, isLiteral: boolean): RegExp {
  const pattern = bounded(text, escaped(text));
  // Another word joined to it makes it a part of a longer name.
  const alone = isLiteral
    ? pattern
    : `(?<![\\p{L}\\p{N}_][.\\/:@#\\-]+)${pattern}(?![.\\/:@#\\-]+[\\p{L}\\p{N}_])`;
  return new RegExp(alone, 'gv');
}

/** The pattern of a text that stands whole: no letter of its own word before or behind it. */
function bounded(text: string, pattern: string): string {
  const characters = [...text.trim()];
  const [first = '', last = ''] = [characters[0], characters.at(-1)];
  const before = IS_INSIDE.test(first) ? `(?<!${INSIDE})` : '';
  const behind = IS_INSIDE.test(last) ? `(?!${INSIDE})` : '';
  return `${before}${pattern}${behind}(?!\\p{M})`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/\-&!#%,:;<=>@`~]/g, (character) =>
    /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : `\\x${character.charCodeAt(0).toString(16)}`,
  );
}

/** What every spelling of a term has in it, in lower case. */
function stemsOf({ text, isLiteral }: SearchTerm): string[] {
  if (isLiteral) return [text.toLowerCase()];
  const [word = ''] = wordsOf(text);
  const stem = spellings(word).length === 1 ? word : wordKey(word).replace(/y$/, '');
  return [...new Set([stem.normalize('NFC').toLowerCase(), stem.normalize('NFD').toLowerCase()])];
}

function spansOf(pattern: RegExp, text: string): Span[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}

function withoutOverlaps(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}
