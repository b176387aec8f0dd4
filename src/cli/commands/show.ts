import type { Command } from 'commander';
import { isLedgerLine } from '../../ledger/ledger-line.js';
import { parseAddress } from '../../recall/address.js';
import { findOriginal, type Original } from '../../recall/original.js';
import { ThreadError } from '../../transcript/errors.js';
import type { ByteSource } from '../../transcript/lines.js';
import { selectConversation } from '../../transcript/select-conversation.js';
import { openTranscript, readConversations } from '../../transcript/transcript.js';
import { oneLine } from '../columns.js';
import { conversationOption } from '../conversation-option.js';
import { imitations, safeSlice } from '../imitations.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { safeJson } from '../terminal.js';
import { brokenTailWarning } from '../warning.js';

interface Options {
  readonly format?: string;
  readonly json?: true;
  readonly conversation?: string;
  readonly lenient?: true;
}

const DETAILS = `
An address is a position (3), a part of the message there (3.0), a chunk id (r3-clutch, call_1#12), or
a call id for the whole result of the call. Receipts that compact writes end with the address of what
they replaced.

Examples:
  thread show fixtures/support.jsonl 3.0
  thread show fixtures/support.jsonl r3-clutch
  thread show fixtures/session.claude.jsonl 11 --json | jq -r .sha256`;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  command
    .argument('<file>', 'the transcript; - for the standard input')
    .argument('<address>', 'what to print of it')
    .option('-f, --format <name>', 'the transcript format (default: detected)')
    .option('--json', 'print a JSON object: the text, where it stands, and the digest of its value')
    .addOption(conversationOption('the conversation that is meant, in a file of several'))
    .option('--lenient', 'pass over a last line that is cut')
    .addHelpText('after', DETAILS)
    .action((file: string, address: string, options: Options) =>
      run((io) => show(file, address, options, io)),
    );
}

async function show(file: string, address: string, options: Options, io: Io): Promise<number> {
  return withSource(file, io, async (source) => {
    const original = find(source, address, options, io);
    io.stdout.write(printed(source.name, original, options, io));
    if (original.note !== null) io.stderr.write(`thread: ${oneLine(original.note)}\n`);
    return 0;
  });
}

function find(source: ByteSource, address: string, options: Options, io: Io): Original {
  const transcript = openTranscript(source, {
    format: options.format,
    lenient: options.lenient === true,
    isForeign: ({ value }) => isLedgerLine(value),
    onBrokenTail: brokenTailWarning(io, source.name, 'left out'),
  });
  if (transcript === undefined) throw new ThreadError(`${source.name}: it has no messages`, { exitCode: 1 });
  const all = [...readConversations(transcript)];
  const conversation = selectConversation(all, options.conversation, source.name);
  return findOriginal(conversation, parseAddress(address));
}

function printed(file: string, original: Original, options: Options, io: Io): string {
  if (options.json) return `${safeJson(jsonObject(file, original))}\n`;
  return io.isTerminal.stdout ? forTerminal(original.text) : original.text;
}

function forTerminal(text: string): string {
  const shown = safeSlice(text, 0, text.length, imitations(text));
  return shown + (text === '' || text.endsWith('\n') ? '' : '\n');
}

/** Described by docs/schemas/show.schema.json. */
function jsonObject(file: string, original: Original): object {
  const { position, part, role, tool, callId, chunkId, lines, line, sha256, text } = original;
  return {
    schema: 'thread/show',
    version: 1,
    file,
    position,
    ...(part === null ? {} : { part }),
    role,
    ...(tool === null ? {} : { tool }),
    ...(callId === null ? {} : { call_id: callId }),
    ...(chunkId === null ? {} : { chunk_id: chunkId }),
    ...(lines === null ? {} : { lines: [lines.first, lines.last] }),
    line,
    sha256,
    text,
  };
}
