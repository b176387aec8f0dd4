// What every transcript format keeps, as functions of bytes: each gives back what is wrong, nothing when it holds.
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { editedPieces } from '../../src/transcript/edited.js';
import { detectFormat } from '../../src/transcript/formats/index.js';
import { memorySource } from '../../src/transcript/lines.js';
import type { Message, ToolResult } from '../../src/transcript/message.js';
import { outlineConversation } from '../../src/transcript/outline.js';
import { questionPositions } from '../../src/transcript/question.js';
import { type RecordRange, readRecords } from '../../src/transcript/records.js';
import type { JsonPath } from '../../src/transcript/splice.js';
import { openTranscript, readConversations, type Transcript } from '../../src/transcript/transcript.js';
import { comparePairs, judgePairs, readPairs } from '../../src/verify/pair-verdict.js';
import { verifyCompaction } from '../../src/verify/verify.js';
import { compactBytes } from '../compaction/compacted.js';

/** A file, and what compacting it gave. */
export interface Compacted {
  readonly before: Buffer;
  readonly after: Buffer;
  readonly format: string;
  /** How it was compacted, beside what every fixture is. */
  readonly options?: { readonly boundary: number } | undefined;
}

/** Everything earlier is compacted, also where nothing is cited. */
export async function compacted(bytes: Buffer, options = {}): Promise<Buffer> {
  return (await compactBytes(bytes, { recent: 0, ...options })).output;
}

function open(bytes: Buffer): Transcript {
  const transcript = openTranscript(memorySource('x', bytes), { lenient: false, isForeign: () => false });
  if (transcript === undefined) throw new Error('no messages');
  return transcript;
}

/** Nothing else may fit as well: `values` are the records of the file. */
export function detectionProblems(values: readonly unknown[], format: string): string[] {
  const detection = detectFormat(values);
  const found = detection?.format.name ?? 'nothing';
  return [
    ...(found === format ? [] : [`detected as ${found}`]),
    ...(detection?.isTie ? ['another format fits as well'] : []),
  ];
}

export function valuesOf(bytes: Buffer): unknown[] {
  return [...readRecords(memorySource('x', bytes), open(bytes).recordOptions)].map(({ value }) => value);
}

/** With nothing to do, no byte changes: no edits, no earlier question, or all evidence recent. */
export async function identityProblems(bytes: Buffer): Promise<string[]> {
  const source = memorySource('x', bytes);
  const style = { spaced: false, escapesNonAscii: false };
  const untouched = Array.from(editedPieces(source, [], style), ({ bytes }) => Buffer.from(bytes));
  const outputs = [
    { way: 'no edits', output: Buffer.concat(untouched) },
    { way: '--boundary 0', output: await compacted(bytes, { boundary: 0 }) },
    { way: 'all of it recent', output: await compacted(bytes, { recent: 1e9 }) },
  ];
  return outputs.filter(({ output }) => !output.equals(bytes)).map(({ way }) => `${way}: the bytes change`);
}

/** Where the payload of a result stands: its record, by its index, and the path in it. */
interface Place {
  readonly record: number;
  readonly at: JsonPath;
  readonly isEarlier: boolean;
  readonly isArray: boolean;
}

/** The places of results that may be replaced. */
function placesIn(bytes: Buffer, boundary: number | undefined): Place[] {
  return [...readConversations(open(bytes))].flatMap((conversation) => {
    const messages: Message[] = [];
    const outline = outlineConversation(conversation, (message) => messages.push(message));
    const last = boundary ?? questionPositions(outline).at(-1) ?? 0;
    return messages.flatMap(({ position, record, parts }) =>
      parts
        .filter((part): part is ToolResult => part.kind === 'tool-result' && part.isEditable)
        .map(({ at, blocks }) => {
          return { record: record.index, at, isEarlier: position < last, isArray: blocks !== null };
        }),
    );
  });
}

/** The bytes of a payload: from `start` to `end` of the file. */
interface Payload {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The values at the places, found by another parser than the product's. */
function payloadsAt(bytes: Buffer, places: readonly Place[]): Payload[] {
  const trees = new Map<number, Node | undefined>();
  const source = memorySource('x', bytes);
  const ranges = Array.from(readRecords(source, open(bytes).recordOptions), ({ start, end }) => {
    return { start, end };
  });
  return places.map(({ record, at }) => {
    const range = ranges[record];
    if (range === undefined) throw new Error(`no record ${record}`);
    const node = nodeAt(bytes, range, at, trees);
    const start = range.start + node.offset;
    return { type: node.type, start, end: start + node.length };
  });
}

/** Latin-1 keeps offsets and bytes the same. */
function nodeAt(
  bytes: Buffer,
  { start, end }: Pick<RecordRange, 'start' | 'end'>,
  at: JsonPath,
  trees: Map<number, Node | undefined>,
): Node {
  if (!trees.has(start)) trees.set(start, parseTree(bytes.toString('latin1', start, end)));
  const tree = trees.get(start);
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...at]);
  if (node === undefined) throw new Error(`no value at ${JSON.stringify(at)}`);
  return node;
}

