import { InvalidArgumentError, Option } from 'commander';
import { loadPlanner, type PlannerChoice } from '../query/planners/index.js';
import { createResolver, type Resolved, type Resolver } from '../query/resolve.js';
import { ThreadError } from '../transcript/errors.js';
import { readRange } from '../transcript/lines.js';
import type { Asked } from './asked-questions.js';
import { refuseInCase } from './confinement.js';
import { decoded, withSource } from './input.js';
import { cancellable } from './interrupt.js';
import type { Io } from './io.js';
import { withSpinner } from './progress.js';
import { wholeNumber } from './whole-number.js';

/** Who plans, as the command line says it. */
export interface PlannerOptions {
  readonly planner?: 'embedded' | 'ollama' | 'given';
  readonly window?: 'reference' | 'wide';
  readonly model?: string;
  readonly timeout: number;
  readonly fallback: 'embedded' | 'literal' | 'none';
  readonly plan?: string;
}

const DEFAULT_TIMEOUT = 30;

/** Fresh ones for each command: a command may add to what they conflict with. */
export function plannerOptions() {
  return {
    planner: new Option('--planner <name>', 'who plans (default: embedded)').choices([
      'embedded',
      'ollama',
      'given',
    ]),
    model: new Option('--model <name>', 'the model for ollama (default: THREAD_MODEL)'),
    timeout: new Option('--timeout <seconds>', 'how long ollama may take for a plan')
      .argParser(seconds)
      .default(DEFAULT_TIMEOUT),
    fallback: new Option('--fallback <name>', 'what stands in for a plan that fails')
      .choices(['embedded', 'literal', 'none'])
      .default('literal'),
    plan: new Option('--plan <file>', 'the plan that a model made of the request; - for the standard input'),
  };
}

function seconds(text: string): number {
  const value = wholeNumber('a timeout')(text);
  if (value === 0) throw new InvalidArgumentError('a timeout is at least a second.');
  return value;
}

/** `isStdinTaken` when the transcript comes from the standard input, so that the plan cannot. */
export async function plannerChoice(
  { planner, plan, model, timeout, window }: PlannerOptions,
  isStdinTaken: boolean,
  io: Io,
): Promise<PlannerChoice> {
  if (plan !== undefined) {
    if (planner !== undefined && planner !== 'given')
      throw new ThreadError(`--plan gives the plan: the planner ${planner} has nothing to do`);
    return { name: 'given', text: await planText(plan, isStdinTaken, io) };
  }
  if (model !== undefined && planner !== 'ollama')
    throw new ThreadError('--model names the model that ollama asks', { hint: 'add --planner ollama' });
  switch (planner ?? 'embedded') {
    case 'given':
      throw new ThreadError('no plan given', {
        hint: 'name its file with --plan FILE, or pipe it in: --plan -',
      });
    case 'ollama':
      refuseInCase('ask a service: its answer is not the same every time');
      return {
        name: 'ollama',
        host: io.env.OLLAMA_HOST,
        model: requireModel(model ?? io.env.THREAD_MODEL),
        timeoutMs: timeout * 1000,
      };
    case 'embedded':
      return { name: 'embedded', window: window ?? 'wide' };
  }
}

function requireModel(model: string | undefined): string {
  if (model !== undefined && model !== '') return model;
  throw new ThreadError('no model named for ollama', { hint: 'add --model NAME, or set THREAD_MODEL' });
}

async function planText(plan: string, isStdinTaken: boolean, io: Io): Promise<string> {
  if (plan === '-' && isStdinTaken)
    throw new ThreadError('the transcript and the plan cannot both come from the standard input');
  const text = await withSource(plan, io, async (source) =>
    decoded(readRange(source, 0, source.size), source.name),
  );
  return text.replace(/^\ufeff/, ''); // the mark is the file's, not the plan's
}

/** Resolves one question after the other. The planner is loaded for the first of them. */
export function lazyResolver(
  choice: PlannerChoice,
  options: PlannerOptions,
  io: Io,
): (asked: Asked) => Promise<Resolved> {
  let resolver: Resolver | undefined;
  return async (asked) => {
    const loaded = resolver ?? (await loadResolver(choice, options));
    resolver = loaded;
    if (choice.name !== 'ollama') return loaded(asked);
    return withSpinner('asking the model', io, () => cancellable((cancelled) => loaded(asked, cancelled)));
  };
}

async function loadResolver(choice: PlannerChoice, { fallback, window }: PlannerOptions): Promise<Resolver> {
  return createResolver({
    planner: await loadPlanner(choice),
    fallback,
    loadEmbedded: () => loadPlanner({ name: 'embedded', window: window ?? 'wide' }),
  });
}
