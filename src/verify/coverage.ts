import type { Compaction } from '../compaction/compact.js';
import type { ReadConversation } from '../compaction/compact-transcript.js';

/**
 * Ids of cited chunks that are nowhere any more: every return that showed them was replaced, and neither the capsule
 * keeps them nor were they given up for a budget. Only a derived ledger knows where its chunks stood.
 */
export function lostChunks(
  { derived, outline }: ReadConversation,
  { returns, capsule, givenUp }: Compaction,
): string[] {
  const onPath = new Set(outline.filter(({ isOnPath }) => isOnPath).map(({ position }) => position));
  const replaced = new Set(returns.map(({ message, result }) => `${message.position}.${result.part}`));
  const groups = [...capsule.groups, ...givenUp];
  const kept = new Set(groups.flatMap(({ entries }) => entries.map(({ chunkId }) => chunkId)));
  const cited = new Set(
    derived?.ledger.capabilities.flatMap(({ record }) =>
      [...record.occurrences.values()]
        .filter(({ citedInQuestions }) => citedInQuestions.length > 0)
        .map(({ chunkId }) => chunkId),
    ),
  );
  return (derived?.chunks ?? [])
    .filter(({ id }) => cited.has(id) && !kept.has(id))
    .filter(({ retrievals }) => {
      const live = retrievals.filter(({ position }) => onPath.has(position));
      return live.length > 0 && live.every(({ position, part }) => replaced.has(`${position}.${part}`));
    })
    .map(({ id }) => id);
}
