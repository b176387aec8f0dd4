import { spawn } from 'node:child_process';

/**
 * Run below a program that asks the system for the peak: this process cannot see it of its children. It asks about the
 * one child: the sum of its children would hold what a wrapper of python3 ran before.
 */
const MEASURE = `import os, resource, sys, time
seconds = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
null = os.open(os.devnull, os.O_WRONLY)
outputs = [(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
began = time.monotonic()
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=outputs)
_, status, used = os.wait4(child, 0)
seconds = time.monotonic() - began
print(os.waitstatus_to_exitcode(status), seconds, used.ru_utime + used.ru_stime, used.ru_maxrss)`;

export interface MeasuredRun {
  /** By the clock on the wall. */
  readonly seconds: number;
  /** User and system seconds of the command, of all its threads. */
  readonly cpu: number;
  /** MiB. */
  readonly peak: number;
}

const NO_LIMIT = 86_400;

/** Runs a command, its output thrown away; an exit code above 1, or a signal, is a failure. */
export async function measuredRun(command: readonly string[]): Promise<MeasuredRun> {
  const { code, run } = await endedRun(command, NO_LIMIT);
  if (code < 0 || code > 1) throw new Error(`exit code ${code}: ${command.join(' ')}`);
  return run;
}

/** Runs a command however it ends; below 0, the code is the signal that ended it, as after so many CPU seconds. */
export async function endedRun(
  command: readonly string[],
  limit: number,
): Promise<{ readonly code: number; readonly run: MeasuredRun }> {
  const output = await outputOf('python3', ['-c', MEASURE, String(limit), ...command]);
  const [code, seconds, cpu, kibibytes] = output.trim().split(' ').map(Number);
  if (code === undefined || seconds === undefined || cpu === undefined || kibibytes === undefined)
    throw new Error(`not measured: ${command.join(' ')}`);
  return { code, run: { seconds, cpu, peak: kibibytes / 1024 } };
}

/** The medians of each command, run in turn round after round: what else the machine does meets all of them alike. */
export async function interleavedRuns(
  commands: readonly (readonly string[])[],
  rounds: number,
): Promise<readonly MeasuredRun[]> {
  const runs: MeasuredRun[][] = commands.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, command] of commands.entries()) runs[i]?.push(await measuredRun(command));
  }
  return runs.map((ofOne) => ({
    seconds: median(ofOne.map((run) => run.seconds)),
    cpu: median(ofOne.map((run) => run.cpu)),
    peak: median(ofOne.map((run) => run.peak)),
  }));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', fail);
    child.on('close', () => done(output));
  });
}
