// A question that asks again for what was told: "what was the code again?". Its subject is what that was told about.
import { isChatter } from './chatter.js';
import type { Conversation, Message } from './conversation.js';
import { findNames, isUnmistakable } from './names.js';
import { isForeign, isForeignFunctionWord } from './pointing.js';
import type { Piece } from './quotes.js';
import { readTime } from './time.js';
import type { Word } from './words.js';

const REMEMBERING =
  /^(?:again|earlier|remind|remember|said|told|mentioned?|suggest(?:ed)?|called|recommend(?:ed)?|sorry|wrote|gave|showed|exactly|previously)$/i;
const PHRASE =
  /\b(?:for|about|of|in|on|from|with|at) (?:the |a |my |our )?(?!(?:that|this|it|there|again)\b)[\p{L}\p{N}]/iu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Katakana}ー]+$/u;
const MOST_WORDS = 4;
const ASKED_BEFORE = 2;

/** Whether it asks again for something, and does not say of what. */
export function asksAgain(conversation: Conversation): boolean {
  const { query } = conversation;
  const content = askedWords(conversation);
  return (
    readTime(query) === 'past' &&
    findNames(query).length === 0 &&
    content.length <= (PHRASE.test(query) ? 1 : 3) &&
    content.length > 0
  );
}

/** The words of the question, or else of the sentence, in which it was told. */
export function findTold(conversation: Conversation): readonly Piece[] {
  if (!asksAgain(conversation)) return [];
  const wanted = askedWords(conversation);
  const told = conversation.messages.findLast((message) => wanted.some((word) => speaksOf(message, word)));
  if (told === undefined) return [];
  const at = conversation.messages.indexOf(told);
  const asked = conversation.messages
    .slice(0, at + 1)
    .filter(({ role }) => role === 'user')
    .slice(-ASKED_BEFORE)
    .toReversed();
  const found = [...asked, told].map((message) => subjectWords(message, conversation));
  return (
    found.slice(0, asked.length).find((pieces) => pieces.some(({ text }) => isUnmistakable(text))) ??
    found.find(({ length }) => length > 0) ??
    []
  );
}

function askedWords(conversation: Conversation): readonly Word[] {
  const foreign = isForeign(conversation);
  return conversation.queryWords.filter(
    ({ isStop, surface }) =>
      !isStop && !REMEMBERING.test(surface) && !(foreign && isForeignFunctionWord(surface)),
  );
}

/** Unspaced words stand inside others, and Korean ones end in a particle. */
function speaksOf({ words, text }: Message, { key, surface }: Word): boolean {
  if (UNSPACED.test(surface)) return surface.length > 1 && text.includes(surface);
  if (/^\p{Script=Hangul}{3,}$/u.test(surface)) return text.includes(surface.slice(0, -1));
  return words.some((word) => word.key === key);
}

function subjectWords(message: Message, { queryKeys }: Conversation): readonly Piece[] {
  const names = message.names
    .filter(({ text }) => isUnmistakable(text))
    .map((name) => ({ message, ...name, key: name.text.toLowerCase() }));
  const words = message.words
    .filter(
      ({ isStop, key, surface }) =>
        !isStop && !queryKeys.has(key) && !isChatter(surface) && !isForeignFunctionWord(surface),
    )
    .filter(({ start, end }) => names.every((name) => end <= name.start || start >= name.end))
    .map(({ surface, start, end, key }) => ({ message, text: surface, start, end, key }));
  return [...names, ...words].slice(0, MOST_WORDS);
}
