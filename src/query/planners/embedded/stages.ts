// The rows that the forests read. The first stage sees each word alone; the second also sees what the first thought of
// the other words; the mode is decided from the question and the history alone.
import type { Commonness } from './commonness.js';
import type { Candidate, Conversation } from './conversation.js';
import { neighbour, wordFeatures } from './features.js';
import { needFeatures } from './need.js';
import { questionFeatures } from './question.js';

type Row = readonly number[];

/** What every stage needs of one conversation, measured once. */
export interface Measured {
  readonly conversation: Conversation;
  readonly question: Row;
  readonly words: readonly Row[];
}

export function measure(conversation: Conversation, common: Commonness): Measured {
  return {
    conversation,
    question: questionFeatures(conversation, common),
    words: wordFeatures(conversation, common),
  };
}

export function firstRows({ words, question }: Measured): readonly Row[] {
  return words.map((row) => [...row, ...question]);
}

export function secondRows(measured: Measured, scores: readonly number[]): readonly Row[] {
  const { candidates } = measured.conversation;
  const ranked = scores.toSorted((a, b) => b - a);
  const byKey = new Map(candidates.map(({ key }, i) => [key, scores[i] ?? 0]));
  const shape = shapeOf(ranked);
  return firstRows(measured).map((row, i) => {
    const [candidate, score] = [candidates[i], scores[i] ?? 0];
    if (candidate === undefined) return row;
    return [
      score,
      ranked.indexOf(score),
      score / ((ranked[0] ?? 0) + 1e-9),
      bestBeside(candidate, -1, byKey),
      bestBeside(candidate, 1, byKey),
      bestBeside(candidate, -2, byKey),
      bestBeside(candidate, 2, byKey),
      bestInSentence(candidate, byKey),
      olderRival(candidates, scores, i),
      newerRival(candidates, scores, i),
      ...shape,
      ...row,
    ];
  });
}

/** No score of a word is in it: with them the mode was decided worse on conversations that were not trained on. */
export function modeRow(conversation: Conversation, common: Commonness): Row {
  return [...questionFeatures(conversation, common), ...needFeatures(conversation, common)];
}

function shapeOf(ranked: readonly number[]): Row {
  const at = (i: number) => ranked[i] ?? 0;
  const sum = ranked.reduce((total, score) => total + score, 0);
  return [at(0), at(1), at(2), at(4), sum, ranked.filter((score) => score > 0.3).length];
}

function bestBeside({ all }: Candidate, step: number, byKey: ReadonlyMap<string, number>): number {
  let best = -1;
  for (const use of all) {
    const word = neighbour(use, step);
    if (word !== undefined) best = Math.max(best, word.isStop ? -0.5 : (byKey.get(word.key) ?? 1.5));
  }
  return best;
}

function bestInSentence({ last, key }: Candidate, byKey: ReadonlyMap<string, number>): number {
  const { message, word } = last;
  let best = 0;
  for (const other of message.words)
    if (other.sentence === word.sentence && other.key !== key)
      best = Math.max(best, byKey.get(other.key) ?? 0);
  return best;
}

function olderRival(candidates: readonly Candidate[], scores: readonly number[], of: number): number {
  const age = candidates[of]?.last.message.age ?? 0;
  return candidates.reduce(
    (best, { last }, i) => (last.message.age > age ? Math.max(best, scores[i] ?? 0) : best),
    0,
  );
}

function newerRival(candidates: readonly Candidate[], scores: readonly number[], of: number): number {
  const age = candidates[of]?.last.message.age ?? 0;
  return candidates.reduce(
    (best, { last }, i) => (last.message.age < age ? Math.max(best, scores[i] ?? 0) : best),
    0,
  );
}
