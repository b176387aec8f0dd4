import { wordsOf } from '../query/tokens.js';
import { type ByteSource, readLines } from '../transcript/lines.js';
import { isBlank } from '../transcript/records.js';
import { type SearchTerm, wordStem } from './terms.js';

/**
 * Whether a source may hold any of the terms: told from the bytes of its lines, ten times faster than by reading them as
 * JSON, and never false when one stands in it. A line that is no whole object or array is always worth reading.
 */
export type Prefilter = (source: ByteSource) => boolean;

/** A regular expression has a size that it must not exceed; more would hardly tell more sources apart. */
const MOST_CHARACTERS = 64;
const MOST_TERMS = 500;

export function createPrefilter(terms: readonly SearchTerm[]): Prefilter {
  const patterns = terms.filter(({ isContext }) => !isContext).map(termPattern);
  const known = patterns.filter((pattern) => pattern !== undefined);
  if (known.length < patterns.length || known.length > MOST_TERMS) return () => true;
  if (known.length === 0) return () => false;
  const pattern = new RegExp([...new Set(known)].join('|'), 'i');
  return (source) => {
    for (const { bytes } of readLines(source)) {
      if (isBlank(bytes)) continue;
      const text = bytes.toString('latin1');
      if (!isClosed(text) || pattern.test(text) || hidesLetters(text)) return true;
    }
    return false;
  };
}

function isClosed(text: string): boolean {
  return /^\s*(?:\{|\[|\/\/)/.test(text) && /[}\]]\s*$/.test(text.slice(-20));
}

/** A letter or digit that is escaped without need, or the one sign that is a plain letter in lower case (Kelvin). */
function hidesLetters(text: string): boolean {
  if (text.includes('\\u00') && /\\u00(?:3\d|[46][1-9a-f]|5[0-9af]|7[0-9a])/i.test(text)) return true;
  return text.includes(utf8('\u212a')) || (text.includes('\\u212') && /\\u212a/i.test(text));
}

/** What the bytes of a line hold, as Latin-1, wherever its texts hold the term; undefined when there is no telling. */
function termPattern({ text, isLiteral }: SearchTerm): string | undefined {
  const pieces = isLiteral ? [text] : wordsOf(text.normalize('NFC')).filter(isSpelledAlike).map(wordStem);
  const longest = pieces
    .flatMap((piece) => safeRuns(piece, isLiteral))
    .reduce<readonly string[]>((best, run) => (run.length > best.length ? run : best), []);
  if (longest.length === 0) return undefined;
  return longest.slice(0, MOST_CHARACTERS).map(characterPattern).join('');
}

/** A number may be written in other digits (1e3), and one that is too large is read as null. */
function isSpelledAlike(word: string): boolean {
  return !/^(?:\d+e?\d*|null)$/i.test(word);
}

/** Runs of characters that each stand in the bytes as they are, in either case, or as their own escape. */
function safeRuns(piece: string, isLiteral: boolean): string[][] {
  const characters = [...piece];
  const runs: string[][] = [[]];
  for (const [i, character] of characters.entries()) {
    if (isSafe(character, isLiteral) && !/^\p{M}/u.test(characters[i + 1] ?? ''))
      runs.at(-1)?.push(character);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > (isLiteral ? 2 : 0) && isSpelledAlike(run.join('')));
}

function isSafe(character: string, isLiteral: boolean): boolean {
  if (/^[\0-\x7f]$/.test(character)) return (isLiteral ? /[a-z_]/i : /\w/).test(character);
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  const isPlain = [character, lower, upper].every(
    (one) => [...one].length === 1 && one.normalize('NFC') === one && one.normalize('NFD') === one,
  );
  return isPlain && /\p{L}/u.test(character) && upper.toLowerCase() === lower && !/[σςſ]/.test(lower);
}

function characterPattern(character: string): string {
  if (/^\w$/.test(character)) return character;
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  const spellings = [...cases].flatMap((one) => [bytePattern(utf8(one)), escapePattern(one)]);
  return `(?:${spellings.join('|')})`;
}

function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function bytePattern(bytes: string): string {
  return bytes.replace(/./gs, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Inside the text of a call's arguments the backslash is itself escaped. */
function escapePattern(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\\\+u${unit.toString(16).padStart(4, '0')}`).join('');
}
