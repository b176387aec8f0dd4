import { createScanner } from 'jsonc-parser';

/**
 * JSON text as tokens with offsets. All functions here take JSON text decoded as latin1, in which a UTF-16 offset *is*
 * the byte offset in the original UTF-8: every character that JSON gives a meaning is ASCII. They are loops, not
 * recursions, so that nesting of any depth is no problem.
 */
export interface JsonFault {
  /** Byte offset of the offending token. */
  readonly offset: number;
  readonly problem: string;
}

export interface Token {
  /** The character that tells the kind: `{ } [ ] , :`, `"` for a string, `v` for another value, `?` for no JSON. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** The tokens of a text, without white space. Comments come out as no JSON (`?`). */
export function* tokens(text: string): Generator<Token> {
  const scanner = createScanner(text, false);
  for (;;) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    if (start >= text.length) return;
    const first = text.charAt(start);
    if (first === ' ' || first === '\n' || first === '\t' || first === '\r') continue;
    yield { kind: tokenKind(text, first, start, end, scanner.getTokenError()), start, end };
  }
}

function tokenKind(text: string, first: string, start: number, end: number, error: number): string {
  if ('{}[],:'.includes(first)) return first;
  if (error !== 0) return '?';
  if (first === '"') return first;
  return /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text.slice(start, end))
    ? 'v'
    : '?';
}

/** The end of the first complete value in the text, or undefined when there is none. */
export function firstValueEnd(text: string): number | undefined {
  let depth = 0;
  for (const token of tokens(text)) {
    if (token.kind === '?') return undefined;
    if (token.kind === '{' || token.kind === '[') depth += 1;
    if (token.kind === '}' || token.kind === ']') depth -= 1;
    if (depth <= 0) return token.end;
  }
  return undefined;
}

/**
 * The first thing that is wrong with a text that JSON.parse refuses. JSON.parse's own messages differ between Node
 * versions, and our output must not.
 */
export function findFault(text: string): JsonFault {
  const open: string[] = [];
  let state: 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'end' = 'value';
  for (const { kind, start } of tokens(text)) {
    if (kind === '?') return { offset: start, problem: unreadable(text, start) };
    if (state === 'end' && open.length === 0)
      return { offset: start, problem: 'more text after the end of the value' };
    if (kind === '{' || kind === '[') {
      if (state !== 'value' && state !== 'value or ]')
        return { offset: start, problem: expected(state, open) };
      open.push(kind);
      state = kind === '{' ? 'key or }' : 'value or ]';
    } else if (kind === '}' || kind === ']') {
      const closes = kind === '}' ? '{' : '[';
      const emptyNow = state === (kind === '}' ? 'key or }' : 'value or ]');
      if (open.at(-1) !== closes || !(state === 'end' || emptyNow))
        return { offset: start, problem: expected(state, open) };
      open.pop();
      state = 'end';
    } else if (kind === ',') {
      if (state !== 'end') return { offset: start, problem: expected(state, open) };
      state = open.at(-1) === '{' ? 'key' : 'value';
    } else if (kind === ':') {
      if (state !== 'colon') return { offset: start, problem: expected(state, open) };
      state = 'value';
    } else if (kind === '"' && (state === 'key' || state === 'key or }')) {
      state = 'colon';
    } else {
      if (state !== 'value' && state !== 'value or ]')
        return { offset: start, problem: expected(state, open) };
      state = 'end';
    }
  }
  return { offset: text.length, problem: ending(open) };
}

/** In UTF-8, decoded as latin1; files that are joined have one where the next of them begins. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

function unreadable(text: string, start: number): string {
  if (text.charAt(start) === '"') {
    return isClosed(text, start)
      ? 'a string holds a character or an escape that JSON does not allow'
      : 'a string is not closed';
  }
  if (text.startsWith(BYTE_ORDER_MARK, start)) return 'a byte-order mark inside the file';
  if (text.charAt(start) === '\0') return 'a NUL byte where a value should be';
  return text.charAt(start) === '/' ? 'a comment inside the JSON' : 'not a JSON value';
}

function isClosed(text: string, start: number): boolean {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at < text.length;
}

function expected(state: string, open: readonly string[]): string {
  switch (state) {
    case 'colon':
      return 'a colon is missing after a key';
    case 'key':
    case 'key or }':
      return 'a key in double quotes is missing';
    case 'end':
      return `a comma or ${open.at(-1) === '{' ? '}' : ']'} is missing`;
    default:
      return 'a value is missing';
  }
}

function ending(open: readonly string[]): string {
  const last = open.at(-1);
  if (last === undefined) return 'no value';
  return last === '{' ? 'an object is not closed' : 'an array is not closed';
}
