import type { Occurrence } from '../ledger/record.js';
import { estimateTokens } from '../transcript/token-estimate.js';
import { buildCapsule, type Capsule, type CapsuleEvidence, type CapsuleGroup } from './capsule.js';

/**
 * The capsule of the evidence within about `budget` tokens: whole groups are given up until it fits, the oldest first.
 * Without a budget nothing is given up.
 */
export function capsuleWithin(
  evidence: readonly CapsuleEvidence[],
  budget: number | undefined,
): { capsule: Capsule; givenUp: readonly CapsuleGroup[] } {
  const whole = buildCapsule(evidence);
  if (budget === undefined || estimateTokens(whole.text) <= budget) return { capsule: whole, givenUp: [] };
  const oldestFirst = whole.groups.toReversed();
  const without = (count: number): Capsule => {
    const questions = new Set(oldestFirst.slice(0, count).map(({ question }) => question));
    return buildCapsule(evidence.map((one) => withoutQuestions(one, questions)));
  };
  // By halving: a capsule of thousands of groups would be built thousands of times one by one.
  let [tooFew, enough] = [0, oldestFirst.length];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (estimateTokens(without(middle).text) <= budget) enough = middle;
    else tooFew = middle;
  }
  return { capsule: without(enough), givenUp: oldestFirst.slice(0, enough) };
}

function withoutQuestions(evidence: CapsuleEvidence, questions: ReadonlySet<number>): CapsuleEvidence {
  const isKept = ({ citedInQuestions }: Occurrence): boolean =>
    !questions.has(citedInQuestions.reduce((newest, other) => Math.max(newest, other), -1));
  return {
    ...evidence,
    occurrences: new Map([...evidence.occurrences].filter(([, occurrence]) => isKept(occurrence))),
  };
}
