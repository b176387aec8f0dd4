import type { MessageDraft } from '../message.js';
import { injectedSpeaker, textOf } from './codex/injected.js';
import { readCodexInOrder } from './codex/order.js';
import type { Entry, Format } from './format.js';
import { readItem } from './response-items.js';
import { field, isObject } from './values.js';

const LINE_TYPES: ReadonlySet<unknown> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
  'inter_agent_communication_metadata',
]);

/** More than all the items of the Responses API that may follow can weigh for that API. */
const DECISIVE = 1000;

/**
 * Codex rollouts (formats.md section 3): since autumn 2025 every line is an envelope around its `payload`; before, items
 * of the Responses API stood bare under a header.
 */
export const codex: Format = {
  name: 'codex',
  title: 'Codex session',
  marks:
    'lines with `timestamp`, `type` such as response_item and `payload`, or a header with `id`, `timestamp` and `instructions`',
  pictures: 'in-result',
  citations: 'memory citations, annotations',
  textBlock: 'input_text',
  weigh(entry) {
    if (!isObject(entry)) return 0;
    const isEnvelope = 'payload' in entry && typeof entry.timestamp === 'string';
    if (isEnvelope) return LINE_TYPES.has(entry.type) ? 5 : 0;
    const isHeader =
      typeof entry.id === 'string' && typeof entry.timestamp === 'string' && 'instructions' in entry;
    const isState = typeof entry.record_type === 'string';
    return !('type' in entry) && (isHeader || isState) ? DECISIVE : 0;
  },
  conversations: () => null,
  read: readCodexEntry,
  readInOrder: (entries) => readCodexInOrder(entries, readCodexEntry),
};

/** What an entry says by itself: whose words user messages are is told by what is beside them. */
function readCodexEntry(entry: Entry): MessageDraft[] {
  const { value, at } = entry;
  const payload = { value: field(value, 'payload'), at: [...at, 'payload'] };
  switch (field(value, 'type')) {
    case 'response_item':
      return readItem(payload).map(withoutInjected);
    case 'compacted':
      return readCompacted(payload);
    default:
      return payload.value === undefined ? readItem(entry).map(withoutInjected) : [];
  }
}

/** A compaction's new history; earlier ones have only a summary, behind which the operator's words go on. */
function readCompacted({ value, at }: Entry): MessageDraft[] {
  const history = field(value, 'replacement_history');
  if (Array.isArray(history))
    return history
      .flatMap((item, i) => readItem({ value: item, at: [...at, 'replacement_history', i] }))
      .map(withoutInjected);
  const text = field(value, 'message');
  if (typeof text !== 'string' || text === '') return [];
  const part = { kind: 'text', text, at: [...at, 'message'], annotations: [] } as const;
  return [{ at, role: 'user', speaker: 'summary', parts: [part], lists: [] }];
}

function withoutInjected(draft: MessageDraft): MessageDraft {
  return draft.speaker === 'operator'
    ? { ...draft, speaker: injectedSpeaker(textOf(draft)) ?? 'operator' }
    : draft;
}
