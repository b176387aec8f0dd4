import { standsWhole, wordKey, wordKeys, wordsOf } from './tokens.js';

/** Why a quote of a message is not good enough to rest on; undefined when it is. */
export function quoteProblem(quote: string, text: string): string | undefined {
  if (quote.trim() === '') return 'is blank';
  if (!text.includes(quote)) return 'is not in the message';
  return standsWhole(quote, text) ? undefined : 'cuts a word';
}

/**
 * The first term that is no word, nor several in a row, of any of the texts: spelled as there, or differing in case only.
 * The texts are read once for all terms: a question may have a hundred thousand of them.
 */
export function firstUngrounded(terms: readonly string[], texts: readonly string[]): string | undefined {
  const keys = wordKeys(texts);
  const isGrounded = (term: string): boolean =>
    keys.has(wordKey(term)) || (wordsOf(term).length > 0 && texts.some((text) => standsWhole(term, text)));
  return terms.find((term) => !isGrounded(term));
}
