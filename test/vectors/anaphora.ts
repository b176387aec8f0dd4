import * as z from 'zod';
import { decidePrefix } from '../../src/anaphora/prefix.js';
import { emptyContext, pushTurn, type TurnSummary } from '../../src/anaphora/thread-context.js';
import { outcome } from './outcome.js';

const turn = z.object({
  turn_index: z.number(),
  intent: z.string(),
  subject: z.string().nullable(),
  grounding_source: z.string(),
  chain_id: z.string().nullable(),
});

const input = z.object({
  max_turns: z.number().optional(),
  turns: z.array(turn),
  current: turn.pick({ subject: true, intent: true, grounding_source: true }),
});

/** `anaphora.jsonl`: turns and the current one to its prefix. */
export function runAnaphora(vectorInput: unknown): unknown {
  const { max_turns, turns, current } = input.parse(vectorInput);
  return outcome(() => {
    const context = turns.map(toSummary).reduce(pushTurn, emptyContext<TurnSummary>(max_turns));
    const decision = decidePrefix(context, { ...current, groundingSource: current.grounding_source });
    return decision.kind === 'fired' ? decision.prefix : null;
  });
}

function toSummary(read: z.output<typeof turn>): TurnSummary {
  const {
    turn_index: turnIndex,
    intent,
    subject,
    grounding_source: groundingSource,
    chain_id: chainId,
  } = read;
  return { turnIndex, intent, subject, groundingSource, chainId };
}
