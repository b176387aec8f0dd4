import * as z from 'zod';
import { ThreadError } from '../transcript/errors.js';
import { findFault } from '../transcript/json-text.js';
import { planRequest, type RequestInput } from './request.js';
import { wordKey, wordKeys } from './tokens.js';
import type { HistoryRow } from './window.js';

/** An exact piece of an earlier message that a plan rests on. */
export interface Basis {
  readonly position: number;
  readonly role: HistoryRow['role'];
  readonly quote: string;
  readonly source?: 'compaction-summary';
}

/** A plan that was refused: it is no JSON, it has another shape, or it breaks a rule that the message names. */
export class PlanError extends ThreadError {
  readonly kind: 'json' | 'schema' | 'message';

  constructor(kind: PlanError['kind'], message: string, cause?: unknown) {
    super(message, {
      cause,
      hint: 'thread resolve --request prints what a plan is made from, and its schema',
    });
    this.name = 'PlanError';
    this.kind = kind;
  }
}

const MAX_QUOTE = 200;
const tokenId = z.int().min(0).max(255);

/** `max` counts code points where the units are too many, so the units are counted again. */
const quote = z
  .string()
  .min(1)
  .max(MAX_QUOTE)
  .refine(({ length }) => length <= MAX_QUOTE, { error: `longer than ${MAX_QUOTE} UTF-16 units` });

const planSchema = z.strictObject({
  mode: z.enum(['direct', 'contextual', 'ambiguous', 'none']),
  time: z.enum(['past', 'present', 'unspecified']),
  termIds: z.array(tokenId).max(16),
  focusIds: z.array(tokenId).max(4).optional(),
  basis: z.array(z.strictObject({ message: z.int().min(0).max(5), quote })).max(3),
});

export type Plan = z.output<typeof planSchema>;

/** The plan's shape as JSON Schema, for models that are held to one. */
export function planJsonSchema(): object {
  return z.toJSONSchema(planSchema);
}

/**
 * Reads a planner's reply. Throws PlanError of the kinds `json` and `schema`; what the plan says is not looked at yet.
 */
export function readPlan(raw: string): Plan {
  const value = parsedJson(raw);
  const read = planSchema.safeParse(value);
  if (!read.success || hasForeignKey(value)) {
    const [issue] = read.error?.issues ?? [];
    const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
    const problem = shortened(issue?.message ?? '__proto__');
    throw new PlanError('schema', `the plan is not of the planned shape${where}: ${problem}`);
  }
  return read.data;
}

/** A message may name the keys of a plan, of any number and length. */
function shortened(message: string): string {
  const characters = [...message.slice(0, 2 * MAX_PROBLEM)];
  const isShort = message.length <= 2 * MAX_PROBLEM && characters.length <= MAX_PROBLEM;
  return isShort ? message : `${characters.slice(0, MAX_PROBLEM).join('')}…`;
}

const MAX_PROBLEM = 200;

function parsedJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch (cause) {
    const { problem } = findFault(Buffer.from(raw).toString('latin1'));
    throw new PlanError('json', `the plan is not one JSON text: ${problem}`, cause);
  }
}

/** `__proto__` is a key like any other in JSON, but not to every library. */
function hasForeignKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasForeignKey);
}

/** What is made of a plan. */
export type PlanOutcome =
  /** Nothing is to be searched for. */
  | { readonly kind: 'none' }
  /** The question stands as it is: about the present, or complete without the history. */
  | { readonly kind: 'as-asked' }
  | { readonly kind: 'ambiguous'; readonly basis: readonly Basis[] }
  | {
      readonly kind: 'search';
      readonly terms: readonly string[];
      readonly focusTerms: readonly string[];
      readonly time: 'past' | 'unspecified';
      readonly basis: readonly Basis[];
      readonly omittedTokens: number;
    };

/**
 * Holds a plan against what its planner was shown. It is text from anywhere: only words that were offered and that stand in
 * the question or in a verbatim quote come through. The order of the checks is part of the contract.
 * @throws PlanError of the kind `message`
 */
export function checkPlan(plan: Plan, input: RequestInput): PlanOutcome {
  const { mode, time, termIds, basis } = plan;
  const focusIds = plan.focusIds ?? [];
  if (mode === 'none') {
    demand(focusIds.length === 0, 'A no-search plan cannot select focus terms.');
    return { kind: 'none' };
  }
  if (mode === 'ambiguous') {
    const isBare = termIds.length === 0 && focusIds.length === 0;
    demand(isBare && basis.length > 0, 'An ambiguous query needs quoted references and no selected terms.');
    return { kind: 'ambiguous', basis: citedBasis(basis, input.history) };
  }
  if (time === 'present' || (mode === 'direct' && focusIds.length === 0)) return { kind: 'as-asked' };
  return { kind: 'search', time, ...groundedTerms({ ...plan, focusIds }, input) };
}

function groundedTerms({ mode, termIds, focusIds, basis }: ListedPlan, input: RequestInput) {
  const request = planRequest(input);
  if (request === undefined)
    throw new PlanError('message', 'Query resolution input exceeds its planning allowance.');
  const terms = chosenTokens(termIds, request.tokens);
  if (mode === 'contextual') {
    const hasBoth = terms.length > 0 && basis.length > 0;
    demand(hasBoth, 'Contextual query resolution needs grounded terms and references.');
  } else {
    demand(basis.length === 0, 'A direct query must not import historical references.');
  }
  const isSubset = focusIds.every((id) => termIds.includes(id));
  demand(isSubset, 'Query focus must be a subset of the grounded query terms.');
  const cited = citedBasis(basis, input.history);
  const grounds = wordKeys([input.current, ...cited.map((one) => one.quote)]);
  const isGrounded = terms.every((term) => grounds.has(wordKey(term)));
  demand(isGrounded, 'Query resolution introduced an ungrounded token.');
  const focusTerms = chosenTokens(focusIds, request.tokens);
  return { terms, focusTerms, basis: cited, omittedTokens: request.omittedTokens };
}

interface ListedPlan extends Plan {
  readonly focusIds: number[];
}

/** Each id once, in the order given. */
function chosenTokens(ids: readonly number[], tokens: readonly string[]): string[] {
  return [...new Set(ids)].map((id) => {
    const token = tokens[id];
    if (token === undefined)
      throw new PlanError('message', 'Query resolution selected an unavailable token ID.');
    return token;
  });
}

function citedBasis(basis: Plan['basis'], history: readonly HistoryRow[]): Basis[] {
  return basis.map(({ message, quote }) => {
    const row = history[message];
    if (row === undefined || !row.text.includes(quote))
      throw new PlanError('message', 'Query resolution cited text outside its supplied history.');
    const { position, role, source } = row;
    return { position, role, quote, ...(source === undefined ? {} : { source }) };
  });
}

function demand(holds: boolean, message: string): void {
  if (!holds) throw new PlanError('message', message);
}
