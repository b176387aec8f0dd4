import { seeded } from '../seeded.js';
import type { Mutator } from './mutators.js';

/** One step: a mutator by its name, and the seed of its choices. */
export interface Damage {
  readonly mutator: string;
  readonly seed: number;
}

/** No larger than this, however often something is repeated. */
const MOST_BYTES = 4 << 20;

/** Bytes with damages made to them, in order; those that find no place for themselves change nothing. */
export function damaged(
  bytes: Buffer,
  damages: readonly Damage[],
  mutators: Readonly<Record<string, Mutator>>,
): Buffer {
  let text = bytes.toString('latin1');
  for (const { mutator, seed } of damages) {
    const changed = mutators[mutator]?.(text, seeded(seed));
    if (changed !== undefined && changed.length <= MOST_BYTES) text = changed;
  }
  return Buffer.from(text, 'latin1');
}
