import { spawn } from 'node:child_process';

/** Run below a program that asks the system for the peak: this process cannot see it of its children. */
const MEASURE = `import os, sys
null = os.open(os.devnull, os.O_WRONLY)
to_null = [(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=to_null)
_, status, used = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_maxrss, used.ru_utime + used.ru_stime)`;

export interface Measured {
  /** From start to end. */
  readonly seconds: number;
  /** CPU seconds of the command, in the system as well. */
  readonly cpu: number;
  /** Peak memory in MiB. */
  readonly peak: number | undefined;
}

/** Runs a command and measures it; an exit code above 1 is a failure. */
export async function measuredRun(command: readonly string[]): Promise<Measured> {
  const began = performance.now();
  const output = await outputOf('python3', ['-c', MEASURE, ...command]);
  const seconds = (performance.now() - began) / 1000;
  const [code, kibibytes, cpu = 0] = output.trim().split(' ').map(Number);
  if (code === undefined || code > 1) throw new Error(`exit code ${code}: ${command.join(' ')}`);
  return { seconds, cpu, peak: kibibytes === undefined ? undefined : kibibytes / 1024 };
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
