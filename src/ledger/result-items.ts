import { field, isObject, type JsonObject } from '../transcript/formats/values.js';
import { type JsonPath, locate, writeJson } from '../transcript/splice.js';
import type { ChunkDraft } from './chunks.js';
import { headedBlocks } from './headed-blocks.js';

const LIST_KEYS = [
  'results',
  'documents',
  'items',
  'hits',
  'matches',
  'passages',
  'chunks',
  'sources',
  'organic',
  'data',
];
const ID_KEYS = ['chunk_id', 'id', '_id', 'doc_id', 'document_id'];
const URI_KEYS = [
  'document_uri',
  'url',
  'uri',
  'link',
  'href',
  'source',
  'path',
  'file',
  'file_path',
  'file_id',
  'fileId',
];
const TITLE_KEYS = ['document_title', 'title', 'name', 'filename'];
const TEXT_KEYS = ['content', 'text', 'page_content', 'passage', 'snippet', 'body', 'chunk'];
/** Keys beside the text that say where it comes from or how well it matched, not what it says. */
const DESCRIBING_KEYS = new Set([
  ...ID_KEYS,
  ...URI_KEYS,
  ...TITLE_KEYS,
  'score',
  'rank',
  'type',
  'metadata',
  'distance',
]);

/** The items of a structured result: of a search result list in JSON, or of a text whose blocks are headed by ids. */
export function itemChunks(value: unknown): ChunkDraft[] {
  if (typeof value !== 'string')
    return listChunks(value, (item) => writeJson(item, { escapesNonAscii: false, spaced: false }));
  const parsed = parsedJson(value);
  return parsed === undefined ? headedBlocks(value) : listChunks(parsed, (_, at) => sourceText(value, at));
}

function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // text that only begins like JSON
  }
}

/** An item of JSON text exactly as it is written there; offsets in decoded text are UTF-16 units. */
function sourceText(text: string, at: JsonPath): string {
  const [span] = locate(text, [at]);
  return span === undefined ? '' : text.slice(span.start, span.end);
}

function listChunks(value: unknown, whole: (item: JsonObject, at: JsonPath) => string): ChunkDraft[] {
  const [items, at] = findList(value);
  return items.map((item, i) => {
    const text = TEXT_KEYS.map((key) => item[key]).find((one) => typeof one === 'string');
    const saysMore = Object.keys(item).some((key) => !DESCRIBING_KEYS.has(key) && item[key] !== text);
    const uri = firstText(item, URI_KEYS) ?? '';
    const title = firstText(item, TITLE_KEYS);
    const content = typeof text === 'string' && !saysMore ? text : whole(item, [...at, i]);
    const source = {
      documentId: firstText(item, ['document_id', 'doc_id']) ?? (uri || (title ?? '')),
      uri,
      title,
    };
    return { ownId: firstText(item, ID_KEYS), label: String(i + 1), content, source, pictureRefs: [] };
  });
}

/** A list of objects that all carry text, or name a page: the value itself, or under one of the usual keys. */
function findList(value: unknown): [readonly JsonObject[], JsonPath] {
  if (Array.isArray(value) && isTextList(value)) return [value.filter(isObject), []];
  for (const key of LIST_KEYS) {
    const list = field(value, key);
    if (Array.isArray(list) && isTextList(list)) return [list.filter(isObject), [key]];
  }
  return [[], []];
}

function isTextList(items: readonly unknown[]): boolean {
  return (
    items.length > 0 &&
    items.every(
      (item) => isObject(item) && (isUrl(item) || TEXT_KEYS.some((key) => typeof item[key] === 'string')),
    )
  );
}

/** What a provider's search says of a page that it looked at, without what the page says. */
function isUrl(item: JsonObject): boolean {
  return item.type === 'url' && typeof item.url === 'string';
}

function firstText(item: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return null;
}
