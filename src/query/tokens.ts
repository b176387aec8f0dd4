/** A word is a maximal run of letters, digits and underscores; marks and joiners end it, as do spaces. */
const WORD = /[\p{L}\p{N}_]+/gu;

/** The words of a text in order, repeated ones included. */
export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** The words of several texts in order, each spelling once. */
export function distinctWords(texts: Iterable<string>): string[] {
  const seen = new Set<string>();
  for (const text of texts) for (const word of wordsOf(text)) seen.add(word);
  return [...seen];
}

/** What two spellings of one word have in common. */
export function wordKey(word: string): string {
  return word.toLowerCase();
}

/** The keys of all words of the given texts. */
export function wordKeys(texts: Iterable<string>): ReadonlySet<string> {
  return new Set(distinctWords(texts).map(wordKey));
}

/** Letters, the marks that belong to them, digits and underscore: what stands inside a word. */
const INSIDE_WORD = /[\p{L}\p{M}\p{N}_]/u;

/** Scripts that write no spaces between words: where a word ends there is not for us to say. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々ー]/u;

/** Whether a word may be several: it has characters of a script that writes no spaces between them. */
export function isRun(word: string): boolean {
  return UNSPACED.test(word);
}

/** Whether the piece stands somewhere in the text without cutting a word or a character at either end. */
export function standsWhole(piece: string, text: string): boolean {
  return findWhole(piece, text, 0) !== -1;
}

/** The offset of the first such place from `from` on; -1 when there is none. */
export function findWhole(piece: string, text: string, from: number): number {
  if (piece === '') return -1;
  for (let at = text.indexOf(piece, from); at !== -1; at = text.indexOf(piece, at + 1)) {
    if (!cutsWord(text, at) && !cutsWord(text, at + piece.length)) return at;
  }
  return -1;
}

function cutsWord(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const after = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  if (/^[\udc00-\udfff]$/.test(after) && /[\ud800-\udbff]/.test(text.charAt(offset - 1))) return true;
  const before = lastCharacter(text, offset);
  if (!INSIDE_WORD.test(before) || !INSIDE_WORD.test(after)) return false;
  return /\p{M}/u.test(after) || !(UNSPACED.test(before) || UNSPACED.test(after));
}

function lastCharacter(text: string, offset: number): string {
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 2, offset));
  return text.slice(offset - (isPair ? 2 : 1), offset);
}
