import { structuredPatch } from 'diff';

/** A line of a difference: only expected, only there today, in both, or the head of what follows. */
export interface DifferenceLine {
  readonly sign: '-' | '+' | ' ' | '@';
  readonly text: string;
}

/** UTF-16 units of both texts together; what is larger is shown from its first difference on, unaligned. */
const ALIGNED_UNITS = 4_000_000;

/** Aligning is quadratic in the number of differences. */
const MAX_EDITS = 2_000;

/** Lines of a difference; what is left away is counted. */
const MAX_LINES = 60;

/** UTF-16 units of a line that are shown, and how many of them stand before the first difference in it. */
const LINE_UNITS = 200;
const LEAD_UNITS = 60;

/** The differing lines of two texts, with three lines around them, shortened to what fits a screen or two. */
export function differingLines(expected: string, actual: string): DifferenceLine[] {
  const lines = shortenedPairs(aligned(expected, actual) ?? unaligned(expected, actual));
  if (lines.length <= MAX_LINES) return lines;
  const more = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), { sign: '@', text: `${more} more lines` }];
}

function aligned(expected: string, actual: string): DifferenceLine[] | undefined {
  if (expected.length + actual.length > ALIGNED_UNITS) return undefined;
  const patch = structuredPatch('', '', expected, actual, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_EDITS,
  });
  return patch?.hunks.flatMap(({ oldStart, lines }): DifferenceLine[] => [
    { sign: '@', text: `line ${oldStart}` },
    ...lines.map(signedLine),
  ]);
}

function signedLine(line: string): DifferenceLine {
  const text = line.slice(1);
  switch (line.charAt(0)) {
    case '-':
      return { sign: '-', text };
    case '+':
      return { sign: '+', text };
    case '\\':
      return { sign: '@', text: 'no line end here' };
    default:
      return { sign: ' ', text };
  }
}

function unaligned(expected: string, actual: string): DifferenceLine[] {
  const common = commonUnits(expected, actual);
  const start = lineStart(expected, common);
  const from = Math.max(start, common - LEAD_UNITS);
  const lead = from > start ? '…' : '';
  const line = expected.slice(0, start).split('\n').length;
  const side = (text: string, sign: '-' | '+'): DifferenceLine[] =>
    `${lead}${text.slice(from, from + UNALIGNED_LINES * LINE_UNITS)}`
      .split('\n', UNALIGNED_LINES)
      .map((one) => ({ sign, text: one }));
  return [
    { sign: '@', text: `line ${line}, and what follows` },
    ...side(expected, '-'),
    ...side(actual, '+'),
  ];
}

/** Lines of each side. */
const UNALIGNED_LINES = 10;

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** How many UTF-16 units two texts begin with in common. */
export function commonUnits(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

/** A long line is cut around the first difference to the line that stands for it on the other side. */
function shortenedPairs(lines: readonly DifferenceLine[]): DifferenceLine[] {
  return lines.map((line, i) => {
    if (line.text.length <= LINE_UNITS) return line;
    const partner = line.sign === '-' ? partnerOf(lines, i, 1, '+') : partnerOf(lines, i, -1, '-');
    const common = partner === undefined ? 0 : commonUnits(line.text, partner);
    return { sign: line.sign, text: cut(line.text, Math.max(0, common - LEAD_UNITS)) };
  });
}

/** The same line of the other side of a changed block. */
function partnerOf(
  lines: readonly DifferenceLine[],
  at: number,
  step: 1 | -1,
  sign: '-' | '+',
): string | undefined {
  const own = lines[at]?.sign;
  let start = at;
  while (lines[start - 1]?.sign === own) start -= 1;
  let end = at;
  while (lines[end + 1]?.sign === own) end += 1;
  const other = step === 1 ? end + 1 + (at - start) : firstOf(lines, start - 1, sign) + (at - start);
  const line = lines[other];
  return line?.sign === sign ? line.text : undefined;
}

function firstOf(lines: readonly DifferenceLine[], last: number, sign: '-' | '+'): number {
  let at = last;
  while (lines[at - 1]?.sign === sign) at -= 1;
  return at;
}

function cut(text: string, start: number): string {
  const end = start + LINE_UNITS;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
