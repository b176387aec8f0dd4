import { beginsLikeReceipt, type CarriedChunk, RECEIPT, readCapsule, SHORTENED } from '../ledger/carried.js';
import { field, isObject, type JsonObject } from '../transcript/formats/values.js';
import { framedText } from '../transcript/framed.js';
import type { FindingKind } from './finding.js';

/** A replaced return: what it should show, what it shows, and what it is held against. */
export interface ReplacedPayload {
  readonly outcome: 'capsule' | 'receipt';
  /** JSON texts: as a compaction writes it, as it stands, and as the original has it. */
  readonly expected: string;
  readonly actual: string;
  readonly original: string;
  /** Whether text of the payload may be a frame around what is shown. */
  readonly isFramed: boolean;
  /** What the capsule has to hold of the ledger, in its order; none for a receipt. */
  readonly entries: readonly LedgerEntry[];
  /** The original return as a model reads it, where receipts may keep lines of it. */
  readonly originalText: string | undefined;
}

export interface LedgerEntry {
  readonly chunkId: string;
  readonly content: string;
}

export interface PayloadFault {
  readonly kind: FindingKind;
  readonly message: string;
}

/**
 * What is wrong with a replaced return. One that stands as it should is still held against the ledger and the original,
 * so that a proof does not rest on the compaction alone.
 */
export function payloadFaults(payload: ReplacedPayload): PayloadFault[] {
  const { isFramed } = payload;
  const expected = shownText(payload.expected, isFramed);
  const actual = shownText(payload.actual, isFramed);
  if (actual === undefined) return [{ kind: payload.outcome, message: 'no text stands here' }];
  if (payload.actual === payload.expected) return brokenPromises(actual, payload);
  if (actual === expected) return [besideText(payload)];
  if (actual === shownText(payload.original, isFramed))
    return [{ kind: payload.outcome, message: `the original still stands here, not the ${payload.outcome}` }];
  if (payload.outcome === 'capsule') return capsuleFaults(expected ?? '', actual, payload);
  if (readCapsule(actual) === undefined) return receiptFaults(expected ?? '', actual, payload);
  return [{ kind: 'capsule', message: 'a capsule, which only the newest replaced return carries' }];
}

/** The text of a payload: the string itself or what it frames, its first block's, or the one field's; undefined where there is none. */
function shownText(json: string, isFramed: boolean): string | undefined {
  const value = parsed(json);
  const framed = isFramed ? framedText(value) : null;
  if (framed !== null) return framed.text;
  const text = Array.isArray(value) ? field(value[0], 'text') : isObject(value) ? onlyField(value) : value;
  return typeof text === 'string' ? text : undefined;
}

/** Formats whose payloads have to be objects hold a text in one with a single key. */
function onlyField(value: JsonObject): unknown {
  const fields = Object.values(value);
  return fields.length === 1 ? fields[0] : undefined;
}

/** Undefined for what is no JSON: behind a large difference the bytes that stand there may be any. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The text is right, but not all of the payload. */
function besideText({ expected, actual, outcome }: ReplacedPayload): PayloadFault {
  const [wanted, found] = [blocksBehind(expected), blocksBehind(actual)];
  if (wanted !== found)
    return {
      kind: 'picture',
      message: 'the pictures beside the text and their labels are not the ones to be kept',
    };
  return { kind: outcome, message: 'the right text, but written in another way' };
}

function blocksBehind(json: string): string {
  const value = parsed(json);
  return JSON.stringify(Array.isArray(value) ? value.slice(1) : []);
}

function brokenPromises(actual: string, payload: ReplacedPayload): PayloadFault[] {
  const receipt = payload.outcome === 'receipt' ? actual : (readCapsule(actual)?.receipt ?? '');
  return [...chunksNotWhole(actual, payload.entries), ...foreignLine(receipt, payload.originalText)];
}

function chunksNotWhole(text: string, entries: readonly LedgerEntry[]): PayloadFault[] {
  let from = 0;
  for (const { chunkId, content } of entries) {
    const heading = text.indexOf(`[${chunkId}] Source: `, from);
    const at = heading < 0 ? -1 : text.indexOf(`\n${content}`, heading);
    if (at < 0)
      return [{ kind: 'chunk', message: `the capsule does not hold [${chunkId}] whole and in its place` }];
    from = at + 1 + content.length;
  }
  return [];
}

const ADDRESS = /\nthread show [^\n]*$/;

