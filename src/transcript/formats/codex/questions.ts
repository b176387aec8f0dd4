import type { MessageDraft } from '../../message.js';
import { field } from '../values.js';
import { textOf, textsOf } from './injected.js';

/** One entry of a run: a user message, or the payload of an event that says what the operator said. */
export interface RunItem {
  readonly draft: MessageDraft | undefined;
  readonly said: unknown;
}

/** How many user messages before an event may be the one it means, by their text. */
const LOOKED_BACK = 8;

/**
 * The user messages of a run that its events mean: by the text, before or behind the event, else the message nearest
 * before it that Codex did not inject, else the next one behind it.
 */
export function findAsked(run: readonly RunItem[]): ReadonlySet<MessageDraft> {
  const asked = new Set<MessageDraft>();
  const ahead = countTexts(run);
  const waiting: MessageDraft[] = [];
  const wanted = new Map<string, number>();
  let unnamed = 0;
  for (const { draft, said } of run) {
    if (draft !== undefined) {
      const texts = spellings(draft);
      for (const text of texts) add(ahead, text, -1);
      const match = [...texts].find((text) => (wanted.get(text) ?? 0) > 0);
      if (match !== undefined) add(wanted, match, -1);
      else if (unnamed > 0 && draft.speaker === 'operator') unnamed -= 1;
      else {
        waiting.push(draft);
        continue;
      }
      asked.add(draft);
    } else if (said !== undefined) {
      const text = spelled(field(said, 'message'));
      const meant = takeMeant(waiting, text, (ahead.get(text) ?? 0) > 0);
      if (meant !== undefined) asked.add(meant);
      else if ((ahead.get(text) ?? 0) > 0) add(wanted, text, 1);
      else unnamed += 1;
    }
  }
  return asked;
}

/** Takes the message that an event means out of those that wait for one. */
function takeMeant(waiting: MessageDraft[], text: string, isAhead: boolean): MessageDraft | undefined {
  const from = Math.max(0, waiting.length - LOOKED_BACK);
  const recent = waiting.slice(from);
  const exact = recent.findLastIndex((draft) => text !== '' && spellings(draft).has(text));
  const nearest = isAhead ? -1 : recent.findLastIndex(({ speaker }) => speaker === 'operator');
  const index = exact >= 0 ? exact : nearest;
  return index < 0 ? undefined : waiting.splice(from + index, 1)[0];
}

function countTexts(run: readonly RunItem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { draft } of run)
    for (const text of draft === undefined ? [] : spellings(draft)) add(counts, text, 1);
  return counts;
}

function add(counts: Map<string, number>, text: string, difference: number): void {
  counts.set(text, (counts.get(text) ?? 0) + difference);
}

/** A message's whole text and its single ones: others may stand beside what the operator typed. */
function spellings(draft: MessageDraft): Set<string> {
  return new Set([textOf(draft), ...textsOf(draft)].map(spelled));
}

function spelled(text: unknown): string {
  return typeof text === 'string' ? text.trim() : '';
}
