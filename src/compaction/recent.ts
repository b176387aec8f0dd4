import { CAPSULE_HEADER, isReceipt } from '../ledger/carried.js';
import type { OutlineMessage, OutlineResult } from '../transcript/outline.js';
import { estimateTokens } from '../transcript/token-estimate.js';

export interface RecentInput {
  readonly outline: readonly OutlineMessage[];
  readonly isEvidence: (result: OutlineResult, message: OutlineMessage) => boolean;
  /** The payload of a return as a model reads it. */
  readonly textOf: (message: OutlineMessage, result: OutlineResult) => string;
}

/**
 * Moves the boundary down so that the newest `tokens` tokens of earlier evidence stay in place, untouched: to the first
 * message whose returns, with all that came after them, are wholly inside.
 */
export function lowerBoundary(
  { outline, isEvidence, textOf }: RecentInput,
  boundary: number,
  tokens: number,
): number {
  if (tokens <= 0) return boundary;
  let lowered = boundary;
  let left = tokens;
  const earlier = outline.filter(({ isOnPath, position }) => isOnPath && position < boundary);
  for (const message of earlier.toReversed()) {
    const returns = message.results.filter((result) => result.isEditable && isEvidence(result, message));
    const texts = returns.map((result) => textOf(message, result));
    for (const text of texts) left -= estimateTokens(text);
    if (left < 0 || texts.some(isCompacted)) return lowered;
    if (returns.length > 0) lowered = message.position;
  }
  return lowered;
}

/** What an earlier compaction left is not recent: it stands below the boundary that it moved down. */
function isCompacted(text: string): boolean {
  return isReceipt(text) || text.startsWith(CAPSULE_HEADER);
}
