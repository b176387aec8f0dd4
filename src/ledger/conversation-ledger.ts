import { ThreadError } from '../transcript/errors.js';
import type { ByteSource } from '../transcript/lines.js';
import { type Message, messageText } from '../transcript/message.js';
import { type OutlineMessage, outlineConversation } from '../transcript/outline.js';
import { questionPositions } from '../transcript/question.js';
import { selectConversations } from '../transcript/select-conversation.js';
import { type Conversation, openTranscript, readConversations } from '../transcript/transcript.js';
import { isCiteTool } from './citations.js';
import { type DerivedLedger, startDerivation } from './derive.js';
import type { Ledger } from './entry.js';
import type { Arrival, StatusInput } from './status.js';
import { collectLedgerLines } from './streamed-ledger.js';

/** A question by its position, and the text that it was asked in. */
export interface AskedQuestion {
  readonly question: number;
  readonly text: string;
}

/** One conversation of a transcript and the ledger that counts for it. */
export interface ConversationLedger {
  readonly index: number;
  readonly id: string | null;
  readonly ledger: Ledger;
  readonly isDerived: boolean;
  readonly questions: readonly AskedQuestion[];
  /** What the status of its questions follows from. */
  readonly statusInput: StatusInput;
}

export interface LedgerOptions {
  /** The ledger to go by; without one, ledger lines in the stream count, and else one is derived. */
  readonly given?: Ledger | undefined;
  readonly format?: string | undefined;
  /** The only conversation that is read, by its index or id. */
  readonly conversation?: string | undefined;
  readonly lenient: boolean;
  readonly onBrokenTail: (line: number) => void;
}

/** What a file holds: its conversations with their ledgers, or a ledger alone. */
export interface LedgerReading {
  readonly conversations: readonly ConversationLedger[];
  /** A ledger without any conversation to go with it. */
  readonly alone: Ledger | null;
}

/** Reads the ledgers of a transcript's conversations, given or derived. Throws ThreadError for input that has none. */
export async function readLedgers(source: ByteSource, options: LedgerOptions): Promise<LedgerReading> {
  const streamed = collectLedgerLines(source.name);
  const transcript = openTranscript(source, {
    format: options.format,
    lenient: options.lenient,
    isForeign: streamed.isForeign,
    onBrokenTail: options.onBrokenTail,
  });
  if (transcript === undefined)
    return { conversations: [], alone: options.given ?? (await streamed.ledger()) ?? null };
  const all = [...readConversations(transcript)];
  const selected = selectConversations(all, options.conversation, source.name);
  const read = selected.map((one) => readConversation(one, options.given === undefined));
  const given = options.given ?? (await streamed.ledger());
  if (given !== undefined && read.length > 1) throw sharedLedger(source.name, read.length);
  return { conversations: read.map((one) => conversationLedger(one, given)), alone: null };
}

/** One ledger says what one conversation cited; question numbers of another mean something else. */
function sharedLedger(file: string, conversations: number): ThreadError {
  return new ThreadError(`${file}: one ledger for a file of ${conversations} conversations`, {
    hint: 'its question numbers fit one of them only: name it with --conversation ID',
  });
}

interface ReadConversation {
  readonly conversation: Conversation;
  readonly outline: readonly OutlineMessage[];
  /** What the operator's messages say, by position. */
  readonly asked: ReadonlyMap<number, string>;
  readonly citeCalls: readonly number[];
  /** Null when a ledger was given. */
  readonly derived: DerivedLedger | null;
}

function readConversation(conversation: Conversation, derives: boolean): ReadConversation {
  const derivation = derives ? startDerivation() : null;
  const asked = new Map<number, string>();
  const citeCalls: number[] = [];
  const outline = outlineConversation(conversation, (message) => {
    derivation?.see(message);
    if (message.speaker === 'operator') asked.set(message.position, messageText(message));
    if (callsCiteTool(message)) citeCalls.push(message.position);
  });
  return { conversation, outline, asked, citeCalls, derived: derivation?.finish(outline) ?? null };
}

function callsCiteTool({ parts }: Message): boolean {
  return parts.some((part) => part.kind === 'tool-call' && isCiteTool(part.tool));
}

function conversationLedger(read: ReadConversation, given: Ledger | undefined): ConversationLedger {
  const { conversation, outline, asked, citeCalls, derived } = read;
  const onPath = outline.filter(({ isOnPath }) => isOnPath);
  const questions = questionPositions(outline);
  const isDerived = given === undefined && derived !== null;
  const ledger = isDerived ? withPassageLines(derived) : (given ?? { capabilities: [] });
  const live = new Set(onPath.map(({ position }) => position));
  return {
    index: conversation.index,
    id: conversation.id,
    ledger,
    isDerived,
    questions: questions.map((question) => ({ question, text: asked.get(question) ?? '' })),
    statusInput: {
      ledger,
      isGiven: !isDerived,
      questions,
      arrivals: isDerived ? derivedArrivals(derived) : ownedArrivals(ledger, onPath),
      citeCalls: citeCalls.filter((position) => live.has(position)),
      messages: outline.length,
    },
  };
}

/** Passages get one more key, `lines`: their first and last line in the result that brought them, from 1. */
function withPassageLines({ ledger, chunks }: DerivedLedger): Ledger {
  const lines = new Map(
    chunks.flatMap(({ id, lines }) => (lines === null ? [] : [[id, { lines: [lines.first, lines.last] }]])),
  );
  return {
    capabilities: ledger.capabilities.map((one) => ({
      ...one,
      unknown: {
        ...one.unknown,
        byChunk: new Map(
          [...one.record.occurrences.keys()].flatMap((id) => {
            const known = lines.get(id);
            return known === undefined ? [] : [[id, known]];
          }),
        ),
      },
    })),
  };
}

function derivedArrivals({ chunks }: DerivedLedger): Arrival[] {
  return chunks.flatMap(({ capability, retrievals }) =>
    retrievals.map(({ position }) => ({ capability, position })),
  );
}

/** Evidence of a given ledger is what its tools returned. */
function ownedArrivals({ capabilities }: Ledger, onPath: readonly OutlineMessage[]): Arrival[] {
  return capabilities.flatMap(({ capability, toolNames }) => {
    const tools: ReadonlySet<string | null> = new Set(toolNames);
    return onPath
      .filter(({ results }) => results.some(({ tool }) => tools.has(tool)))
      .map(({ position }) => ({ capability, position }));
  });
}
