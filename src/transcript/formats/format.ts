import type { LiveMessages } from '../live.js';
import type { MessageDraft, ToolCall } from '../message.js';
import type { ConversationEvent, TreeNode } from '../path.js';
import type { JsonPath } from '../splice.js';

/** A value inside a record, and the path to it. */
export interface Entry {
  readonly at: JsonPath;
  readonly value: unknown;
}

/** One conversation inside a record that holds whole conversations. */
export interface ConversationSlot {
  readonly id: string | null;
  readonly entries: readonly Entry[];
  /** A system text that stands beside the messages. */
  readonly system?: unknown;
}

/** Where a format lets a retrieved picture stand beside the capsule. */
export type PicturePlace =
  /** In the carrying result, whose payload becomes an array of blocks. */
  | 'in-result'
  /** In the carrying message, as one more user-prompt part. */
  | 'in-message'
  /** Results may not hold pictures: a cited picture stays in the user message where it stands. */
  | 'in-place';

/** One transcript format. A new format is a file with one of these and a row in `index.ts`. */
export interface Format {
  readonly name: string;
  readonly title: string;
  /** What detection looks for, for the message that lists what was not found. */
  readonly marks: string;
  /** How strongly a value looks like one entry of this format: 0 not at all, 1 possible, 2 or more distinctive. */
  weigh(entry: unknown): number;
  /** The conversations in a value that holds whole ones, or null when the value is no such container. */
  conversations(value: unknown): readonly ConversationSlot[] | null;
  /**
   * The messages in one entry, with absolute paths; none for bookkeeping entries. `before` is the value of the entry
   * before it: where results have no mark of their own they are known by the call in front of them.
   */
  read(entry: Entry, before?: unknown): readonly MessageDraft[];
  /**
   * What the line in `bytes` between `from` and `to` says to an outline, found without parsing it; null for one that has
   * to be parsed. Only for
   * formats whose lines are a message each and that need nothing else to know which are live. It must say what `read`
   * says: test/transcript/skim.test.ts holds them against each other.
   */
  skim?(bytes: Buffer, from: number, to: number): Skimmed | null;
  /** Where an entry stands in the conversation's tree, in formats that have branches. */
  treeNode?(value: unknown): TreeNode | null;
  /**
   * Reads a conversation's entries in order, in place of `read` and `treeNode`: for formats in which the entries around
   * one tell who speaks in it or what it hangs from. Gives every entry, though it may look at later ones before.
   */
  readInOrder?<One extends Entry>(entries: Iterable<One>): Iterable<ReadEntry<One>>;
  /** Tells which messages are live, in formats whose entries say so of other ones; without it all are. */
  watchLive?(): LiveMessages;
  /** What an entry takes out of the live conversation, in formats that delete and condense by ids; null for other values. */
  event?(value: unknown): ConversationEvent | null;
  readonly pictures: PicturePlace;
  /** How the format itself says what an answer rests on, in a few words for people; absent where it has no such fields. */
  readonly citations?: string;
  /** The `type` of a text block in a result; `text` when left out. */
  readonly textBlock?: string;
}

/** One message as far as its outline needs it. */
export interface Skimmed {
  /** The operator's words (and not blank), a result whose payload is a string, or anything else that is said. */
  readonly kind: 'question' | 'result' | 'speech';
  readonly calls: readonly SkimmedCall[];
  /** Of a result: what it says of its call, and where its payload stands in the bytes. */
  readonly callId: string | null;
  readonly tool: string | null;
  readonly start: number;
  readonly end: number;
}

export type SkimmedCall = Pick<ToolCall, 'id' | 'tool'>;

/** What an entry is to its conversation. */
export interface ReadEntry<One extends Entry> {
  readonly entry: One;
  readonly messages: readonly MessageDraft[];
  readonly node: TreeNode | null;
  /** Second copies of what other entries' results say, for viewers only. */
  readonly copies: readonly ResultCopy[];
}

/** A copy of the result of a call: the nearest behind the copy, else the nearest before it. */
export interface ResultCopy {
  readonly callId: string;
  readonly at: JsonPath;
}
