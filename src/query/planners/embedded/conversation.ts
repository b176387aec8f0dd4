// The conversation as the classifier sees it: messages as words, and one candidate for every content word of the
// history that the question does not have itself.
import { findNames, type Name } from './names.js';
import { splitWords, type Word } from './words.js';

export interface HistoryMessage {
  readonly position: number;
  readonly role: 'user' | 'assistant' | 'system';
  readonly text: string;
  readonly source?: 'compaction-summary';
}

export interface Message {
  readonly position: number;
  readonly role: 'user' | 'assistant' | 'system';
  readonly text: string;
  readonly words: readonly Word[];
  readonly names: readonly Name[];
  /** Messages between this one and the question. */
  readonly age: number;
  /** Operator messages after this one. */
  readonly userTurnsAfter: number;
  readonly hasQueryWord: boolean;
}

export interface Occurrence {
  readonly message: Message;
  readonly at: number;
  readonly word: Word;
}

export interface Candidate {
  readonly key: string;
  readonly first: Occurrence;
  readonly last: Occurrence;
  readonly all: readonly Occurrence[];
}

export interface Conversation {
  readonly query: string;
  readonly queryWords: readonly Word[];
  readonly queryKeys: ReadonlySet<string>;
  readonly messages: readonly Message[];
  readonly candidates: readonly Candidate[];
}

// The newest messages and the first of the operator hold nearly all that a question needs; the rest costs time.
const NEWEST_MESSAGES = 40;
const MESSAGE_HEAD = 3000;
const MESSAGE_TAIL = 3000;
const LONGEST_NAME = 120;

export function readConversation(query: string, history: readonly HistoryMessage[]): Conversation {
  const queryWords = splitWords(query);
  const queryKeys = new Set(queryWords.map((word) => word.key));
  const shown = chooseMessages(history);
  let userTurnsAfter = shown.filter((message) => message.role === 'user').length;
  const messages = shown.map((message, i) => {
    if (message.role === 'user') userTurnsAfter -= 1;
    const text = withoutEscapes(message.text);
    const words = wordsOf(text);
    return {
      ...message,
      words,
      names: namesOf(text),
      age: shown.length - 1 - i,
      userTurnsAfter,
      hasQueryWord: words.some((word) => !word.isStop && queryKeys.has(word.key)),
    };
  });
  return { query, queryWords, queryKeys, messages, candidates: findCandidates(messages, queryKeys) };
}

/** What is read of a question: all of it, or of a long one as much of both ends as of a message, without cut words. */
export function readableQuestion(query: string): string {
  if (query.length <= MESSAGE_HEAD + MESSAGE_TAIL) return query;
  // A longer run is no word but a text without spaces: a piece of it is as good as the whole.
  const head = query.slice(0, MESSAGE_HEAD).replace(/(?<![\p{L}\p{N}\p{M}_])[\p{L}\p{N}\p{M}_]{1,120}$/u, '');
  const tail = query.slice(-MESSAGE_TAIL).replace(/^[\p{L}\p{N}\p{M}_]{1,120}(?![\p{L}\p{N}\p{M}_])/u, '');
  return `${head.replace(/[\ud800-\udbff]$/, '')}\n${tail.replace(/^[\udc00-\udfff]/, '')}`;
}

// Colours and cursor moves of a terminal, with the word that runs into them.
const ESCAPE = new RegExp(
  `${String.fromCharCode(27)}\\[[0-9;?]{0,20}[A-Za-z][\\p{L}\\p{N}\\p{M}_]{0,120}`,
  'gu',
);

/** Blanks in their place, so that offsets stay. */
function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, (code) => ' '.repeat(code.length));
}

function chooseMessages(history: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const firstOfUser = history.find((message) => message.role === 'user');
  const cut = history.length - NEWEST_MESSAGES;
  return history.filter((message, i) => i >= cut || message === firstOfUser || isSummary(message));
}

function isSummary(message: HistoryMessage): boolean {
  return message.source === 'compaction-summary';
}

function wordsOf(text: string): readonly Word[] {
  if (text.length <= MESSAGE_HEAD + MESSAGE_TAIL) return splitWords(text);
  const cut = text.length - MESSAGE_TAIL;
  // The cut may stand inside a word: what it leaves of one is no word of the message.
  const tail = splitWords(text.slice(cut)).slice(1);
  const head = splitWords(text.slice(0, MESSAGE_HEAD)).slice(0, -1);
  const sentences = head.at(-1)?.sentence ?? 0;
  return [
    ...head,
    ...tail.map((word) => ({
      ...word,
      start: word.start + cut,
      end: word.end + cut,
      sentence: word.sentence + sentences + 1,
    })),
  ];
}

function namesOf(text: string): readonly Name[] {
  if (text.length <= MESSAGE_HEAD + MESSAGE_TAIL) return findNames(text);
  const cut = text.length - MESSAGE_TAIL;
  return [
    ...findNames(text.slice(0, MESSAGE_HEAD)).filter(({ end }) => end < MESSAGE_HEAD - LONGEST_NAME),
    ...findNames(text.slice(cut))
      .filter(({ start }) => start > LONGEST_NAME)
      .map((name) => ({ ...name, start: name.start + cut, end: name.end + cut })),
  ];
}

function findCandidates(messages: readonly Message[], queryKeys: ReadonlySet<string>): readonly Candidate[] {
  const found = new Map<string, Occurrence[]>();
  for (const message of messages)
    message.words.forEach((word, at) => {
      if (word.isStop || queryKeys.has(word.key)) return;
      const occurrence = { message, at, word };
      const known = found.get(word.key);
      if (known === undefined) found.set(word.key, [occurrence]);
      else known.push(occurrence);
    });
  return [...found].flatMap(([key, all]) => {
    const [first, last] = [all[0], all.at(-1)];
    return first === undefined || last === undefined ? [] : [{ key, first, last, all }];
  });
}
