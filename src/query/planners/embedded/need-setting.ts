// The question and its history, measured once for all the numbers that tell whether it can be read alone.
import { type Commonness, commonness } from './commonness.js';
import type { Conversation, Message } from './conversation.js';
import { smallest } from './extremes.js';
import type { Word } from './words.js';

export interface Setting {
  readonly conversation: Conversation;
  readonly common: Commonness;
  readonly lower: readonly string[];
  readonly content: readonly Word[];
  /** Keys of the history, by how many messages use them. */
  readonly known: ReadonlyMap<string, number>;
  readonly lastOfUser: Message | undefined;
  readonly lastReply: Message | undefined;
  readonly topic: Message | undefined;
  readonly salient: readonly string[];
}

export const PRONOUN = /^(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|this|that|these|those)$/;

export function settingOf(conversation: Conversation, common: Commonness): Setting {
  const { messages, queryWords } = conversation;
  const known = new Map<string, number>();
  for (const { words } of messages)
    for (const key of new Set(words.map((word) => word.key))) known.set(key, (known.get(key) ?? 0) + 1);
  return {
    conversation,
    common,
    lower: queryWords.map(({ surface }) => surface.toLowerCase()),
    content: queryWords.filter(({ isStop }) => !isStop),
    known,
    lastOfUser: messages.findLast(({ role }) => role === 'user'),
    lastReply: messages.findLast(({ role }) => role === 'assistant'),
    topic: messages.find(({ role }) => role === 'system') ?? messages.find(({ role }) => role === 'user'),
    salient: salientKeys(messages),
  };
}

/** Capitalised words of the history, those that most messages have first. */
function salientKeys(messages: readonly Message[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { words } of messages)
    for (const key of new Set(
      words.filter((word) => word.isCapital && !word.startsSentence && !word.isStop).map((word) => word.key),
    ))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([key]) => key)
    .slice(0, 8);
}

export function capitals({ content }: Setting): readonly Word[] {
  return content.filter((word) => word.isCapital && !word.startsSentence);
}

export function rarest({ content, common }: Setting, which: (word: Word) => boolean): number {
  const values = content.filter(which).map(({ key }) => commonness(common, key));
  return values.length === 0 ? 9 : smallest(values);
}

/** Whether such a pronoun stands before the first word that could be what it means. */
export function before({ queryWords }: Conversation, pronoun: RegExp, onlyCapitals: boolean): number {
  const first = queryWords.findIndex(({ surface }) => pronoun.test(surface.toLowerCase()));
  if (first < 0) return 0;
  const own = queryWords.findIndex(
    (word) => !word.isStop && (!onlyCapitals || (word.isCapital && !word.startsSentence)),
  );
  return own < 0 || first < own ? 2 : 1;
}

export function definite({ queryWords }: Conversation, which: (key: string) => boolean): number {
  return queryWords.filter((word, i) => {
    const [one, two] = [queryWords[i - 1]?.surface.toLowerCase(), queryWords[i - 2]?.surface.toLowerCase()];
    return !word.isStop && (one === 'the' || two === 'the') && which(word.key);
  }).length;
}

export function pairOf(lower: readonly string[]): number {
  const first = ['what', 'who', 'when', 'where', 'why', 'how', 'which'].indexOf(lower[0] ?? '');
  const second = [
    'is',
    'are',
    'was',
    'were',
    'do',
    'does',
    'did',
    'can',
    'about',
    'many',
    'much',
    'long',
  ].indexOf(lower[1] ?? '');
  return first < 0 ? -1 : first * 13 + second + 1;
}

export function isIn(message: Message | undefined, key: string): boolean {
  return message?.words.some((word) => word.key === key) ?? false;
}

export function contentOf(message: Message | undefined): readonly string[] {
  return [...new Set((message?.words ?? []).filter(({ isStop }) => !isStop).map(({ key }) => key))];
}

export function inTopic({ topic, conversation }: Setting): number {
  return contentOf(topic).filter((key) => conversation.queryKeys.has(key)).length;
}

/** Whether the history has the word beside another capitalised one: "Frank Zappa" for "Zappa". */
export function isPartOfName({ conversation }: Setting, { key }: Word): boolean {
  return conversation.messages.some(({ words }) =>
    words.some(
      (word, i) =>
        word.key === key &&
        word.isCapital &&
        [words[i - 1], words[i + 1]].some(
          (other) => other !== undefined && isNextName(word, other, conversation),
        ),
    ),
  );
}

function isNextName(word: Word, other: Word, { queryKeys }: Conversation): boolean {
  const gap = Math.max(word.start, other.start) - Math.min(word.end, other.end);
  return other.isCapital && !other.isStop && gap <= 2 && !queryKeys.has(other.key);
}

export function lastSentence({ conversation }: Setting): readonly Word[] {
  const last = conversation.queryWords.at(-1)?.sentence;
  return conversation.queryWords.filter(({ sentence }) => sentence === last);
}

export function pronounsIn(words: readonly Word[]): number {
  return words.filter(
    ({ surface }) => /^(?:there|ones?)$/i.test(surface) || PRONOUN.test(surface.toLowerCase()),
  ).length;
}

export function contentIn(words: readonly Word[]): number {
  return words.filter(({ isStop }) => !isStop).length;
}
