import { messageText, type Speaker } from '../transcript/message.js';
import { outlineConversation } from '../transcript/outline.js';
import type { Conversation } from '../transcript/transcript.js';
import type { WindowMessage } from './window.js';

/** What was said in a conversation, without what tools brought into it. */
export interface Spoken {
  /** On the path, in order. */
  readonly messages: readonly WindowMessage[];
  readonly questions: readonly SpokenQuestion[];
}

/**
 * One message of the operator's. Several in a row are one question to the ledger; here each is asked with those before it
 * as its history, as it was when it came in.
 */
export interface SpokenQuestion {
  readonly position: number;
  readonly text: string;
}

const SPEAKING: ReadonlySet<Speaker> = new Set(['operator', 'assistant', 'summary']);

export function readSpoken(conversation: Conversation): Spoken {
  const texts = new Map<number, string>();
  const outline = outlineConversation(conversation, (message) => {
    if (SPEAKING.has(message.speaker)) texts.set(message.position, messageText(message));
  });
  const messages = outline
    .filter(({ isOnPath }) => isOnPath)
    .map(({ position, speaker }) => ({ position, speaker, text: texts.get(position) ?? null }));
  const questions = outline
    .filter(({ isOnPath, speaker, isBlank }) => isOnPath && speaker === 'operator' && !isBlank)
    .map(({ position }) => ({ position, text: texts.get(position) ?? '' }));
  return { messages, questions };
}
