import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folded } from '../../src/diff/fold.js';
import { type Hunk, hunksOf } from '../../src/diff/hunks.js';
import { diffLines } from '../../src/diff/line-diff.js';
import { diffWords } from '../../src/diff/word-diff.js';

function hunks(before: string, after: string, context: number): Hunk[] {
  return [...hunksOf(diffLines(before, after).runs, context)];
}

function written({ before, after, lines }: Hunk): string {
  const texts = lines.map(({ sign, pieces }) => sign + pieces.map(({ text }) => text).join(''));
  return [`${before.start},${before.count} ${after.start},${after.count}`, ...texts].join('|');
}

describe('lines', () => {
  test.each([
    { before: '', after: '', context: 3, shown: [] },
    { before: 'a', after: 'a', context: 3, shown: [] },
    { before: '', after: 'a', context: 3, shown: ['0,0 1,1|+a'] },
    { before: 'a', after: '', context: 3, shown: ['1,1 0,0|-a'] },
    { before: 'a\nb\nc', after: 'a\nx\nc', context: 0, shown: ['2,1 2,1|-b|+x'] },
    { before: 'a\nb\nc', after: 'a\nx\nc', context: 1, shown: ['1,3 1,3| a|-b|+x| c'] },
    {
      before: '1\n2\n3\n4\n5\n6',
      after: 'x\n2\n3\n4\n5\ny',
      context: 1,
      shown: ['1,2 1,2|-1|+x| 2', '5,2 5,2| 5|-6|+y'],
    },
    { before: '1\n2\n3', after: 'x\n2\ny', context: 1, shown: ['1,3 1,3|-1|+x| 2|-3|+y'] },
    { before: 'a', after: 'a\n', context: 0, shown: ['1,0 2,1|+'] },
  ])('$before to $after with context $context', ({ before, after, context, shown }) => {
    expect(hunks(before, after, context).map(written)).toStrictEqual(shown);
  });

  test('nothing is lost, whatever changes', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '', 'c d'), { maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = hunks(before, after, 1000).flatMap((one) => one.lines);
        const side = (other: string) =>
          lines
            .filter(({ sign }) => sign !== other)
            .map(({ pieces }) => pieces.map((piece) => piece.text).join(''))
            .join('\n');
        if (before === after) expect(lines).toStrictEqual([]);
        else expect([side('+'), side('-')]).toStrictEqual([before, after]);
      }),
      { seed: 7 },
    );
  });

  test('texts with nothing in common end soon, and say so', () => {
    const lines = (name: string) => Array.from({ length: 60_000 }, (_, i) => `${name} ${i}`).join('\n');
    const { runs, isComplete } = diffLines(lines('left'), lines('right'));
    expect({ isComplete, runs: runs.length }).toStrictEqual({ isComplete: false, runs: 1 });
    expect([...folded(hunksOf(runs, 3), false)].length).toBeLessThan(30);
  });

  test('a few lines that are left of many are found', () => {
    const before = Array.from({ length: 50_000 }, (_, i) => `line ${i}`);
    const { runs, isComplete } = diffLines(before.join('\n'), 'receipt\nline 700\nline 41000');
    expect(isComplete).toBe(true);
    expect(runs.filter(({ kind }) => kind === 'same')).toHaveLength(2);
  });
});

describe('words', () => {
  test.each([
    ['the red pump', 'the blue pump', 'the [red] pump', 'the [blue] pump'],
    ['two valves', 'two  valves', 'two[ ]valves', 'two[  ]valves'],
  ])('%s to %s', (before, after, left, right) => {
    const marked = (pieces: readonly { text: string; isChanged: boolean }[] = []) =>
      pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');
    const diff = diffWords(before, after);
    expect([marked(diff?.before), marked(diff?.after)]).toStrictEqual([left, right]);
  });

  test('lines with little in common are not marked', () => {
    expect(diffWords('one two three four', 'five six seven three')).toBeUndefined();
  });

  test('a line of a megabyte is compared from its ends, never inside a character', () => {
    const [head, tail] = ['a '.repeat(300_000), ' b'.repeat(300_000)];
    expect(diffWords(`${head}🌊${tail}`, `${head}🌋${tail}`)?.after).toStrictEqual([
      { text: head, isChanged: false },
      { text: '🌋', isChanged: true },
      { text: tail, isChanged: false },
    ]);
  });
});

describe('folding', () => {
  test.each([
    { isFull: false, lines: 10 },
    { isFull: true, lines: 31 },
  ])('full: $isFull', ({ isFull, lines }) => {
    const before = [...Array.from({ length: 29 }, (_, i) => `line ${i}`), 'x'.repeat(5000)].join('\n');
    const shown = [...folded(hunks(before, '', 3), isFull)];
    expect(shown).toHaveLength(lines);
    const texts = shown.flatMap((line) => (line.kind === 'line' ? line.pieces.map(({ text }) => text) : []));
    expect(texts.join('').length > 5000).toBe(isFull);
    expect(shown.filter(({ kind }) => kind === 'fold')).toStrictEqual(
      isFull ? [] : [{ kind: 'fold', text: '22 more lines removed' }],
    );
    expect(texts.includes(' … 4,640 more characters … ')).toBe(!isFull);
  });
});
