import { startDerivation } from '../ledger/derive.js';
import type { Ledger } from '../ledger/entry.js';
import { collectLedgerLines } from '../ledger/streamed-ledger.js';
import { compareCodePoints } from '../transcript/code-points.js';
import { ThreadError } from '../transcript/errors.js';
import { field, type JsonObject } from '../transcript/formats/values.js';
import type { ByteSource } from '../transcript/lines.js';
import { type Message, messageText, type TextPart } from '../transcript/message.js';
import { type OutlineMessage, outlineConversation } from '../transcript/outline.js';
import { questionPositions } from '../transcript/question.js';
import type { RecordRange } from '../transcript/records.js';
import { selectConversations } from '../transcript/select-conversation.js';
import type { JsonPath, JsonStyle } from '../transcript/splice.js';
import { styleWatcher } from '../transcript/style.js';
import { type Conversation, openTranscript, readConversations } from '../transcript/transcript.js';
import { type Grounding, groundingsOf } from './grounding.js';
import { prefixLength } from './prefix.js';

/** A question and everything up to the next one: the answer may be several messages with tool calls between. */
export interface Turn {
  /** 0-based, among the conversation's turns. */
  readonly ordinal: number;
  /** Of the question. */
  readonly position: number;
  readonly question: string;
  /** The answer's first text that is not blank; null when there is none. */
  readonly answer: AnswerText | null;
  readonly given: GivenFields;
  readonly grounding: Grounding;
}

export interface AnswerText {
  readonly record: RecordRange;
  readonly at: JsonPath;
  readonly text: string;
}

/** What the `turn` objects of a turn's lines say; undefined is unsaid. */
export interface GivenFields {
  readonly turnIndex: number | undefined;
  readonly intent: string | undefined;
  readonly subject: string | null | undefined;
  readonly groundingSource: string | undefined;
  readonly chainId: string | null | undefined;
}

export interface TurnOptions {
  /** The ledger to go by; without one, ledger lines in the stream count, and else one is derived. */
  readonly given?: Ledger | undefined;
  readonly packs: ReadonlySet<string>;
  readonly format?: string | undefined;
  readonly conversation?: string | undefined;
  readonly lenient: boolean;
  readonly onBrokenTail: (line: number) => void;
}

export interface ConversationTurns {
  readonly index: number;
  readonly turns: readonly Turn[];
}

export interface TurnReading {
  readonly conversations: readonly ConversationTurns[];
  readonly style: JsonStyle;
  /** Whose evidence the ledgers list, sorted. */
  readonly capabilities: readonly string[];
}

/** Reads the turns of a transcript's conversations. Throws ThreadError for input that has none to read. */
export async function readTurns(source: ByteSource, options: TurnOptions): Promise<TurnReading> {
  const streamed = collectLedgerLines(source.name);
  const style = styleWatcher();
  const { format, lenient, onBrokenTail } = options;
  const transcript = openTranscript(source, {
    format,
    lenient,
    onBrokenTail,
    isForeign(record) {
      style.see(record.bytes);
      return streamed.isForeign(record);
    },
  });
  if (transcript === undefined) return { conversations: [], style: style.style(), capabilities: [] };
  const all = [...readConversations(transcript)];
  const selected = selectConversations(all, options.conversation, source.name);
  const read = selected.map(readMessagesOf);
  const given = options.given ?? (await streamed.ledger());
  if (given !== undefined && read.length > 1) throw sharedLedger(source.name, read.length);
  return {
    conversations: read.map((one) => ({ index: one.index, turns: turnsOf(one, given, options.packs) })),
    style: style.style(),
    capabilities: capabilitiesOf(given === undefined ? read.map(({ derived }) => derived) : [given]),
  };
}

function capabilitiesOf(ledgers: readonly Ledger[]): string[] {
  const names = ledgers.flatMap(({ capabilities }) => capabilities.map(({ capability }) => capability));
  return [...new Set(names)].sort(compareCodePoints);
}

function sharedLedger(file: string, conversations: number): ThreadError {
  return new ThreadError(`${file}: one ledger for a file of ${conversations} conversations`, {
    hint: 'its question numbers fit one of them only: name it with --conversation ID',
  });
}

