import type { Ledger } from '../ledger/entry.js';
import { isLedgerLine } from '../ledger/ledger-line.js';
import { collectLedgerLines } from '../ledger/streamed-ledger.js';
import type { ByteSource } from '../transcript/lines.js';
import { type IsForeign, openTranscript, type Transcript } from '../transcript/transcript.js';
import { alignMessages, type Slot } from './alignment.js';
import { type BodyReader, bodyReader } from './body.js';
import { type CitingQuestions, citingQuestions } from './citing.js';
import { isSameBytes } from './same-bytes.js';
import { type MessageSummary, readSide, type Side, type SideConversation, type TokenCounts } from './side.js';

export interface DiffOptions {
  /** Of both files; detected for each where it is not given. */
  readonly format?: string | undefined;
  readonly lenient: boolean;
  readonly onBrokenTail?: (file: string, line: number) => void;
  /** Says which questions cite what a capsule keeps; else ledger lines in `before` do, or a derived ledger. */
  readonly ledger?: Ledger | undefined;
}

export type MessageChange =
  | {
      readonly kind: 'same' | 'reformatted' | PairKind;
      readonly before: MessageSummary;
      readonly after: MessageSummary;
    }
  | {
      readonly kind: 'moved';
      readonly before: MessageSummary;
      readonly after: MessageSummary;
      /** Whether its content changed as well. */
      readonly isChanged: boolean;
    }
  | { readonly kind: 'removed'; readonly before: MessageSummary; readonly after: null }
  | { readonly kind: 'added'; readonly before: null; readonly after: MessageSummary };

/** A pair that says something else than before: evidence that became a capsule or a receipt, or any other. */
type PairKind = 'changed' | 'capsule' | 'receipt';
export type ChangeKind = MessageChange['kind'];

export const CHANGE_KINDS: readonly ChangeKind[] = [
  'same',
  'changed',
  'capsule',
  'receipt',
  'removed',
  'added',
  'moved',
  'reformatted',
];

export interface ConversationDiff {
  /** Null on the side that has no such conversation. */
  readonly before: SideConversation | null;
  readonly after: SideConversation | null;
  /** In the order of `after`; what is removed stands where it stood. */
  readonly changes: readonly MessageChange[];
  /** Entries that are no messages: how many each side has that the other has not. */
  readonly bookkeeping: { readonly removed: number; readonly added: number };
}

/** What became of a transcript. The sources have to stay open: texts are read when they are asked for. */
export interface TranscriptDiff {
  readonly before: Side;
  readonly after: Side;
  /** Two formats are compared by what a model reads; then bytes do not count. */
  readonly isAcrossFormats: boolean;
  readonly isSame: boolean;
  /** All messages are the same and the files are not: line ends, blank lines, or what stands around messages. */
  readonly differsBetween: boolean;
  readonly conversations: readonly ConversationDiff[];
  readonly bodies: BodyReader;
  readonly citing: CitingQuestions;
}

/**
 * Compares two transcripts message by message.
 * @throws InputError when one of them is no transcript
 */
export async function diffTranscripts(
  before: ByteSource,
  after: ByteSource,
  options: DiffOptions,
): Promise<TranscriptDiff> {
  const streamed = collectLedgerLines(before.name);
  const [openedBefore, openedAfter] = [
    open(before, streamed.isForeign, options),
    open(after, ({ value }) => isLedgerLine(value), options),
  ];
  const tokens: TokenCounts = new Map();
  const [left, right] = [readSide(before, openedBefore, tokens), readSide(after, openedAfter, tokens)];
  const isAcrossFormats =
    openedBefore !== null && openedAfter !== null && openedBefore.format !== openedAfter.format;
  const bodies = bodyReader(left, right);
  const conversations = pairConversations(left, right).map(([one, other]) =>
    diffConversation(one, other, isAcrossFormats, bodies),
  );
  const isAlike = conversations.every((one) => isAlikeConversation(one, isAcrossFormats));
  const differsBetween = isAlike && !isAcrossFormats && !isSameBytes(before, after);
  return {
    before: left,
    after: right,
    isAcrossFormats,
    isSame: isAlike && !differsBetween,
    differsBetween,
    conversations,
    bodies,
    citing: citingQuestions(openedBefore, options.ledger ?? (await streamed.ledger())),
  };
}

