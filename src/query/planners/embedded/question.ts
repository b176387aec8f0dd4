// What the question itself says about how much of the history it needs; the same for every word of the history.

import { type Commonness, commonness } from './commonness.js';
import type { Conversation, Message } from './conversation.js';
import { largest, smallest } from './extremes.js';
import { findNames } from './names.js';

interface Question {
  readonly conversation: Conversation;
  readonly lower: readonly string[];
  readonly common: Commonness;
  /** Keys of the history. */
  readonly known: ReadonlySet<string>;
}

const WH = ['what', 'who', 'when', 'where', 'why', 'how', 'which', 'whose'];
const REPLY_WITHOUT_CONTENT = /don.?t know|no answer|cannot|unable|sorry|not sure|no information/i;

const has = (words: string) => {
  const set = new Set(words.split(' '));
  return ({ lower }: Question) => lower.reduce((sum, word) => sum + (set.has(word) ? 1 : 0), 0);
};

const RULES: readonly (readonly [string, (question: Question) => number])[] = [
  ['words', ({ lower }) => lower.length],
  ['content words', (question) => contentWords(question).length],
  ['share of content', (question) => contentWords(question).length / Math.max(1, question.lower.length)],
  ['he', has('he him his himself')],
  ['she', has('she her hers herself')],
  ['they', has('they them their theirs themselves')],
  ['it', has('it its itself')],
  ['this', has('this that')],
  ['these', has('these those')],
  ['there', has('there here then')],
  ['one', has('one ones both either neither former latter')],
  ['other', has('other others else another more besides aside addition')],
  ['ordinal', has('first second third last next previous fourth final')],
  ['possessive', has('his her their its')],
  ['I', has('i my me mine we our us')],
  ['you', has('you your')],
  ['thanks', has('thanks thank bye goodbye great perfect ok okay cool yes no')],
  ['that word', ({ lower }) => Math.min(20, lower.indexOf('that') + 1)],
  ['place of the first pronoun', ({ lower }) => firstPronoun(lower)],
  [
    'what about',
    ({ conversation }) => Number(/^\W*(and|what about|how about|or|but|so)\b/i.test(conversation.query)),
  ],
  ['question word', ({ lower }) => WH.indexOf(lower[0] ?? '')],
  ['any question word', ({ lower }) => WH.findIndex((word) => lower.includes(word))],
  [
    'verb first',
    ({ lower }) =>
      Number(/^(did|does|do|is|are|was|were|has|have|can|could|will|would)$/.test(lower[0] ?? '')),
  ],
  ['past', has('was were did had')],
  ['definite article', has('the')],
  ['indefinite article', has('a an any some')],
  ['the + last word', ({ lower }) => Number(lower.at(-2) === 'the')],
  [
    'preposition last',
    ({ lower }) => Number(/^(of|in|for|to|at|on|with|about|from|by|it|that|this)$/.test(lower.at(-1) ?? '')),
  ],
  [
    'capitals',
    (question) => contentWords(question).filter((word) => word.isCapital && !word.startsSentence).length,
  ],
  ['capital first', ({ conversation }) => Number(conversation.queryWords[0]?.isCapital ?? false)],
  ['numbers', ({ lower }) => lower.filter((word) => /\d/.test(word)).length],
  ['ends as a question', ({ conversation }) => Number(/[?？]\s*$/.test(conversation.query))],
  ['sentences', ({ conversation }) => (conversation.queryWords.at(-1)?.sentence ?? -1) + 1],
  ['rarest word', (question) => rarity(question, smallest)],
  ['most common word', (question) => rarity(question, largest)],
  [
    'content words known from the history',
    (question) => contentWords(question).filter(({ key }) => question.known.has(key)).length,
  ],
  [
    'capitals known from the history',
    (question) =>
      contentWords(question).filter(
        (word) => word.isCapital && !word.startsSentence && question.known.has(word.key),
      ).length,
  ],
  ['messages', ({ conversation }) => conversation.messages.length],
  ['candidates', ({ conversation }) => conversation.candidates.length],
  ['operator messages', ({ conversation }) => operatorMessages(conversation).length],
  [
    'has a system message',
    ({ conversation }) => Number(conversation.messages.some(({ role }) => role === 'system')),
  ],
  ['last reply asks', ({ conversation }) => Number(/[?？]\s*$/.test(lastReply(conversation)?.text ?? ''))],
  [
    'last reply is empty-handed',
    ({ conversation }) =>
      Number(REPLY_WITHOUT_CONTENT.test(lastReply(conversation)?.text.slice(0, 200) ?? '')),
  ],
  ['words of the last reply', ({ conversation }) => lastReply(conversation)?.words.length ?? 0],
  [
    'words of the last operator message',
    ({ conversation }) => operatorMessages(conversation).at(-1)?.words.length ?? 0,
  ],
  [
    'pronouns of the last operator message',
    ({ conversation }) =>
      firstPronoun(
        (operatorMessages(conversation).at(-1)?.words ?? []).map(({ surface }) => surface.toLowerCase()),
      ),
  ],
  ['own names', ({ conversation }) => findNames(conversation.query).length],
  [
    'question word of the last operator message',
    ({ conversation }) => WH.findIndex((word) => hasWord(operatorMessages(conversation).at(-1), word)),
  ],
  [
    'words known from the last operator message',
    (question) => knownFrom(question, operatorMessages(question.conversation).at(-1)),
  ],
  ['words known from the last reply', (question) => knownFrom(question, lastReply(question.conversation))],
  [
    'determiner in front of a content word',
    ({ conversation }) =>
      Number(
        /\b(?:this|that|these|those|his|her|their|its|the) (?:other |same |second |first )?\p{L}{4,}/iu.test(
          conversation.query,
        ),
      ),
  ],
  [
    'history has capitals',
    ({ conversation }) =>
      Number(conversation.messages.some(({ words }) => words.some((word) => word.isCapital))),
  ],
];

export function questionFeatures(conversation: Conversation, common: Commonness): readonly number[] {
  const lower = conversation.queryWords.map(({ surface }) => surface.toLowerCase());
  const known = new Set(conversation.messages.flatMap(({ words }) => words.map(({ key }) => key)));
  const question = { conversation, common, lower, known };
  return RULES.map(([, measure]) => measure(question));
}

function contentWords({ conversation }: Question) {
  return conversation.queryWords.filter((word) => !word.isStop);
}

function firstPronoun(lower: readonly string[]): number {
  return (
    1 +
    lower.findIndex((word) =>
      /^(he|him|his|she|her|they|them|their|it|its|this|that|these|those|there|one|ones)$/.test(word),
    )
  );
}

function rarity(question: Question, pick: (values: readonly number[]) => number): number {
  const values = contentWords(question).map((word) => commonness(question.common, word.key));
  return values.length === 0 ? -1 : pick(values);
}

function knownFrom(question: Question, message: Message | undefined): number {
  const keys = new Set(message?.words.map(({ key }) => key));
  return contentWords(question).filter(({ key }) => keys.has(key)).length;
}

function hasWord(message: Message | undefined, word: string): boolean {
  return message?.words.some(({ surface }) => surface.toLowerCase() === word) ?? false;
}

function operatorMessages(conversation: Conversation): readonly Message[] {
  return conversation.messages.filter(({ role }) => role === 'user');
}

function lastReply(conversation: Conversation): Message | undefined {
  return conversation.messages.findLast(({ role }) => role === 'assistant');
}
