import { type ReadIntent, readIntent } from './intent.js';
import { BREAKS, DETERMINERS, PARTICLES, REQUESTS, VERBS } from './words.js';

export interface FoundSubject {
  /** As it stands in the question; a pronoun is not resolved yet. Null when no rule finds one. */
  readonly name: string | null;
  readonly rule: string;
}

/** The head noun phrase that a question is about. */
export function findSubject(question: string): FoundSubject {
  const read = readIntent(question);
  if (read.rule !== 'not English') {
    const name = subjectOf(read);
    if (name !== null)
      return { name, rule: `noun phrase behind ${read.intent === 'unknown' ? 'the request' : read.rule}` };
  }
  const [only, ...others] = marked(question);
  return only !== undefined && others.length === 0
    ? { name: only, rule: 'the only path, identifier or quoted name' }
    : { name: null, rule: 'no noun phrase found' };
}

function subjectOf({ intent, rule, sentence, rest }: ReadIntent): string | null {
  switch (intent) {
    case 'unknown':
      return requestObject(sentence) ?? statementSubject(sentence);
    case 'procedure':
      return /^"how/.test(rule) ? verbObject(rest) : nounPhrase(rest);
    case 'transitive_query':
      return actor(rest);
    case 'cause':
      return sentence.search(/^(?:why|how)\b/i) === 0 ? actor(rest) : nounPhrase(rest);
    case 'definition':
      return rule.includes('mean') ? actor(rest) : nounPhrase(rest);
    case 'verification':
      return rule.includes('right') ? statementSubject(rest) : actor(rest);
    case 'correction':
      return corrected(sentence, rest);
    case 'recall':
      return recalled(sentence, rest);
    case 'comparison':
      return nounPhrase(rest.replace(/^,?\s*/, ''));
    case 'narrative':
    case 'example':
      return nounPhrase(rest);
  }
}

/** What somebody meant is a noun phrase; else a statement stands against what was said. */
function corrected(sentence: string, rest: string): string | null {
  const named = rest.replace(
    /^(?:i meant?|it(?:['’]s| is)|that(?:['’]s| is)|i was asking about|i am talking about)\s+/i,
    '',
  );
  return named !== rest || /^i meant/i.test(sentence) ? nounPhrase(named) : actor(rest);
}

function recalled(sentence: string, rest: string): string | null {
  const named = rest.replace(
    /^(?:that |what |how |when |earlier )*(?:i |we |you )?(?:said |told me |asked )?(?:about )?/i,
    '',
  );
  return /^you (?:said|told|mentioned)/i.test(sentence) && !/^about\b/i.test(rest)
    ? actor(named)
    : nounPhrase(named);
}

/** `fix the parser`: the parser. */
function requestObject(sentence: string): string | null {
  const [verb = ''] = tokensOf(sentence);
  return REQUESTS.has(verb.toLowerCase()) ? verbObject(sentence) : null;
}

/** Behind the verb and the particle that belongs to it. */
function verbObject(rest: string): string | null {
  const [, ...behind] = tokensOf(rest);
  const start = behind.findIndex((token) => !PARTICLES.has(token.toLowerCase()));
  return start < 0 ? null : phrase(behind.slice(start), BREAKS);
}

/** `The lamp is cold`: the lamp. Only where the sentence begins as a noun phrase does. */
function statementSubject(sentence: string): string | null {
  const [first = ''] = tokensOf(sentence);
  return /^(?:the|my|our|your|this|that|a|an|it|they)$/i.test(first) ? actor(sentence) : null;
}

