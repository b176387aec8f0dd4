import type { Entry } from './formats/format.js';
import { field, isObject, type JsonObject, memberOf } from './formats/values.js';
import type { MessageDraft } from './message.js';

/**
 * The `turn` object that a host wrote on a message, in any format: on the message itself, else on the line around it.
 * Null when there is none.
 */
export function turnObject({ at, value }: Entry, draft: MessageDraft): JsonObject | null {
  const message = draft.at.slice(at.length).reduce<unknown>(memberOf, value);
  // Formats that wrap the message in a line either point inside (pi) or at the line itself (claude-code).
  const holders = [field(message, 'message'), message, value];
  return holders.map((holder) => field(holder, 'turn')).find(isObject) ?? null;
}
