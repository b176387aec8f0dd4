import { derivedSubject } from './derived-subject.js';
import { readIntent } from './intent.js';
import { type Decision, decidePrefix, type Silence } from './prefix.js';
import { safeName, visibleName } from './safe-name.js';
import {
  emptyContext,
  normaliseSubject,
  pushTurn,
  type ThreadContext,
  type TurnSummary,
  trimSubject,
} from './thread-context.js';
import type { Turn } from './turns.js';

/** A turn as the window remembers it. */
export interface PlacedSummary extends TurnSummary {
  readonly position: number;
}

/** A turn, what it was taken for, and what it goes back to. */
export interface Recollection {
  readonly turn: Turn;
  readonly summary: PlacedSummary;
  readonly prefix: string | null;
  /** Null when the prefix fired. */
  readonly reason: Silence | null;
  readonly anchor: PlacedSummary | null;
  readonly why: Why;
}

/** Which rule or line each field comes from. */
export interface Why {
  readonly intent: string;
  readonly subject: string;
  readonly grounding: string;
  readonly chain: string;
}

/** Decides for every turn of a conversation, in order, which earlier one it goes back to. */
export function recollect(turns: readonly Turn[], maxTurns?: number): Recollection[] {
  let context: ThreadContext<PlacedSummary> = emptyContext(maxTurns);
  return turns.map((turn) => {
    const { summary, stored, why } = summarise(turn, context);
    const decision = withSafeNames(decidePrefix(context, summary));
    context = pushTurn(context, stored);
    return { turn, summary, why, ...outcomeOf(decision) };
  });
}

interface Summarised {
  readonly summary: PlacedSummary;
  /** As later turns look it up. What a host says of its turns is pushed as it is. */
  readonly stored: PlacedSummary;
  readonly why: Why;
}

function summarise(turn: Turn, context: ThreadContext<PlacedSummary>): Summarised {
  const { given, grounding } = turn;
  const intent = readIntent(turn.question);
  const subject =
    given.subject === undefined ? derivedSubject(turn.question, subjectsOf(context)) : GIVEN_SUBJECT;
  const named = given.subject === undefined ? subject.name : given.subject;
  const chain = chainOf(turn);
  const summary: PlacedSummary = {
    turnIndex: given.turnIndex ?? turn.ordinal,
    position: turn.position,
    intent: given.intent ?? intent.intent,
    subject: named === null ? null : safeName(trimSubject(named)),
    groundingSource: given.groundingSource ?? grounding.source,
    chainId: chain.id,
  };
  return {
    summary,
    stored: { ...summary, subject: storedSubject(given.subject, summary.subject) },
    why: {
      intent: given.intent === undefined ? intent.rule : GIVEN,
      subject: subject.rule,
      grounding: given.groundingSource === undefined ? grounding.reason : GIVEN,
      chain: chain.rule,
    },
  };
}

function storedSubject(given: string | null | undefined, shown: string | null): string | null {
  if (shown === null) return null;
  return typeof given === 'string' ? safeName(given) : normaliseSubject(shown);
}

/** The ledger's chain belongs to the ledger's tier: a host that names another tier names its chain too. */
function chainOf({ given, grounding }: Turn): { readonly id: string | null; readonly rule: string } {
  if (given.chainId !== undefined) return { id: given.chainId, rule: GIVEN };
  if (given.groundingSource !== undefined && given.groundingSource !== grounding.source)
    return { id: null, rule: 'the turn object names another tier than the ledger' };
  return grounding.chainId === null
    ? { id: null, rule: `the tier ${grounding.source} has none` }
    : { id: grounding.chainId, rule: 'the first chunk that the answer cites' };
}

const GIVEN = 'given by the turn object';
const GIVEN_SUBJECT = { name: null, rule: GIVEN };

function subjectsOf({ turns }: ThreadContext<PlacedSummary>): string[] {
  return turns.flatMap(({ subject }) => (subject === null || subject === '' ? [] : [subject]));
}

/** A chunk id that is no name refuses the prefix. */
function withSafeNames(decision: Decision<PlacedSummary>): Decision<PlacedSummary> {
  if (decision.kind === 'silent') return decision;
  const { anchor } = decision;
  if (anchor.chainId !== null && safeName(anchor.chainId) === null)
    return { kind: 'silent', reason: 'no-subject' };
  // Subjects are safe already; within the prefix only the chunk id may hold what has to be escaped.
  return { ...decision, prefix: visibleName(decision.prefix) };
}

function outcomeOf(decision: Decision<PlacedSummary>): Pick<Recollection, 'prefix' | 'reason' | 'anchor'> {
  switch (decision.kind) {
    case 'fired':
      return { prefix: decision.prefix, reason: null, anchor: decision.anchor };
    case 'silent':
      return { prefix: null, reason: decision.reason, anchor: null };
  }
}