/** A line of a shortened receipt that is no whole line of the original, or stands out of order. */
function foreignLine(receipt: string, original: string | undefined): PayloadFault[] {
  if (!receipt.startsWith(SHORTENED) || original === undefined) return [];
  const [, ...kept] = receipt.replace(ADDRESS, '').split('\n');
  const lines = original.split('\n');
  let from = 0;
  for (const line of kept) {
    const at = lines.indexOf(line, from);
    if (at < 0) {
      const message = `${quoted(line)} is no line of the original return, or out of its order`;
      return [{ kind: 'receipt', message }];
    }
    from = at + 1;
  }
  return [];
}

function capsuleFaults(expected: string, actual: string, payload: ReplacedPayload): PayloadFault[] {
  const [wanted, found] = [readCapsule(expected), readCapsule(actual)];
  if (wanted === undefined || found === undefined)
    return [{ kind: 'capsule', message: 'no capsule stands here, where the newest replaced return was' }];
  const faults = [
    ...entryFaults(wanted.entries, found.entries),
    ...(wanted.receipt === found.receipt ? [] : receiptFaults(wanted.receipt, found.receipt, payload)),
  ];
  return faults.length > 0
    ? faults
    : [{ kind: 'capsule', message: 'the words around its chunks are not a capsule’s' }];
}

function entryFaults(wanted: readonly CarriedChunk[], found: readonly CarriedChunk[]): PayloadFault[] {
  const byId = new Map(wanted.map((entry) => [entry.ownId, entry]));
  const foundIds = new Set(found.map(({ ownId }) => ownId));
  const faults = wanted
    .filter(({ ownId }) => !foundIds.has(ownId))
    .map(({ ownId }) => chunkFault(ownId, 'is missing'));
  const seen = new Set<string>();
  for (const entry of found) {
    const like = byId.get(entry.ownId);
    if (like === undefined) faults.push(chunkFault(entry.ownId, 'is no chunk that a compaction keeps'));
    else if (seen.has(entry.ownId)) faults.push(chunkFault(entry.ownId, 'stands twice'));
    else faults.push(...differences(like, entry));
    seen.add(entry.ownId);
  }
  const isSorted =
    found.length === wanted.length && found.every(({ ownId }, i) => ownId === wanted[i]?.ownId);
  return faults.length > 0 || isSorted ? faults : [{ kind: 'chunk', message: 'the chunks are out of order' }];
}

function differences(wanted: CarriedChunk, found: CarriedChunk): PayloadFault[] {
  const { ownId, group, content, source } = wanted;
  return [
    ...(found.group === group ? [] : [chunkFault(ownId, `stands in group ${found.group}, not in ${group}`)]),
    ...(found.content === content ? [] : [chunkFault(ownId, 'is not the text of the ledger')]),
    ...(JSON.stringify(found.source) === JSON.stringify(source)
      ? []
      : [chunkFault(ownId, 'names another source')]),
  ];
}

function chunkFault(id: string, problem: string): PayloadFault {
  return { kind: 'chunk', message: `[${id}] ${problem}` };
}

function receiptFaults(expected: string, actual: string, { originalText }: ReplacedPayload): PayloadFault[] {
  if (!beginsLikeReceipt(actual))
    return [{ kind: 'receipt', message: 'neither a capsule nor a receipt of a known form' }];
  const [wanted, found] = [ADDRESS.exec(expected)?.[0], ADDRESS.exec(actual)?.[0]];
  if (expected.replace(ADDRESS, '') === actual.replace(ADDRESS, ''))
    return [{ kind: 'address', message: `ends with ${address(found)}, not with ${address(wanted)}` }];
  const foreign = foreignLine(actual, originalText);
  return foreign.length > 0 ? foreign : [unexplained(expected, actual)];
}

/** Whole lines in their order or none, but not those that a compaction chooses; or another receipt altogether. */
function unexplained(expected: string, actual: string): PayloadFault {
  if (expected.startsWith(RECEIPT) !== actual.startsWith(RECEIPT))
    return { kind: 'receipt', message: 'not by this ledger; was another one given to compact, or none?' };
  return [expected, actual].some((receipt) => receipt.startsWith(SHORTENED))
    ? { kind: 'excerpt', message: 'keeps other lines of the original return than a compaction does' }
    : { kind: 'receipt', message: 'not the receipt that a compaction leaves here' };
}

function address(line: string | undefined): string {
  return line === undefined ? 'no address' : quoted(line.trim());
}

const LONGEST_QUOTE = 80;

function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}
