import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type CompactedTranscript, compactTranscript } from '../../compaction/compact-transcript.js';
import { compactReport } from '../../compaction/report.js';
import { createTally, type Tally } from '../../compaction/tally.js';
import type { Ledger } from '../../ledger/entry.js';
import { editedPieces } from '../../transcript/edited.js';
import { ThreadError } from '../../transcript/errors.js';
import { type ByteSource, memorySource } from '../../transcript/lines.js';
import { conversationOption } from '../conversation-option.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { givenLedger, ledgerPath } from '../ledger-input.js';
import { fileIdentity, namesFile, requireWritable, writeTo } from '../output.js';
import { counted, grouped } from '../terminal.js';
import { brokenTailWarning, warn } from '../warning.js';

interface Options {
  readonly ledger?: string;
  readonly format?: string;
  readonly boundary?: number;
  readonly recent?: number;
  readonly budget?: number;
  readonly addresses?: boolean;
  readonly output?: string;
  readonly report?: string;
  readonly diff?: true;
  readonly allowUncited?: true;
  readonly copies?: true;
  readonly conversation?: string;
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
    .option(
      '--recent <tokens>',
      'the newest earlier evidence to leave in place, in tokens (default: by the ledger)',
      tokens,
    )
    .option(
      '--budget <tokens>',
      'the most that the capsule may hold; older groups are given up for it',
      tokens,
    )
    .option(
      '--addresses',
      'end receipts with the address of the original (default when the ledger is derived)',
    )
    .option('--no-addresses', 'leave the addresses away')
    .option('-o, --output <file>', 'write here, as a whole or not at all (default: the standard output)')
    .option('--report <file>', 'write what was done as JSON; - for the standard error')
    .option('--diff', 'print what becomes of the transcript, as thread diff does, instead of it')
    .option('--allow-uncited', 'drop all earlier evidence when no citation is found')
    .option('--copies', 'also shrink the copies of results that a session keeps for viewers')
    .addOption(conversationOption('compact only this conversation of a file of several'))
    .option('--lenient', 'pass over a last line that is cut')
    .option('-q, --quiet', 'no summary on the standard error')
    .addHelpText('after', EXAMPLES)
    .action((file: string | undefined, options: Options) => run((io) => compact(file, options, io)));
}

function tokens(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('tokens are a whole number from 0.');
  return Number(text);
}

function position(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('a position is a whole number from 0.');
  return Number(text);
}

async function compact(file: string | undefined, options: Options, io: Io): Promise<number> {
  refuseSameFile(file, options, io);
  for (const path of [options.output, options.report]) if (namesFile(path)) requireWritable(path, io.cwd);
  return withSource(file, io, async (source) => {
    const ledger = await givenLedger(file, options.ledger, io);
    const compacted = await compactTranscript(source, {
      ledger,
      format: options.format,
      conversation: options.conversation,
      boundary: options.boundary,
      recent: options.recent,
      budget: options.budget,
      addresses: options.addresses,
      allowUncited: options.allowUncited === true,
      copies: options.copies === true,
      lenient: options.lenient === true,
      onBrokenTail: brokenTailWarning(io, source.name, 'passed through as it is'),
    });
    const tally = createTally(compacted, options.report !== undefined);
    const pieces = outputPieces(source, compacted, tally, options, io);
    const output = options.diff === true ? differenceLines(source, pieces, options, ledger, io) : pieces;
    await writeTo(options.output, io.stdout, io.cwd, output);
    tell(compacted, tally, options, io);
    return 0;
  });
}

/** No output may replace what it is made from, nor the other output; only a transcript may be written onto itself. */
function refuseSameFile(file: string | undefined, options: Options, io: Io): void {
  const { report, output } = options;
  const ledger = { what: 'ledger', path: ledgerPath(file, options.ledger, io.cwd) };
  const inputs = [{ what: 'input', path: file }, ledger].filter(
    ({ path }) => path !== undefined && existsSync(resolve(io.cwd, path)),
  );
  refuseOneOf('--report', report, [...inputs, { what: 'output', path: output }], io);
  refuseOneOf(
    '--output',
    output,
    inputs.filter(({ what }) => what === 'ledger'),
    io,
  );
}

function refuseOneOf(
  option: string,
  named: string | undefined,
  others: readonly { readonly what: string; readonly path: string | undefined }[],
  io: Io,
): void {
  if (!namesFile(named)) return;
  const identity = fileIdentity(named, io.cwd);
  const same = others.find(
    ({ path }) => identity !== undefined && namesFile(path) && fileIdentity(path, io.cwd) === identity,
  );
  if (same !== undefined) throw new ThreadError(`${option} ${named}: that file is the ${same.what}`);
}

async function* outputPieces(
  source: ByteSource,
  compacted: CompactedTranscript,
  tally: Tally,
  options: Options,
  io: Io,
): AsyncGenerator<Uint8Array> {
  for (const piece of editedPieces(source, compacted.edits, compacted.style)) {
    tally.see(piece);
    yield piece.bytes;
  }
  if (options.report === undefined) return;
  // Before the output takes its place: a file is not replaced when its report cannot be written.
  const report = `${JSON.stringify(compactReport(source, compacted, tally), null, 2)}\n`;
  await writeTo(options.report, io.stderr, io.cwd, [report]);
}

/** What is written in place of the compacted transcript with --diff. */
async function* differenceLines(
  source: ByteSource,
  pieces: AsyncIterable<Uint8Array>,
  { format, lenient, output }: Options,
  ledger: Ledger | undefined,
  io: Io,
): AsyncGenerator<string> {
  const compacted: Uint8Array[] = [];
  for await (const piece of pieces) compacted.push(Uint8Array.from(piece));
  const after = memorySource(`${source.name} (compacted)`, Buffer.concat(compacted));
  const { differenceText } = await import('../diff-output.js');
  const options = { format, lenient: lenient === true, ledger };
  yield* differenceText(
    source,
    after,
    options,
    namesFile(output) ? { ...io, columns: undefined, env: { NO_COLOR: '1' } } : io,
  );
}

function tell(compacted: CompactedTranscript, tally: Tally, options: Options, io: Io): void {
  for (const { compaction } of compacted.conversations) {
    for (const warning of compaction.warnings) warn(io, warning);
    for (const { question, entries } of compaction.givenUp) {
      const ids = entries.map(({ chunkId }) => `[${chunkId}]`).join(' ');
      warn(
        io,
        `given up for the budget: ${counted(entries.length, 'chunk')} cited by question ${question}: ${ids}`,
      );
    }
    for (const { label } of compaction.missingPictures)
      warn(io, `a cited picture was not found or cannot be decoded, and is left out: ${label}`);
  }
  if (!options.quiet && options.report !== '-') io.stderr.write(`thread: ${summary(compacted, tally)}\n`);
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
