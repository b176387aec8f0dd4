import type { Command } from 'commander';
import { ThreadError } from '../../transcript/errors.js';
import type { OpenFileOptions } from '../../verify/file-reading.js';
import type { Finding } from '../../verify/finding.js';
import {
  comparePairs,
  type FilePairs,
  judgePairs,
  type PairVerdict,
  readPairs,
} from '../../verify/pair-verdict.js';
import type { PairReport } from '../../verify/pairs.js';
import { keptChunks, pairCounts, pairReport, verifyReport } from '../../verify/report.js';
import { type Verification, verifyCompaction } from '../../verify/verify.js';
import { oneLine } from '../columns.js';
import { conversationOption } from '../conversation-option.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { givenLedger } from '../ledger-input.js';
import { counted, safeJson } from '../terminal.js';
import { warn } from '../warning.js';

interface Options {
  readonly ledger?: string;
  readonly format?: string;
  readonly pairs?: true;
  readonly dropped?: true;
  readonly json?: true;
  readonly conversation?: string;
  readonly lenient?: true;
  readonly quiet?: true;
}

const EXAMPLES = `
Proved is exit code 0, refuted is 1, and 2 means that a file could not be read.

Examples:
  thread compact -q fixtures/support.jsonl | thread verify fixtures/support.jsonl - --dropped
  thread compact -q fixtures/coding.jsonl | thread verify --json fixtures/coding.jsonl - | jq .verdict
  thread verify --pairs fixtures/support.jsonl`;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  command
    .argument('<original>', 'the transcript that was compacted; - for the standard input')
    .argument('[compacted]', 'what was made of it; left away to check the pairs of one file')
    .option(
      '--ledger <file>',
      'the ledger that it was compacted by (default: as for compact, beside the original)',
    )
    .option('-f, --format <name>', 'the transcript format (default: detected)')
    .option('--pairs', 'only check that every call has its result and every result its call')
    .option('--dropped', 'also list every return whose original is not shown any more')
    .option('--json', 'print the verdict as one JSON object')
    .addOption(conversationOption('the only conversation that was compacted, of several'))
    .option('--lenient', 'pass over a last line that is cut')
    .option('-q, --quiet', 'no summary, only what was found')
    .addHelpText('after', EXAMPLES)
    .action((original: string, compacted: string | undefined, options: Options) =>
      run((io) => verify(original, compacted, options, io)),
    );
}

async function verify(
  original: string,
  compacted: string | undefined,
  options: Options,
  io: Io,
): Promise<number> {
  if (original === '-' && compacted === '-') throw new ThreadError('the standard input cannot be both files');
  if (options.pairs === true && options.conversation !== undefined)
    throw new ThreadError('--pairs checks every conversation: it does not go with --conversation');
  if (options.pairs === true) return verifyPairs(original, compacted, options, io);
  if (compacted === undefined)
    throw new ThreadError('verify compares two files: the original, and what was made of it', {
      hint: 'with --pairs one file is checked alone',
    });
  const ledger = await givenLedger(original, options.ledger, io);
  return withSource(original, io, (source) =>
    withSource(compacted, io, async (made) => {
      const names = { original: source.name, file: made.name };
      const verification = await verifyCompaction(source, made, {
        ...openOptions(options, io),
        conversation: options.conversation,
        ledger,
      });
      if (options.json === true) return printJson(verifyReport(names, verification), verification, io);
      printFindings(made.name, verification.findings, verification, io);
      tell(verification, summary(verification), options, io);
      if (verification.findings.length === 0) warnGivenUp(verification, io);
      if (options.dropped === true) printDropped(verification, io);
      return exitCode(verification);
    }),
  );
}

/** Of one file what a provider would refuse; of two what the second has and the first has not. */
async function verifyPairs(
  path: string,
  madePath: string | undefined,
  options: Options,
  io: Io,
): Promise<number> {
  const first = await readFilePairs(path, options, io);
  const made = madePath === undefined ? undefined : await readFilePairs(madePath, options, io);
  const checked = made ?? first;
  const verdict = made === undefined ? judgePairs(first.pairs) : comparePairs(first.pairs, made.pairs);
  const names = { original: made === undefined ? null : first.name, file: checked.name };
  if (options.json === true) return printJson(pairReport(names, checked, verdict), verdict, io);
  printFindings(checked.name, verdict.findings, checked, io);
  const notes = verdict.notes.map((note) => ({ ...note, kind: 'note' }));
  printFindings(checked.name, notes, checked, io);
  const { calls, results } = pairCounts(checked.pairs);
  const counts = [counted(calls, 'call'), counted(results, 'result'), pairsHold(checked.pairs)];
  tell(verdict, `verified: ${counts.join(', ')}`, options, io);
  return exitCode(verdict);
}

