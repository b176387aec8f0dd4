// Questions that show by their making whether they can be read alone, whatever else is in them.
import type { Conversation } from './conversation.js';
import { splitWords, wordKey } from './words.js';

const PRONOUN = /\b(?:it|its|they|them|their|he|him|his|she|her|that|this|those|these|there|ones?)\b/i;
const EMPTY_IT =
  /\b(?:is|was|would|will) it (?:be )?(?:possible|allowed|okay|ok|worth|safe|better|best|normal|common|necessary|legal|true)\b/i;
const LEAST_NEWS = 2;
const DEMONSTRATED =
  /\b(?:that|this|these|those) (?:same )?(\p{L}{3,})(?=[ ?.!,]*$|[ ,]+(?:\p{L}+ ){0,3}\p{L}+[ ?.!]*$)/iu;
const DEMONSTRATIVE_LAST = /\b(?:for|with|about|after|before|of|to|from) (?:that|this|those|these)[ ?.!]*$/i;
const NEWEST = 4;

/** "is it possible to pay by card?": the pronoun means nothing, and the rest is news to the history. */
export function isWhole({ query, messages }: Conversation): boolean {
  if (!EMPTY_IT.test(query)) return false;
  const rest = query.replace(EMPTY_IT, '');
  const known = new Set(messages.flatMap(({ words }) => words.map(({ key }) => key)));
  const content = splitWords(rest).filter(({ isStop }) => !isStop);
  return content.length >= LEAST_NEWS && content.every(({ key }) => !known.has(key)) && !PRONOUN.test(rest);
}

/** "that runbook", of which the newest messages speak, or "for that" at the end. */
export function isDemonstrative({ query, messages }: Conversation): boolean {
  if (DEMONSTRATIVE_LAST.test(query)) return true;
  const kind = wordKey(DEMONSTRATED.exec(query)?.[1] ?? '');
  return messages
    .slice(-NEWEST)
    .some(({ words }) => words.some(({ key, isStop }) => key === kind && !isStop));
}
