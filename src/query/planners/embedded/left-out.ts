// A question that only changes one thing of the question before it: "and in Q3?", "what about POST?", "same for the heater?".
import type { Conversation, Message } from './conversation.js';
import type { Piece } from './quotes.js';
import { isSmallTalk } from './small-talk.js';

const OPENING =
  /^[^\p{L}\p{N}]*(?:ok(?:ay)?,? )?(?:and|or|but|what about|how about|same for|et|und|y|e|а|и)(?![\p{L}\p{N}])/iu;
const CLAUSE =
  /\b(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|it|its|they|their|them|he|she|his|her|that|this|those|these|one|ones|there|who|why|when|where|which|whose|tell|give|show|please|i|you|we|need|want|est|ist|sind|hat|es|son|tiene)\b|\b(?:what|how)\b(?! about\b)/i;
const DATE =
  /^(?:(?:jan|febr)uary|march|april|june|july|august|(?:sept|nov|dec)ember|october|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?$/i;
const MOST_WORDS = 4;
const LONGEST = 9;

export function isChange({ query, queryWords }: Conversation): boolean {
  const rest = query.replace(OPENING, '');
  return (
    rest !== query &&
    queryWords.length <= LONGEST &&
    queryWords.some(({ isStop }) => !isStop) &&
    !CLAUSE.test(rest)
  );
}

/** Whether what is exchanged is spelled so that its place in the question before can be seen. */
export function isExchangeOfNames(conversation: Conversation): boolean {
  const shapes = conversation.queryWords
    .filter(({ isStop }) => !isStop)
    .map(({ surface }) => shapeOf(surface));
  if (shapes.some((shape) => shape !== 'word' && shape !== 'capital')) return true;
  // "and Sweden?" after "revenue for Norway": one name inside a sentence for one.
  return shapes.length === 1 && shapes[0] === 'capital' && namesInside(conversation) === 1;
}

function namesInside(conversation: Conversation): number {
  return (lastAsked(conversation)?.words ?? []).filter(
    ({ surface, startsSentence, isStop }) => !isStop && !startsSentence && shapeOf(surface) === 'capital',
  ).length;
}

function lastAsked({ messages }: Conversation): Message | undefined {
  return messages.findLast(
    ({ role, text, words }) => role === 'user' && words.length > 2 && !isSmallTalk(text, undefined),
  );
}

/** What stays of the question before: its words, without those of the kind that is exchanged. */
export function findLeftOut(conversation: Conversation): readonly Piece[] {
  if (!isChange(conversation)) return [];
  const asked = lastAsked(conversation);
  if (asked === undefined) return [];
  const exchanged = new Set(
    conversation.queryWords.filter(({ isStop }) => !isStop).map(({ surface }) => shapeOf(surface)),
  );
  return piecesOf(asked, conversation)
    .filter(({ text }) => shapeOf(text) === 'word' || !exchanged.has(shapeOf(text)))
    .slice(0, MOST_WORDS);
}

function piecesOf(message: Message, { queryKeys }: Conversation): readonly Piece[] {
  const names = message.names.map((name) => ({ message, ...name, key: name.text.toLowerCase() }));
  const words = message.words
    .filter(({ isStop, key }) => !isStop && !queryKeys.has(key))
    .filter(({ start, end }) => names.every((name) => end <= name.start || start >= name.end))
    .map(({ surface, start, end, key }) => ({ message, text: surface, start, end, key }));
  return [...names, ...words].toSorted((a, b) => a.start - b.start);
}

function shapeOf(text: string): 'path' | 'number' | 'capitals' | 'capital' | 'date' | 'word' {
  if (DATE.test(text)) return 'date';
  if (/[/\\]/.test(text)) return 'path';
  if (/\p{N}/u.test(text)) return 'number';
  if (/^\p{Lu}{2,}$/u.test(text)) return 'capitals';
  return /^\p{Lu}/u.test(text) ? 'capital' : 'word';
}
