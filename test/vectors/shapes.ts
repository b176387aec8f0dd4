import * as z from 'zod';
import type { Occurrence } from '../../src/ledger/record.js';

/** An occurrence as several vector files write it. */
export const occurrence = z.object({
  chunk_id: z.string(),
  capability: z.string(),
  retrieved_in_questions: z.array(z.number()),
  cited_in_questions: z.array(z.number()),
});

export function toOccurrences(read: readonly z.output<typeof occurrence>[]): Map<string, Occurrence> {
  return new Map(
    read.map((item) => [
      item.chunk_id,
      {
        chunkId: item.chunk_id,
        capability: item.capability,
        retrievedInQuestions: item.retrieved_in_questions,
        citedInQuestions: item.cited_in_questions,
      },
    ]),
  );
}
