// Which of a plan's terms name its subject: names before plain words, and of plain words those that can be a subject.
import type { Conversation } from './conversation.js';
import { isChange } from './left-out.js';
import { findNames, isUnmistakable } from './names.js';
import { namesNothing } from './no-subject.js';
import type { Piece } from './quotes.js';
import { splitWords, type Word } from './words.js';

/** What the history gave to a plan. */
export interface Added {
  /** As the plan spells them. */
  readonly terms: ReadonlyMap<string, string>;
  readonly pieces: readonly Piece[];
  /** Keys of what the question points at, by the rules for names, persons and plurals. */
  readonly meant: ReadonlySet<string>;
}

/** Of a question that is read alone: its names, and its words but those that can be about anything. */
export function ownFocus(own: readonly string[]): readonly string[] {
  return unlessEmpty(
    own.filter((term) => findNames(term).length > 0 || !namesNothing(term)),
    own,
  );
}

export function focusOf(
  own: readonly string[],
  { terms, pieces, meant }: Added,
  conversation: Conversation,
): readonly string[] {
  const added = [...terms.values()];
  const named = [...terms].filter(([key]) => meant.has(key)).map(([, text]) => text);
  const isSure = named.some((text) => /\p{L}|\p{N}{5}/u.test(text));
  const others = isSure ? added.filter(isSpelledIn(pieces)) : bestKind(added, pieces, isChange(conversation));
  return [...new Set([...ownNames(own, conversation.query), ...named, ...others])];
}

/** Without spelled names those with a capital, without these the plain words. */
function bestKind(added: readonly string[], pieces: readonly Piece[], isAll: boolean): readonly string[] {
  const telling = unlessEmpty(added.filter(isTelling), added);
  if (isAll) return telling;
  const spelled = telling.filter(isSpelledIn(pieces));
  if (spelled.length > 0) return spelled;
  const capital = capitalised(pieces);
  const named = telling.filter((term) => capital.has(term) || findNames(term).length > 0);
  return named.some((term) => /\p{L}/u.test(term)) ? named : telling;
}

function isTelling(term: string): boolean {
  return isSpelled(term) || !namesNothing(term);
}

/** A short number or a version is a name only for want of a better one. */
function isSpelled(term: string): boolean {
  return isName(term) && !/^\p{N}{4}$|^\p{N}+(?:\.\p{N}+){1,2}$/u.test(term);
}

function isName(term: string): boolean {
  return findNames(term).length > 0 && (isUnmistakable(term) || /\p{Ll}\p{Lu}\p{L}/u.test(term));
}

/** Words that some message writes with a capital inside a sentence, and what stands beside them there: "Trek boots". */
function capitalised(pieces: readonly Piece[]): ReadonlySet<string> {
  const words = pieces.map((piece) => ({ piece, word: wordAt(piece) }));
  const capitals = words.filter(({ word }) => word?.isCapital === true).map(({ piece }) => piece);
  const inside = words
    .filter(({ word }) => word?.isCapital === true && !word.startsSentence && word.surface.length > 1)
    .map(({ piece }) => piece);
  const beside = [
    ...capitals.filter((piece) => inside.some((one) => isNext(piece, one))),
    ...pieces.filter((piece) => inside.some((one) => isNext(one, piece))),
  ];
  return new Set([...inside, ...beside].map(({ text }) => text));
}

function isSpelledIn(pieces: readonly Piece[]): (term: string) => boolean {
  const uncapitalised = new Set(pieces.filter(isUncapitalised).map(({ text }) => text));
  return (term) => isSpelled(term) || uncapitalised.has(term);
}

/** A reply that begins without a capital begins with a name that is spelled so: "certbot renews it." */
function isUncapitalised(piece: Piece): boolean {
  const { role, words, text } = piece.message;
  return (
    role === 'assistant' &&
    words[0]?.start === piece.start &&
    /^\p{Ll}{4,}$/u.test(piece.text) &&
    /[.!?]\s*$/.test(text)
  );
}

function wordAt({ message, start }: Piece): Word | undefined {
  return message.words.find((word) => word.start === start);
}

function isNext(one: Piece, other: Piece): boolean {
  return (
    one.message === other.message && other.start === one.end + 1 && one.message.text.charAt(one.end) === ' '
  );
}

/** What the question itself names, beside what it points at. */
function ownNames(own: readonly string[], query: string): readonly string[] {
  const starts = new Set(
    splitWords(query)
      .filter(({ startsSentence }) => startsSentence)
      .map(({ surface }) => surface),
  );
  const kind = /\bthe (\p{L}{3,}) ones?\b/iu.exec(query)?.[1];
  return own.filter(
    (term) =>
      findNames(term).length > 0 ||
      (/^\p{Lu}/u.test(term) && !starts.has(term)) ||
      (term === kind && !namesNothing(term)),
  );
}

function unlessEmpty(some: readonly string[], otherwise: readonly string[]): readonly string[] {
  return some.length > 0 ? some : otherwise;
}
