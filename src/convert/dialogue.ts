// A conversation as every common format can say it: who says what, and each call with its result directly behind it.
import { field, isObject } from '../transcript/formats/values.js';
import type { Item, Message, Part, ToolCall, ToolResult } from '../transcript/message.js';
import { outlineConversation } from '../transcript/outline.js';
import type { Conversation } from '../transcript/transcript.js';
import { Losses } from './losses.js';

export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string };

export interface PairedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly result: { readonly content: readonly Content[]; readonly isError: boolean };
}

export type Said =
  | { readonly role: 'system' | 'user'; readonly content: readonly Content[] }
  | {
      readonly role: 'assistant';
      readonly content: readonly Content[];
      readonly calls: readonly PairedCall[];
    };

export interface Dialogue {
  readonly id: string | null;
  readonly said: readonly Said[];
  readonly losses: Losses;
}

/** Reads the live path of a conversation, noting what is left out. */
export function readDialogue(conversation: Conversation): Dialogue {
  const losses = new Losses();
  const all: Message[] = [];
  const outline = outlineConversation(conversation, (message) => {
    all.push(message);
  });
  const live = all.filter((_, i) => outline[i]?.isOnPath === true);
  losses.note('message off the live path', all.length - live.length);
  losses.note('record with fields of its own', ownFields(conversation));
  const results = pairResults(live, losses);
  const said = live.flatMap((message) => sayings(message, results, losses));
  return { id: conversation.id, said: [...systemOf(conversation), ...said], losses };
}

/** A system text that stands beside the messages. */
function systemOf({ system }: Conversation): readonly Said[] {
  if (typeof system === 'string') return [{ role: 'system', content: [{ kind: 'text', text: system }] }];
  if (!Array.isArray(system)) return [];
  const content = system.flatMap((block): Content[] => {
    const text = field(block, 'text');
    return typeof text === 'string' ? [{ kind: 'text', text }] : [];
  });
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

/** What is said in another way in every format, or repeats something else. */
const PLAIN_FIELDS = new Set([
  ...['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'annotations', 'refusal', 'function_call'],
  ...['id', 'messages', 'system', 'kind', 'parts'],
]);

/** Records and messages with fields that say something else than who said what: ids, times, usage, settings. */
function ownFields({ entries }: Conversation): number {
  let count = 0;
  let last = -1;
  for (const { value, record } of entries()) {
    const values = record.index === last ? [value] : [value, record.value];
    last = record.index;
    const names = values.flatMap((one) => (isObject(one) ? Object.keys(one) : []));
    if (names.some((name) => !PLAIN_FIELDS.has(name))) count += 1;
  }
  return count;
}

type Pairing = ReadonlyMap<Part, { readonly id: string; readonly result: ToolResult }>;

/** Each call's result, wherever it stands. Calls and results without ids belong together in their order. */
function pairResults(messages: readonly Message[], losses: Losses): Pairing {
  const paired = new Map<Part, { id: string; result: ToolResult }>();
  const open: ToolCall[] = [];
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'tool-call') open.push(part);
    if (part.kind !== 'tool-result') continue;
    const at = open.findLastIndex(({ id }) => id === part.callId && id !== null);
    const first = open.findIndex(({ id }) => id === null && part.callId === null);
    const [call] = open.splice(at >= 0 ? at : first >= 0 ? first : open.length, 1);
    if (call === undefined) losses.note('result without a call');
    else paired.set(call, { id: call.id ?? `call_${paired.size + 1}`, result: part });
  }
  losses.note('call without a result', open.length);
  return paired;
}

function sayings(message: Message, results: Pairing, losses: Losses): readonly Said[] {
  const { role, speaker, parts } = message;
  if (speaker === 'summary' || (speaker === 'context' && role === 'user' && !holdsResults(parts)))
    losses.note('mark of a summary or of injected text');
  const content = contentOf(message, losses);
  if (role !== 'assistant') {
    const isSystem = role === 'system';
    return content.length === 0 ? [] : [{ role: isSystem ? 'system' : 'user', content }];
  }
  const calls = parts.flatMap((part): PairedCall[] => {
    const pair = part.kind === 'tool-call' ? results.get(part) : undefined;
    if (part.kind !== 'tool-call' || pair === undefined) return [];
    const { id, result } = pair;
    return [{ id, tool: part.tool, input: part.input, result: resultOf(result, losses) }];
  });
  if (content.length === 0 && calls.length === 0) {
    if (!parts.some(({ kind }) => kind === 'tool-call')) losses.note('empty message');
    return [];
  }
  const lastText = parts.findLastIndex(({ kind }) => kind === 'text');
  const firstCall = parts.findIndex(({ kind }) => kind === 'tool-call');
  if (firstCall >= 0 && lastText > firstCall) losses.note('order of text and calls');
  return [{ role: 'assistant', content, calls }];
}

function holdsResults(parts: readonly Part[]): boolean {
  return parts.some(({ kind }) => kind === 'tool-result');
}

function contentOf({ parts, lists }: Message, losses: Losses): readonly Content[] {
  const pictures = lists.flatMap(({ items }) => items.filter(({ kind }) => kind === 'image'));
  return parts.flatMap((part) => partContent(part, pictures, losses));
}

/** Pictures come in the order in which the message's parts name them. */
function partContent(part: Part, pictures: Item[], losses: Losses): readonly Content[] {
  switch (part.kind) {
    case 'text':
      losses.note('citation', part.annotations.length);
      return part.text === '' ? [] : [{ kind: 'text', text: part.text }];
    case 'image':
      return picture(pictures.shift(), losses);
    case 'thinking':
      losses.note('thinking block');
      return [];
    case 'file':
      losses.note('file');
      return [];
    case 'raw':
      losses.note('other part');
      return [];
    case 'tool-call':
    case 'tool-result':
      return [];
  }
}

function resultOf(result: ToolResult, losses: Losses): PairedCall['result'] {
  const { value, blocks, isError } = result;
  if (typeof value === 'string') return { content: [{ kind: 'text', text: value }], isError };
  if (blocks === null) {
    const text = value === null || value === undefined ? '' : JSON.stringify(value);
    return { content: [{ kind: 'text', text }], isError };
  }
  const content = blocks.flatMap((block): readonly Content[] => {
    if (block.kind === 'text') return [{ kind: 'text', text: block.text }];
    if (block.kind === 'image') return picture(block, losses);
    losses.note('other part');
    return [];
  });
  return { content, isError };
}

/** What base64 of a picture begins with. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lG', 'image/gif'],
  ['UklG', 'image/webp'],
];

function picture(item: Item | undefined, losses: Losses): readonly Content[] {
  const data = item?.kind === 'image' ? item.data : null;
  const mediaType = SIGNATURES.find(([start]) => data?.startsWith(start))?.[1];
  if (data === null || mediaType === undefined) {
    losses.note('picture'); // behind a URL, or of a kind that the other side does not take
    return [];
  }
  return [{ kind: 'image', mediaType, data }];
}
