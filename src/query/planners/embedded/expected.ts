// From which score on a word is chosen. The scores are probabilities, so what a choice would be worth can be expected.

/** Below it a word is not chosen, however little is known of the others. */
const LOWEST = 0.14;
// In theory half of it. By cross-validation a little more is better, for what is expected is a little too high.
const SHARE_OF_BEST = 0.55;
// More words are never needed, and the rest of a long history is noise.
const MOST = 30;
const LEAST_WANTED = 0.5;

/**
 * About half of the best F1 that can be expected: a word that is more likely than that adds more than it costs. In a
 * short conversation it is high, after long replies, where every word is in doubt, low.
 */
export function chosenFrom(scores: readonly number[]): number {
  return Math.max(LOWEST, bestExpected(scores) * SHARE_OF_BEST);
}

function bestExpected(scores: readonly number[]): number {
  const wanted = Math.max(
    LEAST_WANTED,
    scores.reduce((total, score) => total + score, 0),
  );
  let [right, best] = [0, 0];
  scores
    .toSorted((a, b) => b - a)
    .slice(0, MOST)
    .forEach((score, i) => {
      right += score;
      best = Math.max(best, (2 * right) / (i + 1 + wanted));
    });
  return best;
}
