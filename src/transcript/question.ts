import { retrievedPairs } from './labels.js';
import type { MessageDraft, Speaker } from './message.js';

/** What is needed of a message to tell the questions apart. */
export interface Asker {
  readonly position: number;
  readonly speaker: Speaker;
  readonly isOnPath: boolean;
  /** Nothing but white space: no text, picture or file. */
  readonly isBlank: boolean;
}

/** Hears the messages of the path one after the other, and tells where questions begin. */
export interface QuestionWatcher {
  /** Whether a question begins with this message. */
  hear(message: Pick<Asker, 'speaker' | 'isBlank'>): boolean;
}

/** Consecutive operator messages are one question, which begins at the first of them that is not blank. */
export function questionWatcher(): QuestionWatcher {
  let wasOperator = false;
  return {
    hear({ speaker, isBlank }) {
      const isOperator = speaker === 'operator';
      if (isOperator && isBlank) return false;
      const begins = isOperator && !wasOperator;
      wasOperator = isOperator;
      return begins;
    },
  };
}

/** The positions of the operator's questions on the path. */
export function questionPositions(messages: readonly Asker[]): number[] {
  const watcher = questionWatcher();
  return messages
    .filter((message) => message.isOnPath && watcher.hear(message))
    .map(({ position }) => position);
}

/** The current question's position: the last one on the path. 0 when nobody asked anything. */
export function findBoundary(messages: readonly Asker[]): number {
  return questionPositions(messages).at(-1) ?? 0;
}

/**
 * Whether a message of the operator's side has anything of the operator's own in it: text, a picture or a file. Tool
 * results and retrieved pictures with their labels are the host's. A message without those is the operator's, even a
 * blank one.
 */
export function asksSomething({ parts, lists }: Pick<MessageDraft, 'parts' | 'lists'>): boolean {
  const pairs = lists.reduce((sum, { items }) => sum + retrievedPairs(items).length, 0);
  if (pairs === 0 && !parts.some(({ kind }) => kind === 'tool-result')) return true;
  const said = parts.filter(
    (part) =>
      part.kind === 'image' || part.kind === 'file' || (part.kind === 'text' && part.text.trim() !== ''),
  );
  return said.length > 2 * pairs;
}

/** The question that a message belongs to: the last one at or before it; undefined before the first. `questions` ascend. */
export function questionOf(position: number, questions: readonly number[]): number | undefined {
  let [low, high] = [0, questions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((questions[middle] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return questions[low - 1];
}
