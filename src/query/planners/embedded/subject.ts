// Which words of the history the plan takes over.

import { findAnswered } from './answered.js';
import { isChatter } from './chatter.js';
import type { Classified } from './classifier.js';
import type { Candidate, Conversation, Message, Occurrence } from './conversation.js';
import { chosenFrom } from './expected.js';
import { largest } from './extremes.js';
import { findLeftOut, isExchangeOfNames } from './left-out.js';
import { findNames, type Name } from './names.js';
import { withOtherEnds } from './pairs.js';
import { findPerson, isCapitalInside } from './persons.js';
import { findPlural } from './plurals.js';
import { isForeign, readPointing } from './pointing.js';
import type { Piece } from './quotes.js';
import { findReferences } from './references.js';
import { findRepeated, withNames } from './repeated.js';
import { findTold } from './told.js';
import { isDemonstrative } from './wholeness.js';
import { splitWords } from './words.js';

// Below it the classifier has no clear idea, and the name that was spoken of last is the better guess.
const SURE = 0.3;
// After long replies names are many, and hardly any of them is the one that is meant.
const MOST_FOR_NAMES = 60;
// What stays of the question before is a guess by place: from this score on the classifier knows better.
const SURE_ENOUGH = 0.5;

const MOST_CHOSEN = 30;
// Where no word is likely enough to be chosen, the likeliest still is, from this score on.
const GUESS_FROM = 0.1;

/** The content words of the question, names whole, each once. */
export function queryTerms(query: string): readonly string[] {
  const names = findNames(query);
  // Both ascend, so one pass tells which words are inside names: a question may have a hundred thousand of each.
  let next = 0;
  const words = splitWords(query).filter((word) => {
    while ((names[next]?.end ?? word.end) < word.end) next += 1;
    const name = names[next];
    return !word.isStop && (name === undefined || !isInside(word, name));
  });
  const ordered = [
    ...names,
    ...words.map(({ surface, start, end }) => ({ text: surface, start, end })),
  ].toSorted((a, b) => a.start - b.start);
  return [...new Set(ordered.map(({ text }) => text))];
}

/** What the question takes from the history. */
export interface Chosen {
  /** Every use of it: the words that score high enough, and the names that the question points at. */
  readonly pieces: readonly Piece[];
  /** Keys of the pieces that the question points at. */
  readonly meant: ReadonlySet<string>;
}

export function choosePieces(conversation: Conversation, { scores }: Classified): Chosen {
  const { candidates } = conversation;
  const surest = largest(scores, 0);
  const leftOut = surest < SURE_ENOUGH || isExchangeOfNames(conversation) ? findLeftOut(conversation) : [];
  if (leftOut.length > 0) return unpointed(leftOut);
  const foreign = isForeign(conversation);
  const told = readPointing(conversation).isPointing && !foreign ? [] : findTold(conversation);
  if (told.length > 0) return unpointed(told);
  const references =
    candidates.length <= MOST_FOR_NAMES
      ? findReferences(conversation, foreign || surest < SURE).filter(isSubject(conversation))
      : [];
  const answer = references.length === 0 && foreign ? findAnswered(conversation) : undefined;
  if (answer !== undefined) return { pieces: [answer], meant: new Set([answer.key]) };
  const repeated =
    references.length === 0 && foreign ? withNames(findRepeated(conversation), conversation) : [];
  if (repeated.length > 0) return unpointed(repeated);
  const from = chosenFrom(scores);
  const chosen = bestOf(candidates, scores, from).filter(
    ({ last }) => !isNoSubject(last) && !(foreign && isChatter(last.word.surface)),
  );
  const guess = chosen.length + references.length === 0 ? guessOf(conversation, scores) : [];
  const pieces = [...chosen, ...guess].flatMap((candidate) => piecesOf(candidate));
  const meant = [...references, ...pointedAt(conversation, pieces)];
  const all = references.length > 0 ? withReferences(pieces, references) : pieces;
  return { pieces: withOtherEnds(withMeant(all, meant)), meant: new Set(meant.map(({ key }) => key)) };
}

/** A question that needs the history means something of it, and one without content of its own whatever is likeliest. */
function guessOf(conversation: Conversation, scores: readonly number[]): readonly Candidate[] {
  return bestOf(
    conversation.candidates,
    scores,
    isBare(conversation) || isDemonstrative(conversation) ? 0 : GUESS_FROM,
    1,
  );
}

