import { InputError } from './errors.js';
import type { Conversation } from './transcript.js';

/**
 * The conversation that is named by its index or its id, or all of them when none is named. A number that is the index
 * of one and the id of another means the index.
 * @throws InputError when it is not there, or when several have the id
 */
export function selectConversations<All extends Iterable<Conversation>>(
  all: All,
  wanted: string | undefined,
  file: string,
): All | readonly Conversation[] {
  if (wanted === undefined) return all;
  const found: Conversation[] = [];
  const listing = startListing();
  // One by one: of a file of many only this one is held.
  for (const conversation of all) {
    if (String(conversation.index) === wanted) return [conversation];
    if (conversation.id === wanted && found.length < 2) found.push(conversation);
    listing.see(conversation);
  }
  const [first, second] = found;
  if (first !== undefined && second === undefined) return [first];
  if (first !== undefined && second !== undefined)
    throw new InputError(
      { file },
      `several conversations have the id ${shown(wanted)}, such as ${first.index} and ${second.index}`,
      { hint: 'name the one that is meant by its index' },
    );
  throw new InputError({ file }, `no conversation ${shown(wanted)}`, { hint: `it holds ${listing.list()}` });
}

/** The conversation that is named, or the only one there is. Throws InputError where one has to be named. */
export function selectConversation(
  all: readonly Conversation[],
  wanted: string | undefined,
  file: string,
): Conversation {
  const [selected, ...others] = selectConversations(all, wanted, file);
  if (selected !== undefined && others.length === 0) return selected;
  const listing = startListing();
  for (const conversation of all) listing.see(conversation);
  throw new InputError({ file }, `it holds ${listing.list()}`, {
    hint: 'name the one that is meant with --conversation ID',
  });
}

function shown(name: string): string {
  return /^\d+$/.test(name) ? name : JSON.stringify(name);
}

const IDS_LISTED = 12;

/** Says what a file holds: the indexes, and the first ids if there are any. */
function startListing(): { see(conversation: Conversation): void; list(): string } {
  const ids: string[] = [];
  let [count, hidden] = [0, 0];
  return {
    see({ index, id }) {
      count += 1;
      if (id === null) return;
      if (ids.length < IDS_LISTED) ids.push(`${index} is ${JSON.stringify(id)}`);
      else hidden += 1;
    },
    list() {
      const range =
        count === 1
          ? 'one conversation, 0'
          : `${count} conversations${count === 0 ? '' : `, 0 to ${count - 1}`}`;
      return ids.length === 0 ? range : `${range}: ${ids.join(', ')}${hidden === 0 ? '' : ', …'}`;
    },
  };
}
