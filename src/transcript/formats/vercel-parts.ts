import type { Item, ItemList, Part, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import { dataUrlBase64 } from './blocks.js';
import { field, isObject, listOf, parsedArguments, stringOrNull } from './values.js';

/** Types of the items in an array that is content for a model, not data. */
const BLOCK_TYPES: ReadonlySet<unknown> = new Set([
  'text',
  'image',
  'image-data',
  'image-url',
  'media',
  'file-data',
  'file-url',
  'file-id',
  'resource',
  'web_search_result',
  'web_fetch_result',
]);

/**
 * The parts of a message of either form. Sources stand behind the text that they support (formats.md section 7); behind
 * a call they are what it found.
 */
export function readParts(values: readonly unknown[], at: JsonPath): Part[] {
  return values.flatMap((value, i): Part[] => {
    const [first, ...rest] = readPart(value, [...at, i]);
    if (first?.kind !== 'text') return first === undefined ? [] : [first, ...rest];
    let end = i + 1;
    while (isSource(values[end])) end += 1;
    return [{ ...first, annotations: [...first.annotations, ...values.slice(i + 1, end)] }];
  });
}

function isSource(part: unknown): boolean {
  const type = field(part, 'type');
  return type === 'source-url' || type === 'source-document' || type === 'source';
}

function readPart(part: unknown, at: JsonPath): Part[] {
  const type = stringOrNull(field(part, 'type')) ?? '';
  switch (type) {
    case 'text':
      return [textPart(part, at)];
    case 'reasoning':
      return [{ kind: 'thinking', text: stringOrNull(field(part, 'text')) ?? '' }];
    case 'image':
      return [{ kind: 'image' }];
    case 'file':
      return [
        isPicture(part) ? { kind: 'image' } : { kind: 'file', name: stringOrNull(field(part, 'filename')) },
      ];
    case 'tool-call':
      return [call(part, stringOrNull(field(part, 'toolName')) ?? '', modelInput(part))];
    case 'tool-result':
      return [modelResult(part, at)];
    case 'tool-invocation':
      return oldInvocation(field(part, 'toolInvocation'), [...at, 'toolInvocation']);
    case 'tool-approval-request':
    case 'tool-approval-response':
      return [{ kind: 'raw', type }];
    case 'dynamic-tool':
      return uiTool(part, stringOrNull(field(part, 'toolName')) ?? '', at);
    default:
      return type.startsWith('tool-')
        ? uiTool(part, type.slice('tool-'.length), at)
        : [{ kind: 'raw', type }];
  }
}

function textPart(part: unknown, at: JsonPath): Part {
  const text = field(part, 'text');
  if (typeof text !== 'string') return { kind: 'raw', type: 'text' };
  return { kind: 'text', text, at: [...at, 'text'], annotations: providerCitations(part) };
}

/** Whatever the providers' own metadata calls citations or annotations. */
function providerCitations(part: unknown): unknown[] {
  const metadata = field(part, 'providerMetadata') ?? field(part, 'providerOptions');
  const providers = isObject(metadata) ? Object.values(metadata) : [];
  return providers.flatMap((one) => [
    ...listOf(field(one, 'citations')),
    ...listOf(field(one, 'annotations')),
  ]);
}

function call(part: unknown, tool: string, input: unknown): Part {
  return { kind: 'tool-call', id: stringOrNull(field(part, 'toolCallId')), tool, input };
}

function modelInput(part: unknown): unknown {
  return parsedArguments(field(part, 'input') ?? field(part, 'args'));
}

/** Call and result are one part. One whose input is still coming in never reaches a model. */
function uiTool(part: unknown, tool: string, at: JsonPath): Part[] {
  const called = call(part, tool, field(part, 'input') ?? field(part, 'rawInput'));
  const approval = field(part, 'approval');
  switch (field(part, 'state')) {
    case 'input-streaming':
      return [{ kind: 'raw', type: `tool-${tool}` }];
    case 'output-available':
      return [called, result(part, tool, field(part, 'output'), [...at, 'output'])];
    case 'output-error':
      return [called, failure(part, tool, field(part, 'errorText'), [...at, 'errorText'])];
    case 'output-denied':
      return [called, failure(part, tool, field(approval, 'reason'), [...at, 'approval', 'reason'])];
    default:
      return [called];
  }
}

function failure(part: unknown, tool: string, value: unknown, at: JsonPath): ToolResult {
  return { ...result(part, tool, value, at), isError: true, isEditable: false };
}

/** A result out of the part of its call. */
function result(part: unknown, tool: string | null, whole: unknown, wholeAt: JsonPath): ToolResult {
  // Tools of MCP servers put their blocks under `content`.
  const isNested = isBlockList(field(whole, 'content'));
  const value = isNested ? field(whole, 'content') : whole;
  const at = isNested ? [...wholeAt, 'content'] : wholeAt;
  return {
    kind: 'tool-result',
    callId: stringOrNull(field(part, 'toolCallId')),
    tool,
    isError: false,
    at,
    value,
    blocks: isBlockList(value) ? listOf(value).map((item, i) => readItem(item, [...at, i])) : null,
    // What a provider's own tool gave goes back to the provider as it came: it checks it, or decrypts it.
    isEditable: value !== undefined && field(part, 'providerExecuted') !== true && !holdsEncrypted(value),
    copy: null,
  };
}

function isBlockList(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => BLOCK_TYPES.has(field(item, 'type')))
  );
}

