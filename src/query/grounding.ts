import { findWhole, standsWhole, wordKey, wordKeys, wordsOf } from './tokens.js';

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
  // Terms come in the order of their text: each is looked for behind the one before it first.
  const from = texts.map(() => 0);
  const stands = (term: string): boolean =>
    texts.some((text, i) => {
      const behind = findWhole(term, text, from[i] ?? 0);
      if (behind !== -1) from[i] = behind;
      return behind !== -1 || standsWhole(term, text);
    });
  const isGrounded = (term: string): boolean =>
    keys.has(wordKey(term)) || (wordsOf(term).length > 0 && stands(term));
  return terms.find((term) => !isGrounded(term));
}
