// The subject of a conversation in a language that the classifier does not know: what the newest exchange says twice.
import { isChatter } from './chatter.js';
import type { Conversation, Message } from './conversation.js';
import type { Piece } from './quotes.js';
import { type Word, wordKey } from './words.js';

const UNSPACED = /^[\p{Script=Han}\p{Script=Katakana}ー々]+$/u;
const LONGEST_NAME = 8;
const MOST_WORDS = 3;
const CALLED =
  / (?:(?:ist|es|est|é|è) (?:(?:der|die|das|el|la|le|il|o|a) )?)?(\p{Lu}\p{Ll}{2,})(?![\p{L}\p{N}\p{M}_])/duy;

/** Words of an operator message that another message has too; of unspaced scripts the longest shared beginning. */
export function findRepeated(conversation: Conversation): readonly Piece[] {
  for (const message of conversation.messages.toReversed()) {
    if (message.role !== 'user') continue;
    const others = conversation.messages.filter((other) => other !== message);
    const pieces = message.words
      .flatMap((word) => sharedPart(message, word, others, conversation))
      .slice(0, MOST_WORDS);
    if (pieces.length > 0) return joinTouching(pieces);
    const first = message.words.find(({ surface }) => UNSPACED.test(surface) && surface.length > 1);
    if (first !== undefined && !conversation.queryKeys.has(first.key))
      return [pieceOf(message, first, first.surface)];
  }
  return [];
}

/** With what they are called: "das Hotel Fjordblick", "die härteste ist die Nordkap". */
export function withNames(pieces: readonly Piece[], { messages, query }: Conversation): readonly Piece[] {
  const called = messages.flatMap((message) =>
    message.words
      .filter(({ key }) => pieces.some((piece) => piece.key === key))
      .flatMap(({ end }) => {
        CALLED.lastIndex = end;
        const [start, to] = CALLED.exec(message.text)?.indices?.[1] ?? [0, 0];
        const text = message.text.slice(start, to);
        return text === '' || query.includes(text)
          ? []
          : [{ message, text, start, end: to, key: wordKey(text) }];
      }),
  );
  const names = called.filter(({ key }) => pieces.every((piece) => piece.key !== key));
  return [...pieces, ...names];
}

function sharedPart(
  message: Message,
  word: Word,
  others: readonly Message[],
  { query, queryKeys }: Conversation,
): readonly Piece[] {
  if (word.isStop || isChatter(word.surface) || queryKeys.has(word.key)) return [];
  if (!UNSPACED.test(word.surface)) {
    const isShared =
      word.surface.length > 1 && others.some(({ words }) => words.some(({ key }) => key === word.key));
    return isShared ? [pieceOf(message, word, word.surface)] : [];
  }
  for (let length = Math.min(LONGEST_NAME, word.surface.length); length > 1; length -= 1) {
    const part = word.surface.slice(0, length);
    const isWhole =
      !/[\ud800-\udbff]$/.test(part) && !/^[\p{M}\udc00-\udfff]/u.test(word.surface.slice(length));
    if (isWhole && !query.includes(part) && others.some(({ text }) => text.includes(part)))
      return [pieceOf(message, word, part)];
  }
  return [];
}

/** A word of a name stands for the whole name. */
function pieceOf(message: Message, word: Word, text: string): Piece {
  const name = message.names.find(({ start, end }) => word.start >= start && word.end <= end);
  if (name !== undefined) return { message, ...name, key: name.text.toLowerCase() };
  return { message, text, start: word.start, end: word.start + text.length, key: text.toLowerCase() };
}

/** Two scripts run into one another in one name: 決済サーバー. */
function joinTouching(pieces: readonly Piece[]): readonly Piece[] {
  const [first, second] = pieces;
  if (
    first === undefined ||
    second === undefined ||
    first.message !== second.message ||
    first.end !== second.start
  )
    return pieces;
  const text = first.text + second.text;
  return [{ message: first.message, text, start: first.start, end: second.end, key: text.toLowerCase() }];
}
