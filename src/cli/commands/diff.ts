import { type Command, InvalidArgumentError, Option } from 'commander';
import { renderDiff } from '../../diff/render.js';
import { diffReport } from '../../diff/report.js';
import { diffTranscripts } from '../../diff/transcript-diff.js';
import { ThreadError } from '../../transcript/errors.js';
import { diffScreen } from '../diff-output.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { givenLedger } from '../ledger-input.js';
import { safeJson } from '../terminal.js';
import { warn } from '../warning.js';
import { wholeNumber } from '../whole-number.js';

interface Options {
  readonly stat?: true;
  readonly json?: true;
  readonly full?: true;
  readonly context: number;
  readonly width?: number;
  readonly ledger?: string;
  readonly format?: string;
  readonly color?: boolean;
  readonly lenient?: true;
}

const DEFAULT_CONTEXT = 3;

const EXAMPLES = `
The same is exit code 0, different is 1, and 2 means that a file could not be read.

Examples:
  thread compact -q fixtures/support.jsonl | thread diff fixtures/support.jsonl -
  thread compact -q fixtures/coding.jsonl | thread diff --stat fixtures/coding.jsonl -
  thread compact -q fixtures/rag.jsonl | thread diff --json fixtures/rag.jsonl - | jq .counts`;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  command
    .argument('<before>', 'a transcript; - for the standard input')
    .argument('<after>', 'what became of it; - for the standard input')
    .addOption(new Option('--stat', 'a bar for each message instead of its text').conflicts('json'))
    .option('--json', 'print one JSON object')
    .option('--full', 'fold nothing')
    .option(
      '--context <lines>',
      'unchanged lines around changed ones',
      wholeNumber('a count of lines'),
      DEFAULT_CONTEXT,
    )
    .option('--width <cells>', 'how wide the output is (default: the terminal, else 100)', cells)
    .option(
      '--ledger <file>',
      'which questions cite what is kept (default: as for compact, beside the first file)',
    )
    .option('-f, --format <name>', 'the format of both transcripts (default: detected)')
    .option('--color', 'colour, also where the output is no terminal')
    .option('--no-color', 'no colour')
    .option('--lenient', 'pass over a last line that is cut')
    .addHelpText('after', EXAMPLES)
    .action((before: string, after: string, options: Options) =>
      run((io) => diff(before, after, options, io)),
    );
}

const NARROWEST = 20;

function cells(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < NARROWEST)
    throw new InvalidArgumentError(`a width is a whole number from ${NARROWEST}.`);
  return Number(text);
}

const DIFFERENT_EXIT = 1;

async function diff(before: string, after: string, options: Options, io: Io): Promise<number> {
  if (before === '-' && after === '-') throw new ThreadError('the standard input cannot be both files');
  const ledger = await givenLedger(before, options.ledger, io);
  return withSource(before, io, (one) =>
    withSource(after, io, async (other) => {
      const difference = await diffTranscripts(one, other, {
        format: options.format,
        lenient: options.lenient === true,
        onBrokenTail: brokenTailWarnings(io),
        ledger,
      });
      if (options.json === true) io.stdout.write(`${safeJson(diffReport(difference))}\n`);
      else {
        const screen = await diffScreen(io, options);
        const { context, full, stat } = options;
        const rendering = { screen, context, isFull: full === true, isStat: stat === true };
        for (const line of renderDiff(difference, rendering)) io.stdout.write(line);
      }
      return difference.isSame ? 0 : DIFFERENT_EXIT;
    }),
  );
}

/** Once for each file, although it may be read several times. */
function brokenTailWarnings(io: Io): (file: string, line: number) => void {
  const told = new Set<string>();
  return (file, line) => {
    if (!told.has(file)) warn(io, `${file}:${line}: the last line is cut; compared without it`);
    told.add(file);
  };
}
