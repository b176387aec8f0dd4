import { ThreadError } from '../transcript/errors.js';
import { firstUngrounded, quoteProblem } from './grounding.js';
import type { Basis, Plan, PlanOutcome } from './plan.js';
import type { EmbeddedPlan, Mode, PlannerName, Time } from './planner.js';
import type { PlanRequest, RequestInput } from './request.js';
import { SYSTEM_TEXT } from './system-text.js';
import { distinctWords, wordKey, wordKeys } from './tokens.js';
import type { HistoryRow } from './window.js';

/** What a question is about: the words to search for, and the quotes that say so. */
export interface Resolution {
  readonly query: string;
  readonly mode: Mode;
  readonly time: Time;
  readonly terms: readonly string[];
  /** Those of the terms that name the subject. */
  readonly focusTerms: readonly string[];
  readonly basis: readonly Basis[];
  /** Words that the planner was not offered, for want of room. */
  readonly omittedTokens: number;
  readonly planner: PlannerName;
  /** Where the terms come from when the planner gave no usable plan. */
  readonly fallback: 'literal' | 'embedded' | null;
  readonly warnings: readonly string[];
}

/** A question with all that its plan is held against. */
export interface Asked {
  readonly query: string;
  readonly history: readonly HistoryRow[];
  readonly wide: readonly HistoryRow[];
  /** Undefined when the question does not fit into one. */
  readonly request: PlanRequest | undefined;
  /** The whole message at a position: a row may begin in the middle of a word. */
  readonly wholeText: (position: number) => string;
}

export function requestInput(current: string, history: readonly HistoryRow[]): RequestInput {
  return { current, history, systemLength: SYSTEM_TEXT.length };
}

/** The question's own words, as it was asked. */
export function literally({ query }: Asked): Resolution {
  return { ...nothing(query, 'embedded'), mode: 'direct', terms: distinctWords([query]) };
}

/** A resolution that names nothing yet. */
export function nothing(query: string, planner: PlannerName): Resolution {
  return {
    query,
    mode: 'none',
    time: 'unspecified',
    terms: [],
    focusTerms: [],
    basis: [],
    omittedTokens: 0,
    planner,
    fallback: null,
    warnings: [],
  };
}

/** The schema library is loaded here, when there is a text to hold against it, and never for the embedded planner. */
export async function fromText(text: string, asked: Asked, planner: PlannerName): Promise<Resolution> {
  const { checkPlan, readPlan } = await import('./plan.js');
  const plan = readPlan(text);
  const outcome = checkPlan(plan, requestInput(asked.query, asked.history));
  return { ...nothing(asked.query, planner), time: plan.time, ...fromOutcome(outcome, plan, asked) };
}

function fromOutcome(outcome: PlanOutcome, plan: Plan, asked: Asked): Partial<Resolution> {
  switch (outcome.kind) {
    case 'none':
      return { warnings: [...idWarnings(plan, asked), ...unusedWarnings(plan, asked)] };
    case 'as-asked':
      return {
        mode: 'direct',
        terms: distinctWords([asked.query]),
        warnings: [...idWarnings(plan, asked), ...unusedWarnings(plan, asked)],
      };
    case 'ambiguous': {
      const { basis, warnings } = wholeQuotes(outcome.basis, asked);
      if (basis.length === 0) throw refused(warnings);
      return { mode: 'ambiguous', basis, warnings };
    }
    case 'search': {
      const { basis, warnings } = wholeQuotes(outcome.basis, asked);
      const { terms, focusTerms, omittedTokens } = outcome;
      const problem = termProblem(terms, asked.query, basis);
      if (problem !== undefined || (plan.mode === 'contextual' && basis.length === 0))
        throw refused([...warnings, ...(problem === undefined ? [] : [problem])]);
      return { mode: plan.mode, terms, focusTerms, basis, omittedTokens, warnings };
    }
  }
}

function refused(problems: readonly string[]): ThreadError {
  return new ThreadError(`the plan was refused: ${problems.join('; ')}`);
}

