import type { CompactedConversation, CompactedTranscript } from '../compaction/compact-transcript.js';
import type { ReturnPlan } from '../compaction/history.js';
import { type ByteSource, readRange } from '../transcript/lines.js';
import {
  type Change,
  type Edit,
  type JsonPath,
  type JsonStyle,
  spliceChanges,
} from '../transcript/splice.js';
import { alignRecord, isAsExpected } from './alignment.js';
import type { Finding } from './finding.js';
import type { LedgerEntry } from './payload.js';
import {
  type DroppedReturn,
  droppedReturns,
  type PlacedMessage,
  type PlacedReturn,
  type RecordCase,
  recordFindings,
} from './record-case.js';
import type { RecordPair } from './records.js';

/** Both files with their records matched. */
export interface MatchedFiles {
  readonly original: ByteSource;
  readonly actual: ByteSource;
  readonly pairs: readonly RecordPair[];
}

/** What the files differ in from one compaction of the original. */
export interface Comparison {
  readonly findings: readonly Finding[];
  readonly dropped: readonly DroppedReturn[];
  /** How much stands in stretches that are not as they should be; 0 when the records are the same. */
  readonly doubtful: number;
}

/** A return's original as a model reads it; undefined where receipts keep no lines of it. */
export type TextOf = (conversation: number, plan: ReturnPlan) => string | undefined;

/** Holds every matched record against what the compaction makes of it. */
export function compareRecords(
  files: MatchedFiles,
  { edits, style, conversations }: CompactedTranscript,
  textOf: TextOf,
): Comparison {
  const editsOf = new Map(edits.map((edited) => [edited.record.index, edited.edits]));
  const messages = byRecord(conversations.flatMap(placedMessages));
  const returns = byRecord(conversations.flatMap((one) => placedReturns(one, textOf)));
  const cases = files.pairs
    .filter(({ original, isIdentical }) => editsOf.has(original.index) || !isIdentical)
    .map((pair): RecordCase => {
      const { index } = pair.original;
      return {
        ...alignPair(files, pair, editsOf.get(index) ?? [], style),
        root: pair.root ?? [],
        line: pair.original.line,
        actualLine: pair.actual.line,
        messages: messages.get(index) ?? [],
        returns: returns.get(index) ?? [],
      };
    });
  const wrong = cases.flatMap(({ stretches }) => stretches.filter((one) => !isAsExpected(one)));
  return {
    findings: cases.flatMap(recordFindings),
    dropped: cases.flatMap(droppedReturns),
    doubtful: wrong.reduce((sum, { expected, actual = expected }) => sum + 1 + actual.length, 0),
  };
}

function alignPair(
  files: MatchedFiles,
  pair: RecordPair,
  edits: readonly Edit[],
  style: JsonStyle,
): Pick<RecordCase, 'original' | 'actual' | 'stretches'> {
  const original = readRange(files.original, pair.original.start, pair.original.end);
  const actual = readRange(files.actual, pair.actual.start, pair.actual.end);
  return {
    original,
    actual,
    stretches: alignRecord(original, changesAt(pair.root ?? [], original, edits, style), actual),
  };
}

/** The changes in the value at a path of the record that they are for. */
function changesAt(root: JsonPath, bytes: Buffer, edits: readonly Edit[], style: JsonStyle): Change[] {
  if (root.length === 0) return spliceChanges(bytes, edits, style);
  const inside = new Map<Edit, Edit>(
    edits
      .filter(({ at }) => root.every((key, i) => key === at[i]))
      .map((edit) => [{ ...edit, at: edit.at.slice(root.length) }, edit]),
  );
  return spliceChanges(bytes, [...inside.keys()], style).map((change) => {
    return { ...change, edit: inside.get(change.edit) ?? change.edit };
  });
}

function placedMessages({ index, outline }: CompactedConversation): PlacedMessage[] {
  return outline.map((message) => ({ conversation: index, message }));
}

function placedReturns({ index, compaction, ledger }: CompactedConversation, textOf: TextOf): PlacedReturn[] {
  const citations = new Map(ledger.capabilities.map((one) => [one.capability, one.citations]));
  const entries = compaction.capsule.groups.flatMap((group) =>
    group.entries.map(({ capability, chunkId }): LedgerEntry => {
      return { chunkId, content: citations.get(capability)?.get(chunkId)?.content ?? '' };
    }),
  );
  return compaction.returns.map((plan) => ({
    conversation: index,
    message: plan.message,
    plan,
    entries: plan.outcome === 'capsule' ? entries : [],
    originalText: textOf(index, plan),
  }));
}

function byRecord<Item extends PlacedMessage>(items: readonly Item[]): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const group = groups.get(item.message.record.index);
    if (group === undefined) groups.set(item.message.record.index, [item]);
    else group.push(item);
  }
  return groups;
}
