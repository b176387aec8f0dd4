import type { Item, ItemList, Part, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import { field, isObject, stringOrNull } from './values.js';

/** Content blocks of the Anthropic Messages API (formats.md section 6), which Claude Code sessions hold too. */
export function readBlocks(content: unknown, at: JsonPath): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content, at, annotations: [] }];
  if (!Array.isArray(content)) return [];
  return content.map((block, i) => readBlock(block, [...at, i]));
}

export function readBlock(block: unknown, at: JsonPath): Part {
  const type = stringOrNull(field(block, 'type')) ?? '';
  switch (type) {
    case 'text':
      return textPart(block, at);
    case 'thinking':
      return { kind: 'thinking', text: stringOrNull(field(block, 'thinking')) ?? '' };
    case 'redacted_thinking':
      return { kind: 'thinking', text: '' };
    case 'image':
      return { kind: 'image' };
    case 'document':
      return { kind: 'file', name: stringOrNull(field(block, 'title')) };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return {
        kind: 'tool-call',
        id: stringOrNull(field(block, 'id')),
        tool: stringOrNull(field(block, 'name')) ?? '',
        input: field(block, 'input'),
      };
    case 'tool_result':
      return toolResult(block, at, true);
    default:
      // Results of server tools carry encrypted content that must go back to the provider as it came.
      return type.endsWith('_tool_result') ? toolResult(block, at, false) : { kind: 'raw', type };
  }
}

function textPart(block: unknown, at: JsonPath): Part {
  const text = field(block, 'text');
  if (typeof text !== 'string') return { kind: 'raw', type: 'text' };
  const citations = field(block, 'citations');
  return {
    kind: 'text',
    text,
    at: [...at, 'text'],
    annotations: Array.isArray(citations) ? citations : [],
  };
}

function toolResult(block: unknown, at: JsonPath, isEditable: boolean): ToolResult {
  const value = field(block, 'content');
  return {
    kind: 'tool-result',
    callId: stringOrNull(field(block, 'tool_use_id')),
    tool: null,
    isError: field(block, 'is_error') === true,
    at: [...at, 'content'],
    value,
    blocks: Array.isArray(value) ? value.map((item, i) => blockItem(item, [...at, 'content', i])) : null,
    isEditable: isEditable && value !== undefined,
    copy: null,
  };
}

/** The items of a user message's content array; none when the content is a string. */
export function blockLists(content: unknown, at: JsonPath): ItemList[] {
  return Array.isArray(content)
    ? [{ at, owner: null, items: content.map((block, i) => blockItem(block, [...at, i])) }]
    : [];
}

function blockItem(block: unknown, at: JsonPath): Item {
  const type = field(block, 'type');
  const text = field(block, 'text');
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text, at };
  if (type === 'image') {
    const source = field(block, 'source');
    const data = field(source, 'type') === 'base64' ? stringOrNull(field(source, 'data')) : null;
    return { kind: 'image', data, at };
  }
  if (type === 'image_url') return { kind: 'image', data: dataUrlBase64(field(block, 'image_url')), at };
  return { kind: 'other', at };
}

/** The base64 of a `data:` URL given as a string or as `{url}`; null for other URLs. */
export function dataUrlBase64(value: unknown): string | null {
  const url = isObject(value) ? value.url : value;
  const match = typeof url === 'string' ? /^data:[^,]*;base64,/.exec(url.slice(0, 200)) : null;
  return match === null || typeof url !== 'string' ? null : url.slice(match[0].length);
}

/** Items of an OpenAI content array; `image_url` and `text` parts stand beside each other in them. */
export function contentItems(content: readonly unknown[], at: JsonPath): Item[] {
  return content.map((block, i) => blockItem(block, [...at, i]));
}