/** Only payloads of earlier results differ; every other byte, so every key, number and order, is the same. */
export function spliceProblems({ before, after, options }: Compacted): string[] {
  const places = placesIn(before, options?.boundary);
  const [old, made] = [payloadsAt(before, places), payloadsAt(after, places)];
  const changed = places.flatMap(({ isEarlier, isArray }, i) => {
    const [one, other] = [old[i], made[i]];
    if (one === undefined || other === undefined) return [];
    const isSame = before.subarray(one.start, one.end).equals(after.subarray(other.start, other.end));
    if (!isSame && !isEarlier) return [`result ${i} of the current question changes`];
    const keepsType = one.type === other.type || (one.type !== 'string' && !isArray);
    return keepsType ? [] : [`result ${i} was of type ${one.type} and is ${other.type}`];
  });
  const [kept, left] = [between(before, old), between(after, made)];
  const at = kept.findIndex((piece, i) => left[i] === undefined || !piece.equals(left[i]));
  return at < 0 ? changed : [...changed, `bytes change that are no payload, before result ${at}`];
}

function between(bytes: Buffer, payloads: readonly Payload[]): Buffer[] {
  const sorted = payloads.toSorted((a, b) => a.start - b.start);
  const starts = [...sorted.map(({ start }) => start), bytes.length];
  return starts.map((end, i) => bytes.subarray(sorted[i - 1]?.end ?? 0, end));
}

export function evidenceProblems({ before, after }: Compacted): string[] {
  return before.equals(after)
    ? ['nothing is compacted: the fixture needs a result before its last question']
    : [];
}

export function pairProblems({ before, after }: Compacted): string[] {
  const [left, right] = [before, after].map(
    (bytes) => readPairs(memorySource('x', bytes), { lenient: false }).pairs,
  );
  if (left === undefined || right === undefined) return ['no pairs'];
  const calls = [left, right].map((reports) => reports.reduce((sum, one) => sum + one.pairs, 0));
  return [
    ...judgePairs(left).findings.map(({ message }) => `before: ${message}`),
    ...judgePairs(right).findings.map(({ message }) => `after: ${message}`),
    ...comparePairs(left, right).findings.map(({ message }) => `new: ${message}`),
    ...(calls[0] === calls[1] ? [] : [`${calls[0]} pairs became ${calls[1]}`]),
  ];
}

function questionsOf(bytes: Buffer): string {
  const all = [...readConversations(open(bytes))].map((conversation) => {
    const texts = new Map<number, unknown>();
    const outline = outlineConversation(conversation, ({ position, parts }) => texts.set(position, parts));
    return questionPositions(outline).map((position) => [position, texts.get(position)]);
  });
  return JSON.stringify(all);
}

export function questionProblems({ before, after }: Compacted): string[] {
  const asked = questionsOf(before);
  return [
    ...(/\[\d/.test(asked) ? [] : ['nobody asks anything']),
    ...(asked === questionsOf(after) ? [] : ['the questions change']),
  ];
}

export async function againProblems({ after, options }: Compacted): Promise<string[]> {
  return (await compacted(after, options)).equals(after) ? [] : ['compacting again changes something'];
}

export async function proofProblems({ before, after }: Compacted): Promise<string[]> {
  const [original, made] = [memorySource('before', before), memorySource('after', after)];
  return (await verifyCompaction(original, made, { lenient: false })).findings.map(({ message }) => message);
}

export function formatProblems({ before, after, format }: Compacted): string[] {
  const [left, right] = [open(before), open(after)];
  return [
    ...(right.format.name === format ? [] : [`reads back as ${right.format.name}`]),
    ...(right.layout === left.layout ? [] : [`its ${left.layout} became ${right.layout}`]),
  ];
}

export const ODD_TEXT = '\\u001b[31m\\u0000\\ud83d';

/** The same file with a colour code, a NUL and half a character, escaped, at the end of every text and payload. */
export function withOddText(bytes: Buffer): Buffer {
  const trees = new Map<number, Node | undefined>();
  const ends = new Set<number>();
  for (const conversation of readConversations(open(bytes)))
    outlineConversation(conversation, ({ parts, record }) => {
      for (const part of parts) {
        if (part.kind !== 'text' && part.kind !== 'tool-result') continue;
        if (part.kind === 'tool-result' && part.value === undefined) continue;
        const node = nodeAt(bytes, record, part.at, trees);
        for (const { offset, length } of stringsIn(node)) ends.add(record.start + offset + length - 1);
      }
    });
  let at = 0;
  const pieces = [...ends]
    .toSorted((a, b) => a - b)
    .flatMap((end) => {
      const piece = bytes.subarray(at, end);
      at = end;
      return [piece, Buffer.from(ODD_TEXT)];
    });
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

/** A string, or the texts of the blocks of a payload. */
function stringsIn(node: Node): Node[] {
  if (node.type === 'string') return [node];
  if (node.type !== 'array') return [];
  return (node.children ?? []).flatMap((block) => {
    const text = findNodeAtLocation(block, ['text']);
    return text?.type === 'string' ? [text] : [];
  });
}
