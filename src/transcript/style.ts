import { isAscii } from 'node:buffer';
import type { JsonStyle } from './splice.js';

/** Watches records go by to tell how the file writes JSON. */
export interface StyleWatcher {
  see(bytes: Buffer): void;
  /** Whether a record cannot change the style any more, of which that much is known. */
  isSettled(record: { readonly isAscii: boolean; readonly mayEscape: () => boolean }): boolean;
  style(): JsonStyle;
}

export function styleWatcher(): StyleWatcher {
  let seesRaw = false;
  let seesEscaped = false;
  let spaced: boolean | undefined;
  return {
    see(bytes) {
      if (!seesRaw && !isAscii(bytes)) seesRaw = true;
      if (!seesRaw && !seesEscaped) seesEscaped = holdsEscapedNonAscii(bytes);
      spaced ??= spacing(bytes);
    },
    isSettled: ({ isAscii: isPlain, mayEscape }) =>
      spaced !== undefined && (seesRaw || (isPlain && (seesEscaped || !mayEscape()))),
    style: () => ({ escapesNonAscii: seesEscaped && !seesRaw, spaced: spaced ?? false }),
  };
}

/**
 * Whether the writer escapes what it need not: lone surrogates and U+2028/2029 are escaped by writers that leave other
 * characters raw.
 */
function holdsEscapedNonAscii(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(ESCAPE_START); at >= 0; at = bytes.indexOf(ESCAPE_START, at + 2)) {
    const isEscaped = (at - runStart(bytes, at)) % 2 === 1;
    if (!isEscaped && NEEDLESS_ESCAPE.test(bytes.toString('latin1', at, at + 12))) return true;
  }
  return false;
}

const ESCAPE_START = Buffer.from('\\u');
const BACKSLASH = 0x5c;

/** A pair of surrogates, or a unit above U+007F that is neither a surrogate nor U+2028/2029. */
const NEEDLESS_ESCAPE = /^\\u(?:d[89ab]..\\ud[c-f]|(?!00[0-7]|d[89a-f]|2028|2029)[\da-f]{4})/i;

/** Where the run of backslashes begins that ends at `at`: each pair of them is one backslash of the text. */
function runStart(bytes: Buffer, at: number): number {
  let start = at;
  while (bytes[start - 1] === BACKSLASH) start -= 1;
  return start;
}

/** Whether a space follows the first colon behind a key; undefined when the record has no key. */
function spacing(bytes: Buffer): boolean | undefined {
  const match = /^[\s[]*\{\s*"(?:[^"\\]|\\.)*"\s*:(\s?)/.exec(bytes.subarray(0, 1000).toString('latin1'));
  return match === null ? undefined : match[1] !== '';
}
