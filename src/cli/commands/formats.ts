import { type Command, Option } from 'commander';
import { takeInventory } from '../../ledger/inventory.js';
import { InputError, ThreadError } from '../../transcript/errors.js';
import { oneLine } from '../columns.js';
import { conversationOption } from '../conversation-option.js';
import { formatTable, inventoryJson, inventoryReport } from '../formats-output.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { withSpinner } from '../progress.js';
import { counted, safeJson } from '../terminal.js';
import { transcriptFiles } from '../transcript-files.js';

interface Options {
  readonly format?: string;
  readonly conversation?: string;
  readonly json?: true;
}

const EXAMPLES = `
Without a file: the formats that are read and written. With files or folders: what is in each.

Examples:
  thread formats
  thread formats fixtures/session.claude.jsonl
  thread formats fixtures --json | jq -r '[.file, .format, .questions] | @tsv'`;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  command
    .argument('[files...]', 'transcripts or folders of them; - for the standard input')
    .option('-f, --format <name>', 'the transcript format (default: detected)')
    .addOption(conversationOption())
    .addOption(new Option('--json', 'a line of JSON for each format or file'))
    .addHelpText('after', EXAMPLES)
    .action((files: readonly string[], options: Options) => run((io) => formats(files, options, io)));
}

async function formats(paths: readonly string[], options: Options, io: Io): Promise<number> {
  if (paths.length === 0) {
    if (options.format !== undefined)
      throw new ThreadError('--format names how to read a file: name one as well');
    for (const piece of await formatTable(options.json === true)) io.stdout.write(piece);
    return 0;
  }
  const files = transcriptFiles(paths, io.cwd);
  const width = io.isTerminal.stdout ? io.columns : undefined;
  let isRefused = false;
  let isFirst = true;
  await withSpinner(`reading ${counted(files.length, 'file')}`, io, async () => {
    for (const { path, isFound } of files) {
      try {
        const found = await withSource(path, io, async (source) =>
          takeInventory(source, options.format, options.conversation),
        );
        if (options.json) io.stdout.write(`${safeJson(inventoryJson(path, found))}\n`);
        else io.stdout.write(`${isFirst ? '' : '\n'}${inventoryReport(path, found, width)}`);
        isFirst = false;
      } catch (error) {
        // Of several files, one that is no transcript keeps nobody from seeing the others.
        if (files.length === 1 || !(error instanceof InputError)) throw error;
        isRefused ||= !isFound;
        io.stderr.write(`thread: ${oneLine(error.headline)}\n`);
      }
    }
  });
  return isRefused ? 2 : 0;
}
