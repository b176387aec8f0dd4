import { retrievedPairs } from '../transcript/labels.js';
import type { Item, ItemList } from '../transcript/message.js';
import type { OutlineMessage, OutlineResult } from '../transcript/outline.js';

/** What becomes of one evidence return. */
export interface ReturnPlan {
  readonly message: OutlineMessage;
  readonly result: OutlineResult;
  readonly outcome: 'capsule' | 'receipt';
}

/** Items to take out of a user prompt: retrieved pictures and their labels. */
export interface Stripping {
  readonly message: OutlineMessage;
  readonly list: ItemList;
  readonly removed: readonly number[];
}

export interface HistoryPlan {
  readonly returns: readonly ReturnPlan[];
  readonly stripped: readonly Stripping[];
}

type KeepsPicture = (message: OutlineMessage, label: Item) => boolean;

export interface HistoryRules {
  /** Position of the current question: everything below it is earlier. */
  readonly boundary: number;
  readonly isOwned: (result: OutlineResult, message: OutlineMessage) => boolean;
  readonly hasCapsule: boolean;
  /** Labels whose pictures stay where they are. */
  readonly keepsPicture?: KeepsPicture;
}

/**
 * Plans the rewrite of the history, as vectors/history.jsonl pins it: below the boundary the newest evidence return
 * carries the capsule (a receipt when there is none), every other becomes a receipt, and retrieved pictures go with
 * their labels. No return is removed; off-path messages and everything from the boundary on stay.
 */
export function planHistory(messages: readonly OutlineMessage[], rules: HistoryRules): HistoryPlan {
  const earlier = messages.filter((message) => message.isOnPath && message.position < rules.boundary);
  const owned = earlier.flatMap((message) =>
    message.results
      .filter((result) => result.isEditable && rules.isOwned(result, message))
      .map((result) => ({ message, result })),
  );
  const returns = owned.map(({ message, result }, i): ReturnPlan => {
    const isCarrier = rules.hasCapsule && i === owned.length - 1;
    return { message, result, outcome: isCarrier ? 'capsule' : 'receipt' };
  });
  return {
    returns,
    stripped: earlier.flatMap((message) => strippings(message, rules.keepsPicture ?? (() => false))),
  };
}

/** A message that would be left without parts is kept as it was, pictures and all. */
function strippings(message: OutlineMessage, keepsPicture: KeepsPicture): Stripping[] {
  const all = message.lists.map((list) => ({
    message,
    list,
    removed: removedItems(message, list, keepsPicture),
  }));
  const emptied = all.filter(({ list, removed }) => removed.length === list.items.length);
  const loses = emptied.some(({ list }) => list.owner === null || list.owner.siblings === emptied.length);
  return loses ? [] : all.filter((one) => one.removed.length > 0 || one.list.items.length === 0);
}

/** Indices of each label with the picture directly behind it. A label alone, or before something else, stays. */
function removedItems(message: OutlineMessage, list: ItemList, keepsPicture: KeepsPicture): number[] {
  return retrievedPairs(list.items).flatMap(({ label, index }) =>
    keepsPicture(message, label) ? [] : [index, index + 1],
  );
}