function nounPhrase(text: string): string | null {
  return phrase(tokensOf(text).slice(leading(tokensOf(text))), BREAKS);
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

/** Who does or is something: the noun phrase without the verb or the adjective that is said of it. */
function actor(text: string): string | null {
  const all = tokensOf(text);
  const { tokens, isAtEnd } = nounTokens(all, BREAKS);
  // The last one: many a noun is spelled like a verb, as the first of `front cover protect`.
  const verb = tokens.findLastIndex((token, i) => i > 0 && isVerb(token) && !isOf(tokens[i - 1]));
  if (verb > 0) return joined(tokens.slice(0, verb), all);
  const isPredicated = tokens.length > 1 && (isAtEnd || PREDICATE.test(tokens.at(-1) ?? ''));
  return joined(isPredicated && !isInGenitive(tokens) ? tokens.slice(0, -1) : tokens, all);
}

function isVerb(token: string): boolean {
  const word = token.toLowerCase();
  return VERBS.has(word) || VERBS.has(word.replace(/s$/, '')) || VERBS.has(word.replace(/es$/, ''));
}

/** `keeper of the light`: its last word is no predicate. */
function isInGenitive(tokens: readonly string[]): boolean {
  return isOf(tokens.at(-2)) || (isOf(tokens.at(-3)) && DETERMINERS.has(tokens.at(-2)?.toLowerCase() ?? ''));
}

const PREDICATE =
  /(?:ed|ing|ble|ful|ous|ive|less|lit|done|made|kept|safe|full|dry|wet|hot|cold|open|worn|torn|frozen|broken|stolen|gone)$/i;

function phrase(tokens: readonly string[], breaks: ReadonlySet<string>): string | null {
  return joined(nounTokens(tokens, breaks).tokens, tokens);
}

/** A pronoun that stands alone was taken for a determiner or a break: it is the subject. */
function joined(tokens: readonly string[], all: readonly string[]): string | null {
  const [first = '', second = ''] = all.map((token) => token.toLowerCase());
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

function nounTokens(
  tokens: readonly string[],
  breaks: ReadonlySet<string>,
): { readonly tokens: readonly string[]; readonly isAtEnd: boolean } {
  const taken: string[] = [];
  for (const [i, token] of tokens.entries()) {
    const lower = token.toLowerCase();
    const isDeterminer = DETERMINERS.has(lower);
    const isAfterOf = isOf(taken.at(-1));
    const isEnd = token === ',' || (isDeterminer ? taken.length > 0 && !isAfterOf : breaks.has(lower));
    if (isEnd) return { tokens: taken, isAtEnd: tokens.slice(i).every((one) => one === ',') };
    if (!isDeterminer || isAfterOf) taken.push(token);
    if (taken.length > MOST_WORDS) return { tokens: [], isAtEnd: false };
  }
  return { tokens: taken, isAtEnd: true };
}

const MOST_WORDS = 8;

function isOf(token: string | undefined): boolean {
  return token?.toLowerCase() === 'of';
}

/** Words, with what is quoted as one word; a comma, colon, bracket or dash that ends a phrase is `,`. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const [piece] of text.matchAll(TOKEN)) {
    const quoted = /^[`"“«]/.test(piece) ? piece.slice(1, -1) : null;
    if (quoted !== null) tokens.push(quoted);
    else if (/^[,:;()–—?!\]]|^-$/.test(piece)) tokens.push(',');
    else tokens.push(...ended(piece));
  }
  return tokens;
}

const TOKEN =
  /`[^`\n]{1,200}`|"[^"\n]{1,200}"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|[,:;()–—?!\]](?=\s|$)|\(|[^\s(]+?(?=[,:;)?!\]]*(?:\s|$))|\S/gu;

/** A full stop at the end of a word ends its phrase; `'s` of a contraction does too. */
function ended(piece: string): string[] {
  const word = piece.replace(/[.!?,;:]+$/, '').replace(/^['‘’]+|['‘’]+$/g, '');
  const tokens = word === '' ? [] : [word];
  return word.length < piece.replace(/['‘’]/g, '').length ? [...tokens, ','] : tokens;
}

/** Paths, identifiers and quoted names anywhere in the text, each once. */
function marked(text: string): string[] {
  const found = text.slice(0, 2000).matchAll(MARKED);
  return [
    ...new Set([...found].map(([whole]) => whole.replace(/^[`"“«「]|[`"”»」]$/g, '').replace(/[.,;:]$/, ''))),
  ];
}

const MARKED =
  /`[^`\n]{1,100}`|"[^"\n]{1,100}"|“[^”\n]{1,100}”|«[^»\n]{1,100}»|「[^」\n]{1,100}」|(?<![\w/])(?:[\w.-]+\/)+[\w-]+\.\w{1,5}\b|\b[\w-]+\.(?:ts|js|py|rs|go|java|md|json|jsonl|yaml|yml|toml|css|html|sh|c|h|cpp)\b/g;
