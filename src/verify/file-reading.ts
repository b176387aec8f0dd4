import { isReceipt, RECEIPT, readCapsule } from '../ledger/carried.js';
import { stringLeaves } from '../ledger/derive.js';
import { isLedgerLine } from '../ledger/ledger-line.js';
import { memberOf } from '../transcript/formats/values.js';
import { type ByteSource, readRange } from '../transcript/lines.js';
import { type Message, resultText, type ToolResult } from '../transcript/message.js';
import { type OutlineMessage, outlineConversation } from '../transcript/outline.js';
import { type RecordRange, readRecords } from '../transcript/records.js';
import {
  type Conversation,
  openTranscript,
  readConversations,
  type Transcript,
} from '../transcript/transcript.js';
import { digestOf } from './finding.js';
import { checkPairs, type PairedMessage, type PairReport, pairedMessage } from './pairs.js';

/** A transcript file as it stands: its records, and of each conversation what a verdict rests on. */
export interface FileReading {
  readonly source: ByteSource;
  /** None in a file without any message: all of it stands between records then. */
  readonly records: readonly RecordRange[];
  readonly conversations: readonly ConversationReading[];
}

export interface ConversationReading {
  readonly outline: readonly OutlineMessage[];
  readonly pairs: PairReport;
  /** The results of each message, by its position. */
  readonly results: ReadonlyMap<number, readonly StandingResult[]>;
  /** Whether a copy for viewers has our receipt in it. */
  readonly hasShrunkCopies: boolean;
}

/** What a tool result shows. */
export interface StandingResult {
  readonly form: 'capsule' | 'receipt' | 'other';
  /** Of the text that a model reads. */
  readonly digest: string;
  /** A capsule without the receipt behind it; empty in another form. */
  readonly capsule: string;
  readonly hasAddress: boolean;
}

export interface OpenFileOptions {
  readonly format?: string | undefined;
  readonly mayLackMessages?: boolean;
  readonly lenient: boolean;
  readonly onBrokenTail?: (file: string, line: number) => void;
}

/** Null for a file without any message. */
export function openFile(source: ByteSource, options: OpenFileOptions): Transcript | null {
  const { format, mayLackMessages = false, lenient, onBrokenTail } = options;
  const opened = openTranscript(source, {
    format,
    mayLackMessages,
    lenient,
    isForeign: ({ value }) => isLedgerLine(value),
    ...(onBrokenTail === undefined ? {} : { onBrokenTail: (line) => onBrokenTail(source.name, line) }),
  });
  return opened ?? null;
}

export function readFile(source: ByteSource, transcript: Transcript | null): FileReading {
  if (transcript === null) return { source, records: [], conversations: [] };
  return {
    source,
    records: [...readRecords(source, transcript.recordOptions)].map(({ index, line, start, end }) => ({
      index,
      line,
      start,
      end,
    })),
    conversations: [...readConversations(transcript)].map(readStanding),
  };
}

function readStanding(conversation: Conversation): ConversationReading {
  const messages: PairedMessage[] = [];
  const results = new Map<number, StandingResult[]>();
  const outline = outlineConversation(conversation, (message) => {
    messages.push(pairedMessage(message));
    results.set(message.position, standingResults(message));
  });
  const onPath = new Set(outline.filter(({ isOnPath }) => isOnPath).map(({ position }) => position));
  const live = messages.filter(({ position }) => onPath.has(position));
  return {
    outline,
    pairs: checkPairs(live, conversation.transcript.format.name),
    results,
    hasShrunkCopies: hasShrunkCopies(conversation.transcript.source, outline),
  };
}

function hasShrunkCopies(source: ByteSource, outline: readonly OutlineMessage[]): boolean {
  const copies = outline.flatMap(({ results }) => results.flatMap((result) => result.copies));
  return copies.some(({ record, at }) => {
    const bytes = readRange(source, record.start, record.end);
    if (!bytes.includes(RECEIPT)) return false;
    const copy = at.reduce(memberOf, JSON.parse(bytes.toString('utf8')));
    return stringLeaves(copy).includes(RECEIPT);
  });
}

function standingResults({ parts }: Message): StandingResult[] {
  return parts.filter((part) => part.kind === 'tool-result').map(standingResult);
}

function standingResult(result: ToolResult): StandingResult {
  const text = resultText(result);
  const first = result.blocks?.[0];
  const shown = first?.kind === 'text' ? first.text : text;
  const carried = readCapsule(shown);
  return {
    form: carried !== undefined ? 'capsule' : isReceipt(shown) ? 'receipt' : 'other',
    digest: digestOf(text),
    capsule: carried === undefined ? '' : withoutReceipt(shown, carried.receipt),
    hasAddress: shown.includes('\nthread show '),
  };
}

function withoutReceipt(text: string, receipt: string): string {
  return receipt === '' ? text : text.slice(0, text.length - receipt.length - '\n\n'.length);
}
