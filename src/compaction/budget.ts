import type { Occurrence } from '../ledger/record.js';
import { buildCapsule, type Capsule, type CapsuleEvidence, type CapsuleGroup } from './capsule.js';
import { estimateTokens } from './recent.js';

/**
 * The capsule of the evidence within about `budget` tokens: whole groups are given up until it fits, the oldest first.
 * Without a budget nothing is given up.
 */
export function capsuleWithin(
  evidence: readonly CapsuleEvidence[],
  budget: number | undefined,
): { capsule: Capsule; givenUp: readonly CapsuleGroup[] } {
  let capsule = buildCapsule(evidence);
  const givenUp: CapsuleGroup[] = [];
  while (budget !== undefined && capsule.groups.length > 0 && estimateTokens(capsule.text) > budget) {
    const oldest = capsule.groups.at(-1);
    if (oldest === undefined) break;
    givenUp.push(oldest);
    capsule = buildCapsule(evidence.map((one) => withoutQuestions(one, givenUp)));
  }
  return { capsule, givenUp };
}

function withoutQuestions(evidence: CapsuleEvidence, givenUp: readonly CapsuleGroup[]): CapsuleEvidence {
  const questions = new Set(givenUp.map(({ question }) => question));
  const isKept = ({ citedInQuestions }: Occurrence): boolean => !questions.has(Math.max(...citedInQuestions));
  return {
    ...evidence,
    occurrences: new Map([...evidence.occurrences].filter(([, occurrence]) => isKept(occurrence))),
  };
}
