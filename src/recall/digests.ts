/** Texts that were seen, by their digests: eight bytes each, whatever their length. */
export interface Digests {
  add(text: string): void;
  has(text: string): boolean;
}

/** A power of two. */
const SLOTS = 2 ** 20;
/** Beyond this many, texts are not remembered. */
const MOST = SLOTS / 2;

/** An open hash table of numbers: a Set of them takes five times the memory. */
export function createDigests(): Digests {
  let slots: Float64Array | undefined; // most searches need none
  let count = 0;
  const slotOf = (table: Float64Array, value: number): number => {
    let slot = value % SLOTS;
    while (table[slot] !== 0 && table[slot] !== value) slot = (slot + 1) % SLOTS;
    return slot;
  };
  return {
    add(text) {
      slots ??= new Float64Array(SLOTS);
      const value = digest(text);
      const slot = slotOf(slots, value);
      if (slots[slot] === value || count === MOST) return;
      slots[slot] = value;
      count += 1;
    },
    has(text) {
      if (slots === undefined) return false;
      const value = digest(text);
      return slots[slotOf(slots, value)] === value;
    },
  };
}

/** 53 bits of FNV-1a in two lanes, never 0: enough that two passages of one search do not meet. */
function digest(text: string): number {
  let [low, high] = [0x811c9dc5, 0x1b873593];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0) || 1;
}
