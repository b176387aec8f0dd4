import { isAscii } from 'node:buffer';
import type { JsonStyle } from './splice.js';

/** Watches records go by to tell how the file writes JSON. */
export function styleWatcher(): { see(bytes: Buffer): void; style(): JsonStyle } {
  let seesRaw = false;
  let seesEscaped = false;
  let spaced: boolean | undefined;
  return {
    see(bytes) {
      if (!seesRaw && !isAscii(bytes)) seesRaw = true;
      if (!seesRaw && !seesEscaped) seesEscaped = holdsEscapedNonAscii(bytes.toString('latin1'));
      spaced ??= spacing(bytes);
    },
    style: () => ({ escapesNonAscii: seesEscaped && !seesRaw, spaced: spaced ?? false }),
  };
}

/**
 * Whether the writer escapes what it need not: lone surrogates and U+2028/2029 are escaped by writers that leave other
 * characters raw.
 */
function holdsEscapedNonAscii(text: string): boolean {
  for (let at = text.indexOf('\\u'); at >= 0; at = text.indexOf('\\u', at + 2)) {
    const isEscaped = (at - runStart(text, at)) % 2 === 1;
    if (!isEscaped && NEEDLESS_ESCAPE.test(text.slice(at, at + 12))) return true;
  }
  return false;
}

/** A pair of surrogates, or a unit above U+007F that is neither a surrogate nor U+2028/2029. */
const NEEDLESS_ESCAPE = /^\\u(?:d[89ab]..\\ud[c-f]|(?!00[0-7]|d[89a-f]|2028|2029)[\da-f]{4})/i;

/** Where the run of backslashes begins that ends at `at`: each pair of them is one backslash of the text. */
function runStart(text: string, at: number): number {
  let start = at;
  while (text.charAt(start - 1) === '\\') start -= 1;
  return start;
}

/** Whether a space follows the first colon behind a key; undefined when the record has no key. */
function spacing(bytes: Buffer): boolean | undefined {
  const match = /^[\s[]*\{\s*"(?:[^"\\]|\\.)*"\s*:(\s?)/.exec(bytes.subarray(0, 1000).toString('latin1'));
  return match === null ? undefined : match[1] !== '';
}
