import { tokensOf } from './tokens.js';
import {
  ADJECTIVES,
  BREAKS,
  COPULAS,
  DETERMINERS,
  EMPTY_NOUNS,
  LY_NOUNS,
  PARTICLES,
  TIMES,
  VERBS,
} from './words.js';

/** `of the pump in the yard`: the pump. */
export function nounPhrase(text: string): string | null {
  const tokens = tokensOf(text);
  return GERUND.test(text) ? verbObject(text) : phrase(tokens.slice(leading(tokens)));
}

/** Prepositions in front belong to the cue. */
function leading(tokens: readonly string[]): number {
  return Math.max(
    0,
    tokens.findIndex((token) => !LEADING.has(token.toLowerCase())),
  );
}

const LEADING: ReadonlySet<string> = new Set([
  'of',
  'for',
  'about',
  'to',
  'with',
  'behind',
  'in',
  'on',
  'by',
]);

/** `setting up the tent` */
const GERUND = /^\w+ing (?:up |down |out |off |on |in )?(?:the|an?|my|our|your|this|that) /i;

/** What something is done to: behind the verb and the particle that belongs to it. */
export function verbObject(text: string): string | null {
  return objectOf(tokensOf(text));
}

function objectOf([, ...behind]: readonly string[]): string | null {
  const start = behind.findIndex((token) => !PARTICLES.has(token.toLowerCase()));
  if (start < 0) return null;
  const object = behind.slice(start);
  const [first = '', second = ''] = object.map((token) => token.toLowerCase());
  // `proceed with changing my booking`
  const isGerund = /\wing$/.test(first) && (DETERMINERS.has(second) || PARTICLES.has(second));
  return isGerund ? objectOf(object) : phrase(object);
}

/** What becomes something: `makes the sky blue`, `makes bread rise`, but `makes a good teacher`. */
export function madeObject(text: string): string | null {
  const all = tokensOf(text);
  const { tokens } = nounTokens(all);
  const last = tokens.at(-1) ?? '';
  const isComplement = tokens.length > 1 && (isVerb(last) || isSaidOf(last));
  return joined(isComplement ? tokens.slice(0, -1) : tokens, all);
}

/** What stands in front of a noun phrase asks what it does (`does`), what it is (`is`), or it begins a statement. */
export type Support = 'does' | 'is' | 'none';

