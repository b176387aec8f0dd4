import { type Command, Option } from 'commander';
import {
  type ConversationLedger,
  type LedgerReading,
  readLedgers,
} from '../../ledger/conversation-ledger.js';
import type { Ledger } from '../../ledger/entry.js';
import { filterLedger } from '../../ledger/filter.js';
import { ledgerLines } from '../../ledger/render.js';
import { type QuestionStatus, questionStatuses } from '../../ledger/status.js';
import { ThreadError } from '../../transcript/errors.js';
import { conversationOption } from '../conversation-option.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { givenLedger } from '../ledger-input.js';
import { ledgerTable } from '../ledger-table.js';
import { counted, grouped, safeJson } from '../terminal.js';
import { brokenTailWarning } from '../warning.js';
import { wholeNumber } from '../whole-number.js';

interface Options {
  readonly ledger?: string;
  readonly format?: string;
  readonly question?: number;
  readonly cited?: true;
  readonly status?: true;
  readonly require?: 'grounded';
  readonly explain?: true;
  readonly json?: true;
  readonly conversation?: string;
  readonly lenient?: true;
  readonly quiet?: true;
}

const EXAMPLES = `
Examples:
  thread ledger fixtures/support.jsonl --cited --explain
  thread ledger fixtures/session.claude.jsonl > session.ledger.jsonl
  thread ledger fixtures/rag.jsonl --status --require grounded || echo "an answer rests on nothing"`;

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
    .option('--question <position>', 'only what this question retrieved or cited', wholeNumber('a position'))
    .addOption(new Option('--cited', 'only chunks that were cited').conflicts('status'))
    .option('--status', 'a line for each question instead: grounded, ungrounded or missing')
    .addOption(
      new Option('--require <status>', 'exit with 1 unless every question that retrieved evidence is so')
        .choices(['grounded'])
        .implies({ status: true }),
    )
    .addOption(
      new Option('--explain', 'a table for people: every chunk, and the quotes that cite it').conflicts([
        'status',
        'json',
      ]),
    )
    .option('--json', 'one JSON document instead of lines')
    .addOption(conversationOption())
    .option('--lenient', 'pass over a last line that is cut')
    .option('-q, --quiet', 'no summary on the standard error')
    .addHelpText('after', EXAMPLES)
    .action((file: string | undefined, options: Options) => run((io) => ledger(file, options, io)));
}

async function ledger(file: string | undefined, options: Options, io: Io): Promise<number> {
  return withSource(file, io, async (source) => {
    const reading = await readLedgers(source, {
      given: await givenLedger(file, options.ledger, io),
      format: options.format,
      conversation: options.conversation,
      lenient: options.lenient === true,
      onBrokenTail: brokenTailWarning(io, source.name, 'left out'),
    });
    if (options.status && reading.alone !== null) throw noTranscript(source.name);
    const views = viewsOf(reading, options);
    if (options.question !== undefined) refuseUnknownQuestion(source.name, options.question, reading);
    for (const piece of render(views, source.name, options, io)) io.stdout.write(piece);
    const isRefused = options.require !== undefined && tellUngrounded(views, io);
    if (!options.quiet && !isRefused) io.stderr.write(`thread: ${summary(reading)}\n`);
    return isRefused ? 1 : 0;
  });
}

/** A check that passes because there was nothing to check would be worse than none. */
function noTranscript(file: string): ThreadError {
  return new ThreadError(`${file}: a ledger without its transcript has no questions`, {
    hint: `name both: thread ledger TRANSCRIPT --ledger ${file}`,
  });
}

/** What is shown of one conversation. */
interface View {
  readonly index: number;
  /** Null where there is only one, which needs no number. */
  readonly conversation: number | null;
  readonly id: string | null;
  readonly isDerived: boolean;
  readonly ledger: Ledger;
  readonly statuses: readonly StatusView[];
}

interface StatusView extends QuestionStatus {
  readonly text: string;
}

function viewsOf({ conversations, alone }: LedgerReading, options: Options): View[] {
  const filter = { question: options.question, isCited: options.cited === true };
  if (alone !== null) {
    const ledger = filterLedger(alone, filter);
    return [{ index: 0, conversation: null, id: null, isDerived: false, ledger, statuses: [] }];
  }
  return conversations.map(({ index, id, ledger, isDerived, ...asked }) => ({
    index,
    conversation: conversations.length > 1 ? index : null,
    id,
    isDerived,
    ledger: filterLedger(ledger, filter),
    statuses: options.status ? statusViews(asked, options.question) : [],
  }));
}

function statusViews(
  { questions, statusInput }: Pick<ConversationLedger, 'questions' | 'statusInput'>,
  wanted: number | undefined,
): StatusView[] {
  const texts = new Map(questions.map(({ question, text }) => [question, text]));
  return questionStatuses(statusInput)
    .filter(({ question }) => wanted === undefined || question === wanted)
    .map((status) => ({ ...status, text: texts.get(status.question) ?? '' }));
}