/** Persons and plurals: found where a short history leaves no doubt. */
function pointedAt(conversation: Conversation, pieces: readonly Piece[]): readonly Piece[] {
  if (conversation.candidates.length > MOST_FOR_NAMES) return [];
  const person = findPerson(conversation, pieces);
  if (person !== undefined) return [person];
  const answered = pieces.some(isCapitalInside) ? undefined : findAnswered(conversation);
  if (answered !== undefined) return [answered];
  const plural = findPlural(conversation);
  return plural === undefined ? [] : [plural];
}

/** A word inside a name that is meant is not taken again. */
function withMeant(pieces: readonly Piece[], meant: readonly Piece[]): readonly Piece[] {
  const isTaken = (piece: Piece) =>
    meant.some((one) => one !== piece && one.text.split(' ').includes(piece.text));
  return [...new Set([...pieces.filter((piece) => !isTaken(piece)), ...meant])];
}

function unpointed(pieces: readonly Piece[]): Chosen {
  return { pieces, meant: new Set() };
}

/** Words with no difference between them, of a long list, may all score the same. */
function bestOf(
  candidates: readonly Candidate[],
  scores: readonly number[],
  from: number,
  most = MOST_CHOSEN,
): readonly Candidate[] {
  const chosen = candidates.flatMap((candidate, i) => {
    const score = scores[i] ?? 0;
    return score >= from ? [{ candidate, score }] : [];
  });
  const best = new Set(chosen.toSorted((a, b) => b.score - a.score).slice(0, most));
  return chosen.filter((one) => best.has(one)).map(({ candidate }) => candidate);
}

/** A letter alone (the C of "C’est"), or a piece of a time of day: 00 and PM of "09:00 PM". */
function isNoSubject({ message: { text }, word: { surface, start, end } }: Occurrence): boolean {
  if (/^\p{Ll}$/u.test(surface) || (/^\p{Script=Latin}$/u.test(surface) && /^['’]/.test(text.slice(end))))
    return true;
  if (/^\p{N}{1,2}$/u.test(surface))
    return /\p{N}:$/u.test(text.slice(start - 2, start)) || /^:\p{N}/u.test(text.slice(end, end + 2));
  return /^[ap]m$/i.test(surface) && /\p{N} ?$/u.test(text.slice(Math.max(0, start - 2), start));
}

function isBare({ queryWords }: Conversation): boolean {
  return queryWords.every(({ isStop }) => isStop);
}

/** A bare number that only the assistant said is an answer ("call 555 01 23"), and no subject of its own. */
function isSubject({ messages, queryKeys }: Conversation): (piece: Piece) => boolean {
  return ({ text, message, start }) =>
    !/^\p{N}+$/u.test(text) ||
    isNumbered(message, start, queryKeys) ||
    messages.some((message) => message.role === 'user' && message.text.includes(text));
}

/** "port 8883", when the question is about "the port". */
function isNumbered({ text, words }: Message, start: number, queryKeys: ReadonlySet<string>): boolean {
  const before = words.findLast((word) => word.end < start);
  return before !== undefined && queryKeys.has(before.key) && text.slice(before.end, start) === ' ';
}

/** Beside the name that is meant, other names would only lead away from it. */
function withReferences(pieces: readonly Piece[], references: readonly Piece[]): readonly Piece[] {
  const keys = new Set(references.map(({ key }) => key));
  return [...references, ...pieces.filter(({ text, key }) => findNames(text).length === 0 && !keys.has(key))];
}

/** A word that was last used inside a name stands for that name; else it stands alone, and its uses inside names do not count. */
function piecesOf({ all, last, key }: Candidate): readonly Piece[] {
  const meant = nameAround(last);
  return all.flatMap((use) => {
    const [name, { message, word }] = [nameAround(use), use];
    if (name?.text !== meant?.text) return [];
    const { text, start, end } = name ?? { text: word.surface, start: word.start, end: word.end };
    return [{ message, text, start, end, key: name === undefined ? key : text.toLowerCase() }];
  });
}

function nameAround({ message, word }: Occurrence): Name | undefined {
  return message.names.find((name) => isInside(word, name));
}

function isInside(word: { readonly start: number; readonly end: number }, name: Name): boolean {
  return word.start >= name.start && word.end <= name.end;
}
