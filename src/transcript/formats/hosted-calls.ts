import type { Part, ResultSource, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import type { Entry } from './format.js';
import { field, parsedArguments, stringOrNull } from './values.js';

type Hosted = (entry: Entry, id: string | null) => readonly Part[];

/** Calls of the provider's own tools, which carry their results in themselves (formats.md section 5). */
const HOSTED: ReadonlyMap<unknown, Hosted> = new Map<unknown, Hosted>([
  [
    'file_search_call',
    (entry, id) => [call(id, 'file_search', pick(entry, 'queries')), ...fileHits(entry, id)],
  ],
  [
    'web_search_call',
    (entry, id) => [call(id, 'web_search', field(entry.value, 'action')), ...pages(entry, id)],
  ],
  [
    'code_interpreter_call',
    (entry, id) => [call(id, 'code_interpreter', pick(entry, 'code')), ...logs(entry, id)],
  ],
  ['mcp_call', (entry, id) => [mcpCall(entry, id), ...mcpOutput(entry, id)]],
  ['image_generation_call', (entry, id) => [call(id, 'image_generation', pick(entry, 'revised_prompt'))]],
]);

export function isHostedCall(type: unknown): boolean {
  return HOSTED.has(type);
}

/** The call and, where they are kept, its results. */
export function hostedParts(entry: Entry): readonly Part[] {
  return HOSTED.get(field(entry.value, 'type'))?.(entry, stringOrNull(field(entry.value, 'id'))) ?? [];
}

function call(id: string | null, tool: string, input: unknown): Part {
  return { kind: 'tool-call', id, tool, input, isAnswered: true };
}

function pick({ value }: Entry, key: string): unknown {
  return { [key]: field(value, key) };
}

function mcpCall({ value }: Entry, id: string | null): Part {
  return call(id, stringOrNull(field(value, 'name')) ?? 'mcp', parsedArguments(field(value, 'arguments')));
}

/** Only texts of files may be replaced: the others are the provider's own words, or what it checks. */
function fileHits({ value, at }: Entry, id: string | null): ToolResult[] {
  return listOf(field(value, 'results')).flatMap((hit, i) => {
    const name = stringOrNull(field(hit, 'filename'));
    const file = stringOrNull(field(hit, 'file_id')) ?? name ?? '';
    const source = { documentId: file, uri: name ?? file, title: name ?? file };
    return textResult(id, 'file_search', field(hit, 'text'), [...at, 'results', i, 'text'], true, source);
  });
}

/** The provider keeps what it read of a page to itself; which pages it read may be told. */
function pages({ value, at }: Entry, id: string | null): ToolResult[] {
  return listOf(field(field(value, 'action'), 'sources')).flatMap((page, i) => {
    const url = stringOrNull(field(page, 'url')) ?? '';
    const source = { documentId: url, uri: url, title: stringOrNull(field(page, 'title')) ?? url };
    const path = [...at, 'action', 'sources', i, 'url'];
    return textResult(id, 'web_search', field(page, 'url'), path, false, source);
  });
}

function logs({ value, at }: Entry, id: string | null): ToolResult[] {
  return listOf(field(value, 'outputs')).flatMap((output, i) => {
    const path = [...at, 'outputs', i, 'logs'];
    return textResult(id, 'code_interpreter', field(output, 'logs'), path, false, null);
  });
}

function mcpOutput({ value, at }: Entry, id: string | null): ToolResult[] {
  const tool = stringOrNull(field(value, 'name')) ?? 'mcp';
  return textResult(id, tool, field(value, 'output'), [...at, 'output'], false, null);
}

function textResult(
  id: string | null,
  tool: string,
  text: unknown,
  at: JsonPath,
  isEditable: boolean,
  source: ResultSource | null,
): ToolResult[] {
  if (typeof text !== 'string') return [];
  const result = { kind: 'tool-result', callId: id, tool, isError: false, at, value: text } as const;
  const place = { blocks: null, isEditable, copy: null, isInCall: true } as const;
  return [{ ...result, ...place, ...(source === null ? {} : { source }) }];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