function holdsEncrypted(value: unknown): boolean {
  const keys = ['encryptedContent', 'encrypted_content'];
  const items = [value, ...listOf(value), ...listOf(field(value, 'content'))];
  return items.some((item) => keys.some((key) => typeof field(item, key) === 'string'));
}

/** The `output` of a ModelMessage says by its type what its value is: text, JSON, or content blocks. */
function modelResult(part: unknown, at: JsonPath): ToolResult {
  const tool = stringOrNull(field(part, 'toolName'));
  const output = field(part, 'output');
  const type = field(output, 'type');
  // Before version 5 the value stood in `result`; that form is read, not rewritten.
  if (output === undefined)
    return { ...result(part, tool, field(part, 'result'), [...at, 'result']), isEditable: false };
  const read = result(part, tool, field(output, 'value'), [...at, 'output', 'value']);
  const isError = type === 'error-text' || type === 'error-json';
  return {
    ...read,
    isError,
    isEditable: read.isEditable && !isError,
    ...(read.blocks === null ? { blocksMark: { at: [...at, 'output', 'type'], value: 'content' } } : {}),
  };
}

/** Version 4 kept calls in `toolInvocations`, and in parts of this kind; they are read, not rewritten. */
function oldInvocation(value: unknown, at: JsonPath): Part[] {
  const tool = stringOrNull(field(value, 'toolName')) ?? '';
  const called = call(value, tool, field(value, 'args'));
  if (field(value, 'state') !== 'result') return [called];
  return [called, { ...result(value, tool, field(value, 'result'), [...at, 'result']), isEditable: false }];
}

/** The calls that version 4 kept beside a message's text. */
export function oldInvocations(message: unknown, at: JsonPath): Part[] {
  return listOf(field(message, 'toolInvocations')).flatMap((one, i) =>
    oldInvocation(one, [...at, 'toolInvocations', i]),
  );
}

/** The parts of a user message, as items beside each other. */
export function promptList(content: readonly unknown[], at: JsonPath): ItemList {
  return { at, owner: null, items: content.map((part, i) => readItem(part, [...at, i])) };
}

function readItem(part: unknown, at: JsonPath): Item {
  const text = field(part, 'text');
  if (field(part, 'type') === 'text' && typeof text === 'string') return { kind: 'text', text, at };
  return isPicture(part) ? { kind: 'image', data: pictureData(part), at } : { kind: 'other', at };
}

function isPicture(part: unknown): boolean {
  const type = stringOrNull(field(part, 'type')) ?? '';
  if (type.startsWith('image')) return true;
  return (
    (type === 'file' || type === 'media' || type === 'file-data') && mediaType(part).startsWith('image/')
  );
}

function mediaType(part: unknown): string {
  return stringOrNull(field(part, 'mediaType') ?? field(part, 'mimeType')) ?? '';
}

/** Base64 by itself, or behind a data URL; null for another URL. */
function pictureData(part: unknown): string | null {
  const value = stringOrNull(field(part, 'data') ?? field(part, 'image') ?? field(part, 'url'));
  if (value === null) return null;
  return /^[a-z]+:/i.test(value.slice(0, 20)) ? dataUrlBase64(value) : value;
}
