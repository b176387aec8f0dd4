import {
  type CaseReport,
  type Change,
  type CheckReport,
  VERDICT_KINDS,
  type Verdict,
  type VerdictKind,
} from '../check.js';
import type { Difference } from '../difference.js';
import type { DifferenceLine } from '../text-lines.js';

/** `12 cases: 10 ok, 2 changed`. */
export function countsText(report: CheckReport): string {
  const counts = verdictCounts(report);
  const total = report.cases.length;
  const pieces = VERDICT_KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
  const notRun = report.notRun === 0 ? [] : [`${report.notRun} not run`];
  return `${total} ${total === 1 ? 'case' : 'cases'}: ${[...pieces, ...notRun].join(', ')}`;
}

export function verdictCounts({ cases }: CheckReport): Record<VerdictKind, number> {
  const count = (kind: VerdictKind): number => cases.filter(({ verdict }) => verdict.kind === kind).length;
  return {
    ok: count('ok'),
    changed: count('changed'),
    missing: count('missing'),
    orphan: count('orphan'),
    error: count('error'),
  };
}

/** What is wrong, a line for each thing; none for a case that holds. */
export function problemsOf({ verdict, golden }: CaseReport): string[] {
  switch (verdict.kind) {
    case 'ok':
      return [];
    case 'changed':
      return verdict.changes.map((change) => changeText(change, golden));
    case 'missing':
      return [`no golden: ${golden}`, ...verdict.changes.map((change) => changeText(change, golden))];
    case 'orphan':
      return [`no case expects ${golden}`];
    case 'error':
      return [verdict.problem];
  }
}

function changeText(change: Change, golden: string): string {
  switch (change.kind) {
    case 'exit':
      return `exit code ${change.actual}, expected ${change.expected}`;
    case 'stderr':
      return `not found on the standard error: ${change.pattern}`;
    case 'output':
      return `${golden}:${differenceText(change.difference)}`;
    case 'second-run':
      return change.difference === null
        ? 'the second run gave another exit code or another standard error'
        : `the second run differs from the first: ${differenceText(change.difference)}`;
    case 'holds':
      return 'the case says "fails", and it does not fail any more';
  }
}

function differenceText(difference: Difference): string {
  const place = `${difference.at.line}:${difference.at.column}`;
  switch (difference.kind) {
    case 'line-ends':
      return `${place}: only line ends differ: ${difference.actual}, expected ${difference.expected}`;
    case 'bytes':
      return `${place}: byte ${difference.offset} is ${byteText(difference.actual)}, expected ${byteText(difference.expected)}`;
    case 'transcript':
    case 'json':
    case 'text':
      return `${place}: the output differs`;
  }
}

function byteText(byte: number | null): string {
  return byte === null ? 'missing' : `0x${byte.toString(16).padStart(2, '0')}`;
}

/** The differing lines of all changes, in order. */
export function differenceLines({ verdict }: CaseReport): DifferenceLine[] {
  return differencesOf(verdict).flatMap((one) => ('lines' in one ? one.lines : []));
}

/** What differs in the output, or between two runs. */
export function differencesOf(verdict: Verdict): Difference[] {
  return changesOf(verdict)
    .map((change) => (change.kind === 'output' || change.kind === 'second-run' ? change.difference : null))
    .filter((difference) => difference !== null);
}

export function changesOf(verdict: Verdict): readonly Change[] {
  return verdict.kind === 'changed' || verdict.kind === 'missing' ? verdict.changes : [];
}

const STDERR_LINES = 10;

/** What the command said, where that may explain a change. */
export function stderrLines({ verdict }: CaseReport): string[] {
  const isTelling = changesOf(verdict).some(({ kind }) => kind === 'exit' || kind === 'stderr');
  return isTelling && 'stderr' in verdict
    ? verdict.stderr.trimEnd().split('\n', STDERR_LINES).filter(Boolean)
    : [];
}

/** The place that an editor or a reviewer should be taken to. */
export function placeOf({ file, golden, verdict }: CaseReport): { file: string; line: number } {
  const output = changesOf(verdict).find(({ kind }) => kind === 'output');
  if (output?.kind === 'output') return { file: golden, line: output.difference.at.line };
  return { file: file ?? golden, line: 1 };
}
