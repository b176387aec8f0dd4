import { expect, test } from 'vitest';
import { chosenFrom } from '../../../src/query/planners/embedded/expected.js';

const rows: readonly [name: string, scores: readonly number[], from: number][] = [
  ['a little more than half of the best F1 that can be expected', [0.8, 0.8, 0.4], 0.44],
  ['lower where every word is in doubt', [0.3, 0.3, 0.3, 0.3], (1.1 * 1.2) / 5.2],
  ['but not below one in seven', [0.05, 0.05], 0.14],
  ['nothing to choose from', [], 0.14],
];
test.each(rows)('%s', (_name, scores, from) => {
  expect(chosenFrom(scores)).toBeCloseTo(from, 5);
});
