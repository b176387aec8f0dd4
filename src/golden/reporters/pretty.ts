import type { CaseReport, CheckReport } from '../check.js';
import type { Page } from './page.js';
import { countsText, differenceLines, problemsOf, stderrLines } from './words.js';

const VERDICT_WIDTH = 8;

/** A line for each case, what is wrong below it, and the counts. */
export function prettyReport(report: CheckReport, page: Page): string {
  const blocks = report.cases.map((one) => caseBlock(one, page));
  return `${[...blocks, countsText(report)].join('\n')}\n`;
}

function caseBlock(one: CaseReport, page: Page): string {
  const { kind } = one.verdict;
  const verdict = page.paint(kind === 'ok' ? 'good' : 'bad', kind.padEnd(VERDICT_WIDTH));
  const lines = [`${verdict} ${page.oneLine(one.name)}${page.paint('dim', notes(one, page))}`];
  for (const problem of problemsOf(one)) lines.push(`  ${page.oneLine(problem)}`);
  for (const line of stderrLines(one)) lines.push(page.paint('dim', `  stderr: ${page.oneLine(line)}`));
  for (const { sign, text } of differenceLines(one))
    lines.push(`  ${signed(sign, page.oneLine(text), page)}`);
  return lines.join('\n');
}

function notes({ fails, isUpdated, ignored, verdict }: CaseReport, page: Page): string {
  const all = [
    ...(isUpdated ? ['updated'] : []),
    ...(fails && verdict.kind === 'ok' ? ['fails, as it is known to'] : []),
    ...ignored.map(({ pointer, reason }) => page.oneLine(`ignores ${pointer}: ${reason}`)),
  ];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

function signed(sign: '-' | '+' | ' ' | '@', text: string, page: Page): string {
  switch (sign) {
    case '-':
      return page.paint('removed', `-${text}`);
    case '+':
      return page.paint('added', `+${text}`);
    case ' ':
      return ` ${text}`;
    case '@':
      return page.paint('dim', `@ ${text}`);
  }
}
