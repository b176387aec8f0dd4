import { CAPITAL, classOf, DIGIT, JOINER, OTHER, SMALL, SPACE, UNDERSCORE } from './words.js';

/**
 * Distinctive tokens of a text, in order of first appearance: words that name one thing, such as identifiers, paths,
 * file names, versions, hashes and numbers of three digits or more. Plain words are none: everybody says them.
 *
 * A token is a run of letters, digits, `_` and, inside, `. / -`. It is distinctive when it has at least five characters
 * and a capital behind a small letter, an underscore, a digit beside a letter, a slash, or a dot or hyphen between
 * letters; or when it is a number of at least three digits. A path gives its last name too, which is what people call
 * it. One loop over the code units, because every byte of a transcript goes through it.
 */
export function distinctiveTokens(text: string): ReadonlySet<string> {
  let found: Set<string> | undefined;
  let start = -1;
  let end = 0; // behind the last letter or digit
  let traits = 0;
  let before = 0; // the class of the unit before
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? classOf(text.charCodeAt(i)) : SPACE;
    if (unit === SPACE || (unit === JOINER && start < 0)) {
      if (start >= 0 && end - start >= SHORTEST_NUMBER && isDistinctive(traits, text, start, end)) {
        found ??= new Set();
        addToken(found, text.slice(start, end));
      }
      start = -1;
      before = SPACE;
      continue;
    }
    if (start < 0) {
      start = i;
      traits = 0;
    }
    traits |= trait(before, unit, text, i);
    before = unit;
    // Most of a text is small letters, one behind the other.
    if (unit === SMALL) while (isSmall(text.charCodeAt(i + 1))) i += 1;
    if (unit !== JOINER) end = i + 1;
  }
  return found ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

function isSmall(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function addToken(found: Set<string>, token: string): void {
  found.add(token);
  const name = token.slice(token.lastIndexOf('/') + 1);
  if (name.length < token.length && name.length >= SHORTEST_NAME && /[._\d-]|[a-z][A-Z]/.test(name))
    found.add(name);
}

const HAS_LETTER = 1;
const HAS_DIGIT = 2;
/** Something that only names have. */
const HAS_MARK = 4;

function trait(before: number, unit: number, text: string, i: number): number {
  if (unit === DIGIT) return before === SMALL || before === CAPITAL ? HAS_DIGIT | HAS_MARK : HAS_DIGIT;
  if (unit === UNDERSCORE) return HAS_LETTER | HAS_MARK;
  if (unit === JOINER) return joins(before, text, i) ? HAS_MARK : 0;
  const isHump = unit === CAPITAL && before === SMALL;
  return isHump || before === DIGIT ? HAS_LETTER | HAS_MARK : HAS_LETTER;
}

/** A slash always joins; a dot or hyphen does between letters or digits, so that a sentence's end does not. */
function joins(before: number, text: string, i: number): boolean {
  const character = text.charAt(i);
  if (character === '/') return true;
  if (character !== '.' && character !== '-') return false;
  const after = classOf(text.charCodeAt(i + 1));
  const isLetter = (unit: number): boolean => unit === SMALL || unit === CAPITAL || unit === OTHER;
  return isLetter(before) && isLetter(after);
}

const SHORTEST_NAME = 5;
const SHORTEST_NUMBER = 3;

function isDistinctive(traits: number, text: string, start: number, end: number): boolean {
  if ((traits & HAS_LETTER) !== 0) return (traits & HAS_MARK) !== 0 && end - start >= SHORTEST_NAME;
  return (traits & HAS_DIGIT) !== 0 && text.slice(start, end).replace(/\D/g, '').length >= SHORTEST_NUMBER;
}

/** What a listing puts before a line: its number, or the file and number of a search hit. */
const LISTING_PREFIX = /^\s*\d{1,7}(?:→|\t|\||: )|^([\w./@-]{1,300}?\.\w{1,10})[:-]\d{1,7}[:-]/;

/** The distinctive tokens of a line of a result. Its number in a listing is none: every line has one. */
export function lineTokens(line: string): ReadonlySet<string> {
  const prefix = LISTING_PREFIX.exec(line.length > 400 ? line.slice(0, 400) : line);
  if (prefix === null) return distinctiveTokens(line);
  const tokens = distinctiveTokens(line.slice(prefix[0].length));
  const fileTokens = distinctiveTokens(prefix[1] ?? '');
  return fileTokens.size === 0 ? tokens : new Set([...tokens, ...fileTokens]);
}
