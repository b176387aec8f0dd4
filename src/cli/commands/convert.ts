import { type Command, Option } from 'commander';
import { type Converted, convertConversation, TARGETS, type Target } from '../../convert/convert.js';
import { Losses } from '../../convert/losses.js';
import { isLedgerLine } from '../../ledger/ledger-line.js';
import { ThreadError } from '../../transcript/errors.js';
import { type ByteSource, readRange } from '../../transcript/lines.js';
import { selectConversations } from '../../transcript/select-conversation.js';
import { openTranscript, readConversations, type Transcript } from '../../transcript/transcript.js';
import { conversationOption } from '../conversation-option.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { jsonOutput } from '../json-output.js';
import { writeTo } from '../output.js';
import { grouped } from '../terminal.js';
import { brokenTailWarning } from '../warning.js';

interface Options {
  readonly to: Target;
  readonly lossy?: true;
  readonly format?: string;
  readonly conversation?: string;
  readonly output?: string;
  readonly lenient?: true;
  readonly quiet?: true;
}

const EXAMPLES = `
The live path is converted: other branches, ids of records and times have no place in the common formats.
What is lost is counted, and needs --lossy.

Examples:
  thread convert fixtures/support.jsonl --to anthropic-messages | jq .system
  thread convert fixtures/session.claude.jsonl --to openai-chat --lossy > chat.jsonl`;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  command
    .argument('[file]', 'the transcript; - or nothing for the standard input')
    .addOption(new Option('--to <format>', 'the format to write').choices(TARGETS).makeOptionMandatory())
    .option('--lossy', 'also when something is lost')
    .option('-f, --format <name>', 'the transcript format (default: detected)')
    .addOption(conversationOption())
    .option('-o, --output <file>', 'write here, as a whole or not at all (default: the standard output)')
    .option('--lenient', 'pass over a last line that is cut')
    .option('-q, --quiet', 'do not say on the standard error what is lost')
    .addHelpText('after', EXAMPLES)
    .action((file: string | undefined, options: Options) => run((io) => convert(file, options, io)));
}

async function convert(file: string | undefined, options: Options, io: Io): Promise<number> {
  return withSource(file, io, async (source) => {
    const transcript = openTranscript(source, {
      format: options.format,
      lenient: options.lenient === true,
      isForeign: ({ value }) => isLedgerLine(value),
      onBrokenTail: brokenTailWarning(io, source.name, 'left out'),
    });
    const isConverted = transcript?.format.name === options.to && options.conversation === undefined;
    if (transcript === undefined || isConverted) {
      await writeTo(options.output, jsonOutput(io), io.cwd, asItIs(source));
      return 0;
    }
    // Read once for what is lost, before anything is written, and once for the output.
    const { lost, count } = lossesOf(transcript, options);
    if (lost.length > 0 && !options.lossy)
      throw new ThreadError(`${source.name}: ${options.to} has no place for ${listed(lost)}`, {
        hint: 'add --lossy to leave them out',
      });
    await writeTo(options.output, jsonOutput(io), io.cwd, rows(transcript, options, count > 1));
    if (lost.length > 0 && !options.quiet) io.stderr.write(`thread: left out: ${listed(lost)}\n`);
    return 0;
  });
}

type Lost = ReturnType<Losses['list']>;

function lossesOf(transcript: Transcript, options: Options): { readonly lost: Lost; readonly count: number } {
  const losses = new Losses();
  let count = 0;
  for (const converted of conversions(transcript, options, true)) {
    losses.add(converted.losses);
    count += 1;
  }
  return { lost: losses.list(), count };
}

function listed(losses: Lost): string {
  return losses.map(([loss, times]) => `${loss} (${grouped(times)})`).join(', ');
}

function* conversions(transcript: Transcript, options: Options, areMany: boolean): Generator<Converted> {
  const all = readConversations(transcript);
  for (const conversation of selectConversations(all, options.conversation, transcript.source.name))
    yield convertConversation(conversation, options.to, areMany);
}

function* rows(transcript: Transcript, options: Options, areMany: boolean): Generator<string> {
  for (const { lines } of conversions(transcript, options, areMany))
    for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

const PIECE_BYTES = 1 << 20;

function* asItIs(source: ByteSource): Generator<Uint8Array> {
  for (let at = 0; at < source.size; at += PIECE_BYTES)
    yield readRange(source, at, Math.min(source.size, at + PIECE_BYTES));
}
