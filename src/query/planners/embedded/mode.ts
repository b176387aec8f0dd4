// Which kind of plan: the classifier's word, and the rules for what it has not been trained on.
import type { Classified, Classifier } from './classifier.js';
import type { Conversation } from './conversation.js';
import { isChange } from './left-out.js';
import { isForeign, type Pointing, readPointing } from './pointing.js';
import type { Piece } from './quotes.js';
import { findRivals } from './rivals.js';
import { readTime } from './time.js';
import { asksAgain } from './told.js';
import { isDemonstrative, isWhole } from './wholeness.js';

export type Decision =
  | { readonly mode: 'direct' }
  | { readonly mode: 'contextual' }
  | { readonly mode: 'ambiguous'; readonly rivals: readonly Piece[] };

const WORDS_TO_LOSE = 1;
// "And INC-5002, who is on it?"
const NAMED_AND_ASKED =
  /, (?:who|what|when|where|why|how|is|are|was|does|did|has)\b.*\b(?:it|its|they|them)\b/i;

export function decideMode(
  conversation: Conversation,
  classified: Classified,
  classifier: Classifier,
): Decision {
  if (conversation.candidates.length === 0) return { mode: 'direct' };
  const pointing = readPointing(conversation);
  const rivals = pointing.isSingular && !pointing.hasOwnName ? findRivals(conversation) : [];
  if (rivals.length > 0) return { mode: 'ambiguous', rivals };
  return {
    mode: needsHistory(conversation, pointing, isContextual(classified, classifier))
      ? 'contextual'
      : 'direct',
  };
}

/**
 * A question that is wrongly taken for a whole one loses all its words. So it is also contextual where it would lose
 * many: where at least one word of the history is to be expected that it needs.
 */
function isContextual({ contextual, scores }: Classified, { contextualFrom }: Classifier): boolean {
  const needed = scores.reduce((total, score) => total + score, 0);
  return contextual >= contextualFrom || contextual * needed >= WORDS_TO_LOSE;
}

function needsHistory(conversation: Conversation, pointing: Pointing, isContextual: boolean): boolean {
  if (isChange(conversation) || conversation.queryWords.every(({ isStop }) => isStop)) return true;
  if (pointing.hasSpelledName)
    return pointing.contentWords === 0 && !NAMED_AND_ASKED.test(conversation.query);
  if (asksAgain(conversation) || isDemonstrative(conversation)) return true;
  if (isWhole(conversation)) return false;
  if (!isForeign(conversation)) return isContextual;
  return (
    pointing.contentWords <= 1 ||
    pointing.isPointing ||
    pointing.isElliptical ||
    readTime(conversation.query) !== 'unspecified'
  );
}
