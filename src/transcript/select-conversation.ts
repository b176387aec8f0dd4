import { ThreadError } from './errors.js';
import type { Conversation, Transcript } from './transcript.js';

/** The conversation with the given index, or all of them when none is named. Throws ThreadError when it is not there. */
export function selectConversations<All extends Iterable<Conversation>>(
  all: All,
  wanted: number | undefined,
  file: string,
): All | readonly Conversation[] {
  if (wanted === undefined) return all;
  let count = 0;
  // One by one: of a file of many only this one is held.
  for (const conversation of all) {
    if (count === wanted) return [conversation];
    count += 1;
  }
  throw new ThreadError(`${file}: no conversation ${wanted}`, { hint: `it holds ${range(count)}` });
}

/** The conversation with the given index, or the only one there is. Throws ThreadError where one has to be named. */
export function selectConversation(
  all: readonly Conversation[],
  wanted: number | undefined,
  file: string,
): Conversation {
  const [selected, ...others] = selectConversations(all, wanted, file);
  if (selected !== undefined && others.length === 0) return selected;
  throw new ThreadError(`${file}: it holds ${range(all.length)}`, {
    hint: 'name the one that is meant with --conversation N',
  });
}

function range(count: number): string {
  return count === 1 ? 'one conversation, 0' : `${count} conversations, 0 to ${count - 1}`;
}

/** A named format that finds no message in a file with content is the wrong one. */
export function requireMessages(hasMessages: boolean, { source, format }: Transcript): void {
  if (hasMessages) return;
  throw new ThreadError(`${source.name}: no message of the format ${format.name} in it`, {
    hint: 'leave --format away to have it detected',
  });
}
