import type { MessageDraft, Part, ToolCall, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import type { ConversationSlot, Entry, Format } from './format.js';
import { arraySlot, field, isObject, parsedArguments, stringOrNull } from './values.js';

type Voice = 'human' | 'model' | 'system' | 'call' | 'result';

/** Who speaks, by the names that data sets give them. */
const VOICES: ReadonlyMap<unknown, Voice> = new Map([
  ['human', 'human'],
  ['user', 'human'],
  ['gpt', 'model'],
  ['assistant', 'model'],
  ['chatgpt', 'model'],
  ['bing', 'model'],
  ['bard', 'model'],
  ['model', 'model'],
  ['system', 'system'],
  ['function_call', 'call'],
  ['tool_call', 'call'],
  ['observation', 'result'],
  ['tool', 'result'],
  ['function_response', 'result'],
  ['tool_response', 'result'],
]);

const LIST_KEYS = ['conversations', 'conversation', 'messages', 'items'];
const ID_KEYS = ['id', 'conversation_id', 'conversation_hash'];

/** ShareGPT rows (formats.md section 15): conversations of `from` and `value`, many of them in one file. */
export const sharegpt: Format = {
  name: 'sharegpt',
  title: 'ShareGPT conversations',
  marks: 'objects with `conversations`, a list of `from` (human, gpt, …) and `value`',
  pictures: 'in-place',
  weigh(entry) {
    return voiceOf(entry) === undefined ? 0 : 5;
  },
  conversations(value): ConversationSlot[] | null {
    const row = rowSlot(value, []);
    if (row !== null) return [row];
    if (!Array.isArray(value)) return null;
    if (value.some((item) => voiceOf(item) !== undefined)) return [arraySlot(value, [], null)];
    const rows = value.map((item, i) => rowSlot(item, [i]));
    // A broken row stays a conversation, so that the others keep their numbers.
    return rows.some((slot) => slot !== null) ? rows.map((slot) => slot ?? { id: null, entries: [] }) : null;
  },
  read({ value, at }: Entry): MessageDraft[] {
    const voice = voiceOf(value);
    return voice === undefined ? [] : [readTurn(voice, value, at)];
  },
};

function voiceOf(value: unknown): Voice | undefined {
  return typeof field(value, 'value') === 'string' ? VOICES.get(field(value, 'from')) : undefined;
}

function rowSlot(value: unknown, at: JsonPath): ConversationSlot | null {
  if (!isObject(value)) return null;
  for (const key of LIST_KEYS) {
    const list = value[key];
    const isEmptyRow = Array.isArray(list) && list.length === 0 && key.startsWith('conversation');
    if (!Array.isArray(list) || !(isEmptyRow || list.some((item) => voiceOf(item) !== undefined))) continue;
    const id = ID_KEYS.map((name) => value[name]).find((one) => typeof one === 'string');
    return { ...arraySlot(list, [...at, key], stringOrNull(id)), system: value.system };
  }
  return null;
}

function readTurn(voice: Voice, value: unknown, at: JsonPath): MessageDraft {
  const words = stringOrNull(field(value, 'value')) ?? '';
  const valueAt = [...at, 'value'];
  const said: Part = { kind: 'text', text: words, at: valueAt, annotations: [] };
  switch (voice) {
    case 'human':
      return { at, role: 'user', speaker: 'operator', parts: [said], lists: [] };
    case 'system':
      return { at, role: 'system', speaker: 'system', parts: [said], lists: [] };
    case 'model':
      return { at, role: 'assistant', speaker: 'assistant', parts: [said, ...taggedCall(words)], lists: [] };
    case 'call':
      return { at, role: 'assistant', speaker: 'assistant', parts: [callOf([words])], lists: [] };
    case 'result':
      return { at, role: 'tool', speaker: 'tool', parts: [toolResult(words, valueAt)], lists: [] };
  }
}

/** Results are known by their place: behind the call. */
function toolResult(value: string, at: JsonPath): ToolResult {
  const rest = { callId: null, tool: null, isError: false, blocks: null, isEditable: true, copy: null };
  return { kind: 'tool-result', at, value, ...rest };
}

/** A model that was taught to write its calls into its answer, between tags. */
function taggedCall(words: string): ToolCall[] {
  const texts = words.split('<tool_call>').slice(1);
  return texts.length === 0 ? [] : [callOf(texts.map((text) => text.split('</tool_call>', 1)[0] ?? ''))];
}

/** The calls of one turn, which the next turn answers together: one call with the arguments of all. */
function callOf(texts: readonly string[]): ToolCall {
  const calls = texts.flatMap(parsedArguments);
  const inputs = calls.map((call) => parsedArguments(field(call, 'arguments') ?? call));
  const tool = calls.map((call) => field(call, 'name')).find((name) => typeof name === 'string');
  return {
    kind: 'tool-call',
    id: null,
    tool: stringOrNull(tool) ?? '',
    input: inputs.length === 1 ? inputs[0] : inputs,
  };
}
