import * as z from 'zod';
import { checkPlan, PlanError, type PlanOutcome, readPlan } from '../../src/query/plan.js';
import { planRequest } from '../../src/query/request.js';
import { selectWindow, type WindowMessage } from '../../src/query/window.js';
import type { Speaker } from '../../src/transcript/message.js';

const UNDEFINED = { $undefined: true };

const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.unknown(),
  source: z.object({ type: z.unknown(), kind: z.unknown() }).partial().optional(),
});

const windowInput = z.object({
  messages: z.array(message),
  query: z.string(),
  current_index: z.number().optional(),
});

/** `query-window.jsonl`: messages to the rows that a planner may see. */
export function runWindow(raw: unknown): unknown {
  const { messages, query, current_index: currentIndex } = windowInput.parse(raw);
  return selectWindow(messages.map(toWindowMessage), { query, currentIndex });
}

/** The reference reads content that is a string only, and summaries of the system only; our adapters know more. */
function toWindowMessage(
  { role, content, source }: z.output<typeof message>,
  position: number,
): WindowMessage {
  return { position, speaker: speakerOf(role, source), text: typeof content === 'string' ? content : null };
}

function speakerOf(
  role: z.output<typeof message>['role'],
  source: z.output<typeof message>['source'],
): Speaker {
  if (role === 'system') return source?.type === 'compaction-summary' ? 'summary' : 'system';
  if (role !== 'user') return role;
  const isSteering = source?.type === 'runtime-context' && source.kind === 'steering';
  return source === undefined || source.type === 'goal-round' || isSteering ? 'operator' : 'context';
}

const row = z.object({
  position: z.number(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  text: z.string(),
  truncated: z.boolean(),
  source: z.literal('compaction-summary').exactOptional(),
});

const requestInput = z.object({ system_chars: z.number(), current: z.string(), history: z.array(row) });

/** `query-input.jsonl`: a question and its rows to the bounded request. */
export function runInput(raw: unknown): unknown {
  const { system_chars: systemLength, current, history } = requestInput.parse(raw);
  return planRequest({ current, history, systemLength }) ?? UNDEFINED;
}

const validateInput = requestInput.extend({ raw: z.string() });

/** `query-validate.jsonl`: a planner's reply to what is made of it. */
export function runValidate(vectorInput: unknown): unknown {
  const { raw, system_chars: systemLength, current, history } = validateInput.parse(vectorInput);
  try {
    return asRecorded(checkPlan(readPlan(raw), { current, history, systemLength }));
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { error: error.kind === 'message' ? error.message : error.kind };
  }
}

function asRecorded(outcome: PlanOutcome): unknown {
  switch (outcome.kind) {
    case 'none':
      return null;
    case 'as-asked':
      return UNDEFINED;
    case 'ambiguous':
      return outcome;
    case 'search': {
      const { terms, focusTerms, time, basis, omittedTokens } = outcome;
      return {
        terms,
        ...(focusTerms.length === 0 ? {} : { focusTerms }),
        time,
        basis,
        ...(omittedTokens === 0 ? {} : { omittedTokens }),
      };
    }
  }
}
