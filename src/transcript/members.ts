const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Numbers that a member takes in the array of `findMembers`. */
export const MEMBER_SIZE = 4;

/**
 * Finds the members of an object by its bytes, without decoding or parsing it. The structure is checked: strings are
 * closed, brackets balanced, numbers and words well formed at the top level; what stands inside a string or a nested
 * value is not looked at any closer.
 * @param bytes holds one record between `from` and `to`; that it is UTF-8 is the caller's to check
 * @param members is filled, for each member in order, with four offsets in `bytes`: where the key's text starts and ends
 *   (between the quotes), and where the value does
 * @returns how many of its numbers are filled; -1 for bytes that are no object, an empty one, or damaged
 */
export function findMembers(bytes: Buffer, from: number, to: number, members: number[]): number {
  let at = pastSpace(bytes, from, to);
  if (at >= to || bytes[at] !== OPEN_BRACE) return -1;
  let filled = 0;
  do {
    const key = pastSpace(bytes, at + 1, to);
    const keyEnd = bytes[key] === QUOTE ? stringEnd(bytes, key, to) : -1;
    if (keyEnd < 0) return -1;
    at = pastSpace(bytes, keyEnd, to);
    if (bytes[at] !== COLON) return -1;
    const value = pastSpace(bytes, at + 1, to);
    const end = valueEnd(bytes, value, to);
    if (end < 0) return -1;
    members[filled] = key + 1;
    members[filled + 1] = keyEnd - 1;
    members[filled + 2] = value;
    members[filled + 3] = end;
    filled += MEMBER_SIZE;
    at = pastSpace(bytes, end, to);
  } while (bytes[at] === COMMA);
  return bytes[at] === CLOSE_BRACE && pastSpace(bytes, at + 1, to) === to ? filled : -1;
}

function pastSpace(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && isSpace(bytes[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}

/** The offset behind a value, or -1. */
function valueEnd(bytes: Buffer, from: number, to: number): number {
  const first = bytes[from];
  if (first === QUOTE) return stringEnd(bytes, from, to);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return containerEnd(bytes, from, to);
  let end = from;
  while (end < to && isScalarByte(bytes[end] ?? 0)) end += 1;
  return SCALAR.test(bytes.toString('latin1', from, end)) ? end : -1;
}

const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

function isScalarByte(byte: number): boolean {
  const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  return isLetter || (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
}

/** Strings this short, keys and ids, are faster walked than searched. */
const NEAR = 32;

/** The offset behind the string that begins at `open`, or -1 when it is not closed before `to`. */
function stringEnd(bytes: Buffer, open: number, to: number): number {
  let from = open + 1;
  const near = Math.min(from + NEAR, to);
  while (from < near) {
    const byte = bytes[from];
    if (byte === QUOTE) return from + 1;
    from += byte === BACKSLASH ? 2 : 1;
  }
  let quote = bytes.indexOf(QUOTE, from);
  while (quote >= 0 && quote < to) {
    let slashes = quote;
    while (slashes > from && bytes[slashes - 1] === BACKSLASH) slashes -= 1;
    // Backslashes escape each other in pairs: behind an even number of them the quote is a real one.
    if ((quote - slashes) % 2 === 0) return quote + 1;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return -1;
}

/** The offset behind an array or object, or -1 when its brackets do not match. */
function containerEnd(bytes: Buffer, open: number, to: number): number {
  const closers: (number | undefined)[] = [];
  for (let at = open; at < to; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at, to) - 1;
      if (at < 0) return -1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      closers.push(byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (closers.pop() !== byte) return -1;
      if (closers.length === 0) return at + 1;
    }
  }
  return -1;
}
