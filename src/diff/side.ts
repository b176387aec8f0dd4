import { createHash } from 'node:crypto';
import { isReceipt, readCapsule } from '../ledger/carried.js';
import { field } from '../transcript/formats/values.js';
import { type ByteSource, readRange } from '../transcript/lines.js';
import { type Message, type Part, type Role, resultText } from '../transcript/message.js';
import type { RecordRange } from '../transcript/records.js';
import { type JsonPath, locate, type Span, writeJson } from '../transcript/splice.js';
import { estimateTokens } from '../transcript/token-estimate.js';
import {
  type Conversation,
  type PlacedEntry,
  readConversations,
  readMessages,
  type Transcript,
} from '../transcript/transcript.js';
import { partText, pictureCount } from './sections.js';

/** One of the two transcripts, read once; of its text only digests and counts are kept. */
export interface Side {
  readonly source: ByteSource;
  /** Null for a file without any message. */
  readonly transcript: Transcript | null;
  readonly conversations: readonly SideConversation[];
}

export interface SideConversation {
  readonly index: number;
  readonly id: string | null;
  readonly messages: readonly MessageSummary[];
  /** Digests of the entries that are no messages, such as a session's heading, in their order. */
  readonly bookkeeping: readonly string[];
}

/** What stands for a message while two transcripts are aligned. */
export interface MessageSummary {
  readonly position: number;
  readonly record: RecordRange;
  /** The path to the entry that holds the message, and which of the entry's messages it is. */
  readonly at: JsonPath;
  readonly draft: number;
  readonly role: Role;
  /** The entry's own id, where its tool gave it one. */
  readonly id: string | null;
  /** Ids of the calls and results in it; null without any. */
  readonly callIds: string | null;
  /** The tool of its first call or result. */
  readonly tool: string | null;
  /** The tools of its results, in their order. */
  readonly resultTools: readonly (string | null)[];
  /** Digests of what a model reads of it, and of the entry's bytes. */
  readonly content: string;
  readonly raw: string;
  /** Of the entry. */
  readonly bytes: number;
  readonly tokens: number;
  readonly evidence: EvidenceCounts;
}

/** The tool results of a message by what they show. */
export interface EvidenceCounts {
  /** What a tool returned, as it came. */
  readonly returns: number;
  readonly capsules: number;
  /** The chunks that the capsules keep. */
  readonly chunks: number;
  readonly receipts: number;
}

/** Estimates are slow, and most messages are the same on both sides: each content is counted once. */
export type TokenCounts = Map<string, number>;

export function readSide(source: ByteSource, transcript: Transcript | null, tokens: TokenCounts): Side {
  const conversations =
    transcript === null
      ? []
      : [...readConversations(transcript)].map((one) => readSideConversation(one, tokens));
  return { source, transcript, conversations };
}

function readSideConversation(conversation: Conversation, tokens: TokenCounts): SideConversation {
  const spans = entrySpans(conversation);
  const messages: MessageSummary[] = [];
  const bookkeeping: string[] = [];
  let entry: SeenEntry | undefined;
  const leave = (): void => {
    if (entry?.drafts === 0) bookkeeping.push(entry.raw);
  };
  for (const message of readMessages(conversation, ({ entry: next }) => {
    leave();
    entry = seenEntry(next, entryBytes(next, spans, conversation));
  })) {
    if (entry === undefined) continue;
    messages.push(summaryOf(message, entry, tokens));
    entry.drafts += 1;
  }
  leave();
  return { index: conversation.index, id: conversation.id, messages, bookkeeping };
}

interface SeenEntry {
  readonly at: JsonPath;
  readonly id: string | null;
  readonly raw: string;
  readonly bytes: number;
  drafts: number;
}

/** Where the entries of a record that holds a whole conversation stand in it, by their paths. */
function entrySpans(conversation: Conversation): ReadonlyMap<string, Span> {
  if (conversation.transcript.layout === 'messages') return new Map();
  const entries = [...conversation.entries()];
  const text = entries[0]?.record.bytes.toString('latin1') ?? '';
  const found = locate(
    text,
    entries.map(({ at }) => at),
  );
  return new Map(
    entries.flatMap(({ at }, i) => {
      const span = found[i];
      return span === undefined ? [] : [[at.join('/'), span] as const];
    }),
  );
}

