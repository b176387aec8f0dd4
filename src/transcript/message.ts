import type { JsonObject } from './formats/values.js';
import { framedText } from './framed.js';
import type { RecordRange } from './records.js';
import { type JsonPath, writeJson } from './splice.js';

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/**
 * Who speaks in a message: `operator` is the person asking; a user-role message may also be a `summary` that a
 * compaction wrote, or injected `context` (notices, instructions, tool results).
 */
export type Speaker = 'operator' | 'assistant' | 'system' | 'tool' | 'summary' | 'context';

/** One entry of a conversation. */
export interface Message {
  /** 0-based index among the conversation's messages, off-path messages included. */
  readonly position: number;
  /** The record that holds the message, and the path to it inside the record. */
  readonly record: RecordRange;
  readonly at: JsonPath;
  readonly role: Role;
  readonly speaker: Speaker;
  readonly parts: readonly Part[];
  /** Arrays of user-prompt items: where labelled pictures stand. */
  readonly lists: readonly ItemList[];
  /** What a host says of the turn, as it stands in the file; null when it says nothing. */
  readonly turn: JsonObject | null;
}

export type Part =
  | TextPart
  | { readonly kind: 'thinking'; readonly text: string }
  | ToolCall
  | ToolResult
  | { readonly kind: 'image' }
  | { readonly kind: 'file'; readonly name: string | null }
  | { readonly kind: 'raw'; readonly type: string };

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly at: JsonPath;
  /** Provider citations and annotations of this text, as they stand in the file. */
  readonly annotations: readonly unknown[];
}

export interface ToolCall {
  readonly kind: 'tool-call';
  readonly id: string | null;
  readonly tool: string;
  /** The arguments: parsed where the file holds them as JSON text. */
  readonly input: unknown;
  /** A provider's own tool, whose results stand in the call or nowhere: no other entry answers it. */
  readonly isAnswered?: true;
}

export interface ToolResult {
  readonly kind: 'tool-result';
  readonly callId: string | null;
  /** The tool's name; null when neither the result nor an earlier call tells it. */
  readonly tool: string | null;
  readonly isError: boolean;
  /** The payload that may be replaced, and its value as parsed. */
  readonly at: JsonPath;
  readonly value: unknown;
  /** The payload's blocks when it is an array of blocks. */
  readonly blocks: readonly Item[] | null;
  /** False for payloads that must go back to the provider as they are (encrypted search results). */
  readonly isEditable: boolean;
  /** A second copy of the payload in the same record, for viewers only. */
  readonly copy: { readonly at: JsonPath; readonly value: unknown } | null;
  /** Stands in the call that it answers. */
  readonly isInCall?: true;
  /** The payload is a text that may frame what the tool printed (`framedText`): only that is replaced. */
  readonly isFramed?: true;
  /** Where it comes from, when it says so itself. */
  readonly source?: ResultSource;
  /** What the record has to say beside the payload once that becomes an array of blocks. */
  readonly blocksMark?: { readonly at: JsonPath; readonly value: string };
  /** The key under which a text stands in a payload that has to stay an object. */
  readonly wrap?: string;
  /** The tool that wrote the session shows this payload to no model any more. */
  readonly isHidden?: true;
  /** The documents that the payload shows, in formats that keep them with their ids and sources apart from its text. */
  readonly documents?: readonly ResultDocument[];
}

/** The document that a result is a piece of. */
export interface ResultSource {
  readonly documentId: string;
  readonly uri: string;
  readonly title: string | null;
}

/** One document of a tool result. */
export interface ResultDocument {
  readonly id: string | null;
  readonly text: string;
  readonly uri: string;
  readonly title: string | null;
}

/** One item of a content array. */
export type Item =
  | { readonly kind: 'text'; readonly text: string; readonly at: JsonPath }
  /** `data` is base64; null for pictures that stand behind a URL. */
  | { readonly kind: 'image'; readonly data: string | null; readonly at: JsonPath }
  | { readonly kind: 'other'; readonly at: JsonPath };

export interface ItemList {
  /** The array. */
  readonly at: JsonPath;
  /**
   * The part that goes when its list is emptied, and how many parts its message has; null when the list is the
   * message's whole content.
   */
  readonly owner: { readonly at: JsonPath; readonly siblings: number } | null;
  readonly items: readonly Item[];
}

/** What a format adapter says of a message; position, record, tool names and turn are filled in by the reader. */
export type MessageDraft = Omit<Message, 'position' | 'record' | 'turn'>;

/** The message's own words: its text parts, a blank line between them. Thinking, calls and results are not in it. */
export function messageText(message: Pick<Message, 'parts'>): string {
  return message.parts
    .filter((part) => part.kind === 'text')
    .map((part) => part.text)
    .join('\n\n');
}

/**
 * A tool result's payload as a model reads it: text as it is (out of its frame), text blocks joined by newlines, other JSON as compact
 * JSON. Pictures have no text.
 */
export function resultText({
  value,
  blocks,
  isFramed,
}: Pick<ToolResult, 'value' | 'blocks' | 'isFramed'>): string {
  if (typeof value === 'string') return (isFramed ? framedText(value)?.text : undefined) ?? value;
  if (value === null || value === undefined) return '';
  if (blocks === null || !Array.isArray(value)) return writeJson(value, COMPACT);
  const texts = blocks.flatMap((block, i) => {
    if (block.kind === 'text') return [block.text];
    return block.kind === 'image' ? [] : [writeJson(value[i], COMPACT)];
  });
  return texts.join('\n');
}

const COMPACT = { escapesNonAscii: false, spaced: false };
