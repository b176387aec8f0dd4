import { framedText } from '../framed.js';
import type { Item, ItemList, MessageDraft, Part, Role, Speaker, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import type { Entry } from './format.js';
import { hostedParts, isHostedCall } from './hosted-calls.js';
import { field, isObject, parsedArguments, stringOrNull } from './values.js';

/** Calls that another item answers, with the keys of what they ask for and of their tool's name when they give one. */
const CALLS: ReadonlyMap<unknown, { readonly input: string; readonly tool: string | null }> = new Map([
  ['function_call', { input: 'arguments', tool: null }],
  ['custom_tool_call', { input: 'input', tool: null }],
  ['local_shell_call', { input: 'action', tool: 'local_shell' }],
  ['shell_call', { input: 'action', tool: 'shell' }],
  ['apply_patch_call', { input: 'operation', tool: 'apply_patch' }],
  ['computer_call', { input: 'action', tool: 'computer' }],
  ['tool_search_call', { input: 'arguments', tool: 'tool_search' }],
]);

/**
 * Answers to calls, with the key of their payload. Only what the program's own tools printed may be replaced: the
 * provider reads the others by their shape.
 */
const OUTPUTS: ReadonlyMap<unknown, { readonly payload: string; readonly isEditable: boolean }> = new Map([
  ['function_call_output', { payload: 'output', isEditable: true }],
  ['custom_tool_call_output', { payload: 'output', isEditable: true }],
  ['local_shell_call_output', { payload: 'output', isEditable: false }],
  ['shell_call_output', { payload: 'output', isEditable: false }],
  ['apply_patch_call_output', { payload: 'output', isEditable: false }],
  ['computer_call_output', { payload: 'output', isEditable: false }],
  ['tool_search_output', { payload: 'tools', isEditable: false }],
]);

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
]);

const COMPACTIONS: ReadonlySet<unknown> = new Set(['compaction', 'compaction_summary', 'context_compaction']);
const TEXT_BLOCKS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text', 'summary_text']);
const OWN_BLOCKS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'input_image', 'input_file']);

/**
 * How strongly a value looks like an item of the Responses API (formats.md section 5), which Codex sessions hold too. A
 * message without a `type` and with nothing but text may be anybody's: less than any format that has no other messages
 * makes of it.
 */
export function weighItem(value: unknown): number {
  const type = field(value, 'type');
  if (isItemMessage(value)) return weighContent(field(value, 'content'), type);
  if (CALLS.has(type) || OUTPUTS.has(type)) return isObject(value) && 'call_id' in value ? 4 : 0;
  if (isHostedCall(type)) return typeof field(value, 'id') === 'string' ? 4 : 0;
  const isEncrypted = typeof field(value, 'encrypted_content') === 'string';
  if (type === 'reasoning') return Array.isArray(field(value, 'summary')) || isEncrypted ? 4 : 0;
  if (COMPACTIONS.has(type)) return isEncrypted ? 4 : 0;
  return type === 'item_reference' && typeof field(value, 'id') === 'string' ? 1 : 0;
}

function weighContent(content: unknown, type: unknown): number {
  if (typeof content === 'string') return type === 'message' ? 2 : 0.5;
  return Array.isArray(content) && content.some((part) => OWN_BLOCKS.has(field(part, 'type'))) ? 4 : 0;
}

/** A message of the API: its `type` may be left away. */
export function isItemMessage(value: unknown): boolean {
  const type = field(value, 'type');
  const isMessage = type === 'message' || (type === undefined && field(value, 'parts') === undefined);
  return isMessage && ROLES.has(field(value, 'role'));
}

/** The message that an item is, or none. What the role `user` says is the operator's here. */
export function readItem({ value, at }: Entry): MessageDraft[] {
  if (isItemMessage(value)) return readMessage(value, at);
  const type = field(value, 'type');
  if (isHostedCall(type)) return [assistant(at, hostedParts({ value, at }))];
  const call = CALLS.get(type);
  if (call !== undefined) return [assistant(at, [toolCall(value, call.input, call.tool)])];
  const output = OUTPUTS.get(type);
  if (output !== undefined) {
    const result = toolResult(value, [...at, output.payload], output);
    return [{ at, role: 'tool', speaker: 'tool', parts: [result], lists: [] }];
  }
  if (type === 'reasoning') return [assistant(at, [{ kind: 'thinking', text: reasoningText(value) }])];
  if (type === 'agent_message') return [userMessage(value, at, 'context')];
  if (!COMPACTIONS.has(type)) return [];
  // Encrypted: the provider reads the summary, nobody else.
  const mark: Part = { kind: 'raw', type: String(type) };
  return [{ at, role: 'user', speaker: 'summary', parts: [mark], lists: [] }];
}

function assistant(at: JsonPath, parts: readonly Part[]): MessageDraft {
  return { at, role: 'assistant', speaker: 'assistant', parts, lists: [] };
}

