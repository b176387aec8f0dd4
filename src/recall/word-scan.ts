/** What is told of a word that was looked for: which it is, and where it begins and ends in UTF-16 units. */
export type OnWord = (ids: readonly number[], start: number, end: number) => void;

/** Looks for many words at once, whatever their case and Unicode form, in one pass over a text. */
export type WordScan = (text: string, onWord: OnWord) => void;

/** Letters of scripts that write no spaces: a word may begin or end beside them. */
export const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々ー]';
export const INSIDE = `[[\\p{L}\\p{M}\\p{N}_]--${UNSPACED}]`;
const IS_INSIDE = new RegExp(`^${INSIDE}$`, 'v');

/** Of ASCII: the unit in lower case for what stands inside a word, 0 for what does not. */
const ASCII = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /\w/.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});

const SLOTS = 4096;

/** The ids by their words, as `foldedWord` spells them. Text is only copied where a word's digest meets one of theirs. */
export function createWordScan(words: ReadonlyMap<string, readonly number[]>): WordScan {
  const slots = new Uint8Array(SLOTS);
  for (const word of words.keys()) slots[asciiDigest(word) & (SLOTS - 1)] = 1;
  return (text, onWord) => {
    let [start, digest, isPlain] = [-1, 0, true];
    const end = (at: number): void => {
      if (!isPlain || slots[digest & (SLOTS - 1)] === 1) {
        const ids = words.get(foldedWord(text.slice(start, at)));
        if (ids !== undefined) onWord(ids, start, at);
      }
      start = -1;
    };
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      const lower = unit < 128 ? (ASCII[unit] ?? 0) : unit;
      const isPair = isHighSurrogate(unit);
      const isInside = unit < 128 ? lower !== 0 : isInsideWord(text, i, isPair);
      if (isInside && start < 0) [start, digest, isPlain] = [i, 0, true];
      if (isInside) {
        digest = Math.imul(digest ^ lower, 0x01000193);
        if (unit >= 128) isPlain = false;
      } else if (start >= 0) {
        end(i);
      }
      if (isPair) i += 1;
    }
    if (start >= 0) end(text.length);
  };
}

/** Two spellings of a word that differ in case or Unicode form only are the same. */
export function foldedWord(word: string): string {
  return word.normalize('NFC').toLowerCase();
}

function asciiDigest(word: string): number {
  let digest = 0;
  for (let i = 0; i < word.length; i += 1) digest = Math.imul(digest ^ word.charCodeAt(i), 0x01000193);
  return digest;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

const OUTSIDE_UNIT = 1;
const INSIDE_UNIT = 2;
const known = new Uint8Array(0x10000);

function isInsideWord(text: string, at: number, isPair: boolean): boolean {
  if (isPair) return IS_INSIDE.test(text.slice(at, at + 2));
  const unit = text.charCodeAt(at);
  if (known[unit] === 0) known[unit] = IS_INSIDE.test(text.charAt(at)) ? INSIDE_UNIT : OUTSIDE_UNIT;
  return known[unit] === INSIDE_UNIT;
}
