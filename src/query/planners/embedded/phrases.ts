// How a word of the history stands to the words of the question: what the question says in its place, what it
// completes, and whether the same pronoun follows it.
import type { Candidate, Conversation, Message, Occurrence } from './conversation.js';
import type { Word } from './words.js';

export interface Phrases {
  /** For each longer word of the question, whether a content word stands right before or after it there. */
  readonly before: ReadonlyMap<string, boolean>;
  readonly after: ReadonlyMap<string, boolean>;
  readonly stems: ReadonlySet<string>;
  readonly pronouns: ReadonlySet<string>;
  readonly asked: Message | undefined;
}

type Measure = (candidate: Candidate, phrases: Phrases) => number;

const STEM = 5;
const REACH = 12;
const PRONOUNS: readonly (readonly string[])[] = [
  ['he', 'him', 'his'],
  ['she', 'her', 'hers'],
  ['it', 'its'],
  ['they', 'them', 'their', 'these', 'those'],
];

export const PHRASE_RULES: readonly (readonly [string, Measure])[] = [
  ['completes what follows it', ({ all }, { before }) => joins(all, 1, before)],
  ['completes what is before it', ({ all }, { after }) => joins(all, -1, after)],
  [
    'uses near a stem of the question',
    ({ all }, { stems }) => all.filter((use) => isNearStem(use, stems)).length,
  ],
  ['the pronoun of the question follows', ({ all }, { pronouns }) => shareBefore(all, pronouns)],
  ['asked for by the last reply', ({ all }, { asked }) => placeInQuestion(all, asked)],
  ['after a subject or "to"', ({ all }) => shareOfUses(all, -1, VERB_BEFORE)],
  ['before an article', ({ all }) => shareOfUses(all, 1, ARTICLE)],
  ['plural', ({ key, last }) => Number(last.word.surface.toLowerCase() !== key)],
  ['longest run of capitals', ({ all }) => Math.max(...all.slice(-8).map(capitalRun))],
  ['longest run of content words', ({ all }) => Math.max(...all.slice(-8).map(contentRun))],
];

const VERB_BEFORE = new Set(
  'i you we they he she it to will would can could should may might must do does did not'.split(' '),
);
const ARTICLE = new Set('the a an my your our his her their its this that some any'.split(' '));

export function readPhrases({ queryWords, messages }: Conversation): Phrases {
  const lower = new Set(queryWords.map(({ surface }) => surface.toLowerCase()));
  const long = queryWords.map((word, i) => ({ word, i })).filter(({ word }) => word.key.length > 3);
  const isContentAt = (i: number) => queryWords[i]?.isStop === false;
  const asked = messages.at(-1);
  return {
    before: new Map(long.map(({ word, i }) => [word.key, isContentAt(i - 1)])),
    after: new Map(long.map(({ word, i }) => [word.key, isContentAt(i + 1)])),
    stems: new Set(long.filter(({ word }) => !word.isStop).map(({ word }) => word.key.slice(0, STEM))),
    pronouns: new Set(PRONOUNS.filter((forms) => forms.some((form) => lower.has(form))).flat()),
    asked: asked?.role === 'assistant' && asked.text.includes('?') ? asked : undefined,
  };
}

/** 0 beside no word of the question, 1 when that word has nothing there in the question, 2 when something else stands there. */
function joins(all: readonly Occurrence[], step: -1 | 1, taken: ReadonlyMap<string, boolean>): number {
  let most = 0;
  for (const { message, at } of all) {
    const isTaken = taken.get(message.words[at + step]?.key ?? '');
    if (isTaken !== undefined) most = Math.max(most, isTaken ? 2 : 1);
  }
  return most;
}

function isNearStem({ message, at }: Occurrence, stems: ReadonlySet<string>): boolean {
  if (stems.size === 0) return false;
  for (let i = Math.max(0, at - 8); i <= at + 8; i += 1) {
    const word = message.words[i];
    if (word !== undefined && i !== at && word.key.length > 3 && stems.has(word.key.slice(0, STEM)))
      return true;
  }
  return false;
}

function shareBefore(all: readonly Occurrence[], pronouns: ReadonlySet<string>): number {
  if (pronouns.size === 0) return -1;
  return all.filter((use) => isFollowedBy(use, pronouns)).length / all.length;
}

function isFollowedBy({ message, at }: Occurrence, pronouns: ReadonlySet<string>): boolean {
  for (let i = at + 1; i <= at + REACH; i += 1) {
    const word = message.words[i];
    if (word === undefined) return false;
    if (word.isStop && pronouns.has(word.surface.toLowerCase())) return true;
  }
  return false;
}

/** How many sentences before the question mark that the last reply ends with; 9 when it asks nothing. */
function placeInQuestion(all: readonly Occurrence[], asked: Message | undefined): number {
  const use = all.findLast(({ message }) => message === asked);
  if (asked === undefined || use === undefined) return 9;
  const end = /[.!?](?=\s|$)/.exec(asked.text.slice(use.word.end));
  return end?.[0] === '?' ? 0 : 1;
}

function shareOfUses(all: readonly Occurrence[], step: -1 | 1, words: ReadonlySet<string>): number {
  return (
    all.filter(({ message, at }) => words.has(message.words[at + step]?.surface.toLowerCase() ?? '')).length /
    all.length
  );
}

function capitalRun(use: Occurrence): number {
  return runLength(use, (word) => word.isCapital);
}

function contentRun(use: Occurrence): number {
  return runLength(use, (word) => !word.isStop);
}

function runLength({ message, at, word }: Occurrence, isPart: (word: Word) => boolean): number {
  if (!isPart(word)) return 0;
  let length = 1;
  for (const step of [-1, 1])
    for (let i = at + step; length < 9; i += step) {
      const other = message.words[i];
      const near = message.words[i - step];
      if (other === undefined || near === undefined || !isPart(other)) break;
      const [left, right] = step < 0 ? [other, near] : [near, other];
      if (right.start - left.end > 2 || right.sentence !== left.sentence) break;
      length += 1;
    }
  return length;
}
