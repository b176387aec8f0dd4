import { type DerivedLedger, startDerivation } from '../ledger/derive.js';
import type { Ledger, LedgerLine } from '../ledger/entry.js';
import { isLedgerLine } from '../ledger/ledger-line.js';
import { type EditedRecord, mergeEdits } from '../transcript/edited.js';
import { ThreadError } from '../transcript/errors.js';
import type { ByteSource } from '../transcript/lines.js';
import { type OutlineMessage, outlineConversation } from '../transcript/outline.js';
import type { TranscriptRecord } from '../transcript/records.js';
import type { JsonStyle } from '../transcript/splice.js';
import { styleWatcher } from '../transcript/style.js';
import {
  type Conversation,
  openTranscript,
  readConversations,
  type Transcript,
} from '../transcript/transcript.js';
import { type CompactInput, type Compaction, citesAnything, compactConversation } from './compact.js';
import { type LabelledPicture, labelledPictures } from './pictures.js';

export interface CompactTranscriptOptions {
  /** The ledger to go by; without one, ledger lines in the stream count, and else one is derived. */
  readonly ledger?: Ledger | undefined;
  readonly format?: string | undefined;
  /** Compact as if a new question arrived at this position. */
  readonly boundary?: number | undefined;
  readonly allowUncited: boolean;
  readonly copies: boolean;
  readonly lenient: boolean;
  readonly onBrokenTail?: (line: number) => void;
}

/** One conversation of a compacted transcript. */
export interface CompactedConversation {
  readonly index: number;
  readonly id: string | null;
  readonly ledger: Ledger;
  readonly isDerived: boolean;
  readonly outline: readonly OutlineMessage[];
  readonly compaction: Compaction;
}

/** What a compaction makes of a whole input; nothing has been written yet. */
export interface CompactedTranscript {
  /** Null for an input without any message. */
  readonly transcript: Transcript | null;
  readonly conversations: readonly CompactedConversation[];
  readonly edits: readonly EditedRecord[];
  readonly style: JsonStyle;
}

/**
 * Plans the compaction of a transcript, reading it once. `editedPieces` with the result's edits gives the output.
 * @throws ThreadError (with its kinds InputError and RuleError) for input that cannot be compacted; then nothing of the
 * output has been made.
 */
export async function compactTranscript(
  source: ByteSource,
  options: CompactTranscriptOptions,
): Promise<CompactedTranscript> {
  const foreign = new Map<number, { text: string; line: number }>();
  const transcript = openTranscript(source, {
    format: options.format,
    lenient: options.lenient,
    isForeign: (record) => noteLedgerLine(record, foreign),
    ...(options.onBrokenTail === undefined ? {} : { onBrokenTail: options.onBrokenTail }),
  });
  const style = styleWatcher();
  if (transcript === undefined)
    return { transcript: null, conversations: [], edits: [], style: style.style() };
  const watched = watchStyle(transcript, style);
  const read = [...readConversations(watched)].map(readConversation);
  const streamed = foreign.size === 0 ? undefined : await streamedLedger([...foreign.values()], source.name);
  if (options.format !== undefined) refuseOtherFormat(options.format, read, source.name);
  const conversations = read.map((one) =>
    compactOne(one, options.ledger ?? streamed, style.style(), options),
  );
  refuseSharedLedger(conversations);
  return {
    transcript,
    conversations,
    edits: mergeEdits(conversations.flatMap(({ compaction }) => compaction.edits)),
    style: style.style(),
  };
}

/** A named format that finds no message in a file with content is the wrong one. */
function refuseOtherFormat(format: string, read: readonly ReadConversation[], file: string): void {
  if (read.some(({ outline }) => outline.length > 0)) return;
  throw new ThreadError(`${file}: no message of the format ${format} in it`, {
    hint: 'leave --format away to have it detected',
  });
}

/** Loads the ledger's schema only for the few streams that hold a ledger. */
async function streamedLedger(lines: readonly LedgerLine[], file: string): Promise<Ledger> {
  const { parseLedgerLines } = await import('../ledger/entry.js');
  return parseLedgerLines(lines, file);
}

