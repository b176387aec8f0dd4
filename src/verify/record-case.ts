import type { ReturnPlan } from '../compaction/history.js';
import type { OutlineMessage } from '../transcript/outline.js';
import { type Change, type JsonPath, locate, type Span } from '../transcript/splice.js';
import { isAsExpected, type Stretch } from './alignment.js';
import { digestOf, type Finding, type FindingKind } from './finding.js';
import { type LedgerEntry, payloadFaults } from './payload.js';

export interface PlacedMessage {
  readonly conversation: number;
  readonly message: OutlineMessage;
}

/** A return that the compaction replaces. */
export interface PlacedReturn extends PlacedMessage {
  readonly plan: ReturnPlan;
  /** What the capsule holds, for the return that carries it. */
  readonly entries: readonly LedgerEntry[];
  /** As a model reads it, where receipts may keep lines of it. */
  readonly originalText: string | undefined;
}

/** A record that the compaction changes, or that was changed: as it was, and as it is. */
export interface RecordCase {
  readonly original: Buffer;
  readonly actual: Buffer;
  /** The path of the value that the bytes are of; empty for the whole record. */
  readonly root: JsonPath;
  readonly stretches: readonly Stretch[];
  /** 1-based, where it starts in the original and in the file that is checked. */
  readonly line: number;
  readonly actualLine: number;
  readonly messages: readonly PlacedMessage[];
  readonly returns: readonly PlacedReturn[];
}

/** A return whose original is not shown any more. */
export interface DroppedReturn extends PlacedReturn {
  /** 1-based line of the payload in the original. */
  readonly line: number;
  /** Of the original JSON value. */
  readonly sha256: string;
  readonly bytes: number;
}

/** What is wrong with a record. What stands behind a difference too large to see past says nothing more. */
export function recordFindings(one: RecordCase): Finding[] {
  return one.stretches.flatMap((stretch, i): Finding[] => {
    const { change, actual } = stretch;
    if (actual === undefined) return [];
    const replaced = change === null ? undefined : replacedBy(change, one);
    if (change !== null && replaced !== undefined) return payloadFindings(one, stretch, change, replaced);
    if (isAsExpected(stretch)) return [];
    return [
      change === null
        ? copiedFinding(one, stretch, one.stretches[i - 1])
        : writtenFinding(one, stretch, change),
    ];
  });
}

/** By their paths, once for each record: a document has thousands of them. */
const RETURNS = new WeakMap<RecordCase, ReadonlyMap<string, PlacedReturn>>();

function replacedBy({ edit }: Change, one: RecordCase): PlacedReturn | undefined {
  const returns =
    RETURNS.get(one) ?? new Map(one.returns.toReversed().map((each) => [pathKey(each.plan.result.at), each]));
  RETURNS.set(one, returns);
  return edit.op === 'replace' ? returns.get(pathKey(edit.at)) : undefined;
}

function pathKey(path: JsonPath): string {
  return JSON.stringify(path);
}

function payloadFindings(
  one: RecordCase,
  stretch: Stretch,
  { start, end }: Change,
  { conversation, plan, entries, originalText }: PlacedReturn,
): Finding[] {
  const faults = payloadFaults({
    outcome: plan.outcome,
    expected: stretch.expected.toString('utf8'),
    actual: stretch.actual?.toString('utf8') ?? '',
    original: one.original.subarray(start, end).toString('utf8'),
    isFramed: plan.result.frame !== null,
    entries,
    originalText,
  });
  const place = { conversation, position: plan.message.position, part: plan.result.part };
  return faults.map(({ kind, message }) => ({ ...finding(one, stretch, kind, message), ...place }));
}

/** Bytes that are the original's, in a record that holds nothing replaced or around what is. */
function copiedFinding(one: RecordCase, stretch: Stretch, before: Stretch | undefined): Finding {
  const { expected, actual = Buffer.alloc(0), originalAt, actualAt } = stretch;
  const offset = differsAt(expected, actual);
  const shifted = { ...stretch, originalAt: originalAt + offset, actualAt: actualAt + offset };
  if (before?.change?.edit.op === 'remove' && offset === 0)
    return finding(
      one,
      shifted,
      'picture',
      'a retrieved picture or its label stands here, which does not stay',
    );
  return one.returns.length === 0
    ? finding(one, shifted, 'untouched', 'not the original’s record, which holds nothing that is replaced')
    : finding(one, shifted, 'around', 'not the original’s, beside what is replaced');
}

