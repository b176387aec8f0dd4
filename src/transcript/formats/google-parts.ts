import type { Item, ItemList, Part, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import { field, isObject, listOf, parsedArguments, stringOrNull } from './values.js';

/**
 * The parts of a Google `Content` (formats.md section 10), which Gemini CLI sessions hold too. They have no `type`: the
 * key tells the kind, in camel case or, where Python wrote them, in snake case beside nulls. `annotations` are of the text parts, by index.
 */
export function readGoogleParts(
  parts: unknown,
  at: JsonPath,
  annotations: ReadonlyMap<number, readonly unknown[]> = new Map(),
): Part[] {
  if (typeof parts === 'string') return [{ kind: 'text', text: parts, at, annotations: [] }];
  if (isObject(parts)) return [readPart(parts, at, [])];
  return listOf(parts).map((part, i) => readPart(part, [...at, i], annotations.get(i) ?? []));
}

/** The field of a part by its name in camel case; null counts as absent. */
export function googleField(value: unknown, name: string): unknown {
  return field(value, name) ?? field(value, snakeCase(name)) ?? undefined;
}

/** The name under which the field stands in the value. */
function googleKey(value: unknown, name: string): string {
  const snake = snakeCase(name);
  return (field(value, name) ?? null) === null && (field(value, snake) ?? null) !== null ? snake : name;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Kinds of parts besides text, by their key. */
const KINDS = [
  'functionCall',
  'functionResponse',
  'toolCall',
  'toolResponse',
  'executableCode',
  'codeExecutionResult',
  'inlineData',
  'fileData',
] as const;

/** Whether a part can only be one of Google's. */
export function isOwnGooglePart(part: unknown): boolean {
  const keys = [...KINDS, 'thoughtSignature'];
  return field(part, 'type') === undefined && keys.some((key) => googleField(part, key) !== undefined);
}

function readPart(part: unknown, at: JsonPath, annotations: readonly unknown[]): Part {
  const kind = KINDS.find((key) => googleField(part, key) !== undefined);
  const value = kind === undefined ? undefined : googleField(part, kind);
  const valueAt = kind === undefined ? at : [...at, googleKey(part, kind)];
  switch (kind) {
    case 'functionCall':
      return call(value, stringOrNull(field(value, 'name')) ?? '', field(value, 'args'));
    case 'functionResponse':
      return functionResponse(value, valueAt);
    case 'toolCall':
      return call(value, serverTool(value), field(value, 'args'));
    case 'toolResponse':
      return serverResponse(value, valueAt);
    case 'executableCode':
      return call(value, 'code_execution', field(value, 'code'));
    case 'codeExecutionResult':
      return { ...codeResult(value, valueAt), tool: 'code_execution' };
    case 'inlineData':
    case 'fileData':
      return isPicture(value) ? { kind: 'image' } : { kind: 'file', name: fileName(value) };
    case undefined:
      return textPart(part, at, annotations);
  }
}

function call(value: unknown, tool: string, input: unknown): Part {
  return { kind: 'tool-call', id: stringOrNull(field(value, 'id')), tool, input: parsedArguments(input) };
}

function textPart(part: unknown, at: JsonPath, annotations: readonly unknown[]): Part {
  const text = field(part, 'text');
  if (typeof text !== 'string') return { kind: 'raw', type: '' };
  if (field(part, 'thought') === true) return { kind: 'thinking', text };
  return { kind: 'text', text, at: [...at, 'text'], annotations };
}

/** The key under which tools put a text into a response that has to be an object. */
const TEXT_KEY = 'output';
const FAILURE_KEY = 'error';

/** The result of a call: its `response` is an object, of which the one value is the payload, or all of it. */
export function functionResponse(value: unknown, at: JsonPath): ToolResult {
  const response = field(value, 'response');
  const responseAt = [...at, 'response'];
  const isError = field(response, FAILURE_KEY) !== undefined && field(response, TEXT_KEY) === undefined;
  const keys = isObject(response) ? Object.keys(response) : [];
  const key =
    [TEXT_KEY, FAILURE_KEY].find((one) => typeof field(response, one) === 'string') ?? onlyKey(keys);
  const common = { ...googleResult(value), isError };
  if (key !== undefined) return { ...common, at: [...responseAt, key], value: field(response, key) };
  return { ...common, at: responseAt, value: response, isEditable: isObject(response), wrap: TEXT_KEY };
}

function onlyKey(keys: readonly string[]): string | undefined {
  return keys.length === 1 ? keys[0] : undefined;
}

function googleResult(value: unknown): Omit<ToolResult, 'at' | 'value'> {
  return {
    kind: 'tool-result',
    callId: stringOrNull(field(value, 'id')),
    tool: stringOrNull(field(value, 'name')),
    isError: false,
    blocks: null,
    isEditable: true,
    copy: null,
  };
}

/** What Google's own tools gave goes back signed, as it came. */
function serverResponse(value: unknown, at: JsonPath): ToolResult {
  const response = field(value, 'response');
  const list = field(response, 'result');
  const responseAt = [...at, 'response'];
  return {
    ...googleResult(value),
    tool: serverTool(value),
    isEditable: false,
    at: Array.isArray(list) ? [...responseAt, 'result'] : responseAt,
    value: Array.isArray(list) ? list : response,
  };
}

function serverTool(value: unknown): string {
  return (stringOrNull(googleField(value, 'toolType')) ?? '').toLowerCase();
}

function codeResult(value: unknown, at: JsonPath): ToolResult {
  const result = { ...googleResult(value), isEditable: false, at: [...at, 'output'] };
  return { ...result, value: field(value, 'output'), isError: field(value, 'outcome') === 'OUTCOME_FAILED' };
}

function isPicture(data: unknown): boolean {
  return stringOrNull(googleField(data, 'mimeType'))?.startsWith('image/') === true;
}

function fileName(data: unknown): string | null {
  return stringOrNull(googleField(data, 'displayName') ?? googleField(data, 'fileUri'));
}

/** The parts of a user message, as items beside each other. */
export function googleList(parts: unknown, at: JsonPath): ItemList[] {
  if (!Array.isArray(parts)) return [];
  return [{ at, owner: null, items: parts.map((part, i) => readItem(part, [...at, i])) }];
}

function readItem(part: unknown, at: JsonPath): Item {
  const text = field(part, 'text');
  if (typeof text === 'string') return { kind: 'text', text, at: [...at, 'text'] };
  const data = googleField(part, 'inlineData');
  if (isPicture(data)) return { kind: 'image', data: stringOrNull(field(data, 'data')), at };
  return { kind: 'other', at };
}
