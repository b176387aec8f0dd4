import {
  type CompactedTranscript,
  type CompactOneOptions,
  compactOne,
  joinConversations,
  type ReadConversation,
  type ReadTranscript,
} from '../compaction/compact-transcript.js';
import { RuleError } from '../transcript/errors.js';
import type { OutlineMessage, OutlineResult } from '../transcript/outline.js';
import { estimateTokens } from '../transcript/token-estimate.js';
import type { Comparison } from './comparison.js';
import type { ConversationReading, StandingResult } from './file-reading.js';

/** A conversation of the original, and as both files show it. */
export interface InferenceInput {
  readonly read: ReadTranscript;
  readonly one: ReadConversation;
  readonly original: ConversationReading;
  readonly actual: ConversationReading;
  /** Holds the conversation's records against a compaction of it. */
  readonly compare: (compacted: CompactedTranscript) => Comparison;
}

/** A compaction of one conversation, and where the file that is checked differs from it. */
export interface Attempt {
  readonly options: CompactOneOptions;
  readonly compacted: CompactedTranscript;
  readonly comparison: Comparison;
}

/**
 * Finds the options with which the actual conversation was made of the original, or those that come closest. What
 * stands in the file tells most of them; where it leaves a choice, one option after the other is tried.
 * @throws RuleError when the original cannot be compacted at all
 */
export function inferCompaction(input: InferenceInput): Attempt {
  const guess = guessOptions(input);
  const byDefault = tryOptions(input, guess);
  if (byDefault !== undefined && doubt(byDefault) === 0) return byDefault;
  const untouched = makeAttempt(input, { ...guess, keepFrom: 0 });
  const evidence = untouched.compacted.conversations.flatMap(({ compaction }) => compaction.kept);
  let best = nearest(input, byDefault ?? untouched, spanChoices(input, evidence.filter(isReplaceable)));
  best = withoutBudget(input, best);
  best = nearest(input, best, [{ addresses: true }, { addresses: false }]);
  best = nearest(input, best, [{ copies: true }, { copies: false }]);
  return nearest(input, best, distanceChoices(input, best));
}

function makeAttempt(input: InferenceInput, options: CompactOneOptions): Attempt {
  const compacted = joinConversations(input.read, [compactOne(input.one, input.read, options)]);
  return { options, compacted, comparison: input.compare(compacted) };
}

/** Undefined for options that the ledger does not allow: nothing was made with those. */
function tryOptions(input: InferenceInput, options: CompactOneOptions): Attempt | undefined {
  try {
    return makeAttempt(input, options);
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}

function doubt({ comparison }: Attempt): number {
  return comparison.doubtful;
}

/** Bytes say more than findings: a record that was taken for untouched is one finding, however much of it differs. */
function isCloser(a: Attempt, b: Attempt): boolean {
  return (
    doubt(a) < doubt(b) ||
    (doubt(a) === doubt(b) && a.comparison.findings.length < b.comparison.findings.length)
  );
}

/** The first choice that leaves the least in doubt; what was best before stays so in a tie. */
function nearest(
  input: InferenceInput,
  before: Attempt,
  choices: readonly Partial<CompactOneOptions>[],
): Attempt {
  let best = before;
  for (const choice of choices) {
    if (doubt(best) === 0) return best;
    const next = tryOptions(input, { ...before.options, ...choice });
    if (next !== undefined && isCloser(next, best)) best = next;
  }
  return best;
}

/** A budget is only inferred when it explains more than none does. */
function withoutBudget(input: InferenceInput, best: Attempt): Attempt {
  if (doubt(best) === 0 || best.options.budget === undefined) return best;
  const free = tryOptions(input, { ...best.options, budget: undefined });
  return free === undefined || isCloser(best, free) ? best : free;
}

/** What the replaced results tell at once. */
function guessOptions({ original, actual }: InferenceInput): CompactOneOptions {
  const replaced = [...actual.results].flatMap(([position, results]) =>
    results.filter((result, i) => standingOf(original.results.get(position)?.[i], result) === 'replaced'),
  );
  const capsule = replaced.findLast(({ form }) => form === 'capsule')?.capsule;
  return {
    addresses: replaced.length === 0 ? undefined : replaced.some(({ hasAddress }) => hasAddress),
    // A capsule that fits a budget of its own size fits no smaller one, so nothing else comes of this budget.
    budget: replaced.length === 0 ? undefined : estimateTokens(capsule ?? ''),
    copies: actual.hasShrunkCopies,
    allowUncited: true,
  };
}

/** What became of a result; a receipt or a capsule that stood there before may be either. */
function standingOf(
  before: StandingResult | undefined,
  now: StandingResult | undefined,
): 'replaced' | 'kept' | 'unclear' {
  if (before === undefined || now === undefined) return 'unclear';
  const isChanged = before.digest !== now.digest;
  if (isChanged === (now.form === 'other')) return 'unclear';
  return isChanged ? 'replaced' : 'kept';
}

interface PlacedEvidence {
  readonly message: OutlineMessage;
  readonly result: OutlineResult;
}

function isReplaceable({ message, result }: PlacedEvidence): boolean {
  return message.isOnPath && result.isEditable;
}

/**
 * Where everything that stays in place may begin: behind the last replaced return, before the first one that was kept.
 * In between only positions count behind which there is something to decide.
 */
function spanChoices(
  { read, one, original, actual }: InferenceInput,
  evidence: readonly PlacedEvidence[],
): Partial<CompactOneOptions>[] {
  const standings = evidence.map(({ message: { position, results }, result }) => {
    const i = results.indexOf(result);
    return {
      position,
      standing: standingOf(original.results.get(position)?.[i], actual.results.get(position)?.[i]),
    };
  });
  const first = (standings.findLast(({ standing }) => standing === 'replaced')?.position ?? -1) + 1;
  const last =
    standings.find(({ position, standing }) => position >= first && standing === 'kept')?.position ??
    one.outline.length;
  const decided = one.outline.filter(({ results, lists }) => results.length > 0 || lists.length > 0);
  const positions = [...decided.map(({ position }) => position), ...retrievingQuestions(read, one)];
  const starts = new Set([first, last, ...positions.map((position) => position + 1)]);
  return [...starts]
    .filter((start) => start >= first && start <= last)
    .sort((a, b) => b - a)
    .flatMap((keepFrom) => [
      { keepFrom },
      ...(one.derived === null ? [] : [{ keepFrom, boundary: keepFrom }]),
    ]);
}

/** A given ledger says by question what was retrieved earlier. */
function retrievingQuestions(read: ReadTranscript, one: ReadConversation): number[] {
  const ledger = read.ledger ?? one.derived?.ledger;
  const occurrences = ledger?.capabilities.flatMap(({ record }) => [...record.occurrences.values()]) ?? [];
  return occurrences.flatMap(({ retrievedInQuestions }) => retrievedInQuestions);
}

/**
 * Which lines a receipt keeps depends on how much evidence lies between it and the current question, and so on where a
 * compaction took that question to be.
 */
function distanceChoices({ one }: InferenceInput, best: Attempt): Partial<CompactOneOptions>[] {
  if (!best.comparison.findings.some(({ kind }) => kind === 'excerpt')) return [];
  const keepFrom = best.compacted.conversations[0]?.compaction.keepFrom ?? 0;
  return one.outline
    .filter(({ position, results }) => position >= keepFrom && results.length > 0)
    .map(({ position }) => ({ keepFrom, boundary: position + 1 }));
}