/** The support that a cue ends in: `why does`, `how are`. */
export function supportOf(cue: string): Support {
  if (/\b(?:do|does|did|can|could|will|would|should|must|may|might)(?:n['’]t)?$/i.test(cue.trim()))
    return 'does';
  return /\b(?:is|are|was|were|has|have|had)(?:n['’]t)?$/i.test(cue.trim()) ? 'is' : 'none';
}

/** Who does or is something: the noun phrase without the verb or the adjective that is said of it. */
export function actor(text: string, support: Support = 'none'): string | null {
  const all = tokensOf(text);
  const phrase = nounTokens(all);
  const [first = ''] = phrase.tokens;
  // `that sounds good`
  if (isVerb(first) && POINTERS.has(all[0]?.toLowerCase() ?? '') && /s$/i.test(first)) return joined([], all);
  if (EMPTY_NOUNS.has(phrase.tokens.at(-1)?.toLowerCase() ?? '')) return null;
  return joined(phrase.tokens.slice(0, predicateStart(phrase, support)), all);
}

/** The same where the verb ends the sentence: `the front cover protect`. */
export function doer(text: string): string | null {
  const all = tokensOf(text);
  const { tokens } = nounTokens(all);
  const verb = tokens.findLastIndex((token, i) => i > 0 && !isOf(tokens[i - 1]) && isBareVerb(token));
  return verb > 0 ? joined(tokens.slice(0, verb), all) : actor(text, 'does');
}

function predicateStart(phrase: FoundPhrase, support: Support): number {
  const { tokens, isAtEnd, next } = phrase;
  const whole = tokens.length;
  if (whole < 2 || isInGenitive(tokens)) return firstVerb(tokens, support) ?? whole;
  switch (support) {
    case 'is':
      return isAtEnd || next === 'than' || isSaidOf(tokens.at(-1) ?? '') ? whole - 1 : whole;
    case 'does':
      // There must be a verb: a word that no list knows, unless a known one ended the phrase.
      return firstVerb(tokens, support) ?? (SUPPORTED.has(next) ? whole : whole - 1);
    case 'none':
      if (COPULAS.has(next)) return whole;
      return firstVerb(tokens, support) ?? (isSaidBy(tokens.at(-1) ?? '') ? whole - 1 : whole);
  }
}

function isSaidOf(word: string): boolean {
  return PREDICATE.test(word) || ADJECTIVES.has(word.toLowerCase());
}

/** `the fee doubles` */
function isSaidBy(word: string): boolean {
  return PREDICATE.test(word) || /[^su]s$/i.test(word);
}

/** The last of the first verbs that stand side by side: many a noun is spelled like one, as the first of `cover protect`. */
function firstVerb(tokens: readonly string[], support: Support): number | undefined {
  const isVerbAt = (i: number): boolean => {
    const token = tokens[i];
    if (token === undefined || i === 0 || isOf(tokens[i - 1])) return false;
    return support === 'does' ? isBareVerb(token) : isVerb(token);
  };
  let at = tokens.findIndex((_, i) => isVerbAt(i));
  if (at < 0) return undefined;
  while (isVerbAt(at + 1)) at += 1;
  return at;
}

function isBareVerb(token: string): boolean {
  const word = token.toLowerCase();
  return VERBS.has(word) || VERBS.has(word.replace(/^re-?/, ''));
}

/** Behind `does`, these are the verb. */
const SUPPORTED: ReadonlySet<string> = new Set(['have', 'be', 'do', 'compare', 'differ', 'up', 'down']);

function isVerb(token: string): boolean {
  const word = token.toLowerCase();
  return [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/^re-?/, '')].some((form) =>
    VERBS.has(form),
  );
}

/** `balance of my gift cards`: its last word is no predicate. */
function isInGenitive(tokens: readonly string[]): boolean {
  return tokens.slice(-LONGEST_GENITIVE).some(isOf);
}

const LONGEST_GENITIVE = 4;

const PREDICATE =
  /(?:ed|ing|ble|ful|ous|ive|less|lit|done|made|kept|safe|full|dry|wet|hot|cold|open|worn|torn|frozen|broken|stolen|gone)$/i;

function phrase(tokens: readonly string[]): string | null {
  return joined(nounTokens(tokens).tokens, tokens);
}

/** A pronoun that stands alone was taken for a determiner or a break: it is the subject. */
function joined(tokens: readonly string[], all: readonly string[]): string | null {
  const [first = '', second = ''] = all.map((token) => token.toLowerCase());
  if (isOf(tokens.at(-1))) return joined(tokens.slice(0, -1), all);
  if (EMPTY_NOUNS.has(tokens.at(-1)?.toLowerCase() ?? '')) return null;
  if (tokens.length > 0) return POINTERS.has(first) ? `${first} ${tokens.join(' ')}` : tokens.join(' ');
  if (PRONOUNS.has(first)) return first;
  return DETERMINERS.has(first) && PRONOUNS.has(second) ? second : null;
}

const PRONOUNS: ReadonlySet<string> = new Set([
  'it',
  'this',
  'that',
  'these',
  'those',
  'they',
  'them',
  'he',
  'she',
  'him',
]);

/** With a noun: `that file`. */
const POINTERS: ReadonlySet<string> = new Set(['this', 'that', 'these', 'those']);

export interface FoundPhrase {
  readonly tokens: readonly string[];
  /** Nothing is behind it but when and how often. */
  readonly isAtEnd: boolean;
  /** The word that ends it, lower-cased; empty at the end. */
  readonly next: string;
}

/** The words of the noun phrase in front. */
export function nounTokens(tokens: readonly string[]): FoundPhrase {
  const taken: string[] = [];
  for (const [i, token] of tokens.entries()) {
    const lower = token.toLowerCase();
    const isDeterminer = DETERMINERS.has(lower);
    const isAfterOf = isOf(taken.at(-1));
    const isBreak =
      BREAKS.has(lower) || isAdverb(lower) || isTime(lower, tokens[i + 1]) || CONTRACTION.test(token);
    const isEnd = token === ',' || (isDeterminer ? taken.length > 0 && !isAfterOf : isBreak);
    if (isEnd) {
      const isAtEnd =
        isTime(lower, tokens[i + 1]) ||
        tokens.slice(i).every((one) => one === ',' || TIMES.has(one.toLowerCase()));
      return { tokens: taken, isAtEnd, next: lower };
    }
    if (!isDeterminer || isAfterOf) taken.push(token);
    if (taken.length > MOST_WORDS) return NO_PHRASE;
  }
  return { tokens: taken, isAtEnd: true, next: '' };
}

function isAdverb(word: string): boolean {
  return /[a-z]{3}ly$/.test(word) && !LY_NOUNS.has(word);
}

/** `last year` */
function isTime(word: string, next = ''): boolean {
  return /^(?:last|next|this|every)$/.test(word) && TIME_NOUN.test(next);
}

const TIME_NOUN =
  /^(?:time|night|morning|evening|day|week|weekend|month|year|spring|summer|autumn|winter|season|century)s?$/i;

const NO_PHRASE: FoundPhrase = { tokens: [], isAtEnd: false, next: '' };

const MOST_WORDS = 8;

const CONTRACTION = /^(?:i|you|we|they|it|he|she|there|that|which|who)['’](?:ll|m|re|ve|d|s)$/i;

function isOf(token: string | undefined): boolean {
  return token?.toLowerCase() === 'of';
}