function readFilePairs(
  path: string,
  options: Options,
  io: Io,
): Promise<FilePairs & { readonly name: string }> {
  return withSource(path, io, async (source) => ({
    name: source.name,
    ...readPairs(source, openOptions(options, io)),
  }));
}

function openOptions(options: Options, io: Io): OpenFileOptions {
  const told = new Set<string>();
  return {
    format: options.format,
    lenient: options.lenient === true,
    onBrokenTail(file, line) {
      if (!told.has(file)) warn(io, `${file}:${line}: the last line is cut; compared as it is`);
      told.add(file);
    },
  };
}

const REFUTED_EXIT = 1;

function exitCode({ findings }: PairVerdict): number {
  return findings.length === 0 ? 0 : REFUTED_EXIT;
}

function printJson(report: unknown, verdict: PairVerdict, io: Io): number {
  io.stdout.write(`${safeJson(report)}\n`);
  return exitCode(verdict);
}

function printFindings(
  file: string,
  findings: readonly (Omit<Finding, 'kind'> & { readonly kind: string })[],
  { pairs }: Pick<FilePairs, 'pairs'>,
  io: Io,
): void {
  for (const { kind, conversation, position, part, line, message, expected, actual } of findings) {
    const place = position === null ? '' : ` ${address(conversation, position, part, pairs.length)}`;
    const digests =
      expected === null || actual === null
        ? ''
        : ` (sha256 ${shortDigest(actual)}, expected ${shortDigest(expected)})`;
    io.stdout.write(`${oneLine(`${file}:${line}:${place} ${kind}: ${message}${digests}`)}\n`);
  }
}

/** `3.0`; with the conversation in front in a file of several. */
function address(conversation: number, position: number, part: number | null, conversations: number): string {
  const place = part === null ? String(position) : `${position}.${part}`;
  return conversations > 1 ? `conversation ${conversation}: ${place}` : place;
}

/** Enough to tell two apart; --json has them whole. */
function shortDigest(sha256: string): string {
  return sha256.slice(0, 12);
}

function tell({ findings }: PairVerdict, proof: string, options: Options, io: Io): void {
  if (options.quiet) return;
  if (findings.length === 0) io.stdout.write(`${proof}\n`);
  else io.stderr.write(`thread: refuted: ${counted(findings.length, 'finding')}\n`);
}

function summary({ records, dropped, conversations, pairs }: Verification): string {
  const capsules = dropped.filter(({ plan }) => plan.outcome === 'capsule').length;
  const chunks = capsules === 0 ? 0 : conversations.flatMap(keptChunks).length;
  const parts = [
    capsules === 0 ? 'no capsule' : `${counted(capsules, 'capsule')} with ${counted(chunks, 'chunk')}`,
    counted(dropped.length - capsules, 'receipt'),
  ];
  return [
    `verified: ${counted(records.identical, 'record')} identical`,
    `${counted(dropped.length, 'return')} replaced (${parts.join(', ')})`,
    pairsHold(pairs),
  ].join(', ');
}

function pairsHold(reports: readonly PairReport[]): string {
  const { pairs } = pairCounts(reports);
  return `${counted(pairs, 'pair')} ${pairs === 1 ? 'holds' : 'hold'}`;
}

function printDropped({ dropped, pairs }: Verification, io: Io): void {
  for (const { conversation, plan, line, sha256, bytes } of dropped) {
    const place = address(conversation, plan.message.position, plan.result.part, pairs.length);
    const tool = plan.result.tool ?? 'unknown tool';
    io.stdout.write(
      `${oneLine(`dropped ${place} line ${line} ${tool} ${counted(bytes, 'byte')} sha256 ${sha256}`)}\n`,
    );
  }
}

/** A budget keeps less than was cited, and nothing but the compaction itself says so. */
function warnGivenUp({ conversations }: Verification, io: Io): void {
  for (const { question, entries } of conversations.flatMap(({ compaction }) => compaction.givenUp)) {
    const ids = entries.map(({ chunkId }) => `[${chunkId}]`).join(' ');
    warn(
      io,
      `given up for a budget: ${counted(entries.length, 'chunk')} cited by question ${question}: ${ids}`,
    );
  }
}
