import type { MessageDraft } from '../../message.js';
import type { Entry, ReadEntry } from '../format.js';
import { field } from '../values.js';
import { startChain } from './chain.js';
import { startCopies } from './copies.js';
import { textOf } from './injected.js';
import { findAsked } from './questions.js';

type ReadOne = (entry: Entry) => MessageDraft[];

interface Drafted<One> {
  readonly entry: One;
  readonly messages: readonly MessageDraft[];
}

/**
 * Reads a rollout in order. Every turn is written twice: as an item for the model, and as an event for viewers. Only an
 * event tells that a user message is the operator's, and it stands just before or behind its item.
 */
export function* readCodexInOrder<One extends Entry>(
  entries: Iterable<One>,
  readOne: ReadOne,
): Generator<ReadEntry<One>> {
  const [speakers, chain, copies] = [startSpeakers(), startChain(), startCopies()];
  const finish = ({ entry, messages }: Drafted<One>): ReadEntry<One> => ({
    entry,
    messages,
    node: chain.hang(entry.value, messages),
    copies: copies.see(entry, messages),
  });
  let run: Drafted<One>[] = [];
  for (const entry of entries) {
    const drafted = { entry, messages: readOne(entry) };
    if (!endsRun(drafted)) {
      if (run.length > 0 || isSaying(drafted)) run.push(drafted);
      else yield finish(drafted);
      speakers.note(entry.value);
      continue;
    }
    for (const one of speakers.settle(run)) yield finish(one);
    run = [];
    yield finish({ entry, messages: speakers.remember(drafted) });
  }
  for (const one of speakers.settle(run)) yield finish(one);
}

function payloadType(value: unknown, type: string): unknown {
  return field(value, 'type') === type ? field(field(value, 'payload'), 'type') : undefined;
}

function isSaying({ entry, messages }: Drafted<Entry>): boolean {
  return (
    payloadType(entry.value, 'event_msg') === 'user_message' || messages.some(({ role }) => role === 'user')
  );
}

const ENDING_EVENT = /^(?:agent_.*|task_complete|turn_aborted|thread_rolled_back|context_compacted|.*_end)$/;

/** Whether an entry ends a run of user messages: the model answers, or the history is changed. */
function endsRun({ entry: { value }, messages }: Drafted<Entry>): boolean {
  const event = payloadType(value, 'event_msg');
  if (typeof event === 'string') return ENDING_EVENT.test(event);
  return (
    field(value, 'type') === 'compacted' ||
    messages.some(({ role, speaker }) => role === 'assistant' || role === 'tool' || speaker === 'summary')
  );
}

interface Speakers {
  /** Sees the session's header go by. */
  note(value: unknown): void;
  /** Tells the operator's among the user messages of a run. */
  settle<One extends Entry>(run: readonly Drafted<One>[]): Drafted<One>[];
  /** What stands in a compaction was said before. */
  remember(drafted: Drafted<Entry>): readonly MessageDraft[];
}

function startSpeakers(): Speakers {
  const asked = new Set<string>();
  const injected = new Set<string>();
  let hasEvents = false;
  let isSubAgent: boolean | undefined;
  // What a sub-agent is told first is another agent's order.
  let isOrdered = false;
  const voice = (draft: MessageDraft, isOperator: boolean): MessageDraft => {
    if (draft.speaker !== 'operator' && !isOperator) return draft;
    const isOrder = isOperator && isSubAgent === true && !isOrdered;
    isOrdered ||= isOperator;
    const speaker = isOperator && !isOrder ? 'operator' : 'context';
    (speaker === 'operator' ? asked : injected).add(textOf(draft));
    return { ...draft, speaker };
  };
  return {
    note(value) {
      if (field(value, 'type') === 'session_meta') isSubAgent ??= isOfSubAgent(field(value, 'payload'));
      if (payloadType(value, 'response_item') === 'agent_message') isOrdered = true;
    },
    settle(run) {
      const items = run.map(({ entry, messages }) => ({
        draft: messages.find(({ role }) => role === 'user'),
        said:
          payloadType(entry.value, 'event_msg') === 'user_message'
            ? field(entry.value, 'payload')
            : undefined,
      }));
      hasEvents ||= items.some(({ said }) => said !== undefined);
      const found = hasEvents ? findAsked(items) : undefined;
      return run.map(({ entry, messages }) => ({
        entry,
        messages: messages.map((draft) =>
          draft.role === 'user' ? voice(draft, found?.has(draft) ?? draft.speaker === 'operator') : draft,
        ),
      }));
    },
    remember: ({ messages }) =>
      messages.map((draft) => {
        if (draft.role !== 'user' || draft.speaker === 'summary') return draft;
        const text = textOf(draft);
        if (asked.has(text)) return { ...draft, speaker: 'operator' };
        return injected.has(text) ? { ...draft, speaker: 'context' } : draft;
      }),
  };
}

function isOfSubAgent(meta: unknown): boolean {
  return (
    field(field(meta, 'source'), 'subagent') !== undefined || field(meta, 'thread_source') === 'subagent'
  );
}
