import { fstatSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { describeFailure, usageText } from './errors.js';
import { MissingInput, standardInput } from './input.js';
import type { Io } from './io.js';
import { descriptorIdentity, descriptorSink } from './output.js';

/** What a command's file exports: its options, and what it does; the result is the exit code. */
export interface CommandModule {
  configure(command: Command, run: (action: (io: Io) => Promise<number>) => Promise<void>): void;
}

interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** The whole list of commands; none is loaded before it is asked for. */
const COMMANDS: readonly CommandRow[] = [
  {
    name: 'compact',
    summary: 'replace the evidence of earlier questions by what was cited of it',
    load: () => import('./commands/compact.js'),
  },
  {
    name: 'ledger',
    summary: 'show which question retrieved and which cited each piece of evidence',
    load: () => import('./commands/ledger.js'),
  },
  {
    name: 'show',
    summary: 'print the original that an address or a receipt stands for, whole',
    load: () => import('./commands/show.js'),
  },
  {
    name: 'resolve',
    summary: 'turn a follow-up question into the words to search for, with the quotes that say so',
    load: () => import('./commands/resolve.js'),
  },
  {
    name: 'recall',
    summary: 'find what was said or seen, with the address of the original',
    load: () => import('./commands/recall.js'),
  },
  {
    name: 'verify',
    summary: 'prove a compaction against its original',
    load: () => import('./commands/verify.js'),
  },
  {
    name: 'diff',
    summary: 'show what became of a transcript, message by message',
    load: () => import('./commands/diff.js'),
  },
  {
    name: 'anaphora',
    summary: 'say which earlier turn each turn goes back to',
    load: () => import('./commands/anaphora.js'),
  },
  {
    name: 'formats',
    summary: 'say what is in a file, or which formats there are',
    load: () => import('./commands/formats.js'),
  },
  {
    name: 'convert',
    summary: 'write a transcript in another format, saying what is lost',
    load: () => import('./commands/convert.js'),
  },
  {
    name: 'check',
    summary: 'compare golden cases with today’s output',
    load: () => import('./commands/check.js'),
  },
];

/**
 * Runs one command line (without `node` and the script) against the given streams.
 * @returns the exit code; see the table in the README
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  let current: Command | undefined;
  const program = newProgram(io);
  const loaded = new Set<Command>();
  for (const row of COMMANDS)
    program
      .command(row.name)
      .summary(row.summary)
      .description(`${capitalised(row.summary)}.`);
  program.hook('preSubcommand', async (_, command) => {
    current = command;
    const row = COMMANDS.find(({ name }) => name === command.name());
    if (row === undefined || loaded.has(command)) return;
    loaded.add(command);
    (await row.load()).configure(command, async (action) => {
      exitCode = await action(io);
    });
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return fail(error, io, current);
  }
}

/** Without a help command: it would show a command that is not loaded yet, without its options. */
function newProgram(io: Io): Command {
  const program = new Command('thread');
  return program
    .description(
      'Transcripts of conversations with language models: compact them without losing what was cited.',
    )
    .version(packageJson.version, '--version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(usageText(text)),
    })
    .configureHelp({ helpWidth: 100 })
    .showSuggestionAfterError()
    .addHelpText('after', '\nthread COMMAND --help shows a command with examples.');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const USAGE_EXIT = 2;

function fail(error: unknown, io: Io, current: Command | undefined): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT;
  if (error instanceof MissingInput) current?.outputHelp({ error: true });
  const { text, exitCode } = describeFailure(error);
  try {
    if (text !== '') io.stderr.write(text);
  } catch {
    // the reader of stderr has gone as well: the exit code is all that is left to say
  }
  return exitCode;
}

/** Runs the process's own command line on its own streams, and sets the exit code. */
export async function runProcess(): Promise<void> {
  const isTerminal = {
    stdin: isCharacterDevice(0) && process.stdin.isTTY === true,
    stdout: isCharacterDevice(1) && process.stdout.isTTY === true,
    stderr: isCharacterDevice(2) && process.stderr.isTTY === true,
  };
  process.exitCode = await run(process.argv.slice(2), {
    stdin: standardInput(() => process.stdin),
    stdinFile: descriptorIdentity(0),
    stdout: descriptorSink(1, 'the standard output'),
    stderr: descriptorSink(2, 'the standard error'),
    env: process.env,
    cwd: process.cwd(),
    isTerminal,
    columns: isTerminal.stdout ? process.stdout.columns : undefined,
  });
}

/** Every terminal is one. Node's stream, which knows for certain, takes 2 ms to load, and most commands need none. */
function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false; // closed
  }
}
