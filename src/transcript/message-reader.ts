import type { SkimmedCall } from './formats/format.js';
import type { Message, MessageDraft, Part } from './message.js';
import { asksSomething } from './question.js';
import { rangeOf } from './records.js';
import type { PlacedEntry } from './transcript.js';
import { turnObject } from './turn-object.js';

/** Numbers the messages of a conversation and names the tools of its results. */
export interface MessageReader {
  read(entry: PlacedEntry, drafts: readonly MessageDraft[]): Message[];
  /** Passes over a message of which no more is needed than the calls in it; returns its position. */
  pass(calls: readonly SkimmedCall[]): number;
  /** The tool that a call with this id called last. */
  toolOf(callId: string | null): string | null;
  /** How many messages there were so far. */
  count(): number;
}

export function messageReader(): MessageReader {
  /** Ids may repeat, or be left out: a result answers the nearest call before it. */
  const toolByCall = new Map<string | null, string>();
  /** Each name once: every call brings a string of its own, and a large file has very many. */
  const names = new Map<string, string>();
  const noteCall = ({ id, tool }: SkimmedCall): void => {
    const known = names.get(tool);
    if (known === undefined) names.set(tool, tool);
    toolByCall.set(id, known ?? tool);
  };
  let position = 0;
  const toolOf = (callId: string | null): string | null => toolByCall.get(callId) ?? null;
  const message = (entry: PlacedEntry, draft: MessageDraft): Message => {
    for (const part of draft.parts) if (part.kind === 'tool-call') noteCall(part);
    const parts = draft.parts.map((part) => withTool(part, toolOf));
    const speaker = draft.speaker === 'operator' && !asksSomething(draft) ? 'context' : draft.speaker;
    const turn = turnObject(entry, draft);
    position += 1;
    return { ...draft, parts, speaker, turn, position: position - 1, record: rangeOf(entry.record) };
  };
  return {
    read: (entry, drafts) => drafts.map((draft) => message(entry, draft)),
    pass(calls) {
      for (const call of calls) noteCall(call);
      position += 1;
      return position - 1;
    },
    toolOf,
    count: () => position,
  };
}

function withTool(part: Part, toolOf: MessageReader['toolOf']): Part {
  if (part.kind !== 'tool-result' || part.tool !== null) return part;
  return { ...part, tool: toolOf(part.callId) };
}
