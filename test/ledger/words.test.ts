import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findWords, lowerCase } from '../../src/ledger/words.js';

function wordsOf(text: string): string[] {
  const [starts, ends]: [number[], number[]] = [[], []];
  const count = findWords(text, starts, ends);
  return starts.slice(0, count).map((start, i) => text.slice(start, ends[i]));
}

describe('words', () => {
  test('are runs of letters, digits and underscores', () => {
    expect(wordsOf('Two, x_1 – ÄB/c')).toStrictEqual(['Two', 'x_1', 'ÄB', 'c']);
  });

  test('are counted in arrays that are longer', () => {
    const [starts, ends] = [
      [9, 9, 9],
      [9, 9, 9],
    ];
    expect(findWords('a bc', starts, ends)).toBe(2);
    expect([starts, ends]).toStrictEqual([
      [0, 2, 9],
      [1, 4, 9],
    ]);
  });
});

describe('small letters', () => {
  test.each([
    ['ÄB/c', 'äb/c'],
    ['ΟΔΟΣ İX', 'οδοσ İx'],
    ['Ω𐐀', 'ω𐐨'],
  ])('of %j', (text, lower) => {
    expect(lowerCase(text)).toBe(lower);
  });

  test('stand where the letters do', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(lowerCase(text)).toHaveLength(text.length);
      }),
    );
  });
});
