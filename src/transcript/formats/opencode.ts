import type { LiveMessages } from '../live.js';
import type { Item, MessageDraft, Part, Speaker, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import { dataUrlBase64 } from './blocks.js';
import type { Entry, Format } from './format.js';
import { arraySlot, field, isObject, listOf, parsedArguments, stringOrNull } from './values.js';

/** OpenCode exports (formats.md section 11): one document with the session's `info` and its `messages`. */
export const opencode: Format = {
  name: 'opencode',
  title: 'OpenCode session export',
  marks: 'an object with `info.id` beginning ses_ and `messages`, each with `info` and `parts`',
  pictures: 'in-place',
  weigh: (entry) => (isSession(entry) || isMessage(entry) ? 5 : 0),
  conversations(value) {
    const info = field(value, 'info');
    const messages = field(value, 'messages');
    if (!isSession(info) || !Array.isArray(messages)) return null;
    const { entries } = arraySlot(messages, ['messages'], null);
    return [{ id: stringOrNull(field(info, 'id')), entries: [{ at: ['info'], value: info }, ...entries] }];
  },
  read({ value, at }: Entry): MessageDraft[] {
    if (!isMessage(value)) return [];
    const role = field(field(value, 'info'), 'role') === 'user' ? 'user' : 'assistant';
    const partsAt = [...at, 'parts'];
    const parts = listOf(field(value, 'parts'));
    return [
      {
        at,
        role,
        speaker: role === 'user' ? userSpeaker(parts) : assistantSpeaker(value),
        parts: readParts(parts, partsAt),
        lists:
          role === 'user'
            ? [{ at: partsAt, owner: null, items: parts.map((part, i) => readItem(part, [...partsAt, i])) }]
            : [],
      },
    ];
  },
  watchLive,
};

function isSession(info: unknown): boolean {
  return stringOrNull(field(info, 'id'))?.startsWith('ses_') === true && field(info, 'role') === undefined;
}

function isMessage(value: unknown): boolean {
  const info = field(value, 'info');
  const role = field(info, 'role');
  return (
    (role === 'user' || role === 'assistant') &&
    typeof field(info, 'id') === 'string' &&
    Array.isArray(field(value, 'parts'))
  );
}

/** What the operator typed or attached; what OpenCode itself put in (commands, notices) is marked as synthetic. */
function userSpeaker(parts: readonly unknown[]): Speaker {
  const isOwn = (part: unknown): boolean => {
    const type = field(part, 'type');
    return (type === 'text' && !isAdded(part)) || type === 'file' || type === 'agent' || type === 'subtask';
  };
  return parts.length > 0 && !parts.some(isOwn) ? 'context' : 'operator';
}

function assistantSpeaker(message: unknown): Speaker {
  return isSummary(field(message, 'info')) ? 'summary' : 'assistant';
}

/** Not the `summary` of a user message, which is an object with the diffs of its turn. */
function isSummary(info: unknown): boolean {
  return field(info, 'summary') === true;
}

function isAdded(part: unknown): boolean {
  return field(part, 'synthetic') === true || field(part, 'ignored') === true;
}

function readParts(parts: readonly unknown[], at: JsonPath): Part[] {
  return parts.flatMap((part, i) => readPart(part, parts[i - 1], [...at, i]));
}

function readPart(part: unknown, before: unknown, at: JsonPath): Part[] {
  const type = stringOrNull(field(part, 'type')) ?? '';
  switch (type) {
    case 'text':
      return isAdded(part) ? [addedText(part, before, at)] : [plainText(part, at)];
    case 'reasoning':
      return [{ kind: 'thinking', text: stringOrNull(field(part, 'text')) ?? '' }];
    case 'file':
      return [
        isPicture(part) ? { kind: 'image' } : { kind: 'file', name: stringOrNull(field(part, 'filename')) },
      ];
    case 'tool':
      return readTool(part, at);
    default:
      return [{ kind: 'raw', type }];
  }
}

function plainText(part: unknown, at: JsonPath): Part {
  const text = field(part, 'text');
  if (typeof text !== 'string') return { kind: 'raw', type: 'text' };
  return { kind: 'text', text, at: [...at, 'text'], annotations: [] };
}

const CALLED = /^Called the (\w+) tool with the following input: /;

/**
 * A file that the operator attached comes as a call of the read tool in words and what it gave: evidence of this
 * question. It stands in the operator's message, so it stays as it is.
 */
function addedText(part: unknown, before: unknown, at: JsonPath): Part {
  const text = field(part, 'text');
  const isSent = field(part, 'synthetic') === true && field(part, 'ignored') !== true;
  if (typeof text !== 'string' || !isSent) return { kind: 'raw', type: 'text' };
  const [start = '', tool] = CALLED.exec(text.slice(0, 200)) ?? [];
  if (tool !== undefined)
    return {
      kind: 'tool-call',
      id: null,
      tool: tool.toLowerCase(),
      input: parsedArguments(text.slice(start.length)),
    };
  const caller = CALLED.exec((stringOrNull(field(before, 'text')) ?? '').slice(0, 200))?.[1];
  if (caller === undefined || !isAdded(before)) return { kind: 'raw', type: 'text' };
  return { ...payload(text, [...at, 'text']), tool: caller.toLowerCase(), isEditable: false };
}

function payload(value: unknown, at: JsonPath): ToolResult {
  return {
    kind: 'tool-result',
    callId: null,
    tool: null,
    isError: false,
    at,
    value,
    blocks: null,
    isEditable: typeof value === 'string',
    copy: null,
  };
}

/** Call and result are one part. */
function readTool(part: unknown, at: JsonPath): Part[] {
  const state = field(part, 'state');
  const callId = stringOrNull(field(part, 'callID'));
  const tool = stringOrNull(field(part, 'tool')) ?? '';
  const call: Part = { kind: 'tool-call', id: callId, tool, input: field(state, 'input') };
  switch (field(state, 'status')) {
    case 'completed':
      return [call, { ...output(state, [...at, 'state']), callId, tool }];
    case 'error': {
      const failed = payload(field(state, 'error'), [...at, 'state', 'error']);
      return [call, { ...failed, callId, tool, isError: true, isEditable: false }];
    }
    default:
      return [call];
  }
}

/** OpenCode hides an output from the model once it has marked it as compacted: there is nothing to save in it. */
function output(state: unknown, at: JsonPath): ToolResult {
  const result = payload(field(state, 'output'), [...at, 'output']);
  const mark = field(field(state, 'time'), 'compacted');
  if (mark !== undefined && mark !== null) return { ...result, isEditable: false, isHidden: true };
  return { ...result, copy: metadataCopy(state, at) };
}

/** The metadata repeats the output for the terminal; that of an edit holds a diff instead, which has to stay one. */
function metadataCopy(state: unknown, at: JsonPath): ToolResult['copy'] {
  const value = field(state, 'metadata');
  const isCopy = ['output', 'preview'].some((key) => typeof field(value, key) === 'string');
  const isDiff = ['diff', 'filediff', 'files'].some((key) => field(value, key) !== undefined);
  return isObject(value) && isCopy && !isDiff ? { at: [...at, 'metadata'], value } : null;
}

function readItem(part: unknown, at: JsonPath): Item {
  const text = field(part, 'text');
  if (field(part, 'type') === 'text' && !isAdded(part) && typeof text === 'string')
    return { kind: 'text', text, at };
  return isPicture(part)
    ? { kind: 'image', data: dataUrlBase64(field(part, 'url')), at }
    : { kind: 'other', at };
}

function isPicture(part: unknown): boolean {
  return field(part, 'type') === 'file' && stringOrNull(field(part, 'mime'))?.startsWith('image/') === true;
}

interface Placed {
  readonly position: number;
  readonly id: unknown;
}

/** A compaction is a request with a mark, which a finished summary answers: what is above the request is gone. */
interface Request extends Placed {
  /** From where on it keeps what is above it; null when it keeps nothing. */
  readonly keptFrom: unknown;
}

/** A summary that failed or was interrupted leaves everything in place. */
function isFinished(info: unknown): boolean {
  const isDone =
    Boolean(field(info, 'finish')) || typeof field(field(info, 'time'), 'completed') === 'number';
  return isDone && !field(info, 'error');
}

/** Live is what a compaction left, up to where the operator went back to. */
function watchLive(): LiveMessages {
  const messages: Placed[] = [];
  const requests: Request[] = [];
  let first: Request | undefined;
  let revertedFrom: unknown;
  let isReverted = false;
  return {
    see(value, position) {
      if (isSession(value)) revertedFrom = field(field(value, 'revert'), 'messageID');
      if (!isMessage(value)) return;
      const info = field(value, 'info');
      const id = field(info, 'id');
      isReverted ||= id === revertedFrom;
      messages.push({ position, id });
      const mark = listOf(field(value, 'parts')).find((part) => field(part, 'type') === 'compaction');
      if (mark !== undefined) requests.push({ position, id, keptFrom: field(mark, 'tail_start_id') ?? null });
      if (isReverted || !isSummary(info) || !isFinished(info)) return;
      first = requests.findLast((request) => request.id === field(info, 'parentID')) ?? first;
    },
    live() {
      const end = messages.findIndex(({ id }) => revertedFrom !== undefined && id === revertedFrom);
      const kept = end < 0 ? messages : messages.slice(0, end);
      const tail = kept.find(({ id }) => first !== undefined && id === first.keptFrom);
      const from = Math.min(first?.position ?? 0, tail?.position ?? Number.POSITIVE_INFINITY);
      return new Set(kept.map(({ position }) => position).filter((position) => position >= from));
    },
  };
}
