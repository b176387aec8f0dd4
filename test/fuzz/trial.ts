import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../cli/run.js';
import type { Watchdog } from './watchdog.js';

/** What is fuzzed: a transcript and, where there is one, its ledger. */
export interface Input {
  readonly bytes: Buffer;
  readonly ledger?: Buffer | undefined;
}

/** One command line that was run, and all that can be seen of it. */
export interface Run {
  readonly args: readonly string[];
  readonly input: Input;
  /** The input came through the standard input, not as a file. */
  readonly isPiped: boolean;
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly stdoutIs: StdoutKind;
  /** What the folder's files hold when it has ended; those that were there before, first. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** What a command promises about its standard output. */
export type StdoutKind = 'transcript' | 'json' | 'jsonl' | 'text';

/** A compaction, and what the commands say that hold it against its original. */
export interface Compaction {
  readonly input: Input;
  readonly run: Run;
  /** The same through the standard input. */
  readonly piped: Run;
  /** The same with `-o` and `--report`. */
  readonly written: Run;
  /** What was made of it, compacted again. */
  readonly again: Run;
  readonly verified: Run;
  readonly pairs: Run;
}

export const INPUT = 'input.jsonl';
export const LEDGER = 'a.ledger';
export const OUTPUT = 'output.jsonl';
export const REPORT = 'report.json';
const COMPACTED = 'compacted.jsonl';

/** A folder in which inputs are tried, one after the other. */
export interface Trials {
  /** Through the standard input: at once, or in pieces of so many bytes. */
  run(input: Input, command: CommandLine, isPiped?: boolean | { readonly pieces: number }): Promise<Run>;
  compact(input: Input, options: readonly string[]): Promise<Compaction>;
  remove(): void;
}

/** A command line to try; `stdoutIs` says what its standard output has to be. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly stdoutIs: StdoutKind;
}

export function startTrials(watchdog: Pick<Watchdog, 'begin' | 'end'>): Trials {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'thread-fuzz-')));

  function lay(files: Readonly<Record<string, Buffer | undefined>>): void {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    for (const [name, bytes] of Object.entries(files))
      if (bytes !== undefined) writeFileSync(join(folder, name), bytes);
  }

  async function run(
    input: Input,
    command: CommandLine,
    piped: boolean | { readonly pieces: number } = false,
    made?: Buffer,
  ): Promise<Run> {
    lay({ [INPUT]: input.bytes, [LEDGER]: input.ledger, [COMPACTED]: made });
    // Only one of two inputs can be the standard input.
    const isPiped = piped !== false;
    const first = isPiped ? command.args.indexOf(INPUT) : -1;
    const args = command.args.map((arg, i) => (i === first ? '-' : arg));
    watchdog.begin(`in ${folder}: thread ${args.join(' ')}`);
    const { code, stdoutBytes, stderr } = await runCommand(args, {
      cwd: folder,
      stdin: isPiped ? piecesOf(input.bytes, piped === true ? input.bytes.length : piped.pieces) : [],
    });
    watchdog.end();
    const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
    files.delete(COMPACTED);
    return { args, input, isPiped, code, stdout: stdoutBytes, stderr, stdoutIs: command.stdoutIs, files };
  }

  async function compact(input: Input, options: readonly string[]): Promise<Compaction> {
    const given = input.ledger === undefined ? [] : ['--ledger', LEDGER];
    const line = ['compact', INPUT, ...given, ...options];
    const first = await run(input, { args: line, stdoutIs: 'transcript' });
    const made = first.stdout;
    const text = (args: readonly string[]): CommandLine => ({ args, stdoutIs: 'text' });
    return {
      input,
      run: first,
      piped: await run(input, { args: line, stdoutIs: 'transcript' }, true),
      written: await run(input, text([...line, '-o', OUTPUT, '--report', REPORT])),
      again: await run({ ...input, bytes: made }, { args: line, stdoutIs: 'transcript' }),
      verified: await run(input, text(['verify', INPUT, COMPACTED, ...given]), false, made),
      pairs: await run(input, text(['verify', '--pairs', INPUT, COMPACTED]), false, made),
    };
  }

  return {
    run,
    compact,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function piecesOf(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}
