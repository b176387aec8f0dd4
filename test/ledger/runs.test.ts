import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunIndex } from '../../src/ledger/runs.js';

const SENTENCE = 'High water at the pier comes forty minutes after high water at the lock gate.';

/** `0:2 words`: the runs of an answer, each with its result and line, after the results were retrieved. */
function runs(
  results: readonly (readonly string[])[],
  answer: string,
  heard: readonly string[] = [],
): string[] {
  const index = new RunIndex();
  for (const text of heard) index.hear(text);
  for (const [i, lines] of results.entries()) index.retrieve(lines, i);
  return index.repeated(answer).map(({ result, line, quote }) => `${result}:${line} ${quote}`);
}

describe('a run of eight words', () => {
  test.each<[rule: string, results: string[][], answer: string, expected: RegExp[]]>([
    [
      'is found',
      [[SENTENCE]],
      'So it comes forty minutes after high water at the lock, they say.',
      [/^0:1 \w+( \w+){4}$/],
    ],
    ['is found in its line', [['Tides.', '', SENTENCE]], SENTENCE, [/^0:3 /]],
    [
      'is found whatever the case and the marks between its words',
      [[SENTENCE]],
      'COMES: forty minutes; after “high” water at the lock',
      [/^0:1 /],
    ],
    ['is credited to the newest line that has it', [[SENTENCE], ['x', SENTENCE]], SENTENCE, [/^1:2 /]],
    ['is found once a line', [[SENTENCE]], `${SENTENCE} ${SENTENCE}`, [/^0:1 /]],
    [
      'is found in each line',
      [[SENTENCE, 'The keeper of the gate writes every tide on the board by hand.']],
      `The keeper of the gate writes every tide on the board by hand. ${SENTENCE}`,
      [/^0:[12] /, /^0:[12] /],
    ],
    [
      'of stop words only is none',
      [['it is what it is and that is all of it']],
      'it is what it is and that is all of it',
      [],
    ],
    [
      'that is no run of the line is none',
      [[SENTENCE]],
      'High water comes to the lock gate forty minutes after the pier.',
      [],
    ],
    ['of fewer than five words is none', [[SENTENCE]], 'It comes forty minutes after.', []],
    ['is none without results', [], SENTENCE, []],
  ])('%s', (_, results, answer, expected) => {
    const found = runs(results, answer);
    expect(found).toHaveLength(expected.length);
    for (const pattern of expected) expect(found).toContainEqual(expect.stringMatching(pattern));
  });

  test('that the operator had said cites nothing', () => {
    expect(runs([[SENTENCE]], SENTENCE, [SENTENCE])).toStrictEqual([]);
  });

  test('is found wherever it stands in a line, in the words of the answer', () => {
    const word = fc.stringMatching(/^[a-z]{3,9}x$/);
    const words = fc.uniqueArray(word, { minLength: 8, maxLength: 30 });
    fc.assert(
      fc.property(words, fc.nat(), fc.constantFrom(' ', ', ', '\n'), (all, from, joint) => {
        const start = from % (all.length - 7);
        const answer = all.slice(start, start + 8).join(joint);
        const index = new RunIndex();
        index.retrieve(['other words', all.join(' ')], 4);
        const found = index.repeated(answer);
        expect(found.map(({ result, line }) => [result, line])).toStrictEqual([[4, 2]]);
        expect(found.every(({ quote }) => answer.includes(quote))).toBe(true);
      }),
    );
  });
});
