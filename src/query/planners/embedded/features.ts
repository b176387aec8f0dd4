// What is known about one word of the history: the classifier reads these numbers and the question's.
import { type Commonness, commonness } from './commonness.js';
import type { Candidate, Conversation, Message, Occurrence } from './conversation.js';
import { largest, smallest } from './extremes.js';
import { PERSISTENCE_RULES, readPersistence } from './persistence.js';
import { PHRASE_RULES, readPhrases } from './phrases.js';
import type { Word } from './words.js';

interface Setting {
  readonly conversation: Conversation;
  readonly common: Commonness;
  readonly firstOfUser: Message | undefined;
  readonly lastOfUser: Message | undefined;
  readonly previousOfUser: Message | undefined;
  readonly lastReply: Message | undefined;
  readonly previousReply: Message | undefined;
  readonly queryStems: ReadonlySet<string>;
  readonly operatorMessages: number;
  readonly useCounts: readonly number[];
}

type Measure = (candidate: Candidate, setting: Setting) => number;

const ROLES = ['user', 'assistant', 'system'];
const FAR = 99;

const RULES: readonly (readonly [string, Measure])[] = [
  ['age of the last use', ({ last }) => last.message.age],
  ['age of the first use', ({ first }) => first.message.age],
  [
    'messages before the first use',
    ({ first }, { conversation }) => conversation.messages.length - 1 - first.message.age,
  ],
  ['operator turns since', ({ last }) => last.message.userTurnsAfter],
  ['operator turns since their own use', ({ all }) => lastBy(all, 'user')?.message.userTurnsAfter ?? FAR],
  ['role of the last use', ({ last }) => ROLES.indexOf(last.message.role)],
  ['role of the first use', ({ first }) => ROLES.indexOf(first.message.role)],
  ['uses', ({ all }) => all.length],
  ['uses by the operator', ({ all }) => countBy(all, 'user')],
  ['uses by the assistant', ({ all }) => countBy(all, 'assistant')],
  ['messages with it', ({ all }) => distinctMessages(all)],
  ['share of messages', ({ all }, { conversation }) => distinctMessages(all) / conversation.messages.length],
  ['in the system message', ({ all }) => placeIn(all, (message) => message.role === 'system')],
  ['place in the system message', ({ all }) => heading(lastBy(all, 'system'))],
  [
    'in the first operator message',
    ({ all }, { firstOfUser }) => placeIn(all, (message) => message === firstOfUser),
  ],
  [
    'in the last operator message',
    ({ all }, { lastOfUser }) => placeIn(all, (message) => message === lastOfUser),
  ],
  [
    'in the operator message before',
    ({ all }, { previousOfUser }) => placeIn(all, (message) => message === previousOfUser),
  ],
  ['in the last reply', ({ all }, { lastReply }) => placeIn(all, (message) => message === lastReply)],
  [
    'in the reply before',
    ({ all }, { previousReply }) => placeIn(all, (message) => message === previousReply),
  ],
  [
    'uses in the last reply',
    ({ all }, { lastReply }) => all.filter(({ message }) => message === lastReply).length,
  ],
  ['words before it', ({ last }) => last.at],
  ['words after it', ({ last }) => last.message.words.length - 1 - last.at],
  ['relative place', ({ last }) => last.at / last.message.words.length],
  ['sentence from the start', ({ last }) => last.word.sentence],
  ['sentence from the end', ({ last }) => (last.message.words.at(-1)?.sentence ?? 0) - last.word.sentence],
  ['words of its message', ({ last }) => last.message.words.length],
  ['relative place of the first use', ({ first }) => first.at / first.message.words.length],
  [
    'capital',
    ({ all }) => all.filter(({ word }) => word.isCapital && !word.startsSentence).length / all.length,
  ],
  [
    'capital at a start only',
    ({ all }) => Number(all.every(({ word }) => word.isCapital && word.startsSentence)),
  ],
  ['all capitals', ({ last }) => Number(/^\p{Lu}{2,}$/u.test(last.word.surface))],
  ['digits', ({ key }) => (/^\d+$/.test(key) ? 2 : Number(/\d/.test(key)))],
  ['length', ({ key }) => key.length],
  [
    'ending',
    ({ key }) =>
      ['ing', 'ed', 'ly', 'tion', 'er', 'al', 'ity', 'ment', 'est'].findIndex((end) => key.endsWith(end)),
  ],
  ['commonness', ({ key }, { common }) => commonness(common, key)],
  ['word before is a stop word', ({ last }) => kindOf(neighbour(last, -1))],
  ['word after is a stop word', ({ last }) => kindOf(neighbour(last, 1))],
  ['after an article', ({ all }) => shareAfter(all, /^(the|a|an)$/i)],
  ['after a preposition', ({ all }) => shareAfter(all, /^(of|in|at|for|about|on|by|with|from|to)$/i)],
  ['after a form of be', ({ all }) => shareAfter(all, /^(is|was|are|were|be|been)$/i)],
  [
    'before a form of be',
    ({ last }) => Number(/^(is|was|are|were|s|has|had)$/i.test(neighbour(last, 1)?.surface ?? '')),
  ],
  [
    'content words around it',
    ({ last }) => Number(isContent(neighbour(last, -1))) + Number(isContent(neighbour(last, 1))),
  ],
  [
    'capitals around it',
    ({ last }) =>
      Number(neighbour(last, -1)?.isCapital ?? false) + 2 * Number(neighbour(last, 1)?.isCapital ?? false),
  ],
  [
    'rarest neighbour',
    ({ last }, { common }) => Math.min(...[-1, 1].map((step) => rarity(neighbour(last, step), common))),
  ],
  [
    'nearest word of the question',
    ({ all }, { conversation }) => smallest(all.map((use) => distanceToQuery(use, conversation))),
  ],
  [
    'in a sentence with a word of the question',
    ({ all }, { conversation }) => all.filter((use) => sharesSentence(use, conversation)).length,
  ],
  [
    'in a message with a word of the question',
    ({ all }) => all.filter(({ message }) => message.hasQueryWord).length,
  ],
  [
    'shares its stem with a word of the question',
    ({ key }, { queryStems }) => Number(queryStems.has(key.slice(0, 5))),
  ],
  [
    'first by the operator, taken up by the assistant',
    ({ first, all }) => Number(first.message.role === 'user' && countBy(all, 'assistant') > 0),
  ],
  [
    'in a list',
    ({ last }) =>
      Number(/^\s*(,|and\b|or\b)/.test(last.message.text.slice(last.word.end, last.word.end + 8))),
  ],
  ['quoted', ({ last }) => Number(/["“”'‘’`(]/.test(last.message.text.charAt(last.word.start - 1)))],
  [
    'inside a spelled name',
    ({ last }) =>
      Number(last.message.names.some(({ start, end }) => start <= last.word.start && end >= last.word.end)),
  ],
  ['most uses together with a neighbour', ({ all }) => Math.max(repeats(all, -1), repeats(all, 1))],
  [
    'share of operator messages',
    ({ all }, { operatorMessages }) =>
      distinctMessages(all.filter(({ message }) => message.role === 'user')) / Math.max(1, operatorMessages),
  ],
  [
    'share of the words of its message',
    ({ all, last }) =>
      all.filter(({ message }) => message === last.message).length / last.message.words.length,
  ],
  ['words used more', ({ all }, { useCounts }) => useCounts.filter((count) => count > all.length).length],
  [
    'first by the assistant, taken up by the operator',
    ({ first, all }) => Number(first.message.role === 'assistant' && countBy(all, 'user') > 0),
  ],
  [
    'in the newest messages of the operator',
    ({ all }) =>
      distinctMessages(all.filter(({ message }) => message.role === 'user' && message.userTurnsAfter < 3)),
  ],
  [
    'age of the message with a word of the question',
    (_, { conversation }) => conversation.messages.findLast(({ hasQueryWord }) => hasQueryWord)?.age ?? FAR,
  ],
  ['last word of its sentence', ({ last }) => Number(neighbour(last, 1)?.startsSentence ?? true)],
  [
    'first content word of its message',
    ({ last }) => Number(last.message.words.findIndex(isContent) === last.at),
  ],
];

/** One row of numbers for each candidate, in the candidates' order. */
export function wordFeatures(conversation: Conversation, common: Commonness): readonly (readonly number[])[] {
  const setting = readSetting(conversation, common);
  const [phrases, persistence] = [readPhrases(conversation), readPersistence(conversation)];
  return conversation.candidates.map((candidate) => [
    ...RULES.map(([, measure]) => measure(candidate, setting)),
    ...PHRASE_RULES.map(([, measure]) => measure(candidate, phrases)),
    ...PERSISTENCE_RULES.map(([, measure]) => measure(candidate, persistence)),
  ]);
}

function readSetting(conversation: Conversation, common: Commonness): Setting {
  const ofUser = conversation.messages.filter(({ role }) => role === 'user');
  const replies = conversation.messages.filter(({ role }) => role === 'assistant');
  return {
    conversation,
    common,
    firstOfUser: ofUser[0],
    lastOfUser: ofUser.at(-1),
    previousOfUser: ofUser.at(-2),
    lastReply: replies.at(-1),
    previousReply: replies.at(-2),
    operatorMessages: ofUser.length,
    useCounts: conversation.candidates.map(({ all }) => all.length),
    queryStems: new Set(
      conversation.queryWords
        .filter((word) => isContent(word) && word.key.length > 4)
        .map(({ key }) => key.slice(0, 5)),
    ),
  };
}

function lastBy(all: readonly Occurrence[], role: string): Occurrence | undefined {
  return all.findLast(({ message }) => message.role === role);
}

function countBy(all: readonly Occurrence[], role: string): number {
  return all.reduce((sum, { message }) => sum + (message.role === role ? 1 : 0), 0);
}

function distinctMessages(all: readonly Occurrence[]): number {
  return new Set(all.map(({ message }) => message)).size;
}

/** 0 when not there, else between 1 (its first word) and 2. */
function placeIn(all: readonly Occurrence[], wanted: (message: Message) => boolean): number {
  const use = all.find(({ message }) => wanted(message));
  return use === undefined ? 0 : 1 + use.at / use.message.words.length;
}

/** A topic line is a name, often with a section after a dash: 1 in the name, 2 in the section. */
function heading(use: Occurrence | undefined): number {
  if (use === undefined) return 0;
  const dash = use.message.text.indexOf(' - ');
  return dash >= 0 && use.word.start > dash ? 2 : 1;
}

/** The word next to a use when nothing but spaces, quotes or a hyphen stands between them. */
function neighbour(use: Occurrence, step: -1 | 1 | number): Word | undefined {
  const other = use.message.words[use.at + step];
  if (other === undefined) return undefined;
  const [left, right] = step < 0 ? [other, use.word] : [use.word, other];
  return /^[\s\-'’"“”.&/]{0,3}$/u.test(use.message.text.slice(left.end, right.start)) ? other : undefined;
}

function isContent(word: Word | undefined): boolean {
  return word !== undefined && !word.isStop;
}

function kindOf(word: Word | undefined): number {
  return word === undefined ? 0 : word.isStop ? 1 : 2;
}

/** How often the word stands beside the same other content word. */
function repeats(all: readonly Occurrence[], step: -1 | 1): number {
  const counts = new Map<string, number>();
  for (const use of all) {
    const word = neighbour(use, step);
    if (word !== undefined && !word.isStop) counts.set(word.key, (counts.get(word.key) ?? 0) + 1);
  }
  return largest(counts.values(), 0);
}

function rarity(word: Word | undefined, common: Commonness): number {
  return word === undefined || word.isStop ? FAR : commonness(common, word.key);
}

function shareAfter(all: readonly Occurrence[], words: RegExp): number {
  return all.filter((use) => words.test(use.message.words[use.at - 1]?.surface ?? '')).length / all.length;
}

function distanceToQuery({ message, at }: Occurrence, { queryKeys }: Conversation): number {
  if (!message.hasQueryWord) return FAR;
  for (let step = 1; step < 12; step += 1)
    if (
      [message.words[at - step], message.words[at + step]].some(
        (word) => word !== undefined && !word.isStop && queryKeys.has(word.key),
      )
    )
      return step;
  return FAR - 1;
}

function sharesSentence({ message, at, word }: Occurrence, { queryKeys }: Conversation): boolean {
  if (!message.hasQueryWord) return false;
  for (const step of [-1, 1])
    for (let i = at + step; message.words[i]?.sentence === word.sentence; i += step) {
      const other = message.words[i];
      if (other !== undefined && !other.isStop && queryKeys.has(other.key)) return true;
    }
  return false;
}
