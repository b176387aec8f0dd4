import type { Message, Part } from '../transcript/message.js';
import { type Conversation, readMessages } from '../transcript/transcript.js';
import { partText } from './part-text.js';

/** UTF-16 units that a passage has at most. */
const PASSAGE_LENGTH = 512;

/** Who brought a text into the conversation; `summary` is derived from what others said. */
export type Source =
  | { readonly kind: 'tool'; readonly tool: string | null; readonly isError: boolean }
  | { readonly kind: 'operator' | 'assistant' | 'context' | 'summary' };

/** A part that has text. */
export interface SourcedText {
  readonly position: number;
  readonly part: number;
  readonly source: Source;
  readonly text: string;
}

/** A piece of a part's text. */
export interface Piece {
  /** In the part's text, in UTF-16 units. */
  readonly offset: number;
  readonly text: string;
  /** It is the whole part. */
  readonly isComplete: boolean;
}

/** Everything that was said or seen in a conversation, messages off the path included. */
export function* readTexts(conversation: Conversation): Generator<SourcedText> {
  for (const message of readMessages(conversation)) {
    for (const [i, part] of message.parts.entries()) {
      const text = partText(part);
      if (text !== '') yield { position: message.position, part: i, source: sourceOf(message, part), text };
    }
  }
}

function sourceOf({ speaker }: Message, part: Part): Source {
  if (part.kind === 'tool-result') return { kind: 'tool', tool: part.tool, isError: part.isError };
  switch (speaker) {
    case 'operator':
    case 'assistant':
    case 'summary':
    case 'context':
      return { kind: speaker };
    case 'system':
      return { kind: 'context' };
    case 'tool':
      return { kind: 'tool', tool: null, isError: false };
  }
}

/** Cuts a text into passages that tile it: at the end of a line or a sentence where one is near, else between words. */
export function* cutPassages(text: string): Generator<Piece> {
  for (let offset = 0; offset < text.length; ) {
    const end = passageEnd(text, offset);
    yield { offset, text: text.slice(offset, end), isComplete: offset === 0 && end === text.length };
    offset = end;
  }
}

/** A seam nearer to the start than this is passed over for a weaker one: passages of a few words say little. */
const SHORTEST = PASSAGE_LENGTH / 4;

/** Whether a text may be cut in front of the index; the strongest seam first. */
const SEAMS: readonly ((text: string, index: number) => boolean)[] = [
  (text, i) => text.charCodeAt(i - 1) === 0x0a,
  (text, i) => isSentenceEnd(text, i),
  (text, i) => isSpace(text, i - 1),
  (text, i) => CLAUSE_ENDS.has(text.charAt(i - 1)),
  (text, i) => /[^\p{L}\p{M}\p{N}_\ud800-\udfff]/u.test(text.charAt(i - 1)),
];

const SENTENCE_ENDS: ReadonlySet<string> = new Set('.!?…؟۔।');
const UNSPACED_SENTENCE_ENDS: ReadonlySet<string> = new Set('。！？');
const CLAUSE_ENDS: ReadonlySet<string> = new Set(',;|"\'`()[]{}<>、，；');

function isSentenceEnd(text: string, i: number): boolean {
  if (UNSPACED_SENTENCE_ENDS.has(text.charAt(i - 1))) return true;
  return isSpace(text, i - 1) && SENTENCE_ENDS.has(text.charAt(i - 2));
}

function isSpace(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  return unit === 0x20 || (unit < 0x80 ? unit >= 0x09 && unit <= 0x0d : /\s/.test(text.charAt(i)));
}

function passageEnd(text: string, start: number): number {
  const limit = start + PASSAGE_LENGTH;
  if (limit >= text.length) return text.length;
  for (const isSeam of SEAMS) {
    for (let i = limit; i >= start + SHORTEST; i -= 1)
      if (isSeam(text, i)) return wholeCharacters(text, start, i);
  }
  return wholeCharacters(text, start, limit);
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The end moved down to where a character of the reader's ends; one that is longer than a passage is cut at a code point. */
function wholeCharacters(text: string, start: number, end: number): number {
  if (isAscii(text.slice(end - 1, end + 1))) return end;
  const characters = graphemes.segment(text.slice(start, end + 2));
  const index = characters.containing(end - start)?.index ?? 0;
  if (index > 0) return start + index;
  return /^[\udc00-\udfff]/.test(text.charAt(end)) ? end - 1 : end;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
