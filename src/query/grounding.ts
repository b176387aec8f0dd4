import { standsWhole, wordKey, wordKeys, wordsOf } from './tokens.js';

/** Why a quote of a message is not good enough to rest on; undefined when it is. */
export function quoteProblem(quote: string, text: string): string | undefined {
  if (quote.trim() === '') return 'is blank';
  if (!text.includes(quote)) return 'is not in the message';
  return standsWhole(quote, text) ? undefined : 'cuts a word';
}

/** Whether a term is a word, or several in a row, of one of the texts: spelled as there, or differing in case only. */
export function isGrounded(term: string, texts: readonly string[]): boolean {
  if (wordsOf(term).length === 0) return false;
  return texts.some((text) => standsWhole(term, text)) || wordKeys(texts).has(wordKey(term));
}
