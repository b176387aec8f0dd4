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
    const unit = /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))
      ? Number.parseInt(text.slice(at + 2, at + 6), 16)
      : 0;
    const isForced = (unit >= 0xd800 && unit <= 0xdfff) || unit === 0x2028 || unit === 0x2029;
    if (unit > 0x7f && !isForced) return true;
  }
  return false;
}

/** Whether a space follows the first colon behind a key; undefined when the record has no key. */
function spacing(bytes: Buffer): boolean | undefined {
  const match = /^[\s[]*\{\s*"(?:[^"\\]|\\.)*"\s*:(\s?)/.exec(bytes.subarray(0, 1000).toString('latin1'));
  return match === null ? undefined : match[1] !== '';
}
