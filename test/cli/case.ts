import { expect } from 'vitest';
import { runCommand } from './run.js';

/** A command line and what it must write. */
export interface Case {
  readonly name: string;
  /** Behind the command's name. */
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly isTerminal?: boolean;
  readonly columns?: number;
  /** Default: 0. */
  readonly code?: number;
  /** Default: nothing. */
  readonly stdout?: string | RegExp;
  /** Default: nothing. */
  readonly stderr?: string | RegExp;
}

/** Runs a case's command line in the folder and holds what it writes against the case, whole. */
export async function expectCase(
  command: string,
  { name: _, args, code = 0, stdout = '', stderr = '', ...surroundings }: Case,
  cwd: string,
): Promise<void> {
  const { stdoutBytes: __, ...outcome } = await runCommand([command, ...args], { cwd, ...surroundings });
  expect(outcome).toStrictEqual({ code, stdout: matching(stdout), stderr: matching(stderr) });
}

function matching(expected: string | RegExp): unknown {
  return typeof expected === 'string' ? expected : expect.stringMatching(expected);
}

/** A screen shows the whole help. */
export async function expectHelpFits(
  command: string,
  most: { rows: number; columns: number },
): Promise<void> {
  const { stdout } = await runCommand([command, '--help']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(most.rows);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(most.columns);
}
