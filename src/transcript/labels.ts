import type { Item } from './message.js';

/** Follows the label of a retrieved picture on the wire, so that our own pictures are recognised the next time. */
export const RETRIEVED_IMAGE_TAG = '[haiku.rag/retrieved-image]';

/** True for a text item that labels a retrieved picture: it holds the tag. */
export function isRetrievedLabel(item: Item): boolean {
  return item.kind === 'text' && item.text.includes(RETRIEVED_IMAGE_TAG);
}

/** Each label that has a picture directly behind it, and its index: only such a pair is ours. */
export function retrievedPairs(items: readonly Item[]): { readonly label: Item; readonly index: number }[] {
  return items.flatMap((label, index) =>
    isRetrievedLabel(label) && items[index + 1]?.kind === 'image' ? [{ label, index }] : [],
  );
}
