import type { Conversation } from '../transcript/transcript.js';
import { anthropicBody } from './anthropic-messages.js';
import { readDialogue } from './dialogue.js';
import type { Losses } from './losses.js';
import { openaiMessages } from './openai-chat.js';

/** The formats that everything is converted to. */
export const TARGETS = ['openai-chat', 'anthropic-messages'] as const;
export type Target = (typeof TARGETS)[number];

export interface Converted {
  /** Messages, or the one body of a request. */
  readonly lines: readonly object[];
  readonly losses: Losses;
}

/**
 * A conversation in another format: its live path, with the pairing rules of the target kept.
 * @param isOneOfMany whether the whole conversation becomes one line, with its id
 */
export function convertConversation(
  conversation: Conversation,
  target: Target,
  isOneOfMany: boolean,
): Converted {
  const dialogue = readDialogue(conversation);
  const { id, losses } = dialogue;
  const label = isOneOfMany && id !== null ? { id } : {};
  switch (target) {
    case 'openai-chat': {
      const messages = openaiMessages(dialogue, losses);
      return { lines: isOneOfMany ? [{ ...label, messages }] : messages, losses };
    }
    case 'anthropic-messages':
      return { lines: [{ ...label, ...anthropicBody(dialogue, losses) }], losses };
  }
}
