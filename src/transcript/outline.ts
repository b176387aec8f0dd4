import { field } from './formats/values.js';
import { isRetrievedLabel } from './labels.js';
import {
  type ItemList,
  type Message,
  messageText,
  type Role,
  resultText,
  type Speaker,
  type ToolResult,
} from './message.js';
import { type ConversationEvent, forgottenEvents, livePath, type PlacedNode } from './path.js';
import type { Asker } from './question.js';
import type { RecordRange } from './records.js';
import type { JsonPath } from './splice.js';
import { type Conversation, type PlacedEntry, readMessages } from './transcript.js';

/** A message without its text: what decisions are made on while a transcript streams by. */
export interface OutlineMessage extends Asker {
  readonly position: number;
  /** Its record, and the path inside the record. */
  readonly record: RecordRange;
  readonly at: JsonPath;
  readonly role: Role;
  readonly speaker: Speaker;
  /** The ids of the calls it makes; null for a call without one. */
  readonly calls: readonly (string | null)[];
  readonly results: readonly OutlineResult[];
  /** Lists of user-prompt items that hold a retrieved picture's label, or nothing at all. */
  readonly lists: readonly ItemList[];
}

/** A tool result without its payload. */
export interface OutlineResult {
  /** Index among the message's parts. */
  readonly part: number;
  readonly callId: string | null;
  readonly tool: string | null;
  readonly at: JsonPath;
  readonly isEditable: boolean;
  readonly isError: boolean;
  /** The payload is an array of blocks; a cache mark that stands on one of them has to stay. */
  readonly isBlocks: boolean;
  readonly cacheControl: unknown;
  /** The copy for viewers beside it, if the record has one. */
  readonly copyAt: JsonPath | null;
  /** UTF-16 units of the payload as a model reads it. */
  readonly length: number;
}

/**
 * Reads a conversation once, keeping only its outline. `visit` sees every message with its text as it goes by, before
 * the path is known.
 */
export function outlineConversation(
  conversation: Conversation,
  visit?: (message: Message) => void,
): OutlineMessage[] {
  const outline: Omit<OutlineMessage, 'isOnPath'>[] = [];
  const nodes: PlacedNode[] = [];
  const events: (ConversationEvent | null)[] = [];
  // By position, the index of the event that the message is in.
  const eventOf: number[] = [];
  const { format } = conversation.transcript;
  const noteEntry = ({ record, value }: PlacedEntry): void => {
    const node = format.treeNode?.(value);
    if (node) nodes.push({ record: record.index, node });
    if (format.event !== undefined) events.push(format.event(value));
  };
  for (const message of readMessages(conversation, noteEntry)) {
    outline.push(outlineMessage(message));
    eventOf.push(events.length - 1);
    visit?.(message);
  }
  const path = nodes.length === 0 ? undefined : livePath(nodes);
  const forgotten = forgottenEvents(events);
  return outline.map((message, i) => ({
    ...message,
    isOnPath: (path?.has(message.record.index) ?? true) && !forgotten.has(eventOf[i] ?? -1),
  }));
}

function outlineMessage(message: Message): Omit<OutlineMessage, 'isOnPath'> {
  const { position, record, at, role, speaker, parts } = message;
  return {
    position,
    record,
    at,
    role,
    speaker,
    isBlank:
      messageText(message).trim() === '' && !parts.some(({ kind }) => kind === 'image' || kind === 'file'),
    calls: parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : [])),
    results: parts.flatMap((part, i) => (part.kind === 'tool-result' ? [outlineResult(part, i)] : [])),
    lists: message.lists
      .filter(({ items }) => items.length === 0 || items.some(isRetrievedLabel))
      .map(withoutPictures),
  };
}

function outlineResult(result: ToolResult, part: number): OutlineResult {
  const { callId, tool, at, isEditable, isError, value, blocks, copy } = result;
  const marked = Array.isArray(value) ? value.map((block) => field(block, 'cache_control')) : [];
  return {
    part,
    callId,
    tool,
    at,
    isEditable,
    isError,
    isBlocks: blocks !== null,
    cacheControl: marked.findLast((mark) => mark !== undefined),
    copyAt: copy?.at ?? null,
    length: resultText(result).length,
  };
}

/** Base64 is the bulk of a transcript with pictures; only that there is some matters here. */
function withoutPictures(list: ItemList): ItemList {
  return {
    ...list,
    items: list.items.map((item) => (item.kind === 'image' ? { ...item, data: null } : item)),
  };
}