function readMessage(value: unknown, at: JsonPath): MessageDraft[] {
  const role = ROLES.get(field(value, 'role'));
  if (role === undefined) return [];
  if (role === 'user') return [userMessage(value, at, 'operator')];
  const parts = readContent(field(value, 'content'), [...at, 'content']);
  return [{ at, role, speaker: role, parts, lists: [] }];
}

function userMessage(value: unknown, at: JsonPath, speaker: Speaker): MessageDraft {
  const content = field(value, 'content');
  const contentAt = [...at, 'content'];
  const items = readItems(content, contentAt);
  const lists: ItemList[] = items === null ? [] : [{ at: contentAt, owner: null, items }];
  return { at, role: 'user', speaker, parts: readContent(content, contentAt), lists };
}

function readContent(content: unknown, at: JsonPath): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content, at, annotations: [] }];
  return Array.isArray(content) ? content.map((part, i) => readPart(part, [...at, i])) : [];
}

function readPart(part: unknown, at: JsonPath): Part {
  const type = stringOrNull(field(part, 'type')) ?? '';
  const key = type === 'refusal' ? 'refusal' : 'text';
  const text = field(part, key);
  if (typeof text === 'string' && (type === 'refusal' || TEXT_BLOCKS.has(type))) {
    const annotations = field(part, 'annotations');
    return {
      kind: 'text',
      text,
      at: [...at, key],
      annotations: Array.isArray(annotations) ? annotations : [],
    };
  }
  if (isPicture(part)) return { kind: 'image' };
  return type === 'input_file'
    ? { kind: 'file', name: stringOrNull(field(part, 'filename')) }
    : { kind: 'raw', type };
}

/** By a URL or by the id of an uploaded file. */
function isPicture(part: unknown): boolean {
  const isNamed = typeof field(part, 'image_url') === 'string' || typeof field(part, 'file_id') === 'string';
  return field(part, 'type') === 'input_image' && isNamed;
}

function toolCall(value: unknown, input: string, tool: string | null): Part {
  return {
    kind: 'tool-call',
    id: callId(value),
    tool: tool ?? stringOrNull(field(value, 'name')) ?? '',
    input: parsedArguments(field(value, input)),
    ...(isByProvider(value) ? { isAnswered: true } : {}),
  };
}

/** Calls that the provider answers itself have items of their own, with nothing to pair them by. */
function isByProvider(value: unknown): boolean {
  return field(value, 'execution') === 'server';
}

/** Some calls and outputs have one `id` for both, and no `call_id`. */
function callId(value: unknown): string | null {
  return stringOrNull(field(value, 'call_id')) ?? stringOrNull(field(value, 'id'));
}

function toolResult(
  value: unknown,
  at: JsonPath,
  { payload, isEditable }: { readonly payload: string; readonly isEditable: boolean },
): ToolResult {
  const output = field(value, payload);
  const blocks = readItems(output, at);
  return {
    kind: 'tool-result',
    callId: callId(value),
    tool: null,
    isError: isFailed(output),
    at,
    value: output,
    blocks,
    isEditable: isEditable && (typeof output === 'string' || (blocks !== null && !isEncrypted(output))),
    copy: null,
    isFramed: true,
    ...(isByProvider(value) ? { isInCall: true } : {}),
  };
}

/** Blocks that only the provider can read go back as they came. */
function isEncrypted(output: unknown): boolean {
  return Array.isArray(output) && output.some((block) => isObject(block) && 'encrypted_content' in block);
}

function isFailed(output: unknown): boolean {
  const framed = framedText(output);
  if (framed === null) return false;
  const code = field(field(parsedArguments(output), 'metadata'), 'exit_code');
  return typeof code === 'number' && code !== 0;
}

function reasoningText(value: unknown): string {
  const lists = [field(value, 'summary'), field(value, 'content')];
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((block) => field(block, 'text'))
    .filter((text) => typeof text === 'string')
    .join('\n\n');
}

/** The items of a content array; null for other content. */
function readItems(content: unknown, at: JsonPath): Item[] | null {
  return Array.isArray(content) ? content.map((block, i) => readBlock(block, [...at, i])) : null;
}

function readBlock(block: unknown, at: JsonPath): Item {
  const text = field(block, 'text');
  if (TEXT_BLOCKS.has(field(block, 'type')) && typeof text === 'string') return { kind: 'text', text, at };
  return isPicture(block)
    ? { kind: 'image', data: dataOf(field(block, 'image_url')), at }
    : { kind: 'other', at };
}

/** The base64 of a `data:` URL; null for other URLs. */
function dataOf(url: unknown): string | null {
  if (typeof url !== 'string') return null;
  const head = /^data:[^,]*;base64,/.exec(url.slice(0, 200));
  return head === null ? null : url.slice(head[0].length);
}
