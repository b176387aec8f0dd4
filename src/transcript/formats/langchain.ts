import type {
  Item,
  MessageDraft,
  Part,
  ResultDocument,
  Role,
  Speaker,
  ToolCall,
  ToolResult,
} from '../message.js';
import type { ConversationEvent } from '../path.js';
import type { JsonPath } from '../splice.js';
import { contentItems, readBlock as readProviderBlock } from './blocks.js';
import type { ConversationSlot, Entry, Format } from './format.js';
import { chatCall } from './openai-chat.js';
import { arraySlot, field, isObject, listOf, parsedArguments, stringOrNull } from './values.js';

type Kind = 'human' | 'ai' | 'system' | 'tool' | 'chat' | 'remove';

/** What the dumps call a kind of message; those with `Chunk` behind it were streamed. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['human', 'human'],
  ['HumanMessage', 'human'],
  ['ai', 'ai'],
  ['AIMessage', 'ai'],
  ['system', 'system'],
  ['developer', 'system'],
  ['SystemMessage', 'system'],
  ['tool', 'tool'],
  ['ToolMessage', 'tool'],
  ['function', 'tool'],
  ['FunctionMessage', 'tool'],
  ['chat', 'chat'],
  ['ChatMessage', 'chat'],
  ['remove', 'remove'],
  ['RemoveMessage', 'remove'],
]);

/** Where the messages stand in a value that holds them: alone, in a prompt, or in a saved graph state. */
const PLACES: readonly JsonPath[] = [
  [],
  ['messages'],
  ['kwargs', 'messages'],
  ['values', 'messages'],
  ['channel_values', 'messages'],
];

/** The id of a RemoveMessage that stands for all messages before it. */
const REMOVE_ALL = '__remove_all__';

/** LangChain messages (formats.md section 8): stored `{type, data}`, dumped `{lc, kwargs}`, or flat `{type, content}`. */
export const langchain: Format = {
  name: 'langchain',
  title: 'LangChain messages',
  marks:
    'objects with `type` human or ai and `data`, or with `lc`, `id` and `kwargs`, or with `type` and `content`',
  pictures: 'in-result',
  citations: 'annotations of text blocks, and citations in `additional_kwargs`',
  weigh(entry) {
    const body = bodyOf(entry);
    if (body === undefined) return 0;
    if (body.at.length > 0) return 6;
    return body.kind === 'system' || body.kind === 'chat' ? 2 : 4;
  },
  conversations(value): ConversationSlot[] | null {
    for (const at of PLACES) {
      const items = at.reduce<unknown>((found, key) => field(found, String(key)), value);
      if (!Array.isArray(items) || !items.some((item) => bodyOf(item) !== undefined)) continue;
      return [arraySlot(items, at, stringOrNull(field(value, 'id')))];
    }
    return null;
  },
  event(value): ConversationEvent {
    const body = bodyOf(value);
    const id = stringOrNull(field(body?.value, 'id'));
    if (body?.kind !== 'remove') return { id, forgets: [] };
    return { id: null, forgets: id === REMOVE_ALL ? 'everything' : id === null ? [] : [id] };
  },
  read({ value, at }: Entry): MessageDraft[] {
    const body = bodyOf(value);
    return body === undefined || body.kind === 'remove' ? [] : [readMessage(body, [...at, ...body.at])];
  },
};

interface Body {
  readonly kind: Kind;
  readonly at: JsonPath;
  readonly value: unknown;
}

/** A message's fields, wherever the dump has them; undefined for other values, unknown classes among them. */
function bodyOf(value: unknown): Body | undefined {
  if (!isObject(value)) return undefined;
  if (value.lc !== undefined && value.type === 'constructor') {
    const kind = Array.isArray(value.id) ? kindOf(value.id.at(-1)) : undefined;
    return kind && isObject(value.kwargs) ? { kind, at: ['kwargs'], value: value.kwargs } : undefined;
  }
  const kind = kindOf(value.type);
  if (kind === undefined) return undefined;
  if (isObject(value.data) && ('content' in value.data || kind === 'remove'))
    return { kind, at: ['data'], value: value.data };
  const isOther = ['role', 'uuid', 'sessionId', 'message'].some((key) => key in value && kind !== 'chat');
  return 'content' in value && !isOther ? { kind, at: [], value } : undefined;
}

function kindOf(name: unknown): Kind | undefined {
  return typeof name === 'string'
    ? KINDS.get(name.replace(/(?:Message)?Chunk$/, (end) => end.slice(0, -5)))
    : undefined;
}

function readMessage({ kind, value }: Body, at: JsonPath): MessageDraft {
  const [role, speaker] = speakerOf(kind, value);
  const content = field(value, 'content');
  const contentAt = [...at, 'content'];
  return {
    at,
    role,
    speaker,
    parts: kind === 'tool' ? [toolResult(value, at)] : messageParts(kind, value, contentAt),
    lists:
      role === 'user' && Array.isArray(content)
        ? [{ at: contentAt, owner: null, items: readItems(content, contentAt) }]
        : [],
  };
}

const CHAT_ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
]);

function speakerOf(kind: Kind, value: unknown): [Role, Speaker] {
  switch (kind) {
    case 'human':
    case 'remove':
      return ['user', isSummary(value) ? 'summary' : 'operator'];
    case 'ai':
      return ['assistant', 'assistant'];
    case 'system':
      return ['system', 'system'];
    case 'tool':
      return ['tool', 'tool'];
    case 'chat': {
      const role = CHAT_ROLES.get(field(value, 'role')) ?? 'user';
      return [role, role === 'user' ? 'operator' : role];
    }
  }
}

