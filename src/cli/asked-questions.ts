import { isLedgerLine } from '../ledger/ledger-line.js';
import type { AskedInput } from '../query/resolve.js';
import { readSpoken, type Spoken, type SpokenQuestion } from '../query/spoken.js';
import { ThreadError } from '../transcript/errors.js';
import type { ByteSource } from '../transcript/lines.js';
import { requireMessages, selectConversations } from '../transcript/select-conversation.js';
import {
  type Conversation,
  openTranscript,
  readConversations,
  type Transcript,
} from '../transcript/transcript.js';

/** A question, and where it was asked. */
export interface Asked extends AskedInput {
  /** Set where a file holds whole conversations. */
  readonly conversation?: number;
  readonly id?: string;
  /** Its position, if it stands in the transcript. */
  readonly question?: number;
  /** Nobody asked anything. */
  readonly isMissing?: true;
}

/** Which question is meant: one of these, else the last. */
export interface AskedOptions {
  readonly query?: string;
  readonly at?: number;
  readonly all?: true;
  readonly format?: string;
  readonly conversation?: number;
  readonly lenient?: true;
}

/**
 * The questions that are meant, conversation by conversation: a file of many is never held as a whole.
 * @throws ThreadError when the one that is meant is not there
 */
export function* askedQuestions(
  source: ByteSource,
  options: AskedOptions,
  onBrokenTail: (line: number) => void,
): Generator<Asked> {
  const transcript = openTranscript(source, {
    format: options.format,
    lenient: options.lenient === true,
    isForeign: ({ value }) => isLedgerLine(value),
    onBrokenTail,
  });
  if (transcript === undefined) {
    if (options.query !== undefined) yield { query: options.query, messages: [] };
    else if (!options.all) throw noQuestion(source.name);
    return;
  }
  for (const conversation of chosenConversations(transcript, options.conversation)) {
    const spoken = readSpoken(conversation);
    if (options.format !== undefined && transcript.layout === 'messages')
      requireMessages(spoken.messages.length > 0, transcript);
    yield* askedIn(spoken, conversation, options);
  }
}

function chosenConversations(transcript: Transcript, wanted: number | undefined): Iterable<Conversation> {
  const all = readConversations(transcript);
  return wanted === undefined ? all : selectConversations([...all], wanted, transcript.source.name);
}

function* askedIn(
  spoken: Spoken,
  { index, id, transcript }: Conversation,
  options: AskedOptions,
): Generator<Asked> {
  const isOneOfMany = transcript.layout === 'conversations';
  const label = isOneOfMany ? { conversation: index, ...(id === null ? {} : { id }) } : {};
  const { messages } = spoken;
  if (options.query !== undefined) {
    yield { ...label, query: options.query, messages };
    return;
  }
  const questions = chosenQuestions(spoken, options);
  if (questions.length === 0 && !options.all) {
    if (!isOneOfMany) throw noQuestion(transcript.source.name);
    yield { ...label, query: '', messages: [], isMissing: true };
  }
  for (const { position, text } of questions) {
    const before = messages.slice(
      0,
      messages.findIndex((message) => message.position === position),
    );
    yield { ...label, question: position, query: text, messages: before, currentIndex: -1 };
  }
}

function chosenQuestions({ questions }: Spoken, { at, all }: AskedOptions): readonly SpokenQuestion[] {
  if (all) return questions;
  if (at === undefined) return questions.slice(-1);
  const chosen = questions.filter(({ position }) => position === at);
  if (chosen.length > 0) return chosen;
  const known = questions.map(({ position }) => position);
  throw new ThreadError(`no question at position ${at}`, {
    hint: known.length === 0 ? 'nobody asks anything here' : `questions: ${shortened(known)}`,
  });
}

function shortened(positions: readonly number[]): string {
  return positions.length > 12 ? `${positions.slice(0, 12).join(', ')}, …` : positions.join(', ');
}

function noQuestion(file: string): ThreadError {
  return new ThreadError(`${file}: nobody asks anything in it`, {
    hint: 'ask something yourself with --query TEXT',
    exitCode: 1,
  });
}
