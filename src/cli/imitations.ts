import { safeText } from './terminal.js';

/** What our own lines begin with: messages, and the headings of passages. Each line is looked at once. */
const OURS =
  /(?<![^\n])(?:thread: | {2}hint: |[^\n]*#\d+\.\d+ (?:--conversation |operator|assistant|context|summary|result of|error of))/g;

/** Where lines of a text begin that look like ours. */
export function imitations(text: string): ReadonlySet<number> {
  return new Set(Array.from(text.matchAll(OURS), ({ index }) => index));
}

/**
 * A slice of a text, safe to print; the first character of each line that looks like ours is an escape, so that the line
 * does not look like ours any more.
 */
export function safeSlice(text: string, start: number, end: number, imitated: ReadonlySet<number>): string {
  let [shown, at] = ['', start];
  for (const index of imitated) {
    if (index < start || index >= end) continue;
    shown += safeText(text.slice(at, index)) + escaped(text.charCodeAt(index));
    at = index + 1;
  }
  return shown + safeText(text.slice(at, end));
}

function escaped(unit: number): string {
  const code = unit.toString(16);
  return unit < 0x100 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}
