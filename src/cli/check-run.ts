import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type CaseReport, type CaseRun, isUpdatable, judge, type Verdict } from '../golden/check.js';
import { ThreadError } from '../transcript/errors.js';
import { type FoundCase, readCaseInput, readGolden } from './case-files.js';
import { type CaseLane, openLane, type TaskOutcome } from './case-lane.js';
import type { CaseTask } from './case-worker.js';
import { cancellable } from './interrupt.js';
import { makeSandbox, makeSandboxRoot, removeSandboxes, type Sandbox } from './sandbox.js';

export interface RunOptions {
  /** For one run of one case. */
  readonly timeoutSeconds: number;
  readonly twice: boolean;
  /** Start no case behind one that does not hold. */
  readonly bail: boolean;
  readonly cwd: string;
  /** The program of a lane's worker, for tests of one that misbehaves. */
  readonly worker?: URL;
}

/** A case's report, and what its golden would become; null when that is no matter of the golden. */
export interface RanCase {
  readonly one: FoundCase;
  readonly report: CaseReport;
  readonly newGolden: Uint8Array | null;
}

const MAX_LANES = 8;

/**
 * Runs cases, several at once, each in a copy of its folder that is gone afterwards.
 * @returns the cases in their order; with `bail`, up to the first that does not hold
 */
export async function runCases(cases: readonly FoundCase[], options: RunOptions): Promise<RanCase[]> {
  const root = makeSandboxRoot();
  try {
    return await cancellable((cancelled) => runInLanes(cases, options, root, cancelled));
  } finally {
    removeSandboxes(root);
  }
}

async function runInLanes(
  cases: readonly FoundCase[],
  options: RunOptions,
  root: string,
  cancelled: AbortSignal,
): Promise<RanCase[]> {
  const ran: (RanCase | undefined)[] = cases.map(() => undefined);
  const pending = cases.entries();
  let isOver = false;
  const work = async (place: Workplace): Promise<void> => {
    for (const [i, one] of pending) {
      const done = await runCase(one, place, options);
      cancelled.throwIfAborted();
      ran[i] = done;
      // Cases before this one have begun already, so what is reported does not depend on who is first.
      if (options.bail && done.report.verdict.kind !== 'ok') isOver = true;
      if (isOver) return;
    }
  };
  const count = Math.min(availableParallelism(), MAX_LANES, cases.length);
  const places = Array.from({ length: count }, (_, i) => workplace(join(root, String(i)), options));
  const stop = (): void => places.forEach(({ lane }) => void lane.close());
  cancelled.addEventListener('abort', stop);
  try {
    await Promise.all(places.map(work));
  } finally {
    cancelled.removeEventListener('abort', stop);
    await Promise.all(places.map(({ lane }) => lane.close()));
  }
  return upToFailure(
    ran.filter((one) => one !== undefined),
    options.bail,
  );
}

function upToFailure(ran: readonly RanCase[], bail: boolean): RanCase[] {
  const failure = bail ? ran.findIndex(({ report }) => report.verdict.kind !== 'ok') : -1;
  return failure === -1 ? [...ran] : ran.slice(0, failure + 1);
}

/** A lane and the copy of a folder that it works in, which serves the next case of that folder too. */
interface Workplace {
  readonly lane: CaseLane;
  /** A fresh or an unchanged copy. */
  sandbox(folder: string): Sandbox;
  /** The copy is not what it was. */
  spoil(): void;
}

function workplace(path: string, { timeoutSeconds, worker }: RunOptions): Workplace {
  let current: { readonly folder: string; readonly sandbox: Sandbox } | undefined;
  const spoil = (): void => {
    removeSandboxes(path);
    current = undefined;
  };
  return {
    lane: openLane(timeoutSeconds * 1000, worker),
    sandbox(folder) {
      if (current?.folder === folder) return current.sandbox;
      spoil();
      current = { folder, sandbox: makeSandbox(folder, path) };
      return current.sandbox;
    },
    spoil,
  };
}

async function runCase(one: FoundCase, place: Workplace, options: RunOptions): Promise<RanCase> {
  const { name, file, golden, ignore, fails } = one;
  const { verdict, newGolden } = await judged(one, place, options);
  const report = { name, file, golden, verdict, ignored: ignore, fails, isUpdated: false };
  return { one, report, newGolden };
}

/** What is wrong with a case's files is that case's error; the others go on. */
async function judged(
  one: FoundCase,
  place: Workplace,
  options: RunOptions,
): Promise<{ readonly verdict: Verdict; readonly newGolden: Uint8Array | null }> {
  try {
    const golden = readGolden(one, options.cwd);
    const stdin = readCaseInput(one, options.cwd);
    const first = await runOnce(one, stdin, place, options);
    const second = options.twice ? [await runOnce(one, stdin, place, options)] : [];
    const verdict = await judge(one, [first, ...second], golden);
    const updatable = first.kind === 'ended' && isUpdatable(one, verdict);
    return { verdict, newGolden: updatable ? first.stdout : null };
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    return { verdict: { kind: 'error', problem: error.message }, newGolden: null };
  }
}

async function runOnce(
  one: FoundCase,
  stdin: Uint8Array,
  place: Workplace,
  options: RunOptions,
): Promise<CaseRun> {
  const sandbox = place.sandbox(one.folder);
  const task: CaseTask = { folder: sandbox.path, args: one.args, stdin, patterns: one.stderr };
  const outcome = await place.lane.run(task);
  if (outcome.kind !== 'done' || outcome.result.hasWritten) place.spoil();
  return caseRun(outcome, sandbox, options);
}

function caseRun(outcome: TaskOutcome, { leftOut }: Sandbox, { timeoutSeconds }: RunOptions): CaseRun {
  switch (outcome.kind) {
    case 'timeout':
      return {
        kind: 'failed',
        problem: `it did not end within ${timeoutSeconds} s; --timeout gives cases longer`,
      };
    case 'crash':
      return { kind: 'failed', problem: `a fault of thread itself: ${outcome.problem}` };
    case 'done': {
      const { exit, stdout, stderr, unmatched, violation } = outcome.result;
      if (violation !== undefined) return { kind: 'failed', problem: violation };
      return { kind: 'ended', exit, stdout, stderr: stderr + leftOutText(leftOut), unmatched };
    }
  }
}

/** A command that misses a file should not leave its reader to wonder. */
function leftOutText(leftOut: readonly string[]): string {
  return leftOut
    .map((name) => `(not in the copy of the folder, because it is no file of it: ${name})\n`)
    .join('');
}
