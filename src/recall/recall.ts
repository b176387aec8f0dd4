import type { Basis } from '../query/plan.js';
import { wordKey } from '../query/planners/embedded/words.js';
import type { Resolution } from '../query/resolution.js';
import { wordKeys, wordsOf } from '../query/tokens.js';
import type { HistoryRow } from '../query/window.js';
import type { Conversation } from '../transcript/transcript.js';
import { cutPassages, readTexts, type Source } from './passages.js';
import { createPrefilter, type Prefilter } from './prefilter.js';
import { createRanking, type Ranked } from './rank.js';
import { compileTerms, isStopWord, type Matcher, type SearchTerm, withoutStopWords } from './terms.js';
import type { VisibleText } from './visible.js';

/** A passage, and where it stands. */
export interface Passage {
  readonly file: string;
  /** Null where the file is one conversation. */
  readonly conversation: number | null;
  readonly position: number;
  readonly part: number;
  /** In the part's text, in UTF-16 units. */
  readonly offset: number;
  readonly source: Source;
  readonly text: string;
  /** It is the whole part. */
  readonly isComplete: boolean;
}

export type Wanted =
  | { readonly kind: 'terms'; readonly terms: readonly SearchTerm[] }
  /** The question may mean either of these. */
  | { readonly kind: 'ambiguous'; readonly basis: readonly Basis[] };

/** What the history added counts less than what was asked: measured by bench/recall. */
const ADDED_WEIGHT = 0.7;

/** What a resolution says to search for; `rows` are what was said before the question. */
export function wantedBy(
  { mode, basis, query, terms, focusTerms }: Resolution,
  rows: readonly HistoryRow[] = [],
): Wanted {
  if (mode === 'ambiguous') return { kind: 'ambiguous', basis };
  const asked = wordKeys([query]);
  const focus = wordKeys(focusTerms);
  const all = withTheirWords([...focusTerms, ...terms]).map((text) => {
    const isFocus = [...wordKeys([text])].some((key) => focus.has(key));
    const isAsked = [...wordKeys([text])].every((key) => asked.has(key));
    return { text, weight: isAsked ? 1 : ADDED_WEIGHT, isFocus, isLiteral: false };
  });
  const searched = withoutStopWords(all);
  return {
    kind: 'terms',
    terms: searched.length === 0 ? [] : [...searched, ...contextTerms(rows, searched)],
  };
}

/** How many of the newest rows are the context, and what a word of theirs weighs: measured by bench/recall. */
const CONTEXT_ROWS = 4;
const CONTEXT_UNITS = 600;
const CONTEXT_WEIGHT = 0.1;

export function contextRows(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  return rows.slice(-CONTEXT_ROWS);
}

/** A question is about what was just talked about, in words that no plan can all name. */
function contextTerms(rows: readonly HistoryRow[], searched: readonly SearchTerm[]): SearchTerm[] {
  const known = new Set(searched.flatMap(({ text }) => wordsOf(text)).map(wordKey));
  const texts = contextRows(rows).map(({ text }) => text.slice(-CONTEXT_UNITS));
  const words = new Map(texts.flatMap(wordsOf).map((word) => [wordKey(word), word]));
  const others = [...words].filter(([key]) => !known.has(key)).map(([, text]) => text);
  return others
    .filter((text) => !isStopWord(text))
    .map((text) => ({ text, weight: CONTEXT_WEIGHT, isFocus: false, isLiteral: false, isContext: true }));
}

/** Of a phrase each word is looked for: it may stand shortened. A name such as `a-b.ts` is looked for as a whole too. */
function withTheirWords(terms: readonly string[]): string[] {
  return [...new Set(terms.flatMap((term) => (/\s/.test(term) ? wordsOf(term) : [term, ...wordsOf(term)])))];
}

/** Terms as they were given: each is as good as the other. */
export function wantedTerms(texts: readonly string[], isLiteral: boolean): Wanted {
  const terms = texts.map((text) => ({
    text,
    weight: 1,
    isFocus: false,
    isLiteral: isLiteral || wordsOf(text).length === 0, // such as an emoji
  }));
  return { kind: 'terms', terms };
}

export interface Limits {
  readonly passages: number;
  /** UTF-16 units of all passages together. */
  readonly units: number;
}

export interface Recalled {
  readonly passages: readonly Ranked<Passage>[];
  /** Found as well, but the reader has it in view. */
  readonly visible: readonly Ranked<Passage>[];
  /** Found as well, but beyond the limits. */
  readonly leftOut: readonly Ranked<Passage>[];
  /** Found, and not even held. */
  readonly dropped: number;
}

export interface Scanned {
  readonly conversation: Conversation;
  readonly file: string;
  /** What is asked in it. */
  readonly asked?: AskedHere | undefined;
}

export interface AskedHere {
  /** The message that asks, where it is known, or an operator's that says the same: it holds its own words. */
  readonly position?: number | undefined;
  readonly query: string;
  /** The positions of the rows that the context was taken from. */
  readonly context: ReadonlySet<number>;
}

export interface Recall {
  readonly matcher: Matcher;
  /** Whether a source is worth looking through: nothing is missed without the others. */
  readonly mayHold: Prefilter;
  /** Looks through one conversation; the ones before it stay in the same list. */
  scan(scanned: Scanned): void;
  finish(limits: Limits, visible?: VisibleText): Recalled;
}

/** Searches conversations, one after the other, for terms. */
export function createRecall(terms: readonly SearchTerm[]): Recall {
  const matcher = compileTerms(terms);
  const ranking = createRanking<Passage>(matcher);
  return {
    matcher,
    mayHold: createPrefilter(terms),
    scan({ conversation, file, asked }) {
      const isOneOfMany = conversation.transcript.layout === 'conversations';
      const place = { file, conversation: isOneOfMany ? conversation.index : null };
      for (const { text, position, part, source } of readTexts(conversation)) {
        if (asked !== undefined && isAsking(asked, position, source, text)) continue;
        ranking.add({
          text,
          source,
          isContext: asked?.context.has(position) ?? false,
          pieces: () => cutPassages(text),
          passage: (piece) => ({ ...place, position, part, source, ...piece }),
        });
      }
    },
    finish(limits, visible) {
      const isVisible = (text: string): boolean => visible?.shows(text, matcher) ?? false;
      return { ...chosen(ranking.finish(), limits, isVisible), dropped: ranking.dropped };
    },
  };
}

function isAsking(asked: AskedHere, position: number, { kind }: Source, text: string): boolean {
  return position === asked.position || (kind === 'operator' && text.trim() === asked.query.trim());
}

function chosen(
  ranked: readonly Ranked<Passage>[],
  limits: Limits,
  isVisible: (text: string) => boolean,
): Omit<Recalled, 'dropped'> {
  const passages: Ranked<Passage>[] = [];
  const visible: Ranked<Passage>[] = [];
  const leftOut: Ranked<Passage>[] = [];
  let units = 0;
  for (const one of ranked) {
    const { length } = one.passage.text;
    if (isVisible(one.passage.text)) {
      visible.push(one);
    } else if (passages.length < limits.passages && units + length <= limits.units) {
      passages.push(one);
      units += length;
    } else {
      leftOut.push(one);
    }
  }
  return { passages, visible, leftOut };
}