/** What a compaction writes besides payloads: viewers' copies, and pictures behind a message's other parts. */
function writtenFinding(one: RecordCase, stretch: Stretch, { edit }: Change): Finding {
  if (edit.op !== 'replace')
    return finding(one, stretch, 'picture', 'the kept pictures and their labels are not the ones to be kept');
  const copied = one.returns.find(({ plan: { message, result } }) =>
    result.copies.some(({ record, at }) => record.index === message.record.index && isInside(edit.at, at)),
  );
  return {
    ...finding(one, stretch, 'copy', 'the copy for viewers is not shortened as the others are'),
    part: copied?.plan.result.part ?? null,
  };
}

function finding(one: RecordCase, stretch: Stretch, kind: FindingKind, message: string): Finding {
  return {
    kind,
    ...placeAt(one, stretch.originalAt),
    line: lineAt(one.actual, stretch.actualAt, one.actualLine),
    message,
    expected: digestOf(stretch.expected),
    actual: digestOf(stretch.actual ?? ''),
  };
}

/** The innermost of the record's messages and results that holds a byte of the original. */
function placeAt(one: RecordCase, offset: number): Pick<Finding, 'conversation' | 'position' | 'part'> {
  const place = placedSpans(one).findLast(
    ({ span }) => span !== undefined && span.start <= offset && offset < span.end,
  );
  const first = one.messages[0]?.conversation ?? 0;
  return {
    conversation: place?.conversation ?? first,
    position: place?.position ?? null,
    part: place?.part ?? null,
  };
}

type PlacedSpan = Pick<Finding, 'conversation' | 'position' | 'part'> & { readonly span: Span | undefined };

/** A document of many conversations is one record: it is looked through once, however much is found in it. */
const SPANS = new WeakMap<RecordCase, readonly PlacedSpan[]>();

function placedSpans(one: RecordCase): readonly PlacedSpan[] {
  const known = SPANS.get(one) ?? findSpans(one);
  SPANS.set(one, known);
  return known;
}

function findSpans({ original, root, messages }: RecordCase): PlacedSpan[] {
  const places = messages.flatMap(({ conversation, message }) => [
    { at: message.at, conversation, position: message.position, part: null },
    ...message.results.map(({ at, part }) => ({ at, conversation, position: message.position, part })),
  ]);
  const spans = locate(
    original.toString('latin1'),
    places.map(({ at }) => at.slice(root.length)),
  );
  return places.map(({ conversation, position, part }, i) => ({
    conversation,
    position,
    part,
    span: spans[i],
  }));
}

/** The returns of a record whose payload is not what it was. */
export function droppedReturns(one: RecordCase): DroppedReturn[] {
  return one.stretches.flatMap(({ change, expected }): DroppedReturn[] => {
    const replaced = change === null ? undefined : replacedBy(change, one);
    if (change === null || replaced === undefined) return [];
    const payload = one.original.subarray(change.start, change.end);
    if (payload.equals(expected)) return [];
    return [
      {
        ...replaced,
        line: lineAt(one.original, change.start, one.line),
        sha256: digestOf(payload),
        bytes: payload.length,
      },
    ];
  });
}

/** How many line ends stand before an offset that was asked for last: mostly the next one stands behind it. */
const LINE_ENDS = new WeakMap<Buffer, { readonly offset: number; readonly count: number }>();

function lineAt(bytes: Buffer, offset: number, firstLine: number): number {
  const last = LINE_ENDS.get(bytes);
  const from = last !== undefined && last.offset <= offset ? last : { offset: 0, count: 0 };
  let { count } = from;
  for (let at = bytes.indexOf('\n', from.offset); at >= 0 && at < offset; at = bytes.indexOf('\n', at + 1))
    count += 1;
  LINE_ENDS.set(bytes, { offset, count });
  return firstLine + count;
}

function differsAt(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return i;
  return shared;
}

function isInside(path: JsonPath, outer: JsonPath): boolean {
  return isSamePath(path.slice(0, outer.length), outer);
}

function isSamePath(a: JsonPath, b: JsonPath): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
}