/** What a message contributes to its turn. */
interface Contribution {
  readonly asked: string;
  readonly answer: AnswerText | null;
  readonly turn: JsonObject | null;
}

interface ReadMessages {
  readonly index: number;
  readonly outline: readonly OutlineMessage[];
  readonly contributions: readonly Contribution[];
  readonly derived: Ledger;
}

function readMessagesOf(conversation: Conversation): ReadMessages {
  const derivation = startDerivation();
  const contributions: Contribution[] = [];
  const outline = outlineConversation(conversation, (message) => {
    derivation.see(withoutPrefix(message));
    contributions.push(contributionOf(message));
  });
  const derived = derivation.finish(outline).ledger;
  return { index: conversation.index, outline, contributions, derived };
}

/** A prefix that was put in front names a chunk, but it cites nothing: applying twice must read the same ledger. */
function withoutPrefix(message: Message): Message {
  if (message.speaker !== 'assistant') return message;
  return {
    ...message,
    parts: message.parts.map((part) =>
      part.kind === 'text' ? { ...part, text: part.text.slice(prefixLength(part.text)) } : part,
    ),
  };
}

function contributionOf(message: Message): Contribution {
  const { speaker, parts, record, turn } = message;
  const first =
    speaker === 'assistant'
      ? parts.find((part): part is TextPart => part.kind === 'text' && part.text.trim() !== '')
      : undefined;
  return {
    asked: speaker === 'operator' ? messageText(message) : '',
    answer: first === undefined ? null : { record, at: first.at, text: first.text },
    turn,
  };
}

function turnsOf(read: ReadMessages, given: Ledger | undefined, packs: ReadonlySet<string>): Turn[] {
  const { outline, contributions, derived } = read;
  const questions = questionPositions(outline);
  const byTurn = messagesByTurn(outline, questions);
  const grounding = groundingsOf(given ?? derived, packs);
  return questions.map((position, ordinal): Turn => {
    const own = byTurn[ordinal] ?? [];
    const said = own.flatMap((message) => contributions[message.position] ?? []);
    const hasArrivals = (): boolean => given !== undefined && ownsResult(given, own);
    return {
      ordinal,
      position,
      question: said
        .map(({ asked }) => asked)
        .filter((text) => text !== '')
        .join('\n\n'),
      answer: said.find(({ answer }) => answer !== null)?.answer ?? null,
      given: givenFields(said.flatMap(({ turn }) => (turn === null ? [] : [turn]))),
      grounding: grounding(position, hasArrivals),
    };
  });
}

/** The live messages of each question: from its position up to the next. */
function messagesByTurn(
  outline: readonly OutlineMessage[],
  questions: readonly number[],
): readonly (readonly OutlineMessage[])[] {
  const byTurn: OutlineMessage[][] = questions.map(() => []);
  let ordinal = -1;
  for (const message of outline) {
    if (message.position === questions[ordinal + 1]) ordinal += 1;
    if (message.isOnPath) byTurn[ordinal]?.push(message);
  }
  return byTurn;
}

/** Evidence of a given ledger is what its tools returned, also where it knows no chunk of it. */
function ownsResult({ capabilities }: Ledger, messages: readonly OutlineMessage[]): boolean {
  const tools: ReadonlySet<string | null> = new Set(capabilities.flatMap(({ toolNames }) => toolNames));
  return messages.some(({ results }) => results.some(({ tool }) => tools.has(tool)));
}

/** Of each field, the first message that says it counts; a value of another type says nothing. */
function givenFields(turns: readonly JsonObject[]): GivenFields {
  const first = <Value>(key: string, isValid: (value: unknown) => value is Value): Value | undefined =>
    turns.map((turn) => field(turn, key)).find(isValid);
  return {
    turnIndex: first('turn_index', isInteger),
    intent: first('intent', isString),
    subject: first('subject', isStringOrNull),
    groundingSource: first('grounding_source', isString),
    chainId: first('chain_id', isStringOrNull),
  };
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