/** Such a plan stands, because its terms are not used; but whoever made it was guessing. */
function idWarnings({ termIds, focusIds = [] }: Plan, { request }: Asked): string[] {
  const offered = request?.tokens.length ?? 0;
  const unknown = [...new Set([...termIds, ...focusIds])].filter((id) => id >= offered);
  return unknown.length === 0 ? [] : [`the plan selected words that were not offered: ${unknown.join(', ')}`];
}

/** Nor are its quotes looked at: what is left out unread is not left out unsaid. */
function unusedWarnings(plan: Plan, asked: Asked): string[] {
  if (plan.mode === 'none') {
    const isBare = plan.termIds.length === 0 && plan.basis.length === 0;
    return isBare ? [] : ['there is nothing to search for, says the plan: what it chose is not used'];
  }
  if (plan.mode !== 'contextual' && !takesFromHistory(plan, asked)) return [];
  const why = plan.time === 'present' ? 'is about the present' : 'can be understood alone, says the plan';
  return [`the question ${why}: what the plan took from the history is not used`];
}

function takesFromHistory({ basis, termIds }: Plan, { query, request }: Asked): boolean {
  const own = wordKeys([query]);
  const isOwn = (token: string | undefined): boolean => token === undefined || own.has(wordKey(token));
  return basis.length > 0 || !termIds.every((id) => isOwn(request?.tokens[id]));
}

/** The quotes that can be rested on, and a warning for each that cannot. */
function wholeQuotes(
  given: readonly Basis[],
  { wholeText }: Asked,
): { readonly basis: readonly Basis[]; readonly warnings: readonly string[] } {
  const judged = given.map((one) => ({
    one,
    problem: quoteProblem(one.quote, wholeText(one.position)),
  }));
  return {
    basis: judged.filter(({ problem }) => problem === undefined).map(({ one }) => one),
    warnings: judged.flatMap(({ one, problem }) =>
      problem === undefined
        ? []
        : [`a quote of message ${one.position} ${problem}: ${JSON.stringify(one.quote)}`],
    ),
  };
}

function termProblem(
  terms: readonly string[],
  query: string,
  basis: readonly { readonly quote: string }[],
): string | undefined {
  const ungrounded = firstUngrounded(terms, [query, ...basis.map(({ quote }) => quote)]);
  return ungrounded === undefined
    ? undefined
    : `${JSON.stringify(ungrounded)} stands neither in the question nor in a quote`;
}

/** A plan in words passes the same checks as one in ids. */
export function fromWords(
  { plan, rows }: { readonly plan: EmbeddedPlan; readonly rows: readonly HistoryRow[] },
  asked: Asked,
  planner: PlannerName,
): Resolution {
  const { mode, time, terms, focusTerms } = plan;
  const basis = plan.quotes.flatMap(({ position, quote }) => basisIn(rows, position, quote));
  const { warnings } = wholeQuotes(basis, asked);
  const problems = [
    ...(basis.length < plan.quotes.length ? ['it quotes a message outside the history'] : []),
    ...warnings,
    ...[termProblem(terms, asked.query, basis), shapeProblem(plan)].filter((one) => one !== undefined),
  ];
  if (problems.length > 0) throw refused(problems);
  return {
    ...nothing(asked.query, planner),
    mode,
    time,
    terms: [...new Set(terms)],
    focusTerms: [...new Set(focusTerms)],
    basis,
  };
}

function basisIn(rows: readonly HistoryRow[], position: number, quote: string): Basis[] {
  const row = rows.find((one) => one.position === position);
  if (row === undefined) return [];
  const { role, source } = row;
  return [{ position, role, quote, ...(source === undefined ? {} : { source }) }];
}

function shapeProblem({ mode, terms, focusTerms, quotes }: EmbeddedPlan): string | undefined {
  const known = new Set(terms);
  if (!focusTerms.every((term) => known.has(term))) return 'its focus is none of its terms';
  const [hasTerms, hasQuotes] = [terms.length > 0, quotes.length > 0];
  const isRight = {
    direct: !hasQuotes,
    contextual: hasTerms && hasQuotes,
    ambiguous: !hasTerms && hasQuotes,
    none: !hasTerms && !hasQuotes,
  }[mode];
  return isRight ? undefined : `its terms and quotes are not those of a plan that is ${mode}`;
}
