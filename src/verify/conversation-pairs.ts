import type { ReadConversation, ReadTranscript } from '../compaction/compact-transcript.js';
import { type ByteSource, readRange } from '../transcript/lines.js';
import type { RecordRange } from '../transcript/records.js';
import { type JsonPath, locate, type Span } from '../transcript/splice.js';
import type { MatchedFiles } from './comparison.js';
import type { RecordPair } from './records.js';

/**
 * What each conversation owns of the matched records, by its index. Of a record that several conversations share, such
 * as a document of many rows, it is the value in it that holds all their messages: so each byte is compared for one of
 * them only, and what the others differ in casts no doubt on it.
 */
export function conversationPairs(
  { conversations, isOneOfMany }: ReadTranscript,
  files: MatchedFiles,
): ReadonlyMap<number, readonly RecordPair[]> {
  if (!isOneOfMany) return new Map(conversations.map((one) => [indexOf(one), files.pairs]));
  const pairs = new Map(files.pairs.map((pair) => [pair.original.index, pair]));
  const own = new Map<number, RecordPair[]>(conversations.map((one) => [indexOf(one), []]));
  for (const [record, owners] of recordOwners(conversations)) {
    const pair = pairs.get(record);
    if (pair === undefined) continue;
    for (const { index, part } of sharedParts(files, pair, owners)) own.get(index)?.push(part);
  }
  return own;
}

/** A conversation with its messages' places in one record. */
interface Owner {
  readonly index: number;
  readonly paths: readonly JsonPath[];
}

function recordOwners(conversations: readonly ReadConversation[]): Map<number, Owner[]> {
  const owners = new Map<number, Owner[]>();
  for (const one of conversations) {
    const paths = new Map<number, JsonPath[]>();
    for (const { record, at } of one.outline) pushAt(paths, record.index, at);
    for (const [record, own] of paths) pushAt(owners, record, { index: indexOf(one), paths: own });
  }
  return owners;
}

interface OwnedPart {
  readonly index: number;
  readonly part: RecordPair;
}

/** Whole where it has one owner, or where their messages do not stand in a value each. */
function sharedParts(files: MatchedFiles, pair: RecordPair, owners: readonly Owner[]): OwnedPart[] {
  const roots = distinctRoots(owners);
  if (roots === undefined) return owners.map(({ index }) => ({ index, part: pair }));
  const originals = partsOf(files.original, pair.original, roots);
  const actuals = partsOf(files.actual, pair.actual, roots);
  return owners.flatMap(({ index }, i) => {
    const [root, original, actual] = [roots[i], originals[i], actuals[i]];
    if (root === undefined || original === undefined || actual === undefined) return [];
    return [{ index, part: { ...pair, original, actual, root } }];
  });
}

/** The path of each owner's value: down to the first key in which the owners differ. */
function distinctRoots(owners: readonly Owner[]): JsonPath[] | undefined {
  const [first = []] = owners[0]?.paths ?? [];
  if (owners.length < 2) return undefined;
  let shared = first.length;
  for (const { paths } of owners)
    for (const path of paths) shared = Math.min(shared, sharedKeys(first, path));
  const roots = owners.map(({ paths }) => paths[0]?.slice(0, shared + 1) ?? []);
  const isApart =
    new Set(roots.map((root) => root[shared])).size === owners.length &&
    owners.every(({ paths }, i) => paths.every((path) => path[shared] === roots[i]?.[shared]));
  return isApart && roots.every((root) => root.length === shared + 1) ? roots : undefined;
}

function sharedKeys(a: JsonPath, b: JsonPath): number {
  const differing = a.findIndex((key, i) => key !== b[i]);
  return differing < 0 ? a.length : differing;
}

/** Where the values stand in the file, on the record's line; nothing at its end for one that is not there. */
function partsOf(source: ByteSource, record: RecordRange, roots: readonly JsonPath[]): RecordRange[] {
  const bytes = readRange(source, record.start, record.end);
  const nowhere: Span = { start: bytes.length, end: bytes.length };
  return locate(bytes.toString('latin1'), roots).map((span) => {
    const { start, end } = span ?? nowhere;
    return { ...record, start: record.start + start, end: record.start + end };
  });
}

function indexOf({ conversation }: ReadConversation): number {
  return conversation.index;
}

function pushAt<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
