import type { CaseReport, CheckReport } from '../check.js';
import type { Page } from './page.js';
import { differenceLines, problemsOf, stderrLines, verdictCounts } from './words.js';

/** The XML that test servers read. Without times: the same input gives the same bytes. */
export function junitReport(report: CheckReport, page: Page): string {
  const { ok, error } = verdictCounts(report);
  const total = report.cases.length;
  const counts = `tests="${total}" failures="${total - ok - error}" errors="${error}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="thread check" ${counts}>`,
    `  <testsuite name="thread check" ${counts} skipped="0">`,
    ...report.cases.map((one) => testCase(one, page)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(one: CaseReport, page: Page): string {
  const slash = one.name.lastIndexOf('/');
  const [folder, name] = [one.name.slice(0, Math.max(0, slash)) || '.', one.name.slice(slash + 1)];
  const attributes = `classname="${escaped(folder, page)}" name="${escaped(name, page)}"`;
  if (one.verdict.kind === 'ok') return `    <testcase ${attributes}/>`;
  const element = one.verdict.kind === 'error' ? 'error' : 'failure';
  const [problem = ''] = problemsOf(one);
  const start = `<${element} type="${one.verdict.kind}" message="${escaped(problem, page)}">`;
  const lines = details(one).map((line) => escaped(line, page));
  return `    <testcase ${attributes}>\n      ${start}${lines.join('\n')}</${element}>\n    </testcase>`;
}

function details(one: CaseReport): string[] {
  return [
    ...problemsOf(one),
    ...stderrLines(one).map((line) => `stderr: ${line}`),
    ...differenceLines(one).map(({ sign, text }) => `${sign}${text}`),
  ];
}

/** Control characters are visible escapes by then; what is left of what XML 1.0 cannot hold becomes U+FFFD. */
function escaped(text: string, page: Page): string {
  return page.screen
    .oneLine(text)
    .replace(/[\ud800-\udfff\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
