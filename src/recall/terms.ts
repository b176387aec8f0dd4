import { STOP_WORDS } from '../query/planners/embedded/stop-words.js';
import { wordKey } from '../query/planners/embedded/words.js';
import { wordsOf } from '../query/tokens.js';
import { createWordScan, foldedWord, INSIDE, UNSPACED } from './word-scan.js';

/** What is searched for. */
export interface SearchTerm {
  readonly text: string;
  readonly weight: number;
  /** Names the subject: where some terms do, a passage has to hold one of them, or enough of the others. */
  readonly isFocus: boolean;
  /** Only as it is spelled, case included. */
  readonly isLiteral: boolean;
  /** A word that was said around the question: it tells passages apart, and finds none by itself. */
  readonly isContext?: true;
}

/** Where a term stands in a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A form of a term that stands in a text. */
export interface Hit {
  readonly form: number;
  readonly start: number;
}

export interface Matcher {
  /** What each form of a term weighs. */
  readonly weights: readonly number[];
  /** Where forms stand, in no order; none at all where nothing that is searched for does. */
  hits(text: string): readonly Hit[];
  isContext(form: number): boolean;
  /** Whether these forms together are what is required of a passage. */
  isEnough(forms: Iterable<number>): boolean;
  /** In order, without overlaps; context is not set off. */
  spans(text: string): readonly Span[];
}

/** One way in which a term stands in a text. */
interface Form {
  readonly term: SearchTerm;
  spans(text: string): Span[];
  /** The spellings, where the form is one word between spaces: these are all looked for in one pass. */
  readonly words: readonly string[];
}

/**
 * What makes up for the subject: two of the other terms, or one of them with two words of context. Asking the subject of
 * every passage loses a tenth of the answers (bench/recall).
 */
const WITHOUT_FOCUS = 2;
const CONTEXT_SHARE = 0.5;

/** Terms that hold no word are left out; so are stop words, unless there is nothing else or they were asked for as such. */
export function compileTerms(terms: readonly SearchTerm[]): Matcher {
  const meant = terms
    .map(composed)
    .filter(({ text, isLiteral }) => (isLiteral ? text.trim() !== '' : wordsOf(text).length > 0));
  const searched = meant.filter(({ isContext }) => !isContext);
  const isAnyFocus = searched.some(({ isFocus }) => isFocus);
  const forms = meant.flatMap(formsOf);
  const stems = searched.flatMap(stemsOf);
  const scan = createWordScan(formsByWord(forms));
  const unscanned = forms.flatMap(({ words, term, spans }, form) =>
    words.length > 0 ? [] : [{ form, spans, stems: stemsOf(term) }],
  );
  return {
    weights: forms.map(({ term }) => term.weight),
    hits(text) {
      const lower = text.toLowerCase();
      const isPossible = (stem: string): boolean => lower.includes(stem);
      if (!stems.some(isPossible)) return [];
      const hits: Hit[] = [];
      for (const { form, spans, stems: own } of unscanned)
        if (own.some(isPossible)) for (const { start } of spans(text)) hits.push({ form, start });
      scan(text, (ids, start) => {
        for (const form of ids) hits.push({ form, start });
      });
      return hits.some(({ form }) => !forms[form]?.term.isContext) ? hits : [];
    },
    isContext: (form) => forms[form]?.term.isContext === true,
    isEnough(held) {
      const holding = new Set([...held].flatMap((form) => forms[form]?.term ?? []));
      const others = [...holding].filter(({ isContext }) => !isContext);
      if (others.some(({ isFocus }) => isFocus || !isAnyFocus)) return true;
      const context = holding.size - others.length;
      return others.length > 0 && others.length + context * CONTEXT_SHARE >= WITHOUT_FOCUS;
    },
    spans: (text) => withoutOverlaps(forms.flatMap(({ spans, term }) => (term.isContext ? [] : spans(text)))),
  };
}

/** Of a word whose marks stand apart only the letters would be its words. */
function composed(term: SearchTerm): SearchTerm {
  return term.isLiteral ? term : { ...term, text: term.text.normalize('NFC').trim() };
}

