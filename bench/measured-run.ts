import { spawn } from 'node:child_process';

/** Run below a program that asks the system for the peak: this process cannot see it of its children. */
const MEASURE = `import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)`;

/** Runs a command: how long it takes, and its peak memory in MiB; an exit code above 1 is a failure. */
export async function measuredRun(
  command: readonly string[],
): Promise<{ seconds: number; peak: number | undefined }> {
  const began = performance.now();
  const output = await outputOf('python3', ['-c', MEASURE, ...command]);
  const seconds = (performance.now() - began) / 1000;
  const [code, kibibytes] = output.trim().split(' ').map(Number);
  if (code === undefined || code > 1) throw new Error(`exit code ${code}: ${command.join(' ')}`);
  return { seconds, peak: kibibytes === undefined ? undefined : kibibytes / 1024 };
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
