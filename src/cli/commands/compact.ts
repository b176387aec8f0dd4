import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type CompactedTranscript, compactTranscript } from '../../compaction/compact-transcript.js';
import { compactReport } from '../../compaction/report.js';
import { createTally, type Tally } from '../../compaction/tally.js';
import type { Ledger } from '../../ledger/entry.js';
import { editedPieces } from '../../transcript/edited.js';
import { ThreadError } from '../../transcript/errors.js';
import type { ByteSource } from '../../transcript/lines.js';
import { readText, withSource } from '../input.js';
import type { Io, Sink } from '../io.js';
import { writeWhole } from '../output.js';
import { counted, grouped, safeText } from '../terminal.js';

interface Options {
  readonly ledger?: string;
  readonly format?: string;
  readonly boundary?: number;
  readonly output?: string;
  readonly report?: string;
  readonly allowUncited?: true;
  readonly copies?: true;
  readonly lenient?: true;
  readonly quiet?: true;
}

const EXAMPLES = `
Examples:
  thread compact fixtures/support.jsonl > smaller.jsonl
  thread compact fixtures/rag.jsonl --ledger fixtures/rag.ledger.jsonl -o smaller.jsonl
  cat fixtures/support.jsonl | thread compact --report report.json | jq -c .role`;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  command
    .argument('[file]', 'the transcript; - or nothing for the standard input')
    .option(
      '--ledger <file>',
      'what was retrieved and cited (default: FILE.ledger.jsonl beside it, else derived)',
    )
    .option('-f, --format <name>', 'the transcript format (default: detected)')
    .option('--boundary <position>', 'compact as if a new question arrived at this position', position)
    .option('-o, --output <file>', 'write here, as a whole or not at all (default: the standard output)')
    .option('--report <file>', 'write what was done as JSON; - for the standard error')
    .option('--allow-uncited', 'drop all earlier evidence when no citation is found')
    .option('--copies', 'also shrink the copies of results that a session keeps for viewers')
    .option('--lenient', 'pass over a last line that is cut')
    .option('-q, --quiet', 'no summary on the standard error')
    .addHelpText('after', EXAMPLES)
    .action((file: string | undefined, options: Options) => run((io) => compact(file, options, io)));
}

function position(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('a position is a whole number from 0.');
  return Number(text);
}

async function compact(file: string | undefined, options: Options, io: Io): Promise<number> {
  refuseSameFile(file, options, io);
  return withSource(file, io, async (source) => {
    const ledger = await givenLedger(file, options, io);
    const compacted = await compactTranscript(source, {
      ledger,
      format: options.format,
      boundary: options.boundary,
      allowUncited: options.allowUncited === true,
      copies: options.copies === true,
      lenient: options.lenient === true,
      onBrokenTail: once((line) =>
        warn(io, `${source.name}:${line}: the last line is cut; passed through as it is`),
      ),
    });
    const tally = createTally(compacted, options.report !== undefined);
    await write(source, compacted, tally, options, io);
    tell(compacted, tally, options, io);
    return 0;
  });
}

/** The report would replace the transcript, or one output the other. */
function refuseSameFile(file: string | undefined, { report, output }: Options, io: Io): void {
  if (report === undefined || report === '-') return;
  const path = resolve(io.cwd, report);
  const same = [file, output].find(
    (other) => other !== undefined && other !== '-' && resolve(io.cwd, other) === path,
  );
  if (same !== undefined)
    throw new ThreadError(`--report ${report}: that file is the ${same === file ? 'input' : 'output'}`);
}

/** `--ledger FILE`, or the ledger that stands beside the transcript under its name. */
async function givenLedger(file: string | undefined, options: Options, io: Io): Promise<Ledger | undefined> {
  const path = options.ledger ?? sidecar(file, io.cwd);
  if (path === undefined) return undefined;
  const { parseLedger } = await import('../../ledger/entry.js');
  return parseLedger(readText(path, io.cwd), path);
}

function sidecar(file: string | undefined, cwd: string): string | undefined {
  if (file === undefined || file === '-' || !/\.jsonl?$/.test(file)) return undefined;
  const path = file.replace(/\.jsonl?$/, '.ledger.jsonl');
  return path !== file && existsSync(resolve(cwd, path)) ? path : undefined;
}

async function write(
  source: ByteSource,
  compacted: CompactedTranscript,
  tally: Tally,
  options: Options,
  io: Io,
): Promise<void> {
  const produce = async (sink: Sink): Promise<void> => {
    for (const piece of editedPieces(source, compacted.edits, compacted.style)) {
      tally.see(piece);
      sink.write(piece.bytes);
    }
    // Before the output takes its place: a file is not replaced when its report cannot be written.
    if (options.report !== undefined)
      await writeReport(compactReport(source, compacted, tally), options.report, io);
  };
  if (options.output === undefined || options.output === '-') await produce(io.stdout);
  else await writeWhole(options.output, io.cwd, produce);
}

async function writeReport(report: unknown, path: string, io: Io): Promise<void> {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  if (path === '-') io.stderr.write(text);
  else await writeWhole(path, io.cwd, (sink) => sink.write(text));
}

function tell(compacted: CompactedTranscript, tally: Tally, options: Options, io: Io): void {
  for (const { compaction } of compacted.conversations) {
    for (const warning of compaction.warnings) warn(io, warning);
    for (const { label } of compaction.missingPictures)
      warn(io, `a cited picture was not found or cannot be decoded, and is left out: ${label}`);
  }
  if (!options.quiet && options.report !== '-') io.stderr.write(`thread: ${summary(compacted, tally)}\n`);
}

function warn(io: Io, text: string): void {
  io.stderr.write(`thread: warning: ${safeText(text)}\n`);
}

function once(say: (line: number) => void): (line: number) => void {
  let said = false;
  return (line) => {
    if (!said) say(line);
    said = true;
  };
}

function summary({ transcript, conversations }: CompactedTranscript, tally: Tally): string {
  if (transcript === null) return 'no messages, nothing to compact';
  const messages = conversations.reduce((sum, { outline }) => sum + outline.length, 0);
  const returns = conversations.flatMap(({ compaction }) => compaction.returns);
  const kept = conversations.reduce((sum, { compaction }) => sum + keptChunks(compaction), 0);
  const { before, after } = tally.bytes();
  return [
    ...(conversations.length > 1 ? [counted(conversations.length, 'conversation')] : []),
    counted(messages, 'message'),
    `${counted(returns.length, 'evidence return')} below the boundary`,
    `${counted(kept, 'chunk')} kept`,
    `${grouped(before)} -> ${grouped(after)} bytes`,
  ].join(', ');
}

/** A capsule without a return to carry it goes nowhere. */
function keptChunks({
  returns,
  capsule,
}: {
  readonly returns: readonly unknown[];
  readonly capsule: { readonly groups: readonly { readonly entries: readonly unknown[] }[] };
}): number {
  return returns.length === 0 ? 0 : capsule.groups.reduce((sum, { entries }) => sum + entries.length, 0);
}
