// The rows that the forests read: one for each word of the history, and one from which the mode is decided, of the
// question and of how the words' scores lie.
import type { Commonness } from './commonness.js';
import type { Conversation } from './conversation.js';
import { wordFeatures } from './features.js';
import { questionFeatures } from './question.js';

type Row = readonly number[];

/** What both forests need of one conversation, measured once. */
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

export function wordRows({ words, question }: Measured): readonly Row[] {
  return words.map((row) => [...row, ...question]);
}

export function modeRow({ question }: Measured, scores: readonly number[]): Row {
  return [...shapeOf(scores.toSorted((a, b) => b - a)), ...question];
}

function shapeOf(ranked: readonly number[]): Row {
  const at = (i: number) => ranked[i] ?? 0;
  const sum = ranked.reduce((total, score) => total + score, 0);
  return [at(0), at(1), at(2), at(4), sum, ranked.filter((score) => score > 0.3).length];
}
