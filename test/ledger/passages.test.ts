import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitPassages } from '../../src/ledger/passages.js';

/** `1-3 4-9`: the passages of the lines. */
function spans(lines: readonly string[], cuts: readonly number[] = []): string {
  return splitPassages(lines, new Set(cuts))
    .map(({ first, last }) => `${first}-${last}`)
    .join(' ');
}

const plain = (count: number): string[] => Array.from({ length: count }, () => 'a line');

describe('passages', () => {
  test.each<[rule: string, lines: string[], expected: string]>([
    ['no lines', [], ''],
    ['one line', ['a'], '1-1'],
    ['short texts are one', plain(40), '1-40'],
    ['40 lines at most', plain(95), '1-40 41-80 81-95'],
    ['4000 units at most', Array.from({ length: 5 }, () => 'x'.repeat(1500)), '1-2 3-4 5-5'],
    ['a longer line is alone', ['a', 'x'.repeat(5000), 'b'], '1-1 2-2 3-3'],
    ['behind a blank line', [...plain(8), '', ...plain(5)], '1-9 10-14'],
    ['not before eight lines', [...plain(6), '', ...plain(5)], '1-12'],
    ['a blank line of a listing', [...plain(8), '    9→', ...plain(5)], '1-9 10-14'],
    ...[
      'diff --git a/x b/x',
      '@@ -1,2 +1,2 @@',
      '--- a/x',
      '+++ b/x',
      '## Heading',
      '=====',
      '-----',
      '[2026-03-02 04:05:06] started',
      '2026-03-02T04:05:06Z started',
      'File: src/x.ts',
      'Path: src/x.ts',
      '<result>',
      '</result>',
    ].map((heading): [string, string[], string] => [
      `before ${heading}`,
      [...plain(8), heading, ...plain(5)],
      '1-8 9-14',
    ]),
    ...['}', '  },', ']', '    ],'].map((end): [string, string[], string] => [
      `behind ${JSON.stringify(end)}`,
      [...plain(8), end, ...plain(5)],
      '1-9 10-14',
    ]),
    ['not behind a closing bracket further in', [...plain(8), '      }', ...plain(5)], '1-14'],
  ])('%s', (_, lines, expected) => {
    expect(spans(lines)).toBe(expected);
  });

  test('begin where they have to, also below eight lines', () => {
    expect(spans(plain(10), [3, 4, 10])).toBe('1-2 3-3 4-9 10-10');
  });

  test('count their lines from where they have to begin', () => {
    expect(spans(plain(50), [6])).toBe('1-5 6-45 46-50');
  });

  test('tile the lines', () => {
    const anyLine = fc.oneof(
      fc.constantFrom('', '}', '## x', 'diff --git a b', '  12→', 'x'.repeat(3000), 'x'.repeat(9000)),
      fc.string(),
    );
    const anyLines = fc.array(anyLine, { maxLength: 120, size: 'max' });
    fc.assert(
      fc.property(anyLines, fc.array(fc.integer({ min: 1, max: 130 })), (lines, cuts) => {
        const passages = splitPassages(lines, new Set(cuts));
        const numbers = passages.flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, i) => first + i),
        );
        expect(numbers).toStrictEqual(lines.map((_, i) => i + 1));
        expect(passages.every(({ first, last }) => last - first < 40)).toBe(true);
        const firsts = new Set(passages.map(({ first }) => first));
        expect(cuts.filter((cut) => cut <= lines.length && !firsts.has(cut))).toStrictEqual([]);
      }),
    );
  });
});
