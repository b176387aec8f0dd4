// The rows that the forests read: one for each word of the history, and one from which the mode is decided, of the
// question and the history alone.
import type { Commonness } from './commonness.js';
import type { Conversation } from './conversation.js';
import { wordFeatures } from './features.js';
import { needFeatures } from './need.js';
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

/** No score of a word is in it: with them the mode was decided worse on conversations that were not trained on. */
export function modeRow(conversation: Conversation, common: Commonness): Row {
  return [...questionFeatures(conversation, common), ...needFeatures(conversation, common)];
}
