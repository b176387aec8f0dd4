import { ThreadError } from '../transcript/errors.js';
import type { Planner, PlannerInput, PlannerName, PlannerReply, WordScore } from './planner.js';
import { PlannerError, type PlannerFailureKind } from './planners/planner-error.js';
import { type PlanRequest, planRequest } from './request.js';
import {
  type Asked,
  fromText,
  fromWords,
  literally,
  nothing,
  type Resolution,
  requestInput,
} from './resolution.js';
import { SYSTEM_TEXT } from './system-text.js';
import {
  type HistoryRow,
  selectWideWindow,
  selectWindow,
  type WindowMessage,
  type WindowQuestion,
} from './window.js';

export interface Resolved {
  readonly resolution: Resolution;
  /** What the planner saw, and how it weighed the words. */
  readonly rows: readonly HistoryRow[];
  readonly scores: readonly WordScore[];
}

export interface AskedInput extends WindowQuestion {
  readonly messages: readonly WindowMessage[];
}

export interface ResolverOptions {
  readonly planner: Planner;
  /** Stands in when the planner gives no usable plan; `none` throws what it said. */
  readonly fallback: 'literal' | 'embedded' | 'none';
  readonly loadEmbedded: () => Promise<Planner>;
}

export type Resolver = (input: AskedInput, signal?: AbortSignal) => Promise<Resolved>;

/** Resolves questions with one planner. It is asked once for each operator input, however often that comes again. */
export function createResolver({ planner, fallback, loadEmbedded }: ResolverOptions): Resolver {
  const main = rememberingPlanner(planner);
  return async (input, signal) => {
    const asked = prepare(input);
    try {
      return await resolveWith(main, asked, signal);
    } catch (error) {
      if (!(error instanceof ThreadError) || fallback === 'none' || signal?.aborted) throw error;
      const embedded = fallback === 'embedded' ? await loadEmbedded() : undefined;
      const { resolution, ...seen } =
        embedded === undefined ? literalAnswer(asked) : await resolveWith(embedded, asked, signal);
      const warnings = [failureText(error), ...resolution.warnings];
      const used = embedded === undefined ? ('literal' as const) : ('embedded' as const);
      return { ...seen, resolution: { ...resolution, planner: planner.name, fallback: used, warnings } };
    }
  };
}

/** For a service that does not answer, also what to do about it. */
function failureText({ message, hint, exitCode }: ThreadError): string {
  return exitCode === 3 && hint !== undefined ? `${message} (${hint})` : message;
}

/** Without a server or a model, the next question need not be asked at all. */
const WILL_NOT_COME: ReadonlySet<PlannerFailureKind> = new Set(['not-running', 'model-missing']);

/** What one model said of one request; nothing of what was found with it. */
function rememberingPlanner(planner: Planner): Planner {
  const replies = new Map<string, PlannerReply>();
  let gone: PlannerError | undefined;
  return {
    name: planner.name,
    async plan(input, signal) {
      const known = replies.get(input.prompt);
      if (known !== undefined) return known;
      if (gone !== undefined) throw gone;
      const reply = await planner.plan(input, signal).catch((error) => {
        if (error instanceof PlannerError && WILL_NOT_COME.has(error.kind)) gone = error;
        throw error;
      });
      // A plan made in this process depends on more than the prompt, and is cheaper than its key.
      if (reply.kind === 'text') replies.set(input.prompt, reply);
      return reply;
    },
  };
}

function prepare({ messages, ...question }: AskedInput): Asked {
  const history = selectWindow(messages, question);
  return {
    query: question.query,
    history,
    wide: selectWideWindow(messages, question),
    request: planRequest(requestInput(question.query, history)),
    wholeText: (position) => messages.findLast((one) => one.position === position)?.text ?? '',
  };
}

/** The bounded request of a question, as any model may be asked it. Throws ThreadError when it does not fit. */
export function requestFor(input: AskedInput): { readonly system: string; readonly prompt: string } {
  return { system: SYSTEM_TEXT, prompt: fittingRequest(prepare(input)).prompt };
}

function fittingRequest({ request }: Asked): PlanRequest {
  if (request !== undefined) return request;
  throw new ThreadError('the question does not fit into a request', {
    hint: 'a question may have 1,000 characters; the embedded planner takes longer ones',
  });
}

async function resolveWith(planner: Planner, asked: Asked, signal?: AbortSignal): Promise<Resolved> {
  const reply = await planner.plan(plannerInput(planner, asked), signal);
  switch (reply.kind) {
    case 'text':
      return { resolution: await fromText(reply.text, asked, planner.name), rows: asked.history, scores: [] };
    case 'resolution':
      return {
        resolution: fromWords(reply, asked, planner.name),
        rows: reply.rows,
        scores: reply.plan.scores,
      };
  }
}

function plannerInput({ name }: Planner, asked: Asked): PlannerInput {
  const { query: current, history, wide } = asked;
  const { prompt, tokens } =
    name === 'embedded' ? (asked.request ?? { prompt: '', tokens: [] }) : fittingRequest(asked);
  return { system: SYSTEM_TEXT, prompt, tokens, current, history, wide };
}

/** Where there is nothing to resolve, `warnings` says why. */
export function unresolved(query: string, planner: PlannerName, warnings: readonly string[]): Resolved {
  return { resolution: { ...nothing(query, planner), warnings }, rows: [], scores: [] };
}

function literalAnswer(asked: Asked): Resolved {
  return { resolution: literally(asked), rows: asked.history, scores: [] };
}
