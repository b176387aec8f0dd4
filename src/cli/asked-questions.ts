import { isLedgerLine } from '../ledger/ledger-line.js';
import type { AskedInput } from '../query/resolve.js';
import { readSpoken, type Spoken, type SpokenQuestion } from '../query/spoken.js';
import { ThreadError } from '../transcript/errors.js';
import type { ByteSource } from '../transcript/lines.js';
import { selectConversations } from '../transcript/select-conversation.js';
import { type Conversation, openTranscript, readConversations } from '../transcript/transcript.js';

/** A question, and where it was asked. */
export interface Asked extends AskedInput {
  /** Set where a file holds whole conversations. */
  readonly conversation?: number;
  readonly id?: string;
  /** Its position, if it stands in the transcript. */
  readonly question?: number;
  /** Why there is no question: of several conversations, one may have none. */
  readonly missing?: string;
}

/** Which question is meant: one of these, else the last. */
export interface AskedOptions {
  readonly query?: string;
  readonly at?: number;
  readonly all?: true;
  readonly format?: string;
  readonly conversation?: string;
  readonly lenient?: true;
}

/**
 * The questions that are meant, conversation by conversation: a file of many is never held as a whole. It is read to its
 * end before the first one comes, so that a fault at its end is told before anything is made of its start.
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
  if (transcript.layout === 'conversations') for (const _ of readConversations(transcript));
  const all = readConversations(transcript);
  for (const conversation of selectConversations(all, options.conversation, source.name)) {
    const spoken = readSpoken(conversation);
    yield* askedIn(spoken, conversation, options);
  }
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
    const { at } = options;
    if (at !== undefined && (!isOneOfMany || options.conversation !== undefined))
      throw noQuestionAt(at, spoken, transcript.source.name);
    if (!isOneOfMany) throw noQuestion(transcript.source.name);
    const what = at === undefined ? 'in which nobody asks anything' : `without a question at position ${at}`;
    yield { ...label, query: '', messages: [], missing: `a conversation ${what}` };
  }
  const indexes = new Map(messages.map(({ position }, index) => [position, index]));
  for (const { position, text } of questions) {
    const before = messages.slice(0, indexes.get(position));
    yield { ...label, question: position, query: text, messages: before, currentIndex: -1 };
  }
}

function chosenQuestions({ questions }: Spoken, { at, all }: AskedOptions): readonly SpokenQuestion[] {
  if (all) return questions;
  if (at === undefined) return questions.slice(-1);
  return questions.filter(({ position }) => position === at);
}

function noQuestionAt(at: number, { questions }: Spoken, file: string): ThreadError {
  const known = questions.map(({ position }) => position);
  return new ThreadError(`${file}: no question at position ${at}`, {
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
