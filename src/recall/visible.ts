import type { Conversation } from '../transcript/transcript.js';
import { readTexts } from './passages.js';
import type { Matcher } from './terms.js';

/** What a reader has in view already. */
export interface VisibleText {
  /** Whether the passage's lines with a match, and the greater part of all its lines, stand there. */
  shows(passage: string, matcher: Matcher): boolean;
}

/** All texts of the conversations that are in view. */
export function readVisible(conversations: Iterable<Conversation>): VisibleText {
  const texts: string[] = [];
  for (const conversation of conversations) for (const { text } of readTexts(conversation)) texts.push(text);
  const all = texts.join('\n');
  const known = new Map<string, boolean>();
  const stands = (line: string): boolean => {
    const is = known.get(line) ?? all.includes(line);
    known.set(line, is);
    return is;
  };
  return { shows: (passage, matcher) => isShown(passage, matcher, stands) };
}

/** Line by line: a capsule shows an item's content without the headings that a search put around it. */
function isShown(passage: string, matcher: Matcher, stands: (line: string) => boolean): boolean {
  const lines = passage
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const shown = lines.filter(stands);
  const isMatchHidden = lines.some((line) => !stands(line) && matcher.spans(line).length > 0);
  return !isMatchHidden && unitsOf(shown) * 2 >= unitsOf(lines);
}

function unitsOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}
