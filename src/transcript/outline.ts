import type { ReadEntry } from './formats/format.js';
import { field } from './formats/values.js';
import { type FramedText, framedText } from './framed.js';
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
import { type RecordRange, rangeOf } from './records.js';
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
  /** The copies for viewers, in its record or in others. */
  readonly copies: readonly PlacedCopy[];
  /** What the payload keeps around its text; null when nothing. */
  readonly frame: Pick<FramedText, 'head' | 'tail'> | null;
  /** UTF-16 units of the payload as a model reads it. */
  readonly length: number;
  /** How the format wants a new payload written, where it is particular (see `ToolResult`). */
  readonly blocksMark?: NonNullable<ToolResult['blocksMark']>;
  readonly wrap?: string;
}

/** Where a copy stands of what a result says. */
export interface PlacedCopy {
  readonly record: RecordRange;
  readonly at: JsonPath;
}

/**
 * Reads a conversation once, keeping only its outline. `visit` sees every message with its text as it goes by, before
 * the path is known.
 */
export function outlineConversation(
  conversation: Conversation,
  visit?: (message: Message) => void,
): OutlineMessage[] {
  const outline: PathlessMessage[] = [];
  const nodes: PlacedNode[] = [];
  const events: (ConversationEvent | null)[] = [];
  // By position, the index of the event that the message is in.
  const eventOf: number[] = [];
  const { format } = conversation.transcript;
  const watched = format.watchLive?.();
  const copies: CopyOfCall[] = [];
  const noteEntry = ({ entry: { record, value }, node, copies: found }: ReadEntry<PlacedEntry>): void => {
    watched?.see(value, outline.length);
    if (format.event !== undefined) events.push(format.event(value));
    if (node !== null) nodes.push({ record: record.index, node });
    for (const { callId, at } of found) copies.push({ callId, copy: { record: rangeOf(record), at } });
  };
  for (const message of readMessages(conversation, noteEntry)) {
    outline.push(outlineMessage(message));
    eventOf.push(events.length - 1);
    visit?.(message);
  }
  const path = nodes.length === 0 ? undefined : livePath(nodes);
  const forgotten = forgottenEvents(events);
  const live = watched?.live();
  return withCopies(outline, copies).map((message, i) =>
    placedMessage(
      message,
      (path?.has(message.record.index) ?? true) &&
        (live?.has(message.position) ?? true) &&
        !forgotten.has(eventOf[i] ?? -1),
    ),
  );
}

/** Field by field: V8 gives an object that spreads another one a layout of its own, which takes more than its values. */
function placedMessage(message: PathlessMessage, isOnPath: boolean): OutlineMessage {
  const { position, record, at, role, speaker, isBlank, calls, results, lists } = message;
  return { position, record, at, role, speaker, isBlank, calls, results, lists, isOnPath };
}

export type PathlessMessage = Omit<OutlineMessage, 'isOnPath'>;

interface CopyOfCall {
  readonly callId: string;
  readonly copy: PlacedCopy;
}

/** Ids may repeat: a copy belongs to the next result of its call, else to the last one before it. */
function withCopies(
  outline: readonly PathlessMessage[],
  copies: readonly CopyOfCall[],
): readonly PathlessMessage[] {
  if (copies.length === 0) return outline;
  const results = new Map<string, { readonly index: number; readonly result: OutlineResult }[]>();
  for (const { record, results: own } of outline)
    for (const result of own)
      if (result.callId !== null) pushAt(results, result.callId, { index: record.index, result });
  const copiesOf = new Map<OutlineResult, PlacedCopy[]>();
  for (const { callId, copy } of copies) {
    const own = results.get(callId) ?? [];
    const { result } = own.find(({ index }) => index >= copy.record.index) ?? own.at(-1) ?? {};
    if (result !== undefined) pushAt(copiesOf, result, copy);
  }
  return outline.map((message) => ({
    ...message,
    results: message.results.map((result) => ({
      ...result,
      copies: [...result.copies, ...(copiesOf.get(result) ?? [])],
    })),
  }));
}

function pushAt<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** What is kept of a message. */
export function outlineMessage(message: Message): PathlessMessage {
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
    results: parts.flatMap((part, i) =>
      part.kind === 'tool-result' ? [outlineResult(part, i, record)] : [],
    ),
    lists: message.lists
      .filter(({ items }) => items.length === 0 || items.some(isRetrievedLabel))
      .map(withoutPictures),
  };
}

function outlineResult(result: ToolResult, part: number, record: RecordRange): OutlineResult {
  const { callId, tool, at, isEditable, isError, value, blocks, copy, isFramed, blocksMark, wrap } = result;
  const framed = isFramed ? framedText(value) : null;
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
    copies: copy === null ? [] : [{ record, at: copy.at }],
    frame: framed !== null ? { head: framed.head, tail: framed.tail } : null,
    length: resultText(result).length,
    ...(blocksMark === undefined ? {} : { blocksMark }),
    ...(wrap === undefined ? {} : { wrap }),
  };
}

/** Base64 is the bulk of a transcript with pictures; only that there is some matters here. */
function withoutPictures(list: ItemList): ItemList {
  return {
    ...list,
    items: list.items.map((item) => (item.kind === 'image' ? { ...item, data: null } : item)),
  };
}
