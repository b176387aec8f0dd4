import { describe, expect, test } from 'vitest';
import { firstUngrounded, quoteProblem } from '../../src/query/grounding.js';
import { standsWhole } from '../../src/query/tokens.js';

describe('standsWhole', () => {
  test.each<[piece: string, text: string, isWhole: boolean]>([
    ['code', 'the code.', true],
    ['code', 'decoded', false],
    ['code', 'decoded code', true],
    ['the code', 'the code', true],
    ['', 'the code', false],
    ['7421', 'ORD-7421', true],
    ['7421', 'ORD_7421', false],
    ['ledger_a.txt', 'see ledger_a.txt?', true],
    ['cafe', 'cafe\u0301', false],
    ['cafe\u0301', 'cafe\u0301s', false],
    ['\u{1f600}', 'a\u{1f600}b', true],
    ['\ude00', 'a\u{1f600}b', false],
    ['\ud83d', 'a\u{1f600}b', false],
    ['\u{20000}', '\u{20000}\u{20001}', true],
    ['予算', '来月の予算は', true],
    ['データ', '新しいデータがある', true],
    ['LINE', 'LINEの設定', true],
    ['งบ', 'ของงบประมาณ', true],
  ])('%j in %j: %s', (piece, text, isWhole) => {
    expect(standsWhole(piece, text)).toBe(isWhole);
  });
});

test.each<[quote: string, problem: string | undefined]>([
  ['Orion code', undefined],
  [' ', 'is blank'],
  ['\u3000\n', 'is blank'],
  ['orion', 'is not in the message'],
  ['rion', 'cuts a word'],
])('a quote %j: %s', (quote, problem) => {
  expect(quoteProblem(quote, 'The Orion code is 7421.')).toBe(problem);
});

test.each<[term: string, isGroundedThere: boolean]>([
  ['orion', true],
  ['Orion code', true],
  ['Ori', false],
  ['7421', true],
  ['.', false],
  [' ', false],
  ['Vega', false],
])('a term %j is grounded: %s', (term, isGroundedThere) => {
  const texts = ['What now?', 'The Orion code is 7421.'];
  expect(firstUngrounded(['orion', term], texts)).toBe(isGroundedThere ? undefined : term);
});

test('a question of a hundred thousand words is looked at once', () => {
  const words = Array.from({ length: 100_000 }, (_, i) => `word${i}`);
  expect(firstUngrounded([...words, 'word'], [words.join(' ')])).toBe('word');
});
