import * as z from 'zod';
import { field } from '../transcript/formats/values.js';
import { tokens } from '../transcript/json-text.js';
import type { LedgerCapability } from './entry.js';
import { citedContent, object, parseShape, recordState, string, strings, usage } from './schema.js';
import { fieldError, pathStep, type Spot } from './spot.js';

/** A value inside a JSON text, and the key that it has in an object; an item of an array has none. */
interface Node extends Spot {
  readonly text: string;
  readonly key: string | undefined;
}

const capabilityKeys = object({ tool_names: strings });
const anyObject = object({});
const collection = z.union([anyObject, z.array(z.unknown())], 'expected an object or an array');
const chunkKeys = object({ chunk_id: string.optional() });

/**
 * The capabilities in a state object as hosts of evidence tools dump it, in its order:
 * `{"<capability>":{"tool_names":[…],"citation_index":{…},"evidence":{"occurrences":{…},…}}}`. `text` must be valid
 * JSON, and begins on the given line of the file. Throws an `InputError` that names the line and the field that does not
 * fit.
 */
export function parseStateObject(text: string, file: string, line = 1): LedgerCapability[] {
  const root = { file, line, path: '', text, key: undefined };
  const members = [...readMembers(root)];
  const capabilities = members.filter(([, node]) => isCapability(node));
  if (members.length > 0 && capabilities.length === 0) {
    throw fieldError(root, 'not a ledger: no member has tool_names, citation_index or evidence');
  }
  return capabilities.map(([capability, node]) => readCapability(capability, node));
}

/** Hosts keep other state beside the evidence. */
function isCapability(node: Node): boolean {
  const value: unknown = JSON.parse(node.text);
  return ['tool_names', 'citation_index', 'evidence'].some((key) => field(value, key) !== undefined);
}

function readCapability(capability: string, node: Node): LedgerCapability {
  const members = readMembers(node);
  const evidence = members.get('evidence');
  const occurrences = evidence === undefined ? undefined : readMembers(evidence).get('occurrences');
  const state = parseShape(
    recordState,
    evidence === undefined ? {} : JSON.parse(evidence.text),
    evidence ?? node,
  );
  return {
    capability,
    toolNames: parseShape(capabilityKeys, JSON.parse(node.text), node).tool_names,
    record: {
      ...state,
      occurrences: readChunks(occurrences, usage, (chunkId, used) => ({ chunkId, capability, ...used })),
    },
    stateCarried: state.question !== null,
    citations: readChunks(members.get('citation_index'), citedContent, (chunkId, cited) => ({
      chunkId,
      ...cited,
    })),
    proofs: new Map(),
    unknown: { own: {}, byChunk: new Map() },
  };
}

/** The entries of an object keyed by chunk id, or of an array of objects with a `chunk_id`. */
function readChunks<Schema extends z.ZodType, Chunk>(
  node: Node | undefined,
  schema: Schema,
  toChunk: (chunkId: string, read: z.output<Schema>) => Chunk,
): Map<string, Chunk> {
  const chunks = new Map<string, Chunk>();
  if (node === undefined) return chunks;
  parseShape(collection, JSON.parse(node.text), node);
  for (const item of readItems(node)) {
    const chunkId = readChunkId(item);
    if (chunks.has(chunkId)) throw fieldError(item, `the chunk ${JSON.stringify(chunkId)} stands here twice`);
    chunks.set(chunkId, toChunk(chunkId, parseShape(schema, JSON.parse(item.text), item)));
  }
  return chunks;
}

function readChunkId(item: Node): string {
  const { chunk_id: named = item.key } = parseShape(chunkKeys, JSON.parse(item.text), item);
  const spot = { ...item, path: `${item.path}.chunk_id` };
  if (named === undefined) throw fieldError(spot, 'missing (expected a string)');
  if (item.key !== undefined && named !== item.key) {
    throw fieldError(spot, `expected the key ${JSON.stringify(item.key)}, got ${JSON.stringify(named)}`);
  }
  return named;
}

function readMembers(node: Node): Map<string, Node> {
  parseShape(anyObject, JSON.parse(node.text), node);
  const members = new Map<string, Node>();
  for (const item of readItems(node)) {
    const key = item.key ?? '';
    if (members.has(key)) throw fieldError(item, 'stands here twice');
    members.set(key, item);
  }
  return members;
}

/**
 * The values directly inside an object or array, read from the text: JSON.parse would move integer-like keys to the
 * front and drop repeated ones.
 */
function* readItems({ file, line, path, text }: Node): Generator<Node> {
  let depth = 0;
  let index = 0;
  let key: string | undefined;
  let start = 0;
  let itemLine = line;
  for (const token of tokens(text)) {
    if (token.kind === '{' || token.kind === '[') depth += 1;
    if (token.kind === '}' || token.kind === ']') depth -= 1;
    const isOpening = depth === 1 && start === 0;
    const isColon = depth === 1 && token.kind === ':';
    const isEnd = depth === 0 || (depth === 1 && token.kind === ',');
    if (!isOpening && !isColon && !isEnd) continue;
    const before = text.slice(start, token.start);
    if (isColon) key = String(JSON.parse(before));
    if (isEnd && before.trim() !== '') {
      const leading = before.slice(0, before.length - before.trimStart().length);
      yield {
        file,
        line: itemLine + countLines(leading),
        path: path + pathStep(key ?? index),
        text: before.trim(),
        key,
      };
      index += 1;
    }
    itemLine += countLines(before);
    start = token.end;
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
