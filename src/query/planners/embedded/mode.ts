// Which kind of plan: the classifier's word, and the rules for what it has not been trained on.
import type { Classified, Classifier } from './classifier.js';
import type { Conversation } from './conversation.js';
import { isChange } from './left-out.js';
import { isForeign, type Pointing, readPointing } from './pointing.js';
import type { Piece } from './quotes.js';
import { findRivals } from './rivals.js';
import { readTime } from './time.js';
import { asksAgain } from './told.js';

export type Decision =
  | { readonly mode: 'direct' }
  | { readonly mode: 'contextual' }
  | { readonly mode: 'ambiguous'; readonly rivals: readonly Piece[] };

export function decideMode(
  conversation: Conversation,
  { contextual }: Classified,
  classifier: Classifier,
): Decision {
  if (conversation.candidates.length === 0) return { mode: 'direct' };
  const pointing = readPointing(conversation);
  const rivals = pointing.isSingular && !pointing.hasOwnName ? findRivals(conversation) : [];
  if (rivals.length > 0) return { mode: 'ambiguous', rivals };
  return {
    mode: needsHistory(conversation, pointing, contextual >= classifier.contextualFrom)
      ? 'contextual'
      : 'direct',
  };
}

function needsHistory(conversation: Conversation, pointing: Pointing, isContextual: boolean): boolean {
  if (isChange(conversation) || conversation.queryWords.every(({ isStop }) => isStop)) return true;
  if (pointing.hasSpelledName) return pointing.contentWords === 0;
  if (asksAgain(conversation)) return true;
  if (!isForeign(conversation)) return isContextual;
  return (
    pointing.contentWords <= 1 ||
    pointing.isPointing ||
    pointing.isElliptical ||
    readTime(conversation.query) !== 'unspecified'
  );
}