/** A number that no question has is a slip of the pen, not an empty answer. */
function refuseUnknownQuestion(
  file: string,
  question: number,
  { conversations, alone }: LedgerReading,
): void {
  const ledgers = [...conversations.map(({ ledger }) => ledger), ...(alone === null ? [] : [alone])];
  const asked = new Set([
    ...conversations.flatMap(({ questions }) => questions.map((one) => one.question)),
    ...ledgers.flatMap(questionsIn),
  ]);
  if (asked.has(question)) return;
  const known = [...asked].sort((a, b) => a - b);
  const shown = known.length > 12 ? `${known.slice(0, 12).join(', ')}, …` : known.join(', ');
  throw new ThreadError(`${file}: no question at position ${question}`, {
    hint: known.length === 0 ? 'nobody asks anything here' : `questions: ${shown}`,
  });
}

function questionsIn({ capabilities }: Ledger): number[] {
  return capabilities
    .flatMap(({ record }) => [...record.occurrences.values()])
    .flatMap((one) => [...one.retrievedInQuestions, ...one.citedInQuestions]);
}

/** In pieces: all evidence of a long session may be more than one string can hold. */
function* render(views: readonly View[], file: string, options: Options, io: Io): Generator<string> {
  if (options.explain) {
    yield renderTables(views, io.columns ?? DEFAULT_WIDTH);
  } else if (options.json) {
    yield renderDocument(views, file, options);
  } else {
    for (const view of views)
      for (const line of linesOf(view, options)) yield `${safeJson(numbered(view.conversation, line))}\n`;
  }
}

function linesOf({ ledger, statuses }: View, options: Options): object[] {
  return options.status ? statuses.map(statusLine) : ledgerLines(ledger);
}

function numbered(conversation: number | null, line: object): object {
  return conversation === null ? line : { conversation, ...line };
}

const SHOWN_CHARACTERS = 80;

function statusLine({ question, status, text, retrieved, cited }: StatusView): object {
  return { question, status, text: [...text].slice(0, SHOWN_CHARACTERS).join(''), retrieved, cited };
}

/** Described by docs/schemas/ledger.schema.json. */
function renderDocument(views: readonly View[], file: string, options: Options): string {
  const document = {
    schema: 'thread/ledger',
    version: 1,
    file,
    conversations: views.map((view) => ({
      conversation: view.index,
      id: view.id,
      ledger: view.isDerived ? 'derived' : 'given',
      [options.status ? 'questions' : 'lines']: linesOf(view, options),
    })),
  };
  return `${safeJson(document)}\n`;
}

const DEFAULT_WIDTH = 100;

function renderTables(views: readonly View[], width: number): string {
  return views
    .map(({ conversation, ledger }) => {
      const heading = conversation === null ? '' : `conversation ${conversation}\n`;
      return heading + ledgerTable(ledger, width);
    })
    .join('\n');
}

/** Says which questions fail `--require grounded`; true when some do. */
function tellUngrounded(views: readonly View[], io: Io): boolean {
  const checked = views.flatMap(({ conversation, statuses }) =>
    statuses.filter(({ hasEvidence }) => hasEvidence).map((status) => ({ ...status, conversation })),
  );
  const failing = checked.filter(({ status }) => status !== 'grounded');
  if (failing.length === 0) return false;
  const names = failing.map(({ question, conversation, status }) => {
    const where = conversation === null ? '' : ` of conversation ${conversation}`;
    return `${question}${where} (${status})`;
  });
  io.stderr.write(
    `thread: ${failing.length} of ${counted(checked.length, 'question')} with evidence not grounded: ${names.join(', ')}\n`,
  );
  return true;
}

function summary({ conversations, alone }: LedgerReading): string {
  const ledgers = alone === null ? conversations.map(({ ledger }) => ledger) : [alone];
  if (ledgers.length === 0) return 'no messages, no ledger';
  const chunks = ledgers
    .flatMap(({ capabilities }) => capabilities)
    .flatMap(({ record }) => [...record.occurrences.values()]);
  const cited = chunks.filter(({ citedInQuestions }) => citedInQuestions.length > 0);
  const questions = conversations.reduce((sum, one) => sum + one.questions.length, 0);
  return [
    ...(conversations.length > 1 ? [counted(conversations.length, 'conversation')] : []),
    ...(alone === null ? [counted(questions, 'question')] : []),
    counted(chunks.length, 'chunk'),
    `${grouped(cited.length)} cited`,
    conversations.some(({ isDerived }) => isDerived) ? 'ledger derived' : 'ledger given',
  ].join(', ');
}