function formsByWord(forms: readonly Form[]): ReadonlyMap<string, readonly number[]> {
  const byWord = new Map<string, number[]>();
  for (const [form, { words }] of forms.entries())
    for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), form]);
  return byWord;
}

/** Without words that say nothing of what is meant. */
export function withoutStopWords(terms: readonly SearchTerm[]): readonly SearchTerm[] {
  const telling = terms.filter(({ text }) => wordsOf(text).some((word) => !isStopWord(word)));
  return telling.length > 0 ? telling : terms;
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

/**
 * A name is looked for by its words, and counts again where it stands as it is spelled: `a-b.ts` is then found before
 * `A B ts`, and a part of a longer name behind the name itself.
 */
function formsOf(term: SearchTerm): Form[] {
  if (term.isLiteral) return [{ term, spans: literalSpans(term.text), words: [] }];
  const spelled = { term, spans: patternSpans(spelledPattern(term.text)), words: [] };
  const worded = { term, spans: patternSpans(wordsPattern(term.text)), words: scannedWords(term.text) };
  return isName(term.text) && !term.isContext ? [worded, spelled] : [worded];
}

/** Words that something joins. */
function isName(text: string): boolean {
  return /[^\p{L}\p{M}\p{N}_]/u.test(text);
}

function scannedWords(text: string): readonly string[] {
  const [word = '', ...more] = wordsOf(text);
  const isOneWord = more.length === 0 && word === text && !IS_UNSPACED.test(word);
  return isOneWord ? [...new Set(spellings(word).map(foldedWord))] : [];
}

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

/** Another word joined to it makes it a part of a longer name. */
function spelledPattern(text: string): RegExp {
  const pattern = bounded(text, escaped(text));
  return new RegExp(`(?<![\\p{L}\\p{N}_][.\\/:@#\\-]+)${pattern}(?![.\\/:@#\\-]+[\\p{L}\\p{N}_])`, 'gv');
}

/** The pattern of a text that stands whole: no letter of its own word before or behind it. */
function bounded(text: string, pattern: string): string {
  const { before, behind } = borders(text);
  return `${before}${pattern}${behind}`;
}

function borders(text: string): { before: string; behind: string } {
  const characters = [...text.trim()];
  const [first = '', last = ''] = [characters[0], characters.at(-1)];
  const before = IS_INSIDE.test(first) ? `(?<!${INSIDE})` : '';
  const behind = IS_INSIDE.test(last) ? `(?!${INSIDE})` : '';
  return { before, behind: `${behind}(?!\\p{M})` };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/\-&!#%,:;<=>@`~]/g, (character) =>
    /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : `\\x${character.charCodeAt(0).toString(16)}`,
  );
}

/** What every spelling of a term has in it, in lower case. */
function stemsOf({ text, isLiteral }: SearchTerm): string[] {
  if (isLiteral) return [text.toLowerCase()];
  const stem = wordStem(wordsOf(text)[0] ?? '');
  return [...new Set([stem.normalize('NFC').toLowerCase(), stem.normalize('NFD').toLowerCase()])];
}

/** What the spellings of a word begin with. */
export function wordStem(word: string): string {
  return spellings(word).length === 1 ? word : wordKey(word).replace(/y$/, '');
}

function patternSpans(pattern: RegExp): (text: string) => Span[] {
  return (text) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}

/** Without a regular expression of the whole: a long one has none. */
function literalSpans(wanted: string): (text: string) => Span[] {
  const { before, behind } = borders(wanted);
  const isBegin = testAt(new RegExp(before, 'vy'));
  const isEnd = testAt(new RegExp(behind, 'vy'));
  return (text) => {
    const spans: Span[] = [];
    for (let start = text.indexOf(wanted); start >= 0; ) {
      const end = start + wanted.length;
      const isWhole = isBegin(text, start) && isEnd(text, end);
      if (isWhole) spans.push({ start, end });
      start = text.indexOf(wanted, isWhole ? end : start + 1);
    }
    return spans;
  };
}

function testAt(sticky: RegExp): (text: string, index: number) => boolean {
  return (text, index) => {
    sticky.lastIndex = index;
    return sticky.test(text);
  };
}

function withoutOverlaps(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}
