import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Basis } from '../../query/plan.js';
import { createRecall, type Recall } from '../../recall/recall.js';
import type { VisibleText } from '../../recall/visible.js';
import { ThreadError } from '../../transcript/errors.js';
import { chalkFor } from '../color.js';
import { conversationOption } from '../conversation-option.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { plannerChoice, plannerOptions } from '../planner-choice.js';
import { withSpinner } from '../progress.js';
import { ambiguousFields, passageFields, passageText, remarks, restFields } from '../recall-output.js';
import { wantedOf } from '../recall-question.js';
import { type RecallOptions, type Search, scanAll, surroundings, visibleText } from '../recall-search.js';
import { counted, safeJson, safeText } from '../terminal.js';
import { transcriptFiles } from '../transcript-files.js';
import { warn } from '../warning.js';
import { wholeNumber } from '../whole-number.js';

const DETAILS = `
Exits with 0 when something is found, 1 when nothing is, 2 on trouble, as grep does. Examples:
  thread recall fixtures/support.jsonl --query "which oil goes on the rollers?"
  thread recall fixtures/support.jsonl --literal "circlip pliers" --json | jq -r '.address // empty'`;

const DEFAULT_PASSAGES = 4;
const MOST_PASSAGES = 24;
const DEFAULT_UNITS = 6000;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  const { planner, model, timeout, fallback, plan } = plannerOptions();
  const isNoQuestion = ['terms', 'literal'];
  command
    .argument('[files...]', 'transcripts, or folders of them; - or nothing for the standard input')
    .addOption(
      new Option('--query <text>', 'the question (default: the last one in the transcript)').conflicts([
        'at',
        'terms',
        'literal',
      ]),
    )
    .addOption(
      new Option('--at <position>', 'the question at this position')
        .argParser(wholeNumber('a position'))
        .conflicts(['terms', 'literal']),
    )
    .addOption(new Option('--terms <a,b>', 'these words, any of them').conflicts('literal'))
    .option('--literal <text>', 'this text, as it is spelled')
    .addOption(planner.conflicts(isNoQuestion))
    .addOption(model)
    .addOption(timeout)
    .addOption(fallback)
    .addOption(plan.conflicts(isNoQuestion))
    .option('-k <number>', `how many passages, at most ${MOST_PASSAGES}`, passageCount, DEFAULT_PASSAGES)
    .option('--max-chars <number>', 'of all passages together', wholeNumber('a length'), DEFAULT_UNITS)
    .option('--visible <file>', 'a compacted transcript: what stands in it is named, not repeated')
    .option('--context <lines>', 'with so many lines before and behind', wholeNumber('a number of lines'))
    .addOption(new Option('--json', 'a JSON object a passage, and one for the rest').conflicts('text'))
    .option('--text', 'for people: the passages with the words set off (the default)')
    .option('-f, --format <name>', 'the transcript format (default: detected)')
    .addOption(conversationOption())
    .option('--lenient', 'pass over a last line that is cut')
    .addHelpText('after', DETAILS)
    .action((paths: string[], options: RecallOptions) => run((io) => recall(paths, options, io)));
}

function passageCount(text: string): number {
  const value = wholeNumber('a number of passages')(text);
  if (value < 1 || value > MOST_PASSAGES)
    throw new InvalidArgumentError(`a number of passages is from 1 to ${MOST_PASSAGES}.`);
  return value;
}

async function recall(paths: readonly string[], options: RecallOptions, io: Io): Promise<number> {
  const files = transcriptFiles(paths.length === 0 ? ['-'] : paths, io.cwd);
  const isStdin = files.some(({ path }) => path === '-');
  if (options.visible === '-' && (isStdin || options.plan === '-'))
    throw new ThreadError('the standard input cannot be what is in view and something else');
  const choice = await plannerChoice(options, isStdin, io);
  if (!isStdin)
    return searchFiles({ files, options, choice, io, open: (path, work) => withSource(path, io, work) });
  if (files.length > 1) throw new ThreadError('the standard input cannot be one of several files');
  // It is looked at several times, and can be read only once.
  return withSource('-', io, (source) =>
    searchFiles({ files, options, choice, io, open: (_, work) => work(source) }),
  );
}

async function searchFiles(search: Search): Promise<number> {
  const { files, options, io } = search;
  const { wanted, asked } = await wantedOf(search);
  if (wanted.kind === 'ambiguous') return tellAmbiguous(wanted.basis, search);
  const recalling = createRecall(wanted.terms);
  const coverage = await withSpinner(`searching ${counted(files.length, 'file')}`, io, () =>
    scanAll(recalling, asked, search),
  );
  const visible = options.visible === undefined ? undefined : await visibleText(options.visible, search);
  const isFound = await print(recalling, visible, coverage.isIncomplete, search);
  if (coverage.isUnreadable) return 2;
  return isFound ? 0 : 1;
}

function tellAmbiguous(basis: readonly Basis[], { options, io }: Search): number {
  if (options.json) {
    io.stdout.write(`${safeJson(ambiguousFields(basis))}\n`);
    return 1;
  }
  io.stderr.write('thread: the question is ambiguous; it may go back to either of these:\n');
  for (const { position, quote } of basis)
    io.stderr.write(`  ${position}: ${safeText(JSON.stringify(quote))}\n`);
  return 1;
}

async function print(
  recalling: Recall,
  visible: VisibleText | undefined,
  isIncomplete: boolean,
  search: Search,
): Promise<boolean> {
  const { options, io } = search;
  const { matcher } = recalling;
  const found = recalling.finish({ passages: options.k, units: options.maxChars }, visible);
  const chalk = options.json ? undefined : await chalkFor('stdout', io, undefined);
  const around = await surroundings(found.passages, search);
  for (const [i, one] of found.passages.entries()) {
    const lines = around.get(one.passage);
    if (chalk === undefined) io.stdout.write(`${safeJson(passageFields(one, lines, matcher))}\n`);
    else io.stdout.write(`${i === 0 ? '' : '\n'}${passageText(one, lines, matcher, chalk)}`);
  }
  if (options.json) io.stdout.write(`${safeJson(restFields(found, isIncomplete))}\n`);
  for (const remark of options.json ? [] : remarks(found, isIncomplete))
    io.stderr.write(`thread: ${remark}\n`);
  if (isIncomplete) warn(io, 'incomplete: not everything was searched, so there may be more');
  return found.passages.length + found.visible.length + found.leftOut.length > 0;
}
