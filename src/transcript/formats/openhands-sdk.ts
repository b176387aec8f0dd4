import type { Item, ItemList, MessageDraft, Part, Speaker, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import { dataUrlBase64 } from './blocks.js';
import { field, isObject, listOf, parsedArguments, stringOrNull } from './values.js';

/** An event of the software agent SDK (V1). Its classes forbid fields that they do not know. */
export function readSdkEvent(event: unknown, at: JsonPath): MessageDraft[] {
  switch (field(event, 'kind')) {
    case 'SystemPromptEvent':
      return [message(at, 'system', readBlock(field(event, 'system_prompt'), [...at, 'system_prompt']))];
    case 'MessageEvent':
      return [readMessage(event, at)];
    case 'ActionEvent':
      return [readAction(event, at)];
    case 'ObservationEvent':
      return [message(at, 'tool', [observationResult(event, at)])];
    case 'AgentErrorEvent':
      return [message(at, 'tool', [lockedResult(event, [...at, 'error'], field(event, 'error'))])];
    case 'UserRejectObservation': {
      const reason = field(event, 'rejection_reason');
      return [message(at, 'tool', [lockedResult(event, [...at, 'rejection_reason'], reason)])];
    }
    case 'Condensation':
    case 'CondensationSummaryEvent': {
      const summary = field(event, 'summary');
      if (typeof summary !== 'string' || summary === '') return [];
      return [message(at, 'summary', [textPart(summary, [...at, 'summary'])])];
    }
    default:
      return []; // states, pauses, logs: not said to the model
  }
}

/** A person's words; what the SDK adds to them goes to the model with them, but nobody said it. */
function readMessage(event: unknown, at: JsonPath): MessageDraft {
  const sent = field(event, 'llm_message');
  const content = listOf(field(sent, 'content'));
  const contentAt = [...at, 'llm_message', 'content'];
  const source = field(event, 'source');
  const speaker = source === 'user' ? 'operator' : source === 'agent' ? 'assistant' : 'context';
  const list: ItemList = { at: contentAt, owner: null, items: readItems(content, contentAt) };
  const parts = [...thinking(sent), ...content.flatMap((block, i) => readBlock(block, [...contentAt, i]))];
  return { ...message(at, speaker, parts), lists: speaker === 'operator' ? [list] : [] };
}

function readAction(event: unknown, at: JsonPath): MessageDraft {
  const call = field(event, 'tool_call');
  const thought = listOf(field(event, 'thought'));
  return message(at, 'assistant', [
    ...thinking(event),
    ...thought.flatMap((block, i) => readBlock(block, [...at, 'thought', i])),
    {
      kind: 'tool-call',
      id: callId(event),
      tool: stringOrNull(field(event, 'tool_name') ?? field(call, 'name')) ?? '',
      input: parsedArguments(field(call, 'arguments') ?? field(event, 'action')),
    },
  ]);
}

function thinking(value: unknown): Part[] {
  const text = field(value, 'reasoning_content');
  const blocks = listOf(field(value, 'thinking_blocks')).map((block): Part => {
    return { kind: 'thinking', text: stringOrNull(field(block, 'thinking')) ?? '' };
  });
  return typeof text === 'string' && text !== '' ? [{ kind: 'thinking', text }] : blocks;
}

/** What a tool printed: blocks, or in older versions one text. */
function observationResult(event: unknown, at: JsonPath): ToolResult {
  const observation = field(event, 'observation');
  const key = isObject(observation) && 'content' in observation ? 'content' : 'output';
  const value = field(observation, key);
  const valueAt = [...at, 'observation', key];
  return {
    ...result(event),
    isError: field(observation, 'is_error') === true || field(observation, 'error') === true,
    at: valueAt,
    value,
    blocks: Array.isArray(value) ? readItems(value, valueAt) : null,
    isEditable: typeof value === 'string' || Array.isArray(value),
  };
}

/** Why there is no output, in a few words that are a plain string; blocks could not stand there. */
function lockedResult(event: unknown, at: JsonPath, value: unknown): ToolResult {
  return { ...result(event), isError: true, at, value, blocks: null, isEditable: false };
}

function result(event: unknown) {
  return {
    kind: 'tool-result',
    callId: callId(event),
    tool: stringOrNull(field(event, 'tool_name')),
    copy: null,
  } as const;
}

/** The provider's id; without one, the event of the action. */
function callId(event: unknown): string | null {
  const action = field(event, 'kind') === 'ActionEvent' ? field(event, 'id') : field(event, 'action_id');
  return stringOrNull(field(event, 'tool_call_id')) ?? stringOrNull(action);
}

function message(at: JsonPath, speaker: Speaker, parts: readonly Part[]): MessageDraft {
  const isUser = speaker === 'operator' || speaker === 'context' || speaker === 'summary';
  return { at, role: isUser ? 'user' : speaker, speaker, parts, lists: [] };
}

function textPart(text: string, at: JsonPath): Part {
  return { kind: 'text', text, at, annotations: [] };
}

/** One image block may hold several pictures. */
function readBlock(block: unknown, at: JsonPath): Part[] {
  const text = field(block, 'text');
  const type = stringOrNull(field(block, 'type')) ?? '';
  if (type === 'text' && typeof text === 'string') return [textPart(text, [...at, 'text'])];
  if (type === 'image') return listOf(field(block, 'image_urls')).map(() => ({ kind: 'image' }));
  return [{ kind: 'raw', type }];
}

function readItems(content: readonly unknown[], at: JsonPath): Item[] {
  return content.map((block, i): Item => {
    const text = field(block, 'text');
    const type = field(block, 'type');
    const urls = listOf(field(block, 'image_urls'));
    if (type === 'text' && typeof text === 'string') return { kind: 'text', text, at: [...at, i] };
    if (type !== 'image') return { kind: 'other', at: [...at, i] };
    return { kind: 'image', data: urls.length === 1 ? dataUrlBase64(urls[0]) : null, at: [...at, i] };
  });
}
