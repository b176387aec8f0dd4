import { type CaseReport, type Change, type CheckReport, checkExit } from '../check.js';
import type { Difference } from '../difference.js';
import type { Page } from './page.js';
import { changesOf, verdictCounts } from './words.js';

/** One object, described by docs/schemas/check.schema.json. */
export function jsonReport(report: CheckReport, page: Page): string {
  const value = {
    schema: 'thread/check',
    version: 1,
    exit: checkExit(report),
    counts: verdictCounts(report),
    not_run: report.notRun,
    cases: report.cases.map(caseReport),
  };
  return `${page.json(value)}\n`;
}

function caseReport({ name, file, golden, verdict, ignored, fails, isUpdated }: CaseReport) {
  return {
    name,
    file,
    golden,
    verdict: verdict.kind,
    problem: verdict.kind === 'error' ? verdict.problem : null,
    changes: changesOf(verdict).map(changeReport),
    ignored: ignored.map(({ pointer, reason }) => ({ pointer, reason })),
    fails,
    updated: isUpdated,
  };
}

function changeReport(change: Change) {
  switch (change.kind) {
    case 'exit':
      return { kind: change.kind, expected: change.expected, actual: change.actual };
    case 'stderr':
      return { kind: change.kind, pattern: change.pattern };
    case 'output':
      return { kind: change.kind, difference: differenceReport(change.difference) };
    case 'second-run':
      return {
        kind: change.kind,
        difference: change.difference === null ? null : differenceReport(change.difference),
      };
    case 'holds':
      return { kind: change.kind };
  }
}

function differenceReport(difference: Difference) {
  const { kind, at } = difference;
  const head = { kind, line: at.line, column: at.column };
  switch (difference.kind) {
    case 'line-ends':
      return { ...head, expected: difference.expected, actual: difference.actual };
    case 'bytes':
      return { ...head, offset: difference.offset, expected: difference.expected, actual: difference.actual };
    case 'transcript':
    case 'json':
    case 'text':
      return { ...head, lines: difference.lines.map(({ sign, text }) => `${sign}${text}`) };
  }
}
