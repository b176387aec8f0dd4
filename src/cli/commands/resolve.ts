import { type Command, Option } from 'commander';
import type { PlannerChoice } from '../../query/planners/index.js';
import type { Resolution } from '../../query/resolution.js';
import { type Resolved, requestFor, unresolved } from '../../query/resolve.js';
import { ThreadError } from '../../transcript/errors.js';
import { type Asked, askedQuestions } from '../asked-questions.js';
import { oneLine } from '../columns.js';
import { conversationOption } from '../conversation-option.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { lazyResolver, type PlannerOptions, plannerChoice, plannerOptions } from '../planner-choice.js';
import { safeJson } from '../terminal.js';
import { brokenTailWarning, warn } from '../warning.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends PlannerOptions {
  readonly query?: string;
  readonly at?: number;
  readonly all?: true;
  readonly request?: true;
  readonly text?: true;
  readonly explain?: true;
  readonly format?: string;
  readonly conversation?: string;
  readonly lenient?: true;
}

const EXAMPLES = `
Examples:
  thread resolve fixtures/support.jsonl
  thread resolve fixtures/support.jsonl --query "and what was its price?" --text
  thread resolve fixtures/coding.jsonl --all | jq -c '[.question, .mode, .terms]'
  thread resolve fixtures/support.jsonl --request | jq -r .prompt`;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  const { planner, model, timeout, fallback, plan } = plannerOptions();
  command
    .argument('[file]', 'the transcript; - or nothing for the standard input')
    .addOption(
      new Option('--query <text>', 'the question (default: the last one in the transcript)').conflicts([
        'at',
        'all',
      ]),
    )
    .addOption(
      new Option('--at <position>', 'the question at this position')
        .argParser(wholeNumber('a position'))
        .conflicts('all'),
    )
    .option('--all', 'a line for each question')
    .addOption(planner)
    .addOption(
      new Option('--window <size>', 'what embedded looks at (default: wide)').choices(['reference', 'wide']),
    )
    .addOption(model)
    .addOption(timeout)
    .addOption(fallback)
    .addOption(
      new Option('--request', 'print what to ask a model instead: system, prompt, schema').conflicts([
        'planner',
        'plan',
        'text',
        'explain',
      ]),
    )
    .addOption(plan)
    .addOption(
      new Option('--json', 'one JSON object a question (the default)').conflicts(['text', 'explain']),
    )
    .addOption(new Option('--text', 'only the words to search for, one a line').conflicts('explain'))
    .option('--explain', 'for people: what was looked at, with the chosen words marked')
    .option('-f, --format <name>', 'the transcript format (default: detected)')
    .addOption(conversationOption())
    .option('--lenient', 'pass over a last line that is cut')
    .addHelpText('after', EXAMPLES)
    .action((file: string | undefined, options: Options) => run((io) => resolve(file, options, io)));
}

async function resolve(file: string | undefined, options: Options, io: Io): Promise<number> {
  if (options.plan !== undefined && options.all)
    throw new ThreadError('one plan is about one question: --plan does not go with --all');
  const choice = await plannerChoice(options, file === undefined || file === '-', io);
  return withSource(file, io, async (source) => {
    const answer = options.request ? requestAnswer(options, io) : resolutionAnswer(choice, options, io);
    const all = askedQuestions(source, options, brokenTailWarning(io, source.name, 'left out'));
    for (const asked of choice.name === 'given' ? onlyOne(all) : all)
      for (const piece of await answer(asked)) io.stdout.write(piece);
    return 0;
  });
}

/** One plan is about one question. */
function onlyOne(all: Iterable<Asked>): readonly Asked[] {
  let only: Asked | undefined;
  for (const asked of all) {
    if (only !== undefined) throw severalAsked();
    only = asked;
  }
  return only === undefined ? [] : [only];
}

function severalAsked(): ThreadError {
  return new ThreadError('one plan for a file of several conversations', {
    hint: 'name the one that it is for with --conversation ID',
  });
}

