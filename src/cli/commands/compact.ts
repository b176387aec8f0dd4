import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import {
  type CompactedTranscript,
  type CompactTranscriptOptions,
  compactTranscript,
} from '../../compaction/compact-transcript.js';
import { compactDirectly, type DirectCompaction } from '../../compaction/direct.js';
import { compactReport } from '../../compaction/report.js';
import { createTally, type Tally } from '../../compaction/tally.js';
import type { Ledger } from '../../ledger/entry.js';
import { editedPieces } from '../../transcript/edited.js';
import { ThreadError } from '../../transcript/errors.js';
import { type ByteSource, memorySource } from '../../transcript/lines.js';
import { keptChunks, type Told, tell } from '../compact-summary.js';
import { conversationOption } from '../conversation-option.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { jsonOutput } from '../json-output.js';
import { givenLedger, ledgerPath } from '../ledger-input.js';
import { keepOldSpaceSmall, keepYoungSpaceSmall } from '../memory.js';
import { fileIdentity, namesFile, requireWritable, writeTo } from '../output.js';
import { safeJson } from '../terminal.js';
import { brokenTailWarning } from '../warning.js';

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
  readonly strict?: true;
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
    .option('--recent <tokens>', 'the newest earlier evidence to leave in place (default: by ledger)', tokens)
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
    .option('--strict', 'parse every record, also those that a given ledger does not touch')
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
    await (ledger === undefined ? keepOldSpaceSmall(source.size) : keepYoungSpaceSmall(source.size));
    const reading = {
      ledger,
      format: options.format,
      boundary: options.boundary,
      budget: options.budget,
      lenient: options.lenient === true,
      onBrokenTail: brokenTailWarning(io, source.name, 'passed through as it is'),
    };
    const direct =
      ledger === undefined || needsEverything(options)
        ? null
        : compactDirectly(source, { ...reading, ledger, strict: options.strict === true });
    const told =
      direct === null
        ? await writeWhole(source, reading, options, io)
        : await writeDirect(source, direct, options, io);
    tell(told, options.quiet !== true && options.report !== '-', io);
    return 0;
  });
}

/** Whether more is wanted than what a plan on the lines' bytes holds. */
function needsEverything({ report, diff, copies, conversation, recent, addresses }: Options): boolean {
  const isPlain = [report, diff, copies, conversation].every((option) => option === undefined);
  return !isPlain || addresses === true || (recent ?? 0) > 0;
}

async function writeDirect(
  source: ByteSource,
  direct: DirectCompaction,
  { output }: Options,
  io: Io,
): Promise<Told> {
  let after = 0;
  const counting = function* (): Generator<Uint8Array> {
    for (const piece of direct.pieces()) {
      after += piece.length;
      yield piece;
    }
  };
  await writeTo(output, jsonOutput(io), io.cwd, counting());
  const { messages, returns, capsule } = direct;
  return {
    counts: {
      ...{ conversations: 1, messages, returns, kept: keptChunks(returns, capsule) },
      bytes: { before: source.size, after },
    },
    compactions: [{ ...direct, missingPictures: [] }],
  };
}

async function writeWhole(
  source: ByteSource,
  reading: Pick<CompactTranscriptOptions, 'ledger' | 'format' | 'boundary' | 'budget' | 'lenient'>,
  options: Options,
  io: Io,
): Promise<Told> {
  const compacted = await compactTranscript(source, {
    ...reading,
    conversation: options.conversation,
    recent: options.recent,
    addresses: options.addresses,
    allowUncited: options.allowUncited === true,
    copies: options.copies === true,
  });
  const crypto = options.report === undefined ? null : await import('node:crypto');
  const tally = createTally(compacted, crypto?.createHash ?? null);
  const pieces = outputPieces(source, compacted, tally, options, io);
  const output =
    options.diff === true ? differenceLines(source, pieces, options, reading.ledger, io) : pieces;
  await writeTo(options.output, options.diff === true ? io.stdout : jsonOutput(io), io.cwd, output);
  const { transcript, conversations } = compacted;
  const compactions = conversations.map(({ compaction }) => compaction);
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  return {
    counts: transcript && {
      conversations: conversations.length,
      messages: sum(conversations.map(({ outline }) => outline.length)),
      returns: sum(compactions.map(({ returns }) => returns.length)),
      kept: sum(compactions.map(({ returns, capsule }) => keptChunks(returns.length, capsule))),
      bytes: tally.bytes(),
    },
    compactions,
  };
}

/** No output may replace what it is made from, nor the other output; only a transcript may be written onto itself. */
function refuseSameFile(file: string | undefined, options: Options, io: Io): void {
  const { report, output } = options;
  const ledger = { what: 'ledger', path: ledgerPath(file, options.ledger, io.cwd) };
  const inputs = [{ what: 'input', path: file }, ledger].filter(
    ({ path }) => path !== undefined && existsSync(resolve(io.cwd, path)),
  );
  refuseOneOf('--report', report, [...inputs, { what: 'output', path: output }], io);
  if (!namesFile(file) && namesFile(report) && fileIdentity(report, io.cwd) === (io.stdinFile ?? null))
    throw new ThreadError(`--report ${report}: that file is the input`);
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
  // A file takes its place at the end; what a stream is given cannot be taken back, so there the report goes first.
  const isReportFirst = namesFile(options.report) && !namesFile(options.output);
  if (isReportFirst) {
    for (const piece of editedPieces(source, compacted.edits, compacted.style)) tally.see(piece);
    await writeReport(source, compacted, tally, options, io);
  }
  for (const piece of editedPieces(source, compacted.edits, compacted.style)) {
    if (!isReportFirst) tally.see(piece);
    yield piece.bytes;
  }
  if (!isReportFirst) await writeReport(source, compacted, tally, options, io);
}

async function writeReport(
  source: ByteSource,
  compacted: CompactedTranscript,
  tally: Tally,
  options: Options,
  io: Io,
): Promise<void> {
  if (options.report === undefined) return;
  const report = `${safeJson(compactReport(source, compacted, tally), 2)}\n`;
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
