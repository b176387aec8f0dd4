import { firstValueEnd, tokens } from '../transcript/json-text.js';

/** Deeper values are shown as they are: every level costs two spaces on every line below it. */
const MAX_DEPTH = 100;

/**
 * JSON or JSON Lines with a line for each value, so that two outputs can be compared value by value; undefined for what
 * is neither. Nothing is parsed, so that spellings such as `1.0` stay visible.
 */
export function jsonLayout(text: string): string | undefined {
  const latin1 = Buffer.from(text, 'utf8').toString('latin1');
  const end = firstValueEnd(latin1);
  if (end === undefined || !/^[\s]*[[{]/.test(latin1)) return undefined;
  const pieces =
    latin1.slice(end).trim() === '' ? [latin1] : latin1.split('\n').filter((line) => line.trim());
  const layouts = pieces.map(valueLayout);
  if (!layouts.every((layout) => layout !== undefined)) return undefined;
  return Buffer.from(layouts.join(''), 'latin1').toString('utf8');
}

function valueLayout(latin1: string): string | undefined {
  const end = firstValueEnd(latin1);
  if (end === undefined || latin1.slice(end).trim() !== '') return undefined;
  const pieces: string[] = [];
  let depth = 0;
  let isEmpty = false;
  for (const { kind, start, end: tokenEnd } of tokens(latin1)) {
    const isClosing = kind === '}' || kind === ']';
    if (isClosing) depth -= 1;
    if (isClosing ? !isEmpty : isEmpty) pieces.push(lineBreak(depth));
    pieces.push(latin1.slice(start, tokenEnd));
    isEmpty = kind === '{' || kind === '[';
    if (isEmpty) depth += 1;
    if (depth > MAX_DEPTH) return undefined;
    if (kind === ',') pieces.push(lineBreak(depth));
    if (kind === ':') pieces.push(' ');
  }
  return `${pieces.join('')}\n`;
}

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}
