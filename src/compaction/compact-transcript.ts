import { type DerivedLedger, startDerivation } from '../ledger/derive.js';
import type { Ledger } from '../ledger/entry.js';
import { collectLedgerLines } from '../ledger/streamed-ledger.js';
import { type EditedRecord, mergeEdits } from '../transcript/edited.js';
import { aboutFile, ThreadError } from '../transcript/errors.js';
import type { ByteSource } from '../transcript/lines.js';
import { type OutlineMessage, outlineConversation } from '../transcript/outline.js';
import { selectConversations } from '../transcript/select-conversation.js';
import type { JsonStyle } from '../transcript/splice.js';
import { styleWatcher } from '../transcript/style.js';
import {
  type Conversation,
  openTranscript,
  readConversations,
  type Transcript,
} from '../transcript/transcript.js';
import { type Compaction, citesAnything, compactConversation } from './compact.js';
import { type LabelledPicture, labelledPictures } from './pictures.js';
import { type CompactRules, derivedRules, givenRules } from './rules.js';

export interface ReadOptions {
  /** The ledger to go by; without one, ledger lines in the stream count, and else one is derived. */
  readonly ledger?: Ledger | undefined;
  readonly format?: string | undefined;
  /** The only conversation that is compacted, by its index or id; the others stay as they are. */
  readonly conversation?: string | undefined;
  readonly lenient: boolean;
  readonly onBrokenTail?: (line: number) => void;
}

export interface CompactOneOptions {
  /** Compact as if a new question arrived at this position. */
  readonly boundary?: number | undefined;
  /** Everything from this position on stays in place, however much it is; by default `recent` finds it. */
  readonly keepFrom?: number | undefined;
  /** About how many tokens of the newest earlier evidence stay in place; a default that was measured for derived
   * ledgers, 0 for given ones. */
  readonly recent?: number | undefined;
  /** About how many tokens a capsule may have at most. */
  readonly budget?: number | undefined;
  /** Whether receipts end with the address of the original; by default those of derived ledgers do. */
  readonly addresses?: boolean | undefined;
  readonly allowUncited: boolean;
  readonly copies: boolean;
}

export interface CompactTranscriptOptions extends ReadOptions, Omit<CompactOneOptions, 'keepFrom'> {}

/** A transcript that was read to be compacted, as often as needed. */
export interface ReadTranscript {
  /** Null for an input without any message. */
  readonly transcript: Transcript | null;
  /** All, or the one that was named. */
  readonly conversations: readonly ReadConversation[];
  readonly isOneOfMany: boolean;
  /** The one that was given or stood in the stream; undefined when each conversation's is derived. */
  readonly ledger: Ledger | undefined;
  readonly style: JsonStyle;
}

export interface ReadConversation {
  readonly conversation: Conversation;
  readonly outline: readonly OutlineMessage[];
  readonly pictures: readonly LabelledPicture[];
  /** Null when a ledger was given. */
  readonly derived: DerivedLedger | null;
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
  const read = await readForCompaction(source, options);
  const conversations = read.conversations.map((one) => compactOne(one, read, options));
  refuseSharedLedger(conversations, source.name);
  return joinConversations(read, conversations);
}

/** Reads a transcript once, with whatever its compaction needs to know. */
export async function readForCompaction(source: ByteSource, options: ReadOptions): Promise<ReadTranscript> {
  const streamed = collectLedgerLines(source.name);
  const transcript = openTranscript(source, {
    format: options.format,
    lenient: options.lenient,
    isForeign: streamed.isForeign,
    ...(options.onBrokenTail === undefined ? {} : { onBrokenTail: options.onBrokenTail }),
  });
  const style = styleWatcher();
  if (transcript === undefined)
    return {
      ...{ transcript: null, conversations: [], isOneOfMany: false },
      ...{ ledger: options.ledger, style: style.style() },
    };
  const watched = watchStyle(transcript, style);
  const all = [...readConversations(watched)];
  const conversations = selectConversations(all, options.conversation, source.name).map((one) =>
    readConversation(one, options.ledger === undefined),
  );
  const ledger = options.ledger ?? (await streamed.ledger());
  return {
    transcript,
    // A ledger line may be the last of the stream: until then it looked as if one had to be derived.
    conversations: ledger === undefined ? conversations : conversations.map(withoutDerived),
    ...{ isOneOfMany: all.length > 1, ledger, style: style.style() },
  };
}

/** The compaction of a transcript out of those of its conversations, or of some of them. */
export function joinConversations(
  { transcript, style }: ReadTranscript,
  conversations: readonly CompactedConversation[],
): CompactedTranscript {
  return {
    transcript,
    conversations,
    edits: mergeEdits(conversations.flatMap(({ compaction }) => compaction.edits)),
    style,
  };
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

function readConversation(conversation: Conversation, derives: boolean): ReadConversation {
  const pictures: LabelledPicture[] = [];
  const derivation = derives ? startDerivation() : null;
  const outline = outlineConversation(conversation, (message) => {
    derivation?.see(message);
    for (const picture of labelledPictures(message)) pictures.push(picture);
  });
  return { conversation, outline, pictures, derived: derivation?.finish(outline) ?? null };
}

function withoutDerived(read: ReadConversation): ReadConversation {
  return { ...read, derived: null };
}

/** Plans the compaction of one conversation of a transcript that was read. */
export function compactOne(
  read: ReadConversation,
  transcript: ReadTranscript,
  options: CompactOneOptions,
): CompactedConversation {
  const { name } = read.conversation.transcript.source;
  return aboutFile(name, () => compactRead(read, transcript, options));
}

function compactRead(
  read: ReadConversation,
  { ledger, style, isOneOfMany }: ReadTranscript,
  options: CompactOneOptions,
): CompactedConversation {
  const { conversation, outline, pictures } = read;
  const rules = rulesFor(read, ledger, isOneOfMany, options.addresses);
  const compaction = compactConversation(
    { conversation, outline, pictures, style, rules },
    {
      boundary: options.boundary,
      keepFrom: options.keepFrom,
      copies: options.copies,
      recent: options.recent ?? rules.recent,
      budget: options.budget,
    },
  );
  if (rules.isDerived && !options.allowUncited) refuseUncited(rules.ledger, compaction, conversation);
  return {
    index: conversation.index,
    id: conversation.id,
    ledger: rules.ledger,
    isDerived: rules.isDerived,
    outline,
    compaction,
  };
}

function rulesFor(
  { derived, outline, conversation }: ReadConversation,
  given: Ledger | undefined,
  isOneOfMany: boolean,
  addresses: boolean | undefined,
): CompactRules {
  const form = { conversation: isOneOfMany ? conversation.index : null };
  if (given === undefined && derived !== null)
    return derivedRules(derived, outline, addresses === false ? null : form);
  return givenRules(given ?? { capabilities: [] }, conversation, addresses === true ? form : null);
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
function refuseSharedLedger(conversations: readonly CompactedConversation[], file: string): void {
  const changed = conversations.filter(
    ({ isDerived, compaction }) => !isDerived && compaction.edits.length > 0,
  );
  if (conversations.length < 2 || changed.length === 0) return;
  throw new ThreadError(`${file}: one ledger for a file of ${conversations.length} conversations`, {
    hint: 'its question numbers fit one of them only: name it with --conversation ID, or leave the ledger away to derive one each',
  });
}
