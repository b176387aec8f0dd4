import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isLedgerLine } from '../../ledger/ledger-line.js';
import type { Basis } from '../../query/plan.js';
import type { PlannerChoice } from '../../query/planners/index.js';
import { readTexts } from '../../recall/passages.js';
import type { Ranked } from '../../recall/rank.js';
import {
  type AskedHere,
  contextRows,
  createRecall,
  type Passage,
  type Recall,
  type Wanted,
  wantedBy,
  wantedTerms,
} from '../../recall/recall.js';
import { readVisible, type VisibleText } from '../../recall/visible.js';
import { InputError, ThreadError } from '../../transcript/errors.js';
import type { ByteSource } from '../../transcript/lines.js';
import { selectConversations } from '../../transcript/select-conversation.js';
import { type Conversation, openTranscript, readConversations } from '../../transcript/transcript.js';
import { type Asked, askedQuestions } from '../asked-questions.js';
import { chalkFor } from '../color.js';
import { conversationOption } from '../conversation-option.js';
import { UnreadableInput, withSource } from '../input.js';
import type { Io } from '../io.js';
import { lazyResolver, type PlannerOptions, plannerChoice, plannerOptions } from '../planner-choice.js';
import { withSpinner } from '../progress.js';
import {
  ambiguousFields,
  linesAround,
  passageFields,
  passageText,
  remarks,
  restFields,
  type Surroundings,
} from '../recall-output.js';
import { counted, safeJson, safeText } from '../terminal.js';
import { type TranscriptFile, transcriptFiles } from '../transcript-files.js';
import { brokenTailWarning, warn } from '../warning.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends PlannerOptions {
  readonly query?: string;
  readonly at?: number;
  readonly terms?: string;
  readonly literal?: string;
  readonly k: number;
  readonly maxChars: number;
  readonly visible?: string;
  readonly json?: true;
  readonly context?: number;
  readonly format?: string;
  readonly conversation?: string;
  readonly lenient?: true;
}

const DETAILS = `
Exits with 0 when something is found, 1 when nothing is, 2 on trouble, as grep does. Examples:
  thread recall fixtures/support.jsonl --query "which oil goes on the rollers?"
  thread recall fixtures/support.jsonl --literal "circlip pliers" --json | jq -r '.address // empty'`;

const DEFAULT_PASSAGES = 4;
const MOST_PASSAGES = 24;
const DEFAULT_UNITS = 6000;
/** No passage holds a longer one. */
const LONGEST_TERM = 512;

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
    .action((paths: string[], options: Options) => run((io) => recall(paths, options, io)));
}

function passageCount(text: string): number {
  const value = wholeNumber('a number of passages')(text);
  if (value < 1 || value > MOST_PASSAGES)
    throw new InvalidArgumentError(`a number of passages is from 1 to ${MOST_PASSAGES}.`);
  return value;
}

/** What the steps of a search share. */
interface Search {
  readonly files: readonly TranscriptFile[];
  readonly options: Options;
  readonly choice: PlannerChoice;
  readonly io: Io;
  /** Opens a file for as long as the work takes. */
  readonly open: <T>(path: string, work: (source: ByteSource) => Promise<T>) => Promise<T>;
}

