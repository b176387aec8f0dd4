// The trained classifier: how much the question needs each word of the history, and whether it needs any.
import { type Commonness, loadCommonness } from './commonness.js';
import type { Conversation } from './conversation.js';
import { firstRows, measure, modeRow, secondRows } from './stages.js';
import { type Forest, loadForest, type PackedForest, predict } from './trees.js';

export interface Model {
  readonly commonness: readonly string[];
  readonly first: PackedForest;
  readonly second: PackedForest;
  readonly mode: PackedForest;
  /** A word is chosen from this score on. */
  readonly chosenFrom: number;
  /** The question needs the history from this probability on. */
  readonly contextualFrom: number;
}

export interface Classifier {
  readonly common: Commonness;
  readonly first: Forest;
  readonly second: Forest;
  readonly mode: Forest;
  readonly chosenFrom: number;
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
    first: loadForest(model.first),
    second: loadForest(model.second),
    mode: loadForest(model.mode),
    chosenFrom: model.chosenFrom,
    contextualFrom: model.contextualFrom,
  };
}

export function classify(classifier: Classifier, conversation: Conversation): Classified {
  const measured = measure(conversation, classifier.common);
  const first = firstRows(measured).map((row) => predict(classifier.first, row));
  const scores = secondRows(measured, first).map((row) => predict(classifier.second, row));
  return { scores, contextual: predict(classifier.mode, modeRow(conversation, classifier.common)) };
}