function entryBytes(
  { at, record }: PlacedEntry,
  spans: ReadonlyMap<string, Span>,
  { transcript: { format, source } }: Conversation,
): Buffer {
  const span = spans.get(at.join('/'));
  if (span !== undefined) return record.bytes.subarray(span.start, span.end);
  // A format that looks ahead has read on when it gives the entry: its view of the bytes is none any more.
  return format.readInOrder === undefined ? record.bytes : readRange(source, record.start, record.end);
}

function seenEntry({ at, value }: PlacedEntry, bytes: Buffer): SeenEntry {
  return { at, id: entryId(value), raw: digestOf(bytes), bytes: bytes.length, drafts: 0 };
}

/** Formats call it differently; a session's own id of a record comes before that of the message in it. */
function entryId(value: unknown): string | null {
  const ids = [field(value, 'uuid'), field(value, 'id'), field(field(value, 'message'), 'id')];
  return ids.find((id) => typeof id === 'string') ?? null;
}

function summaryOf(message: Message, entry: SeenEntry, tokens: TokenCounts): MessageSummary {
  const { position, record, role, parts } = message;
  const results = parts.filter((part) => part.kind === 'tool-result');
  const content = contentDigest(message);
  return {
    ...{ position, record, at: entry.at, draft: entry.drafts, role: comparableRole(message) ?? role },
    id: entry.id === null ? null : `${entry.drafts}/${entry.id}`,
    callIds: callIdsOf(parts),
    tool: parts.flatMap((part) => toolOf(part) ?? [])[0] ?? null,
    resultTools: results.map(({ tool }) => tool),
    content,
    raw: entry.raw,
    bytes: entry.bytes,
    tokens: tokensOf(parts, content, tokens),
    evidence: evidenceCounts(results.map(resultText)),
  };
}

/** Formats that know no tool messages put results into the user's. */
function comparableRole({ parts }: Message): Role | undefined {
  return parts.length > 0 && parts.every(({ kind }) => kind === 'tool-result') ? 'tool' : undefined;
}

function toolOf(part: Part): string | null {
  return part.kind === 'tool-call' || part.kind === 'tool-result' ? part.tool : null;
}

function callIdsOf(parts: readonly Part[]): string | null {
  const ids = parts.flatMap((part) => {
    if (part.kind === 'tool-call') return [`call ${part.id}`];
    return part.kind === 'tool-result' ? [`result ${part.callId}`] : [];
  });
  return ids.length === 0 ? null : ids.join('\n');
}

const COMPACT = { escapesNonAscii: false, spaced: false };

/** The same in every format that says the same: without paths, copies and the way that a payload is cut into blocks. */
function contentDigest(message: Message): string {
  const role = comparableRole(message) ?? message.role;
  return digestOf(writeJson([role, message.parts.map(comparablePart)], COMPACT));
}

function comparablePart(part: Part): unknown {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return [part.kind, part.text];
    case 'tool-call':
      return [part.kind, part.id, part.tool, part.input ?? null];
    case 'tool-result':
      return [part.kind, part.callId, part.isError, resultText(part), pictureCount(part.blocks)];
    case 'image':
      return [part.kind];
    case 'file':
      return [part.kind, part.name];
    case 'raw':
      return [part.kind, part.type];
  }
}

function tokensOf(parts: readonly Part[], content: string, tokens: TokenCounts): number {
  const known = tokens.get(content);
  if (known !== undefined) return known;
  const count = parts.reduce((sum, part) => sum + estimateTokens(partText(part)), 0);
  tokens.set(content, count);
  return count;
}

function evidenceCounts(texts: readonly string[]): EvidenceCounts {
  const capsules = texts.flatMap((text) => readCapsule(text) ?? []);
  const receipts = texts.filter(isReceipt).length;
  return {
    returns: texts.length - capsules.length - receipts,
    capsules: capsules.length,
    chunks: capsules.reduce((sum, { entries }) => sum + entries.length, 0),
    receipts,
  };
}

/** Short enough to keep a hundred thousand of them. */
function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('base64').slice(0, 27);
}
