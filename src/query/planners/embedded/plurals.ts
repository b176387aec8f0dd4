// What "them" or "the old ones" means when no two names are meant: the plural noun that was spoken of last.
import type { Conversation, Message } from './conversation.js';
import { namesNothing } from './no-subject.js';
import type { Piece } from './quotes.js';
import type { Word } from './words.js';

const PLURAL = /\b(?:them|those|these|ones)\b/i;
const NEWEST = 2;

export function findPlural({ query, queryKeys, messages }: Conversation): Piece | undefined {
  if (!PLURAL.test(query)) return undefined;
  for (const message of messages.slice(-NEWEST)) {
    const at = message.words.findIndex((word, i) => !queryKeys.has(word.key) && isPluralNoun(message, i));
    const word = message.words[at];
    if (word !== undefined) return wholeNoun(message, at, word);
  }
  return undefined;
}

/** With the name before it: "Trek boots". */
function wholeNoun(message: Message, at: number, { start, end, key }: Word): Piece {
  const before = message.words[at - 1];
  const isNamed =
    before?.isCapital === true && !before.isStop && message.text.slice(before.end, start) === ' ';
  if (!isNamed) return { message, text: message.text.slice(start, end), start, end, key };
  const text = message.text.slice(before.start, end);
  return { message, text, start: before.start, end, key: text.toLowerCase() };
}

/** "the old snapshots", but no verb ("holds one pair"), no amount ("90 days") and no first half ("customers table"). */
function isPluralNoun({ words, names, text }: Message, at: number): boolean {
  const [word, before, after] = [words[at], words[at - 1], words[at + 1]];
  if (word === undefined || word.isStop || namesNothing(word.surface)) return false;
  if (word.surface.length < 4 || word.surface.toLowerCase() === word.key) return false;
  if (names.some(({ start, end }) => word.start >= start && word.end <= end)) return false;
  if (before !== undefined && /^\p{N}+$/u.test(before.surface)) return false;
  const isEnd = after === undefined || !/^ $/.test(text.slice(word.end, after.start));
  return (
    isEnd ||
    /(?:er|ed)$/.test(after.surface) ||
    (after.isStop && !/^(?:a|an|the|it|its|one|your|my)$/i.test(after.surface))
  );
}
