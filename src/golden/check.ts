import { type GoldenCase, type Ignored, stderrPattern } from './cases.js';
import { type Difference, describeDifference } from './difference.js';
import { maskIgnored } from './ignore.js';

/** What came of running a case's command line. */
export type CaseRun =
  | {
      readonly kind: 'ended';
      readonly exit: number;
      readonly stdout: Uint8Array;
      readonly stderr: string;
      /** The case's patterns that were not found on the standard error. */
      readonly unmatched: readonly string[];
    }
  /** It did something that no case may, or did not end; the problem says what. */
  | { readonly kind: 'failed'; readonly problem: string };

/** One thing that is not as the case says. */
export type Change =
  | { readonly kind: 'exit'; readonly expected: number; readonly actual: number }
  | { readonly kind: 'stderr'; readonly pattern: string }
  | { readonly kind: 'output'; readonly difference: Difference }
  /** The second run gave something else than the first; null when only exit code or standard error differ. */
  | { readonly kind: 'second-run'; readonly difference: Difference | null }
  /** The case says that it fails, and it does not. */
  | { readonly kind: 'holds' };

export type Verdict =
  | { readonly kind: 'ok' }
  | { readonly kind: 'changed'; readonly changes: readonly Change[]; readonly stderr: string }
  /** There is no golden; the changes are what else is wrong. */
  | { readonly kind: 'missing'; readonly changes: readonly Change[]; readonly stderr: string }
  /** There is a golden, but no case that expects it. */
  | { readonly kind: 'orphan' }
  | { readonly kind: 'error'; readonly problem: string };

export type VerdictKind = Verdict['kind'];

export const VERDICT_KINDS = ['ok', 'changed', 'missing', 'orphan', 'error'] as const;

/** A case and what became of it. */
export interface CaseReport {
  readonly name: string;
  /** The case file; null for an orphan. */
  readonly file: string | null;
  /** The golden's path, as the case file's is spelled. */
  readonly golden: string;
  readonly verdict: Verdict;
  readonly ignored: readonly Ignored[];
  /** It differs as it is known to. */
  readonly fails: boolean;
  /** The golden was written just now. */
  readonly isUpdated: boolean;
}

export interface CheckReport {
  /** In the order of their names. */
  readonly cases: readonly CaseReport[];
  /** Cases behind the failure that ended the check. */
  readonly notRun: number;
}

const CHANGED_EXIT = 1;
const TROUBLE_EXIT = 2;

/** 0 when every case holds, 1 when one does not, 2 when one could not be judged. */
export function checkExit({ cases }: CheckReport): number {
  if (cases.some(({ verdict }) => verdict.kind === 'error')) return TROUBLE_EXIT;
  return cases.every(({ verdict }) => verdict.kind === 'ok') ? 0 : CHANGED_EXIT;
}

/** Which of a case's patterns are not found in what the command wrote on the standard error. */
export function unmatchedPatterns(patterns: readonly string[], stderr: string): string[] {
  return patterns.filter((pattern) => !stderrPattern(pattern).test(stderr));
}

/**
 * Holds the runs of a case against its golden.
 * @param runs one run, or two that must be the same
 * @param golden its bytes; undefined when there is no such file
 */
export async function judge(
  one: GoldenCase,
  runs: readonly [CaseRun, ...CaseRun[]],
  golden: Uint8Array | undefined,
): Promise<Verdict> {
  const [first, second] = runs;
  if (first.kind === 'failed') return { kind: 'error', problem: first.problem };
  if (second?.kind === 'failed') return { kind: 'error', problem: `${second.problem} (in the second run)` };
  const again = second === undefined ? [] : await secondRun(one, first, second);
  const own = [...ownChanges(one, first), ...again];
  if (golden === undefined) return { kind: 'missing', changes: own, stderr: first.stderr };
  const expected = maskIgnored(golden, one.ignore);
  const actual = maskIgnored(first.stdout, one.ignore);
  const idle = one.ignore.find(({ pointer }) => !expected.found.has(pointer) && !actual.found.has(pointer));
  if (idle !== undefined) return { kind: 'error', problem: `nothing to ignore at ${idle.pointer}` };
  const output = await outputChange(expected.bytes, actual.bytes);
  return verdictOf(one, [...own, ...output], first.stderr);
}

function ownChanges({ exit }: GoldenCase, run: EndedRun): Change[] {
  const exits: Change[] = run.exit === exit ? [] : [{ kind: 'exit', expected: exit, actual: run.exit }];
  return [...exits, ...run.unmatched.map((pattern): Change => ({ kind: 'stderr', pattern }))];
}

type EndedRun = Extract<CaseRun, { kind: 'ended' }>;

async function secondRun({ ignore }: GoldenCase, first: EndedRun, second: EndedRun): Promise<Change[]> {
  const [before, after] = [maskIgnored(first.stdout, ignore).bytes, maskIgnored(second.stdout, ignore).bytes];
  if (!areSame(before, after))
    return [{ kind: 'second-run', difference: await describeDifference(before, after) }];
  const isSame = first.exit === second.exit && first.stderr === second.stderr;
  return isSame ? [] : [{ kind: 'second-run', difference: null }];
}

async function outputChange(expected: Uint8Array, actual: Uint8Array): Promise<Change[]> {
  if (areSame(expected, actual)) return [];
  return [{ kind: 'output', difference: await describeDifference(expected, actual) }];
}

/** Whether two files hold the same bytes. */
function areSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** A case that is known to fail has to: one that holds again should say so. */
function verdictOf({ fails }: GoldenCase, changes: readonly Change[], stderr: string): Verdict {
  const isUnsteady = changes.some(({ kind }) => kind === 'second-run');
  if (fails && changes.length === 0) return { kind: 'changed', changes: [{ kind: 'holds' }], stderr };
  if (changes.length === 0 || (fails && !isUnsteady)) return { kind: 'ok' };
  return { kind: 'changed', changes, stderr };
}

/** Whether today's output may become the golden: nothing else of the case is wrong, and it is none of its inputs. */
export function isUpdatable({ fails, args, stdin, expect }: GoldenCase, verdict: Verdict): boolean {
  const isInput = args.includes(expect) || (stdin.kind === 'file' && stdin.path === expect);
  if (fails || isInput) return false;
  switch (verdict.kind) {
    case 'missing':
    case 'changed':
      return verdict.changes.every(({ kind }) => kind === 'output');
    case 'ok':
    case 'orphan':
    case 'error':
      return false;
  }
}
