import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { ROOT } from './run.js';

export interface Shell {
  /** Runs a script in which `thread` and `npx thread` are the built command. */
  run(script: string, cwd: string): Promise<{ code: number | undefined; stdout: string; stderr: string }>;
  remove(): void;
}

/** `npx` only finds `thread` where npm has linked it, so a folder in front of the PATH stands for both. */
export function openShell(program: 'bash' | 'sh'): Shell {
  const bin = mkdtempSync(join(tmpdir(), 'thread-bin-'));
  symlinkSync(join(ROOT, 'bin/thread.js'), join(bin, 'thread'));
  writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  const PATH = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  return {
    async run(script, cwd) {
      const { exitCode, stdout, stderr } = await execa(program, ['-c', script], {
        cwd,
        env: { PATH },
        stdin: 'ignore',
        reject: false,
        stripFinalNewline: false,
      });
      return { code: exitCode, stdout, stderr };
    },
    remove: () => rmSync(bin, { recursive: true }),
  };
}
