// Two subjects that compete: named side by side in what was said last, and the question means one of them.
import { isChatter } from './chatter.js';
import type { Conversation, Message } from './conversation.js';
import type { Name } from './names.js';
import type { Piece } from './quotes.js';
import { wordKey } from './words.js';

const JOINED =
  /^[\s,]*(?:and|or|&|and the|or the|und|oder|et|et la|et le|ou|y|o|e|и|или|和|与|或|と|か|와|과|や|and on|또는)[\s]*(?:the |la |le |die |der |das |el )?$/iu;
const LIST_MARK = /^\s*(?:\([^)]{0,20}\)\s*)?(?:and|,|und|et|y|и)\s+(?:the )?$/iu;
const UNSPACED_NAME = /^[\p{Script=Han}\p{Script=Katakana}]{2,6}$/u;

/** The competing names as pieces of the message that puts them side by side; empty when nothing competes. */
export function findRivals(conversation: Conversation): readonly Piece[] {
  const newest = conversation.messages.filter(
    ({ age, role, text, words }) =>
      age < 2 && words.length > 0 && !(role === 'assistant' && /[?？]\s*$/.test(text)),
  );
  for (const message of newest.toReversed()) {
    const pair = coordinated(message);
    if (
      pair.length === 2 &&
      pair.every((piece) => isUnnamed(piece, conversation)) &&
      areEven(pair, conversation)
    )
      return pair;
  }
  return [];
}

function coordinated(message: Message): readonly Piece[] {
  const names = subjectNames(message);
  const pairs = names.slice(1).flatMap((name, i) => {
    const before = names[i];
    const between = before === undefined ? '' : message.text.slice(before.end, name.start);
    return before !== undefined && (JOINED.test(between) || LIST_MARK.test(between) || isCommonNoun(between))
      ? [[before, name] as const]
      : [];
  });
  // A list of three or more is no pair: people then say which they mean by its place.
  const [pair] = pairs;
  if (pair === undefined || pairs.length > 1) return [];
  return pair.map(({ text, start, end }) => ({ message, text, start, end, key: text.toLowerCase() }));
}

/** "the Ostwind bottle and the Polarlicht blanket": a noun may stand between the name and the joining word. */
function isCommonNoun(between: string): boolean {
  if (/^[\p{Script=Katakana}ー]+[とや]$/u.test(between)) return true;
  return (
    /^ (?:\p{Ll}+|\([^)]{1,12}\)) (?:and|or|und|et|y) (?:the |die |la )?$/u.test(between) ||
    /^ ?\p{Script=Hangul}{1,6}[와과] $/u.test(between)
  );
}

function subjectNames(message: Message): readonly Name[] {
  const spelled = message.names;
  const capitals = message.words
    .filter(
      (word) =>
        word.isCapital &&
        !word.isStop &&
        !isChatter(word.surface) &&
        (!word.startsSentence || isNameElsewhere(word.key, message)),
    )
    .filter((word) => spelled.every(({ start, end }) => word.end <= start || word.start >= end))
    .map(({ surface, start, end }) => ({ text: surface, start, end }));
  const unspaced = message.words
    .filter(({ surface }) => UNSPACED_NAME.test(surface))
    .map(({ surface, start, end }) => ({ text: surface, start, end }));
  return [...spelled, ...joinAdjacent(capitals, message.text), ...unspaced].toSorted(
    (a, b) => a.start - b.start,
  );
}

function isNameElsewhere(key: string, { words }: Message): boolean {
  return (
    words.some((word) => word.key === key && word.isCapital && !word.startsSentence) || words[0]?.key === key
  );
}

function joinAdjacent(names: readonly Name[], text: string): readonly Name[] {
  const joined: Name[] = [];
  for (const name of names) {
    const last = joined.at(-1);
    if (last !== undefined && text.slice(last.end, name.start) === ' ')
      joined[joined.length - 1] = {
        text: text.slice(last.start, name.end),
        start: last.start,
        end: name.end,
      };
    else joined.push(name);
  }
  return joined;
}

function isUnnamed({ text }: Piece, { queryKeys, query }: Conversation): boolean {
  return (
    !query.toLowerCase().includes(text.toLowerCase()) &&
    !text.split(/\W+/u).some((word) => word !== '' && queryKeys.has(wordKey(word)))
  );
}

/** Neither is spoken of more than the other. */
function areEven(pair: readonly Piece[], { messages }: Conversation): boolean {
  const counts = pair.map(({ text }) =>
    messages.reduce((sum, message) => sum + message.text.split(text).length - 1, 0),
  );
  return Math.abs((counts[0] ?? 0) - (counts[1] ?? 0)) <= 0;
}