/** What is printed for a question. */
type Answer = (asked: Asked) => Promise<Iterable<string>>;

/** Of several questions, one that cannot be put to a model does not stand in the way of the others. */
function requestAnswer({ all, conversation }: Options, io: Io): Answer {
  return async (asked) => {
    const { planJsonSchema } = await import('../../query/plan.js');
    const isOneOfSeveral = all === true || (asked.conversation !== undefined && conversation === undefined);
    try {
      if (asked.missing !== undefined) throw new ThreadError(asked.missing);
      return [jsonLine({ ...labelOf(asked), ...requestFor(asked), schema: planJsonSchema() })];
    } catch (error) {
      if (!(error instanceof ThreadError) || !isOneOfSeveral) throw error;
      warn(io, `${placeOf(asked)}: ${error.message}; left out`);
      return [];
    }
  };
}

function placeOf({ conversation, question }: Asked): string {
  const pieces = [
    ...(conversation === undefined ? [] : [`conversation ${conversation}`]),
    ...(question === undefined ? [] : [`position ${question}`]),
  ];
  return pieces.join(', ');
}

function resolutionAnswer(choice: PlannerChoice, options: Options, io: Io): Answer {
  const resolvePlanned = lazyResolver(choice, options, io);
  const resolve = async (asked: Asked): Promise<Resolved> =>
    asked.missing === undefined ? resolvePlanned(asked) : unresolved('', choice.name, [asked.missing]);
  const said = new Set<string>();
  return async (asked) => {
    const resolved = await resolve(asked);
    const { warnings } = resolved.resolution;
    const all = options.text === true ? [...warnings, ...wordlessWarnings(asked, resolved)] : warnings;
    for (const warning of all.filter((one) => !said.has(one))) {
      said.add(warning);
      warn(io, warning);
    }
    return rendered(asked, resolved, options, io);
  };
}

/** Without words, `--text` prints nothing at all. */
function wordlessWarnings({ missing }: Asked, { resolution }: Resolved): string[] {
  const { mode, basis, terms } = resolution;
  if (mode === 'ambiguous')
    return [`the question is ambiguous: ${basis.map(({ quote }) => JSON.stringify(quote)).join(' or ')}`];
  return terms.length > 0 || missing !== undefined ? [] : ['no words to search for'];
}

async function rendered(
  asked: Asked,
  resolved: Resolved,
  options: Options,
  io: Io,
): Promise<Iterable<string>> {
  if (options.explain) {
    const { explainResolution } = await import('../resolve-explanation.js');
    return [await explainResolution(resolved, asked.question, io)];
  }
  if (!options.text) return [jsonLine({ ...labelOf(asked), ...resolutionFields(resolved.resolution) })];
  return searchWords(resolved.resolution, io);
}

function jsonLine(value: object): string {
  return `${safeJson(value)}\n`;
}

function labelOf({ conversation, id, question }: Asked): object {
  return {
    ...(conversation === undefined ? {} : { conversation }),
    ...(id === undefined ? {} : { id }),
    ...(question === undefined ? {} : { question }),
  };
}

/** Described by docs/schemas/resolve.schema.json. */
function resolutionFields(resolution: Resolution): object {
  const { query, mode, time, terms, focusTerms, basis, omittedTokens, planner, fallback, warnings } =
    resolution;
  return {
    query,
    mode,
    time,
    terms,
    focusTerms,
    basis,
    ...(omittedTokens === 0 ? {} : { omittedTokens }),
    planner,
    ...(fallback === null ? {} : { fallback }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** What names the subject first: some search engines weigh by order, and people read from the top. */
function searchWords({ terms, focusTerms }: Resolution, io: Io): string[] {
  const words = new Set([...focusTerms, ...terms]);
  return [...words].map((word) => `${io.isTerminal.stdout ? oneLine(word) : word}\n`);
}
