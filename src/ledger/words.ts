// What a text's units are to words and names: small and capital letters, digits, what joins them, and the rest.

export const SPACE = 0;
export const SMALL = 1;
export const CAPITAL = 2;
export const DIGIT = 3;
export const UNDERSCORE = 4;
/** Letters of other scripts, which have no case that programs use. */
export const OTHER = 5;
export const JOINER = 6;

const ASCII_CLASSES = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) ASCII_CLASSES[code] = SMALL;
  else if (/[A-Z]/.test(character)) ASCII_CLASSES[code] = CAPITAL;
  else if (/\d/.test(character)) ASCII_CLASSES[code] = DIGIT;
  else if (character === '_') ASCII_CLASSES[code] = UNDERSCORE;
  else if ('./-'.includes(character)) ASCII_CLASSES[code] = JOINER;
}

/** The class of a UTF-16 unit. */
export function classOf(code: number): number {
  if (code < 128) return ASCII_CLASSES[code] ?? SPACE;
  return isOtherSpace(code) ? SPACE : OTHER;
}

/** Punctuation, symbols and spaces above ASCII: what stands around words in most scripts, not inside them. */
function isOtherSpace(code: number): boolean {
  if (code < 0xc0) return true;
  return (
    (code >= 0x2000 && code <= 0x2bff) ||
    (code >= 0x3000 && code <= 0x3020) ||
    (code >= 0xff00 && code <= 0xff20) ||
    code === 0xfeff
  );
}

/**
 * Finds the words of a text, which are runs of letters, digits and underscores: UTF-16 offsets of where each starts and
 * ends. Returns how many there are; the arrays may be longer, because they are used again.
 */
export function findWords(text: string, starts: number[], ends: number[]): number {
  let found = 0;
  let start = -1;
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? classOf(text.charCodeAt(i)) : SPACE;
    const isInside = unit !== SPACE && unit !== JOINER;
    if (isInside && start < 0) start = i;
    if (!isInside && start >= 0) {
      starts[found] = start;
      ends[found] = i;
      found += 1;
      start = -1;
    }
  }
  return found;
}

/** A text in small letters, unit for unit: a letter whose small form is longer, or depends on its neighbours, stays. */
export function lowerCase(text: string): string {
  const lower = SPECIAL.test(text) ? '' : text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (character) => sameLength(character, character.toLowerCase())).join('');
}

/** Sigma, whose small form at the end of a word is another, and I with a dot, whose small form is two units. */
const SPECIAL = /[\u03a3\u0130]/;

function sameLength(character: string, lower: string): string {
  return lower.length === character.length ? lower : character;
}