async function recall(paths: readonly string[], options: Options, io: Io): Promise<number> {
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

interface Question {
  readonly wanted: Wanted;
  /** Of the one conversation that it is about. */
  readonly asked?: AskedHere | undefined;
}

async function wantedOf(search: Search): Promise<Question> {
  const { terms, literal } = search.options;
  if (literal !== undefined) return { wanted: wantedTerms([nonBlank(literal, '--literal')], true) };
  if (terms !== undefined) {
    const words = terms
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
    if (words.some(({ length }) => length > LONGEST_TERM))
      throw new ThreadError(`--terms: a term has at most ${LONGEST_TERM} characters`, {
        hint: 'look for a longer text with --literal',
      });
    return { wanted: wantedTerms(words.length > 0 ? words : [nonBlank('', '--terms')], false) };
  }
  const asked = await askedIn(search);
  if (asked.missing !== undefined)
    throw new ThreadError(asked.missing, { hint: 'ask with --query TEXT', exitCode: 1 });
  const { resolution, rows } = await lazyResolver(search.choice, search.options, search.io)(asked);
  for (const warning of resolution.warnings) warn(search.io, warning);
  const context = new Set(contextRows(rows).map(({ position }) => position));
  const here = { position: asked.question, query: asked.query, context };
  const wanted = wantedBy(resolution, rows);
  if (wanted.kind === 'terms' && wanted.terms.length === 0)
    warn(search.io, 'the question names nothing to search for');
  return { wanted, asked: search.files.length === 1 ? here : undefined };
}

function nonBlank(text: string, option: string): string {
  if (text.trim() !== '') return text;
  throw new ThreadError(`${option} names nothing to search for`);
}

/** A question about several conversations has no one history, so it stands for itself. */
async function askedIn({ files, options, open }: Search): Promise<Asked> {
  const [file] = files;
  if (files.length !== 1 || file === undefined) {
    if (options.query !== undefined) return { query: options.query, messages: [] };
    throw new ThreadError('which question is meant, of several files?', { hint: 'ask with --query TEXT' });
  }
  return open(file.path, async (source) => {
    const found = [...askedQuestions(source, askedOptions(options), () => undefined)];
    const [asked] = found;
    if (asked !== undefined && found.length === 1) return asked;
    if (options.query !== undefined) return { query: options.query, messages: [] };
    throw new ThreadError(`${source.name}: which question is meant, of several conversations?`, {
      hint: 'ask with --query TEXT',
    });
  });
}

function askedOptions({ query, at, format, conversation, lenient }: Options) {
  return {
    ...(query === undefined ? {} : { query }),
    ...(at === undefined ? {} : { at }),
    ...(format === undefined ? {} : { format }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(lenient === undefined ? {} : { lenient }),
  };
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

interface Coverage {
  /** Something was passed over. */
  readonly isIncomplete: boolean;
  /** A file or folder of it could not be read. */
  readonly isUnreadable: boolean;
}

async function scanAll(recalling: Recall, asked: AskedHere | undefined, search: Search): Promise<Coverage> {
  const { files, io, open } = search;
  // What a line is read into is dead at the next line; without this the space for it grows to 50 MB, for no more speed.
  setFlagsFromString('--semi-space-growth-factor=1');
  let [isIncomplete, isUnreadable] = [false, false];
  const onBreak = (): void => {
    isIncomplete = true;
  };
  const isManyFiles = files.length > 1; // of one file every line is looked at: a broken one is always told
  for (const { path, isFound } of files) {
    await setImmediate(); // for the spinner, and for signals
    try {
      await open(path, async (source) => {
        const conversations = conversationsOf(source, search, onBreak);
        if (isManyFiles && search.options.format === undefined && !recalling.mayHold(source)) return;
        const chosen = selectConversations(conversations, search.options.conversation, source.name);
        for (const conversation of chosen) recalling.scan({ conversation, file: source.name, asked });
      });
    } catch (error) {
      if (!isFound || !(error instanceof InputError)) throw error;
      warn(io, `passed over: ${error.message.split('\n')[0]}`);
      if (error instanceof UnreadableInput) isUnreadable = true;
      onBreak();
    }
  }
  return { isIncomplete, isUnreadable };
}

function conversationsOf(
  source: ByteSource,
  { options, io }: Search,
  onBreak: () => void = () => undefined,
): Iterable<Conversation> {
  const tell = brokenTailWarning(io, source.name, 'left out');
  const transcript = openTranscript(source, {
    format: options.format,
    lenient: options.lenient === true,
    isForeign: ({ value }) => isLedgerLine(value),
    onBrokenTail(line) {
      tell(line);
      onBreak();
    },
  });
  return transcript === undefined ? [] : readConversations(transcript);
}

async function visibleText(path: string, search: Search): Promise<VisibleText> {
  return withSource(path, search.io, async (source) => readVisible(conversationsOf(source, search)));
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

/** Read again, each file once: a passage is held without what stands around it. */
async function surroundings(
  found: readonly Ranked<Passage>[],
  search: Search,
): Promise<ReadonlyMap<Passage, Surroundings>> {
  const around = new Map<Passage, Surroundings>();
  const { context } = search.options;
  if (context === undefined || context === 0) return around;
  const passages = found.map(({ passage }) => passage);
  for (const { path } of search.files) {
    if (!passages.some(({ file }) => file === path || search.files.length === 1)) continue;
    await search.open(path, async (source) => {
      const here = passages.filter(({ file }) => file === source.name);
      for (const conversation of conversationsOf(source, search))
        for (const [passage, text] of partsOf(conversation, here)) {
          const { offset } = passage;
          around.set(passage, linesAround(text, offset, offset + passage.text.length, context));
        }
    });
  }
  return around;
}

/** Passages of a conversation, each with the whole text of its part. */
function* partsOf(
  conversation: Conversation,
  passages: readonly Passage[],
): Generator<readonly [Passage, string]> {
  const here = passages.filter(({ conversation: index }) => (index ?? 0) === conversation.index);
  if (here.length === 0) return;
  for (const { position, part, text } of readTexts(conversation))
    for (const passage of here)
      if (passage.position === position && passage.part === part) yield [passage, text];
}
