import type { Item, ItemList, MessageDraft, Part, Speaker } from '../message.js';
import type { JsonPath } from '../splice.js';
import type { Entry, Format } from './format.js';
import { arraySlot, field, isObject, parsedArguments, stringOrNull } from './values.js';

/** pydantic-ai ModelMessages JSON (formats.md section 9): an array of requests and responses. */
export const pydanticAi: Format = {
  name: 'pydantic-ai',
  title: 'pydantic-ai model messages',
  marks: 'an array of objects with `kind` request or response and `parts[].part_kind`',
  pictures: 'in-message',
  weigh(entry) {
    if (!isModelMessage(entry)) return 0;
    return partsOf(entry).some((part) => field(part, 'part_kind') !== undefined) ? 5 : 1;
  },
  conversations(value) {
    if (Array.isArray(value)) return value.every(isModelMessage) ? [arraySlot(value, [], null)] : null;
    const messages = field(value, 'messages');
    if (!Array.isArray(messages) || !messages.every(isModelMessage)) return null;
    return [arraySlot(messages, ['messages'], stringOrNull(field(value, 'id')))];
  },
  read({ value, at }: Entry): MessageDraft[] {
    if (!isModelMessage(value)) return [];
    const parts = partsOf(value).map((part, i) => ({ value: part, at: [...at, 'parts', i] }));
    const isRequest = field(value, 'kind') === 'request';
    const speaker = isRequest ? requestSpeaker(parts) : responseSpeaker(parts);
    return [
      {
        at,
        role: isRequest ? (speaker === 'system' ? 'system' : 'user') : 'assistant',
        speaker,
        parts: parts.flatMap(readPart),
        lists: isRequest ? parts.flatMap((part) => promptList(part, parts.length)) : [],
      },
    ];
  },
};

function isModelMessage(value: unknown): boolean {
  const kind = field(value, 'kind');
  return (kind === 'request' || kind === 'response') && Array.isArray(field(value, 'parts'));
}

function partsOf(value: unknown): readonly unknown[] {
  const parts = field(value, 'parts');
  return Array.isArray(parts) ? parts : [];
}

function kindOf(entry: Entry): unknown {
  return field(entry.value, 'part_kind');
}

function requestSpeaker(parts: readonly Entry[]): Speaker {
  if (parts.some((part) => kindOf(part) === 'user-prompt')) return 'operator';
  return parts.length > 0 && parts.every((part) => kindOf(part) === 'system-prompt') ? 'system' : 'context';
}

/** A readable compaction part is a summary of what came before. */
function responseSpeaker(parts: readonly Entry[]): Speaker {
  return parts.length > 0 && parts.every((part) => kindOf(part) === 'compaction') ? 'summary' : 'assistant';
}

function readPart({ value, at }: Entry): Part[] {
  const content = field(value, 'content');
  const kind = field(value, 'part_kind');
  switch (kind) {
    case 'text':
    case 'compaction':
      return typeof content === 'string'
        ? [{ kind: 'text', text: content, at: [...at, 'content'], annotations: [] }]
        : [];
    case 'user-prompt':
      return promptParts(content, [...at, 'content']);
    case 'thinking':
      return [{ kind: 'thinking', text: stringOrNull(content) ?? '' }];
    case 'tool-call':
    case 'builtin-tool-call':
      return [
        {
          kind: 'tool-call',
          id: stringOrNull(field(value, 'tool_call_id')),
          tool: stringOrNull(field(value, 'tool_name')) ?? '',
          input: parsedArguments(field(value, 'args')),
        },
      ];
    case 'tool-return':
      return [toolReturn(value, at, true, false)];
    case 'builtin-tool-return':
      return [toolReturn(value, at, false, false)];
    case 'retry-prompt':
      // With a tool name this is the failed call's answer; it is never replaced (vectors: history).
      return field(value, 'tool_name')
        ? [toolReturn(value, at, false, true)]
        : [{ kind: 'raw', type: 'retry-prompt' }];
    default:
      return [{ kind: 'raw', type: typeof kind === 'string' ? kind : '' }];
  }
}

function toolReturn(value: unknown, at: JsonPath, isEditable: boolean, isError: boolean): Part {
  const content = field(value, 'content');
  return {
    kind: 'tool-result',
    callId: stringOrNull(field(value, 'tool_call_id')),
    tool: stringOrNull(field(value, 'tool_name')),
    isError,
    at: [...at, 'content'],
    value: content,
    blocks: null,
    isEditable: isEditable && content !== undefined,
    copy: null,
  };
}

function promptParts(content: unknown, at: JsonPath): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content, at, annotations: [] }];
  if (!Array.isArray(content)) return [];
  return content.map((item, i): Part => {
    if (typeof item === 'string') return { kind: 'text', text: item, at: [...at, i], annotations: [] };
    const kind = stringOrNull(field(item, 'kind')) ?? '';
    if (kind === 'cache-point') return { kind: 'raw', type: kind };
    return kind === 'binary' || kind === 'image-url' ? { kind: 'image' } : { kind: 'file', name: null };
  });
}

function promptList({ value, at }: Entry, siblings: number): ItemList[] {
  const content = field(value, 'content');
  if (field(value, 'part_kind') !== 'user-prompt' || !Array.isArray(content)) return [];
  const items = content.map((item, i) => promptItem(item, [...at, 'content', i]));
  return [{ at: [...at, 'content'], owner: { at, siblings }, items }];
}

/** A binary item of any media type counts as a picture (vectors: history, `strip-label-then-audio-binary`). */
function promptItem(item: unknown, at: JsonPath): Item {
  if (typeof item === 'string') return { kind: 'text', text: item, at };
  if (isObject(item) && item.kind === 'binary') return { kind: 'image', data: stringOrNull(item.data), at };
  return { kind: 'other', at };
}
