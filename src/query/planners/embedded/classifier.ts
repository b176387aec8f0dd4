// The trained classifier: how much the question needs each word of the history, and whether it needs any.
import { type Commonness, loadCommonness } from './commonness.js';
import type { Conversation } from './conversation.js';
import { measure, modeRow, wordRows } from './stages.js';
import { type Forest, loadForest, type PackedForest, predict } from './trees.js';

export interface Model {
  readonly commonness: readonly string[];
  readonly words: PackedForest;
  readonly mode: PackedForest;
  /** The question needs the history from this probability on. */
  readonly contextualFrom: number;
}

export interface Classifier {
  readonly common: Commonness;
  readonly words: Forest;
  readonly mode: Forest;
  readonly contextualFrom: number;
}

export interface Classified {
  /** One score for each candidate of the conversation, in their order. */
  readonly scores: readonly number[];
  readonly contextual: number;
}

export function loadClassifier(model: Model): Classifier {
  return {
    common: loadCommonness(model.commonness),
    words: loadForest(model.words),
    mode: loadForest(model.mode),
    contextualFrom: model.contextualFrom,
  };
}

export function classify(classifier: Classifier, conversation: Conversation): Classified {
  const measured = measure(conversation, classifier.common);
  const scores = wordRows(measured).map((row) => predict(classifier.words, row));
  return { scores, contextual: predict(classifier.mode, modeRow(conversation, classifier.common)) };
}
