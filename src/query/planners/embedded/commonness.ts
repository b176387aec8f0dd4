// How common a word is in conversations: from 0 (not among the listed) to the number of tiers (in every tenth one).

export type Commonness = ReadonlyMap<string, number>;

/** Reads the model's tiers, the most common words last. */
export function loadCommonness(tiers: readonly string[]): Commonness {
  return new Map(tiers.flatMap((tier, i) => tier.split(' ').map((word) => [word, i + 1] as const)));
}

export function commonness(common: Commonness, key: string): number {
  return common.get(key) ?? 0;
}
