// How a word of the history lives on from turn to turn: in how many questions, since when, and whether it was there
// before the pronouns of the questions began.
import type { Candidate, Conversation, Message, Occurrence } from './conversation.js';
import { largest } from './extremes.js';

export interface Persistence {
  /** Operator turns in a row, up to the question, that point back. */
  readonly pointingTurns: number;
  /** Operator turns since the newest question that could stand alone. */
  readonly sinceWhole: number;
  readonly mostUses: number;
  readonly mostInReply: number;
  readonly mostByUser: number;
  readonly lastReply: Message | undefined;
  readonly operatorMessages: number;
}

type Measure = (candidate: Candidate, persistence: Persistence) => number;

const POINTS_BACK =
  /^(he|him|his|she|her|hers|they|them|their|theirs|it|its|this|that|these|those|there|one|ones|other|another)$/;
const FAR = 99;
const FADE = 0.7;

export const PERSISTENCE_RULES: readonly (readonly [string, Measure])[] = [
  [
    'operator turns between its first use and the first pointing question',
    ({ first }, { pointingTurns }) => first.message.userTurnsAfter + 1 - pointingTurns,
  ],
  [
    'operator turns between its last use and the newest whole question',
    ({ last }, { sinceWhole }) => last.message.userTurnsAfter - sinceWhole,
  ],
  ['in the newest whole question', ({ all }, { sinceWhole }) => Number(isAsked(all, sinceWhole))],
  [
    'turn of its first use',
    ({ first }, { operatorMessages }) => operatorMessages - first.message.userTurnsAfter,
  ],
  ['recent uses weigh more', ({ all }) => all.reduce((sum, { message }) => sum + FADE ** message.age, 0)],
  ['uses to the most used', ({ all }, { mostUses }) => all.length / mostUses],
  [
    'uses in the last reply to the most used there',
    ({ all }, { lastReply, mostInReply }) =>
      all.filter(({ message }) => message === lastReply).length / mostInReply,
  ],
  [
    'uses by the operator to the most used',
    ({ all }, { mostByUser }) => all.filter(({ message }) => message.role === 'user').length / mostByUser,
  ],
  ['turns in which both used it', ({ all }) => sharedTurns(all)],
  [
    'last operator turn with it, from the first',
    ({ all }, { operatorMessages }) => lastUserTurn(all, operatorMessages),
  ],
];

export function readPersistence({ messages, candidates, queryWords }: Conversation): Persistence {
  const operator = messages.filter(({ role }) => role === 'user').toReversed();
  const lastReply = messages.findLast(({ role }) => role === 'assistant');
  const pointing = [queryWords, ...operator.map(({ words }) => words)].map((words) =>
    words.some(({ surface }) => POINTS_BACK.test(surface.toLowerCase())),
  );
  const whole = operator.findIndex(
    ({ words }, i) => pointing[i + 1] === false && words.filter(({ isStop }) => !isStop).length > 1,
  );
  const most = (isCounted: (use: Occurrence) => boolean) =>
    largest(
      candidates.map(({ all }) => all.filter(isCounted).length),
      1,
    );
  const unbroken = pointing.indexOf(false);
  return {
    pointingTurns: unbroken < 0 ? pointing.length : unbroken,
    sinceWhole: whole < 0 ? FAR : whole,
    mostUses: most(() => true),
    mostInReply: most(({ message }) => message === lastReply),
    mostByUser: most(({ message }) => message.role === 'user'),
    lastReply,
    operatorMessages: operator.length,
  };
}

function isAsked(all: readonly Occurrence[], turnsAfter: number): boolean {
  return all.some(({ message }) => message.role === 'user' && message.userTurnsAfter === turnsAfter);
}

function sharedTurns(all: readonly Occurrence[]): number {
  const turns = (role: string) =>
    new Set(all.filter(({ message }) => message.role === role).map(({ message }) => message.userTurnsAfter));
  const replies = turns('assistant');
  return [...turns('user')].filter((turn) => replies.has(turn)).length;
}

function lastUserTurn(all: readonly Occurrence[], operatorMessages: number): number {
  const use = all.findLast(({ message }) => message.role === 'user');
  return use === undefined ? -1 : operatorMessages - use.message.userTurnsAfter;
}
