// The person that "she", "him" or "his" means: full names of the history, whole.
import type { Conversation, Message } from './conversation.js';
import type { Piece } from './quotes.js';
import type { Word } from './words.js';

// Of two persons "her" is the one whose name ends as women's names often do.
const SHE = /\b(?:she|her|hers)\b/i;
const PERSON = /\b(?:she|her|hers|he|him|his)\b/i;
const NAME_PART = /^\p{Lu}\p{Ll}+$/u;
const LONGEST = 3;
const NEWEST = 6;

function isAboutPerson(query: string): boolean {
  return PERSON.test(query);
}

/** Full names in a message, in order: "Ewan Doyle", not a capital alone. */
export function findPersons(message: Message): readonly Piece[] {
  const runs: Word[][] = [];
  for (const word of message.words) {
    if (word.isStop || !NAME_PART.test(word.surface) || isInName(message, word)) continue;
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNext = last !== undefined && message.text.slice(last.end, word.start) === ' ';
    if (isNext) run?.push(word);
    else runs.push([word]);
  }
  return runs
    .filter(({ length }) => length > 1 && length <= LONGEST)
    .flatMap((run) => wholeName(message, run));
}

function isInName({ names }: Message, { start, end }: Word): boolean {
  return names.some((name) => start >= name.start && end <= name.end);
}

function wholeName(message: Message, run: readonly Word[]): readonly Piece[] {
  const [start, end] = [run[0]?.start, run.at(-1)?.end];
  if (start === undefined || end === undefined) return [];
  const text = message.text.slice(start, end);
  return [{ message, text, start, end, key: text.toLowerCase() }];
}

/** The person named last, where no chosen word names one. */
export function findPerson(
  { query, queryKeys, messages }: Conversation,
  chosen: readonly Piece[],
): Piece | undefined {
  if (!isAboutPerson(query)) return undefined;
  const persons = messages
    .slice(-NEWEST)
    .flatMap((message) => findPersons(message))
    .filter(({ message, start, end }) =>
      message.words.every((word) => word.start < start || word.end > end || !queryKeys.has(word.key)),
    );
  // A name in the words that were chosen is the right one, as a rule: it is not made longer.
  if (chosen.some((piece) => persons.some((person) => isPart(piece, person))))
    return otherWoman(query, persons, chosen);
  return chosen.some(isCapitalInside) ? undefined : persons.at(-1);
}

function otherWoman(query: string, persons: readonly Piece[], chosen: readonly Piece[]): Piece | undefined {
  const newest = persons.filter(({ message }) => message === persons.at(-1)?.message);
  const women = newest.filter(({ text }) => /^\p{L}+a /u.test(text));
  const isChosen = newest.some(
    (person) => women.includes(person) && chosen.some((piece) => isPart(piece, person)),
  );
  return SHE.test(query) && newest.length === 2 && women.length === 1 && !isChosen ? women[0] : undefined;
}

/** Whether it is a word with a capital that is not only that of a beginning sentence. */
export function isCapitalInside({ message, start }: Piece): boolean {
  const word = message.words.find((one) => one.start === start);
  return word?.isCapital === true && !word.startsSentence;
}

function isPart(piece: Piece, person: Piece): boolean {
  return piece.message === person.message && piece.start >= person.start && piece.end <= person.end;
}
