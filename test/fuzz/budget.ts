import type fc from 'fast-check';

const asked = process.env.THREAD_FUZZ_SEED;
const path = process.env.THREAD_FUZZ_PATH;

/** Only what failed is to be seen again. */
export const isReplay = path !== undefined;

/** The seed that is asked for, which replays a failing run together with the path that fast-check prints. */
export function seedOr(usual: number): number {
  return asked === undefined ? usual : Number(asked);
}

/** For the titles of tests. */
export function replayed(seed: number): string {
  return `seed ${seed}; THREAD_FUZZ_SEED and THREAD_FUZZ_PATH replay a failure`;
}

/** Fast-check's parameters for so many attempts. */
export function attempts(seed: number, numRuns: number): fc.Parameters<unknown> {
  return { seed, numRuns, ...(path === undefined ? {} : { path }) };
}