/** What the summarization middleware puts in place of older messages. */
function isSummary(value: unknown): boolean {
  return field(field(value, 'additional_kwargs'), 'lc_source') === 'summarization';
}

function messageParts(kind: Kind, value: unknown, at: JsonPath): Part[] {
  const content = field(value, 'content');
  const annotations = listOf(field(field(value, 'additional_kwargs'), 'citations'));
  const blocks = typeof content === 'string' && content !== '' ? [content] : listOf(content);
  const parts = blocks.map((block, i) => readBlock(block, blocks === content ? [...at, i] : at, annotations));
  return kind === 'ai' ? [...parts, ...callsBeside(value, parts)] : parts;
}

/** A standard block, or one of a provider, which dumps hold as it came. */
function readBlock(block: unknown, at: JsonPath, annotations: readonly unknown[]): Part {
  if (typeof block === 'string') return { kind: 'text', text: block, at, annotations };
  switch (field(block, 'type')) {
    case 'text': {
      const text = field(block, 'text');
      const own = [
        ...listOf(field(block, 'annotations')),
        ...listOf(field(block, 'citations')),
        ...annotations,
      ];
      return typeof text === 'string'
        ? { kind: 'text', text, at: [...at, 'text'], annotations: own }
        : { kind: 'raw', type: 'text' };
    }
    case 'reasoning':
      return { kind: 'thinking', text: stringOrNull(field(block, 'reasoning')) ?? '' };
    case 'image_url':
      return { kind: 'image' };
    case 'file':
    case 'audio':
    case 'video':
      return { kind: 'file', name: stringOrNull(field(block, 'filename')) };
    case 'tool_call':
    case 'server_tool_call':
    case 'invalid_tool_call':
      return toolCall(block);
    case 'server_tool_result':
      return serverResult(block, at);
    default:
      return readProviderBlock(block, at);
  }
}

/**
 * The calls that stand beside the content. Where they are in the content too they are the same ones, and so are the raw
 * ones that a provider's answer had.
 */
function callsBeside(value: unknown, parts: readonly Part[]): ToolCall[] {
  const raw = field(value, 'additional_kwargs');
  const own = listOf(field(value, 'tool_calls'));
  const single = field(raw, 'function_call');
  const calls = [
    ...own.map(toolCall),
    ...listOf(field(value, 'invalid_tool_calls')).map(toolCall),
    ...(own.length === 0 ? listOf(field(raw, 'tool_calls')).map(chatCall) : []),
    ...(own.length === 0 && isObject(single) ? [chatCall({ function: single })] : []),
  ];
  const known = new Set(parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : [])));
  return calls.filter(({ id }) => {
    const isNew = id === null ? known.size === 0 : !known.has(id);
    if (id !== null) known.add(id);
    return isNew;
  });
}

function toolCall(call: unknown): ToolCall {
  return {
    kind: 'tool-call',
    id: stringOrNull(field(call, 'id')),
    tool: stringOrNull(field(call, 'name')) ?? '',
    input: parsedArguments(field(call, 'args')),
  };
}

function toolResult(value: unknown, at: JsonPath): ToolResult {
  const content = field(value, 'content');
  const artifact = field(value, 'artifact');
  return {
    kind: 'tool-result',
    callId: stringOrNull(field(value, 'tool_call_id')),
    tool: stringOrNull(field(value, 'name')),
    isError: field(value, 'status') === 'error',
    at: [...at, 'content'],
    value: content,
    blocks: Array.isArray(content) ? readItems(content, [...at, 'content']) : null,
    isEditable: content !== undefined,
    // Never sent to the model: tools keep in it what their text was made of.
    copy: isObject(artifact) || Array.isArray(artifact) ? { at: [...at, 'artifact'], value: artifact } : null,
    documents: artifactDocuments(artifact),
  };
}

/** What a provider's own tool gave goes back to the provider as it came. */
function serverResult(block: unknown, at: JsonPath): ToolResult {
  return {
    kind: 'tool-result',
    callId: stringOrNull(field(block, 'tool_call_id')),
    tool: null,
    isError: field(block, 'status') === 'error',
    at: [...at, 'output'],
    value: field(block, 'output'),
    blocks: null,
    isEditable: false,
    copy: null,
  };
}

/** Retrievers return their documents as the artifact, bare or under a name, plain or dumped with `kwargs`. */
function artifactDocuments(artifact: unknown): ResultDocument[] {
  const lists = [artifact, ...['documents', 'docs', 'context'].map((key) => field(artifact, key))];
  const documents = listOf(lists.find(Array.isArray)).map((one) => field(one, 'kwargs') ?? one);
  return documents.flatMap((one): ResultDocument[] => {
    const text = field(one, 'page_content');
    const metadata = field(one, 'metadata');
    const uri = stringOrNull(field(metadata, 'source')) ?? stringOrNull(field(metadata, 'url')) ?? '';
    const id = stringOrNull(field(one, 'id')) ?? stringOrNull(field(metadata, 'id'));
    const title = stringOrNull(field(metadata, 'title'));
    return typeof text === 'string' && text !== '' ? [{ id, text, uri, title }] : [];
  });
}

/** Pictures of the standard blocks have their base64 in the block itself. */
function readItems(content: readonly unknown[], at: JsonPath): Item[] {
  return contentItems(content, at).map((item, i) => {
    if (item.kind !== 'image' || item.data !== null) return item;
    return { ...item, data: stringOrNull(field(content[i], 'base64') ?? field(content[i], 'data')) };
  });
}
