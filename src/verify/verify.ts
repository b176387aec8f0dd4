import {
  type CompactedConversation,
  type CompactedTranscript,
  joinConversations,
  type ReadOptions,
  type ReadTranscript,
  readForCompaction,
} from '../compaction/compact-transcript.js';
import type { Ledger } from '../ledger/entry.js';
import type { ByteSource } from '../transcript/lines.js';
import { compareRecords, type MatchedFiles, type TextOf } from './comparison.js';
import { conversationPairs } from './conversation-pairs.js';
import { lostChunks } from './coverage.js';
import {
  type ConversationReading,
  type FileReading,
  type OpenFileOptions,
  openFile,
  readFile,
} from './file-reading.js';
import type { Finding } from './finding.js';
import { inferCompaction } from './inference.js';
import { comparePairs } from './pair-verdict.js';
import { checkPairs, type PairReport } from './pairs.js';
import type { DroppedReturn } from './record-case.js';
import { matchRecords } from './records.js';

export interface VerifyOptions extends OpenFileOptions {
  /** The ledger that the compaction went by; without one, ledger lines in the original count, and else one is derived. */
  readonly ledger?: Ledger | undefined;
  /** The only conversation that was compacted, by its index or id. */
  readonly conversation?: string | undefined;
}

/** Whether a file is a compaction of its original, and what it keeps and drops. */
export interface Verification {
  readonly format: string | null;
  /** Empty when it is proved. */
  readonly findings: readonly Finding[];
  /** Calls and results that do not belong together, which no provider refuses or which the original has as well. */
  readonly notes: readonly Finding[];
  readonly records: { readonly original: number; readonly compacted: number; readonly identical: number };
  /** As the compaction that comes closest makes them; none where records are missing or were added. */
  readonly conversations: readonly CompactedConversation[];
  /** Of each conversation of the file that is checked. */
  readonly pairs: readonly PairReport[];
  readonly dropped: readonly DroppedReturn[];
}

/**
 * Proves that a file is what compacting the original gives, with whatever options, or finds where it is not. The
 * compaction is made again and compared byte by byte; what it writes is held against ledger and original besides.
 * @throws ThreadError (with its kinds InputError and RuleError) when one of them is no transcript, or the original cannot
 * be compacted at all
 */
export async function verifyCompaction(
  original: ByteSource,
  compacted: ByteSource,
  options: VerifyOptions,
): Promise<Verification> {
  const read = await readForCompaction(original, readOptions(original, options));
  const format = read.transcript?.format.name ?? options.format;
  const before = readFile(original, read.transcript);
  const after = readFile(compacted, openFile(compacted, { ...options, format, mayLackMessages: true }));
  const { pairs, findings } = matchRecords(before, after);
  const files: MatchedFiles = { original, actual: compacted, pairs };
  const made = isMatched(before, after) ? remake(read, before, after, files) : null;
  const comparison = made === null ? null : compareRecords(files, made, textsOf(read));
  const pairVerdict = comparePairs(pairsOf(before), pairsOf(after));
  return {
    format: read.transcript?.format.name ?? null,
    findings: [
      ...findings,
      ...(comparison?.findings ?? []),
      ...(made === null ? [] : lostFindings(read, made)),
      ...pairVerdict.findings,
    ],
    notes: pairVerdict.notes,
    records: {
      original: before.records.length,
      compacted: after.records.length,
      identical: pairs.filter(({ isIdentical }) => isIdentical).length,
    },
    conversations: made?.conversations ?? [],
    pairs: pairsOf(after),
    dropped: comparison?.dropped ?? [],
  };
}

function pairsOf({ conversations }: FileReading): PairReport[] {
  return conversations.map((one) => one.pairs);
}

function isMatched(before: FileReading, after: FileReading): boolean {
  return before.records.length === after.records.length;
}

/** The compaction that comes closest to the file, of each conversation for itself. */
function remake(
  read: ReadTranscript,
  before: FileReading,
  after: FileReading,
  files: MatchedFiles,
): CompactedTranscript {
  const textOf = textsOf(read);
  const pairs = conversationPairs(read, files);
  const conversations = read.conversations.flatMap((one) => {
    const { index } = one.conversation;
    const own = { ...files, pairs: pairs.get(index) ?? [] };
    return inferCompaction({
      read,
      one,
      original: conversationAt(before, index),
      actual: conversationAt(after, index),
      compare: (compacted) => compareRecords(own, compacted, textOf),
    }).compacted.conversations;
  });
  return joinConversations(read, conversations);
}

/** The original texts of the returns of derived ledgers: their receipts may keep lines of them. */
function textsOf({ conversations }: ReadTranscript): TextOf {
  const texts = new Map(
    conversations.map(({ conversation, derived }) => [
      conversation.index,
      new Map(derived?.results.map(({ position, part, text }) => [`${position}.${part}`, text])),
    ]),
  );
  return (conversation, { message, result }) =>
    texts.get(conversation)?.get(`${message.position}.${result.part}`)?.read();
}

function lostFindings(read: ReadTranscript, made: CompactedTranscript): Finding[] {
  const conversations = new Map(read.conversations.map((one) => [one.conversation.index, one]));
  return made.conversations.flatMap(({ compaction, index }) => {
    const one = conversations.get(index);
    const lost = one === undefined ? [] : lostChunks(one, compaction);
    return lost.map((id): Finding => {
      const message = `[${id}] was cited and is shown nowhere any more`;
      return { ...NOWHERE, kind: 'chunk', conversation: index, message };
    });
  });
}

const NOWHERE = { position: null, part: null, line: 1, expected: null, actual: null };

function readOptions({ name }: ByteSource, { onBrokenTail, ...rest }: VerifyOptions): ReadOptions {
  return onBrokenTail === undefined ? rest : { ...rest, onBrokenTail: (line) => onBrokenTail(name, line) };
}

const NOBODY: ConversationReading = {
  outline: [],
  pairs: checkPairs([], ''),
  results: new Map(),
  hasShrunkCopies: false,
};

function conversationAt({ conversations }: FileReading, index: number): ConversationReading {
  return conversations[index] ?? NOBODY;
}
