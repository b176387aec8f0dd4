// What a question was answered with: "which grinder do you recommend?", "the Nimbus 2", "can it do filter coffee?". The
// one name that an answer brings in is what is spoken of from then on.
import type { Conversation, Message } from './conversation.js';
import { readPointing } from './pointing.js';
import type { Piece } from './quotes.js';
import { kindOf } from './references.js';
import { subjectNames } from './rivals.js';
import { wordKey } from './words.js';

const ASKS_FOR_NAME =
  /\b(?:which|what|who|whose|welche[rsn]?|wer|quel(?:le)?s?|qui|qual|quais|quem|cu[aá]l(?:es)?|qui[eé]n|chi|quale)\b|(?<!\p{L})(?:кто|какой|какая|какое)(?!\p{L})/iu;

/** The name that an answer gave and the question asks about: by a pronoun, or by the kind of thing that was asked for. */
export function findAnswered(conversation: Conversation): Piece | undefined {
  const { messages, query } = conversation;
  const kind = wordKey(kindOf(conversation) ?? '');
  const { isSingular } = readPointing(conversation);
  const last = messages.findLast(({ role }) => role === 'user');
  for (const [i, asked] of [...messages.entries()].toReversed()) {
    const reply = messages[i + 1];
    if (asked.role !== 'user' || reply?.role !== 'assistant') continue;
    const isOfKind = kind !== '' && asked.words.some(({ key }) => key === kind);
    const isPointedAt = asked === last && isSingular && ASKS_FOR_NAME.test(asked.text);
    const piece = isOfKind || isPointedAt ? onlyName(reply, `${asked.text}\n${query}`) : undefined;
    if (piece !== undefined) return piece;
  }
  return undefined;
}

/** Of a reply with a single name that was not said before it. */
function onlyName(reply: Message, said: string): Piece | undefined {
  const known = said.toLowerCase();
  const names = subjectNames(reply).filter(
    ({ text }) => /\p{L}/u.test(text) && !known.includes(text.toLowerCase()),
  );
  const [name] = names;
  if (name === undefined || new Set(names.map(({ text }) => text)).size > 1) return undefined;
  return { message: reply, ...name, key: name.text.toLowerCase() };
}
