import type { OutlineResult } from '../transcript/outline.js';
import type { Span } from '../transcript/splice.js';

/** Where evidence returns stand, in columns: an object for each would be most of the memory that a large file takes. */
export interface EvidenceReturns {
  /** `start` and `end` are the payload's byte offsets in the file; `special` is the result when it is no plain string. */
  push(tool: string, position: number, start: number, end: number, special?: OutlineResult): void;
  /** How many there are below a position. */
  countBefore(boundary: number): number;
  /** The tools of the first `count`. */
  tools(count: number): ReadonlySet<string>;
  at(index: number): Span & { readonly special: OutlineResult | undefined };
}

/** Starts with none. */
export function evidenceReturns(): EvidenceReturns {
  const [starts, ends, positions] = [numberColumn(), numberColumn(), numberColumn()];
  /** Each tool, and the index of its first return. */
  const tools = new Map<string, number>();
  const specials = new Map<number, OutlineResult>();
  return {
    push(tool, position, start, end, special) {
      const index = starts.length();
      if (special !== undefined) specials.set(index, special);
      if (!tools.has(tool)) tools.set(tool, index);
      starts.push(start);
      ends.push(end);
      positions.push(position);
    },
    countBefore(boundary) {
      let count = 0;
      while (count < positions.length() && positions.at(count) < boundary) count += 1;
      return count;
    },
    tools: (count) => new Set([...tools].flatMap(([tool, first]) => (first < count ? [tool] : []))),
    at: (index) => ({ start: starts.at(index), end: ends.at(index), special: specials.get(index) }),
  };
}

interface NumberColumn {
  push(value: number): void;
  at(index: number): number;
  length(): number;
}

const BLOCK = 4096;

/** Grows by blocks: an array that grows leaves its smaller selves behind, half as much again as it holds. */
function numberColumn(): NumberColumn {
  const blocks: Float64Array[] = [];
  let length = 0;
  return {
    push(value) {
      const within = length % BLOCK;
      if (within === 0) blocks.push(new Float64Array(BLOCK));
      const block = blocks.at(-1);
      if (block !== undefined) block[within] = value;
      length += 1;
    },
    at: (index) => blocks[Math.floor(index / BLOCK)]?.[index % BLOCK] ?? 0,
    length: () => length,
  };
}
