import type { MessageDraft } from '../../message.js';
import type { Entry, ResultCopy } from '../format.js';
import { field } from '../values.js';

/** Where events repeat what a tool printed or changed. */
const COPY_KEYS = [
  'result',
  'stdout',
  'stderr',
  'aggregated_output',
  'formatted_output',
  'changes',
  'content_items',
];

/** Finds the events that repeat results (formats.md section 3.3). */
export interface Copies {
  see(entry: Entry, messages: readonly MessageDraft[]): ResultCopy[];
}

/**
 * An event names its call by id. What a script ran has ids of its own, which no item has: those events are the script's,
 * that is of the newest call that is not answered yet.
 */
export function startCopies(): Copies {
  const calls = new Set<string>();
  const open = new Set<string>();
  const order: string[] = [];
  const newestOpen = (): string | undefined => {
    for (let last = order.at(-1); last !== undefined; last = order.at(-1)) {
      if (open.has(last)) return last;
      order.pop();
    }
    return undefined;
  };
  return {
    see({ value, at }, messages) {
      for (const part of messages.flatMap(({ parts }) => parts)) {
        if (part.kind === 'tool-call' && part.id !== null && !part.isAnswered) {
          calls.add(part.id);
          open.add(part.id);
          order.push(part.id);
        }
        if (part.kind === 'tool-result' && part.callId !== null) open.delete(part.callId);
      }
      const payload = field(value, 'payload');
      const id = eventCall(value, payload);
      const callId = id === null || calls.has(id) ? id : newestOpen();
      if (callId === null || callId === undefined) return [];
      return COPY_KEYS.filter((key) => field(payload, key) !== undefined).map((key) => ({
        callId,
        at: [...at, 'payload', key],
      }));
    },
  };
}

function eventCall(value: unknown, payload: unknown): string | null {
  const type = field(payload, 'type');
  const isResult = typeof type === 'string' && /_(?:end|response)$/.test(type);
  const id = field(payload, 'call_id');
  return field(value, 'type') === 'event_msg' && isResult && typeof id === 'string' ? id : null;
}
