import { field } from '../transcript/formats/values.js';
import { type Item, type ResultDocument, resultText, type ToolResult } from '../transcript/message.js';
import { itemChunks } from './result-items.js';

/** Where a chunk comes from, as far as the result or its call tells. */
export interface ChunkSource {
  readonly documentId: string;
  /** Path, URL, command or query; '' when nothing tells. */
  readonly uri: string;
  readonly title: string | null;
}

/** A piece of a tool result. */
export interface ChunkDraft {
  /** The id that the result itself gives the piece; null when it gives none. */
  readonly ownId: string | null;
  /** A number that answers may cite it by, in results that number their items. */
  readonly label: string | null;
  readonly content: string;
  readonly source: ChunkSource;
  readonly pictureRefs: readonly string[];
}

/**
 * The chunks of a structured tool result (formats.md sections 6, 16, 17A): one for each item of a list of results, one
 * for each block that an id heads. None for text without structure.
 */
export function resultChunks(result: ToolResult): ChunkDraft[] {
  const documents = (result.documents ?? []).map(documentChunk);
  if (documents.length > 0) return documents;
  if (result.blocks !== null) return blockChunks(result);
  return itemChunks(typeof result.value === 'string' ? resultText(result) : result.value);
}

function documentChunk({ id, text, uri, title }: ResultDocument, index: number): ChunkDraft {
  const source = { documentId: uri || (title ?? ''), uri, title };
  return { ownId: id, label: String(index + 1), content: text, source, pictureRefs: [] };
}

function blockChunks({ value, blocks }: ToolResult): ChunkDraft[] {
  const raw: readonly unknown[] = Array.isArray(value) ? value : [];
  const own = raw.flatMap(searchResultChunk);
  if (own.length > 0) return own;
  const texts = (blocks ?? []).filter((item, i) => item.kind === 'text' && blocks?.[i + 1]?.kind !== 'image');
  const headed = texts.flatMap((item) => (item.kind === 'text' ? itemChunks(item.text) : []));
  return headed.map((chunk) => ({ ...chunk, pictureRefs: pictureRefs(chunk.ownId, blocks ?? []) }));
}

/** A `search_result`, `document` or web search item, which has an identity of its own. */
function searchResultChunk(block: unknown): ChunkDraft[] {
  const type = field(block, 'type');
  if (type !== 'search_result' && type !== 'document' && type !== 'web_search_result') return [];
  const uri = firstString(block, ['source', 'url']) ?? '';
  const title = firstString(block, ['title']);
  const content = blockText(block) || [title, uri].filter(Boolean).join('\n');
  return [{ ownId: null, label: null, content, source: { documentId: uri, uri, title }, pictureRefs: [] }];
}

function blockText(block: unknown): string {
  const content = field(block, 'content') ?? field(field(block, 'source'), 'data');
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((item) => field(item, 'text'))
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function firstString(value: unknown, keys: readonly string[]): string | null {
  const found = keys.map((key) => field(value, key)).find((item) => typeof item === 'string' && item !== '');
  return typeof found === 'string' ? found : null;
}

/** References like `(#/pictures/0)` in the labels of pictures that name the chunk. */
export function pictureRefs(chunkId: string | null, items: readonly Item[]): string[] {
  if (chunkId === null) return [];
  return items.flatMap((item, i) => {
    if (item.kind !== 'text' || items[i + 1]?.kind !== 'image' || !item.text.includes(`[${chunkId}]`))
      return [];
    const ref = /\((#?\/[^()\s]+)\)/.exec(item.text)?.[1];
    return ref === undefined ? [] : [ref];
  });
}
