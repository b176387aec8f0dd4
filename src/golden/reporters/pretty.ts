import { renderDiff } from '../../diff/render.js';
import type { Screen } from '../../diff/screen.js';
import type { CaseReport, CheckReport } from '../check.js';
import type { Difference } from '../difference.js';
import type { DifferenceLine } from '../text-lines.js';
import type { Page } from './page.js';
import { countsText, differencesOf, problemsOf, stderrLines } from './words.js';

const VERDICT_WIDTH = 8;
const INDENT = '  ';

/** Lines of a rendered transcript; what is left away is counted. */
const MAX_LINES = 120;

/** A line for each case, what is wrong below it, and the counts. */
export function prettyReport(report: CheckReport, { screen }: Page): string {
  const lines = report.cases.flatMap((one) => caseLines(one, screen));
  return `${[...lines, countsText(report)].join('\n')}\n`;
}

function caseLines(one: CaseReport, screen: Screen): string[] {
  const { kind } = one.verdict;
  const verdict = screen.paint(kind === 'ok' ? 'added' : 'removed', kind.padEnd(VERDICT_WIDTH));
  const below = [
    ...problemsOf(one).map(screen.oneLine),
    ...stderrLines(one).map((line) => screen.paint('dim', `stderr: ${screen.oneLine(line)}`)),
    ...differencesOf(one.verdict).flatMap((difference) => differenceRows(difference, screen)),
  ];
  const head = `${verdict} ${screen.oneLine(one.name)}${screen.paint('dim', notes(one, screen))}`;
  return [head, ...below.map((line) => `${INDENT}${line}`)];
}

function notes({ fails, isUpdated, ignored, verdict }: CaseReport, screen: Screen): string {
  const all = [
    ...(isUpdated ? ['updated'] : []),
    ...(fails && verdict.kind === 'ok' ? ['fails, as it is known to'] : []),
    ...ignored.map(({ pointer, reason }) => screen.oneLine(`ignores ${pointer}: ${reason}`)),
  ];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

function differenceRows(difference: Difference, screen: Screen): string[] {
  switch (difference.kind) {
    case 'line-ends':
    case 'bytes':
      return [];
    case 'json':
    case 'text':
      return difference.lines.map((line) => signedRow(line, screen));
    case 'transcript': {
      const inner = { ...screen, width: screen.width - INDENT.length };
      const rows = renderDiff(difference.diff, { screen: inner, context: 3, isFull: false, isStat: false });
      return firstRows(rows);
    }
  }
}

/** Without asking for more: a text is read when its lines are asked for. */
function firstRows(rows: Iterable<string>): string[] {
  const first: string[] = [];
  for (const row of rows) {
    if (first.length === MAX_LINES) return [...first, 'and more; thread diff shows all'];
    first.push(row.slice(0, -1));
  }
  return first;
}

function signedRow({ sign, text }: DifferenceLine, screen: Screen): string {
  const shown = screen.oneLine(text);
  switch (sign) {
    case '-':
      return screen.paint('removed', `-${shown}`);
    case '+':
      return screen.paint('added', `+${shown}`);
    case ' ':
      return ` ${shown}`;
    case '@':
      return screen.paint('dim', `@ ${shown}`);
  }
}