/** Ledger lines in the stream are not the transcript's; they pass through and are collected. */
function noteLedgerLine(
  record: TranscriptRecord,
  lines: Map<number, { text: string; line: number }>,
): boolean {
  if (!isLedgerLine(record.value)) return false;
  if (!lines.has(record.index))
    lines.set(record.index, { text: record.bytes.toString('utf8'), line: record.line });
  return true;
}

/** The same transcript, with each record shown to the watcher as it is read. */
function watchStyle(transcript: Transcript, watcher: ReturnType<typeof styleWatcher>): Transcript {
  return {
    ...transcript,
    isForeign(record) {
      watcher.see(record.bytes);
      return transcript.isForeign(record);
    },
  };
}

interface ReadConversation {
  readonly conversation: Conversation;
  readonly outline: readonly OutlineMessage[];
  readonly pictures: readonly LabelledPicture[];
  readonly derived: DerivedLedger;
}

function readConversation(conversation: Conversation): ReadConversation {
  const pictures: LabelledPicture[] = [];
  const derivation = startDerivation();
  const outline = outlineConversation(conversation, (message) => {
    derivation.see(message);
    pictures.push(...labelledPictures(message));
  });
  return { conversation, outline, pictures, derived: derivation.finish(outline) };
}

function compactOne(
  read: ReadConversation,
  given: Ledger | undefined,
  style: JsonStyle,
  options: CompactTranscriptOptions,
): CompactedConversation {
  const { conversation, outline, pictures, derived } = read;
  const rules = given === undefined ? derivedRules(derived) : givenRules(given);
  const compaction = compactConversation(
    { conversation, outline, pictures, style, ...rules },
    { boundary: options.boundary, copies: options.copies },
  );
  if (given === undefined && !options.allowUncited) refuseUncited(rules.ledger, compaction, conversation);
  return {
    index: conversation.index,
    id: conversation.id,
    ledger: rules.ledger,
    isDerived: given === undefined,
    outline,
    compaction,
  };
}

type Rules = Pick<CompactInput, 'ledger' | 'isEvidence' | 'staysInPlace'>;

/** A given ledger is the authority: evidence is what its tools returned. */
function givenRules(ledger: Ledger): Rules {
  const tools = new Set(ledger.capabilities.flatMap(({ toolNames }) => toolNames));
  const retrieved = new Map(
    ledger.capabilities
      .flatMap(({ record }) => [...record.occurrences.values()])
      .map((one) => [one.chunkId, one.retrievedInQuestions]),
  );
  return {
    ledger,
    isEvidence: ({ tool }) => tool !== null && tools.has(tool),
    // What only the current question retrieved still stands in its returns.
    staysInPlace(chunkId, boundary) {
      const questions = retrieved.get(chunkId) ?? [];
      return questions.length > 0 && questions.every((question) => question >= boundary);
    },
  };
}

function derivedRules(derived: DerivedLedger): Rules {
  const chunks = new Map(derived.chunks.map((chunk) => [chunk.id, chunk]));
  return {
    ledger: derived.ledger,
    isEvidence: ({ part }, { position }) => derived.isEvidence(position, part),
    staysInPlace: (chunkId, boundary) =>
      chunks
        .get(chunkId)
        ?.retrievals.every(({ position, isEditable }) => position >= boundary || !isEditable) ?? false,
  };
}

function refuseUncited(ledger: Ledger, { returns }: Compaction, { transcript, index }: Conversation): void {
  if (returns.length === 0 || citesAnything(ledger)) return;
  const where = transcript.layout === 'conversations' ? `conversation ${index}: ` : '';
  throw new ThreadError(
    `${transcript.source.name}: ${where}no citation was found, so nothing of the earlier evidence (${returns.length} returned) would be kept`,
    { hint: 'give a ledger with --ledger FILE, or add --allow-uncited to drop them' },
  );
}

/** One ledger says what one conversation cited; question numbers of another mean something else. */
function refuseSharedLedger(conversations: readonly CompactedConversation[]): void {
  const changed = conversations.filter(
    ({ isDerived, compaction }) => !isDerived && compaction.edits.length > 0,
  );
  if (conversations.length < 2 || changed.length === 0) return;
  throw new ThreadError(`one ledger for a file of ${conversations.length} conversations`, {
    hint: 'its question numbers fit one of them only: split the file, or leave the ledger away to derive one each',
  });
}
