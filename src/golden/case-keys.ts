import { type Token, tokens } from '../transcript/json-text.js';

/** A key that a case may not have, whatever its schema says. */
export interface BadKey {
  /** Byte offset of the key. */
  readonly offset: number;
  readonly problem: string;
}

/**
 * The first key that stands twice in one object, or that libraries do not treat as a key like any other. JSON.parse
 * keeps the last of two silently, so somebody would change the first and wonder.
 * @param text JSON text as latin1, see `tokens`
 */
export function findBadKey(text: string): BadKey | undefined {
  const open: Set<string>[] = [];
  let last: Token | undefined;
  for (const token of tokens(text)) {
    if (token.kind === '{' || token.kind === '[') open.push(new Set());
    if (token.kind === '}' || token.kind === ']') open.pop();
    if (token.kind === ':' && last !== undefined) {
      const problem = keyProblem(keyText(text, last), open.at(-1));
      if (problem !== undefined) return { offset: last.start, problem };
    }
    last = token;
  }
  return undefined;
}

function keyText(text: string, { start, end }: Token): string {
  return String(JSON.parse(Buffer.from(text.slice(start, end), 'latin1').toString('utf8')));
}

function keyProblem(key: string, keys: Set<string> | undefined): string | undefined {
  if (key === '__proto__') return 'unknown key: "__proto__"';
  if (keys?.has(key)) return `the key ${JSON.stringify(key)} stands twice`;
  keys?.add(key);
  return undefined;
}