function open(source: ByteSource, isForeign: IsForeign, options: DiffOptions): Transcript | null {
  const { format, lenient, onBrokenTail } = options;
  const opened = openTranscript(source, {
    format,
    lenient,
    isForeign,
    ...(onBrokenTail === undefined ? {} : { onBrokenTail: (line) => onBrokenTail(source.name, line) }),
  });
  return opened ?? null;
}

type ConversationPair = readonly [SideConversation | null, SideConversation | null];

/** By id where all have one of their own, else by their order. */
function pairConversations(
  { conversations: left }: Side,
  { conversations: right }: Side,
): ConversationPair[] {
  const byId = new Map(right.map((one) => [one.id, one]));
  const isNamed = [left, right].every(
    (side) => new Set(side.map(({ id }) => id)).size === side.length && side.every(({ id }) => id !== null),
  );
  if (!isNamed || (left.length === 1 && right.length === 1)) {
    const length = Math.max(left.length, right.length);
    return Array.from({ length }, (_, i) => [left[i] ?? null, right[i] ?? null]);
  }
  const known = new Set(left.map(({ id }) => id));
  return [
    ...left.map((one): ConversationPair => [one, byId.get(one.id) ?? null]),
    ...right.filter(({ id }) => !known.has(id)).map((one): ConversationPair => [null, one]),
  ];
}

function diffConversation(
  before: SideConversation | null,
  after: SideConversation | null,
  isAcrossFormats: boolean,
  bodies: BodyReader,
): ConversationDiff {
  const [left, right] = [before?.messages ?? [], after?.messages ?? []];
  const changes = alignMessages(left, right).flatMap((slot) => changeAt(slot, left, right));
  return {
    before,
    after,
    changes: isAcrossFormats ? changes : changes.map((change) => judged(change, bodies)),
    bookkeeping: {
      removed: missingFrom(after?.bookkeeping ?? [], before?.bookkeeping ?? []),
      added: missingFrom(before?.bookkeeping ?? [], after?.bookkeeping ?? []),
    },
  };
}

function changeAt(
  slot: Slot,
  left: readonly MessageSummary[],
  right: readonly MessageSummary[],
): MessageChange[] {
  const before = slot.kind === 'added' ? undefined : left[slot.before];
  const after = slot.kind === 'removed' ? undefined : right[slot.after];
  if (before === undefined) return after === undefined ? [] : [{ kind: 'added', before: null, after }];
  if (after === undefined) return [{ kind: 'removed', before, after: null }];
  const isChanged = before.content !== after.content;
  if (slot.kind === 'pair' && slot.isMoved) return [{ kind: 'moved', before, after, isChanged }];
  return [{ kind: isChanged ? pairKind(before, after) : 'same', before, after }];
}

/** One that carried a capsule and is a receipt now is a receipt. */
function pairKind({ evidence: before }: MessageSummary, { evidence: after }: MessageSummary): PairKind {
  if (after.capsules > before.capsules) return 'capsule';
  if (after.receipts > before.receipts) return 'receipt';
  return after.capsules > 0 && after.returns === before.returns ? 'capsule' : 'changed';
}

/** Tells what says the same in other bytes from what says more than a model reads, such as a time or an id. */
function judged(change: MessageChange, bodies: BodyReader): MessageChange {
  if (change.kind !== 'same' || change.before.raw === change.after.raw) return change;
  const isSameValue = bodies.isSameValue(change.before, change.after);
  return { ...change, kind: isSameValue ? 'reformatted' : 'changed' };
}

/** How many of `items` have no equal left in `others`. */
function missingFrom(others: readonly string[], items: readonly string[]): number {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return items.filter((item) => {
    const count = left.get(item) ?? 0;
    left.set(item, count - 1);
    return count <= 0;
  }).length;
}

function isAlikeConversation(
  { before, after, changes, bookkeeping }: ConversationDiff,
  isAcrossFormats: boolean,
): boolean {
  if (before === null || after === null || changes.some(({ kind }) => kind !== 'same')) return false;
  return isAcrossFormats || bookkeeping.removed + bookkeeping.added === 0;
}
