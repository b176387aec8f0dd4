import { createHash } from 'node:crypto';
import type { LineSpan } from '../ledger/passages.js';
import { ThreadError } from '../transcript/errors.js';
import { readRange } from '../transcript/lines.js';
import type { Message, Part, Role } from '../transcript/message.js';
import { type JsonPath, locate } from '../transcript/splice.js';
import { type Conversation, readMessages } from '../transcript/transcript.js';
import { type Address, formatAddress } from './address.js';
import { findById, type IdFailure } from './find-by-id.js';
import { partPath, partText, partTitle } from './part-text.js';

/** What stands at an address, whole. */
export interface Original {
  readonly position: number;
  /** Null for a whole message. */
  readonly part: number | null;
  readonly role: Role;
  /** The tool and the call of a call or a result. */
  readonly tool: string | null;
  readonly callId: string | null;
  readonly chunkId: string | null;
  /** The chunk's lines in its result; null when it is no passage. */
  readonly lines: LineSpan | null;
  /** 1-based line of the file on which the value begins. */
  readonly line: number;
  /** Of the bytes of the JSON value that holds the text, in hexadecimal; null when it is no single value. */
  readonly sha256: string | null;
  /** Of a message: its parts one after the other, a heading above each. */
  readonly text: string;
  /** What a reader has to know besides; null for nothing. */
  readonly note: string | null;
}

/** Finds what stands at an address of a conversation. Throws ThreadError (exit code 1) when nothing does. */
export function findOriginal(conversation: Conversation, address: Address): Original {
  switch (address.kind) {
    case 'message':
      return wholeMessage(conversation, messageAt(conversation, address.position));
    case 'part':
      return onePart(conversation, address.position, address.part);
    case 'id':
      return named(conversation, address.id);
  }
}

function messageAt(conversation: Conversation, position: number): Message {
  let count = 0;
  for (const message of readMessages(conversation)) {
    if (message.position === position) return message;
    count += 1;
  }
  throw notFound(conversation, `no message at position ${position}`, positionsHint(count));
}

function notFound({ transcript }: Conversation, problem: string, hint: string): ThreadError {
  return new ThreadError(`${transcript.source.name}: ${problem}`, { hint, exitCode: 1 });
}

function positionsHint(count: number): string {
  return count === 0 ? 'it has no messages' : `positions here: 0${count > 1 ? ` to ${count - 1}` : ''}`;
}

function wholeMessage(conversation: Conversation, message: Message): Original {
  const { position, role, parts, at } = message;
  const blocks = parts.map((part, i) => `--- ${heading(position, i, part)}\n${endedLine(partText(part))}`);
  return {
    position,
    role,
    ...NOT_A_PART,
    ...locateValue(conversation, message, at),
    text: blocks.join(''),
    note: parts.length === 0 ? `the message at position ${position} has no parts` : null,
  };
}

const NOT_A_PART = { part: null, tool: null, callId: null, chunkId: null, lines: null };

function heading(position: number, index: number, part: Part): string {
  return `${formatAddress({ kind: 'part', position, part: index })} ${partTitle(part)}`;
}

function endedLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function onePart(conversation: Conversation, position: number, index: number): Original {
  const message = messageAt(conversation, position);
  const part = message.parts[index];
  if (part === undefined) throw noSuchPart(conversation, message, index);
  const text = partText(part);
  return {
    position,
    part: index,
    role: message.role,
    ...callOf(part),
    chunkId: null,
    lines: null,
    ...locateValue(conversation, message, partPath(part)),
    text,
    note: text === '' ? `${heading(position, index, part)}: it has no text` : null,
  };
}

function noSuchPart(conversation: Conversation, { position, parts }: Message, index: number): ThreadError {
  const address = formatAddress({ kind: 'part', position, part: index });
  const has = parts.map((part, i) => heading(position, i, part)).join(', ');
  return notFound(
    conversation,
    `no part ${address}`,
    parts.length === 0
      ? `the message at position ${position} has no parts`
      : `the parts of ${position}: ${has}`,
  );
}

function callOf(part: Part): { tool: string | null; callId: string | null } {
  if (part.kind === 'tool-call') return { tool: part.tool, callId: part.id };
  return part.kind === 'tool-result'
    ? { tool: part.tool, callId: part.callId }
    : { tool: null, callId: null };
}

/** Where a value begins in the file, and its digest; the message's own line for what is no single value. */
function locateValue(
  { transcript }: Conversation,
  { record, at }: Message,
  path: JsonPath | null,
): { line: number; sha256: string | null } {
  const bytes = readRange(transcript.source, record.start, record.end);
  const [found] = locate(bytes.toString('latin1'), [path ?? at]);
  if (found === undefined) throw new Error(`no value at /${(path ?? at).join('/')}`);
  const value = bytes.subarray(found.start, found.end);
  return {
    line: record.line + lineFeeds(bytes.subarray(0, found.start)),
    sha256: path === null ? null : createHash('sha256').update(value).digest('hex'),
  };
}

function lineFeeds(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 0);
}

function named(conversation: Conversation, id: string): Original {
  const found = findById(conversation, id);
  if (found.kind !== 'found') throw noSuchId(conversation, id, found);
  const { place, chunk, note } = found;
  const whole = onePart(conversation, place.position, place.part);
  if (chunk === null) return { ...whole, note: note ?? whole.note };
  return { ...whole, chunkId: chunk.id, lines: chunk.lines, text: chunk.content, note };
}

function noSuchId(conversation: Conversation, id: string, failure: IdFailure): ThreadError {
  switch (failure.kind) {
    case 'unanswered':
      return notFound(
        conversation,
        `the call ${id} has no result`,
        `it was made in message ${failure.position}`,
      );
    case 'unknown': {
      const { messages, part, callId, chunkId } = failure;
      const ways = [
        positionsHint(messages),
        ...(part === null ? [] : [`a part such as ${formatAddress({ kind: 'part', ...part })}`]),
        ...(callId === null ? [] : [`a call id such as ${callId}`]),
        ...(chunkId === null ? [] : [`a chunk id such as ${chunkId}`]),
      ];
      return notFound(conversation, `nothing has the id ${JSON.stringify(id)}`, ways.join('; '));
    }
  }
}
