import type { CaseReport, CheckReport } from '../check.js';
import type { Page } from './page.js';
import { countsText, differenceLines, placeOf, problemsOf, stderrLines } from './words.js';

/** GitHub shows so many annotations of a step, and drops the rest without a word. */
const MAX_ANNOTATIONS = 10;

/** Workflow commands that GitHub shows at the changed lines, and a line with the counts. */
export function githubReport(report: CheckReport, page: Page): string {
  const failures = report.cases.filter(({ verdict }) => verdict.kind !== 'ok');
  const shown = failures.slice(0, MAX_ANNOTATIONS).map((one) => annotation(one, page));
  const more = failures.length - shown.length;
  const rest = more > 0 ? `; ${more} more without an annotation` : '';
  return `${[...shown, `thread check: ${countsText(report)}${rest}`].join('\n')}\n`;
}

function annotation(one: CaseReport, page: Page): string {
  const { file, line } = placeOf(one);
  const title = `${one.verdict.kind}: ${one.name}`;
  const text = [
    ...problemsOf(one),
    ...stderrLines(one).map((said) => `stderr: ${said}`),
    ...differenceLines(one).map(({ sign, text }) => `${sign}${text}`),
  ].map(page.screen.oneLine);
  const properties = `file=${property(page.screen.oneLine(file))},line=${line},title=${property(page.screen.oneLine(title))}`;
  return `::error ${properties}::${message(text.join('\n'))}`;
}

function message(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
