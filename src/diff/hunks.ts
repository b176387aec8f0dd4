import type { LineRun } from './line-diff.js';
import { diffWords, type Piece } from './word-diff.js';

export type Sign = ' ' | '-' | '+';

export interface HunkLine {
  readonly sign: Sign;
  readonly pieces: readonly Piece[];
}

/** Changed lines with the unchanged ones around them; numbers are lines from 1, as in a unified diff. */
export interface Hunk {
  readonly before: { readonly start: number; readonly count: number };
  readonly after: { readonly start: number; readonly count: number };
  readonly lines: readonly HunkLine[];
}

/** Cuts a comparison into hunks with up to `context` unchanged lines on either side; hunks that touch are one. */
export function* hunksOf(runs: readonly LineRun[], context: number): Generator<Hunk> {
  let lines: HunkLine[] = [];
  let [before, after] = [0, 0]; // lines read so far
  for (const [i, run] of runs.entries()) {
    if (run.kind === 'replaced') {
      lines.push(...replacedLines(run.removed, run.added));
      [before, after] = [before + run.removed.length, after + run.added.length];
      continue;
    }
    const [isFirst, isLast] = [i === 0, i === runs.length - 1];
    const isShort = run.lines.length <= 2 * context && !isFirst && !isLast;
    const head = isFirst ? 0 : isShort ? run.lines.length : Math.min(context, run.lines.length);
    const tail = isLast || isShort ? 0 : Math.min(context, run.lines.length - head);
    lines.push(...run.lines.slice(0, head).map(unchanged));
    if (!isShort && lines.length > 0) {
      yield hunk(lines, before + head, after + head);
      lines = [];
    }
    lines.push(...run.lines.slice(run.lines.length - tail).map(unchanged));
    [before, after] = [before + run.lines.length, after + run.lines.length];
  }
  if (lines.some(({ sign }) => sign !== ' ')) yield hunk(lines, before, after);
}

/** `before` and `after` are the lines of each side up to the hunk's end. */
function hunk(lines: readonly HunkLine[], before: number, after: number): Hunk {
  const counts = { before: countOf(lines, '+'), after: countOf(lines, '-') };
  return {
    before: { start: startOf(before, counts.before), count: counts.before },
    after: { start: startOf(after, counts.after), count: counts.after },
    lines,
  };
}

/** Of nothing, a unified diff names the line before. */
function startOf(end: number, count: number): number {
  return count === 0 ? end : end - count + 1;
}

function countOf(lines: readonly HunkLine[], other: Sign): number {
  return lines.filter(({ sign }) => sign !== other).length;
}

function unchanged(text: string): HunkLine {
  return { sign: ' ', pieces: [{ text, isChanged: false }] };
}

/** How many lines of one run are compared word by word. */
const COMPARED_LINES = 200;

/** A line that takes the place of another is compared with it by words: the first with the first, and so on. */
function replacedLines(removed: readonly string[], added: readonly string[]): HunkLine[] {
  const plain = (text: string): Piece[] => [{ text, isChanged: false }];
  const before = removed.map(plain);
  const after = added.map(plain);
  const pairs = Math.min(removed.length, added.length, COMPARED_LINES);
  for (let i = 0; i < pairs; i += 1) {
    const words = diffWords(removed[i] ?? '', added[i] ?? '');
    if (words === undefined) continue;
    [before[i], after[i]] = [[...words.before], [...words.after]];
  }
  return [
    ...before.map((pieces): HunkLine => ({ sign: '-', pieces })),
    ...after.map((pieces): HunkLine => ({ sign: '+', pieces })),
  ];
}
