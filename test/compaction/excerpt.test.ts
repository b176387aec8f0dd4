import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DroppedReturn, excerptLines } from '../../src/compaction/excerpt.js';
import { TokenTrail } from '../../src/ledger/reuse.js';

/** A return far longer than what is kept of it. */
const FILLER = 'nothing of note '.repeat(20);

interface Setting {
  /** Distinctive tokens of what stays in view. */
  readonly shown?: readonly string[];
  /** What the assistant said, a message each; the newest is last. */
  readonly said?: readonly string[];
  readonly frame?: number;
}

function excerpts(dropped: readonly DroppedReturn[], { shown = [], said = [], frame = 0 }: Setting = {}) {
  const trail = new TokenTrail();
  for (const [position, text] of said.entries()) trail.say(text, position, 'answer');
  return Object.fromEntries(excerptLines(dropped, new Set(shown), trail, frame));
}

/** What is kept of the lines of one return. */
function kept(lines: readonly string[], setting: Setting = {}, distance = 0): string[] {
  return excerpts([{ key: 'r', lines: [...lines, FILLER], distance }], setting).r ?? [];
}

/** A line of so many characters that names this. */
const lineWith = (name: string, length: number): string => name.padEnd(length, ' -');

describe('of a dropped return are kept', () => {
  test.each<[rule: string, lines: string[], setting: Setting, expected: string[]]>([
    [
      'the whole lines that name something, in their order',
      ['a line', 'see max_size', 'a line', '  in src/app.ts'],
      {},
      ['see max_size', '  in src/app.ts'],
    ],
    ['no lines that name nothing', ['a line', '', 'another one'], {}, []],
    [
      'no lines whose names are shown',
      ['see max_size', 'see min_size'],
      { shown: ['max_size'] },
      ['see min_size'],
    ],
    [
      'the first of several lines with the same names',
      ['see max_size', 'and max_size'],
      {},
      ['see max_size'],
    ],
    [
      'a line with one new name',
      ['see max_size', 'max_size and min_size'],
      {},
      ['see max_size', 'max_size and min_size'],
    ],
    ['no line for its number in a listing', ['  1048→ a line'], {}, []],
    ['a short line with a number', ['port 8080'], {}, ['port 8080']],
    ['no longer line with a number alone', [lineWith('8080', 40)], {}, []],
    ['a line as long with a name', [lineWith('max_size', 40)], {}, [lineWith('max_size', 40)]],
    ['no long line with a name', [lineWith('max_size', 90)], {}, []],
    [
      'a line as long with several names',
      [lineWith('max_size min_size top_size', 90)],
      {},
      [lineWith('max_size min_size top_size', 90)],
    ],
    ...['const', 'export', 'function', 'class', 'import', 'def', 'fn', '##', '+++', 'diff'].map(
      (word): [string, string[], Setting, string[]] => [
        `a line as long that defines a name: ${word}`,
        [lineWith(`${word} max_size`, 90)],
        {},
        [lineWith(`${word} max_size`, 90)],
      ],
    ),
    ['also in a listing', [lineWith('  12→const max_size', 90)], {}, [lineWith('  12→const max_size', 90)]],
    [
      'a line as long whose name was just said',
      [lineWith('max_size', 90)],
      { said: ['max_size'] },
      [lineWith('max_size', 90)],
    ],
    ['no line longer than 300', [lineWith('max_size', 301)], { said: ['max_size'] }, []],
    [
      'a line of 300 whose name was just said',
      [lineWith('max_size', 300)],
      { said: ['max_size'] },
      [lineWith('max_size', 300)],
    ],
    [
      'no such line when it was said long ago',
      [lineWith('max_size', 300)],
      { said: ['max_size', ...Array.from({ length: 2000 }, () => 'x')] },
      [],
    ],
  ])('%s', (_, lines, setting, expected) => {
    expect(kept(lines, setting)).toStrictEqual(expected);
  });

  test('fewer lines of names that nobody used, the more was retrieved after them', () => {
    const line = lineWith('max_size', 40);
    expect([0, 29_999, 30_000].map((distance) => kept([line], {}, distance).length)).toStrictEqual([1, 1, 0]);
  });

  test('lines of names that were just said, whatever was retrieved after them', () => {
    const line = lineWith('max_size', 40);
    expect(kept([line], { said: ['max_size'] }, 10_000_000)).toStrictEqual([line]);
  });
});

test('a name is taken from the newest return that has it', () => {
  const lines = ['see max_size', FILLER];
  const dropped = [
    { key: 'old', lines: [...lines, 'see min_size'], distance: 500 },
    { key: 'new', lines, distance: 0 },
  ];
  expect(excerpts(dropped)).toStrictEqual({ new: ['see max_size'], old: ['see min_size'] });
});

test.each<[frame: number, count: number]>([
  [0, 2],
  [12, 2],
  [13, 1],
  [25, 1],
  [26, 0],
  [1000, 0],
])('with a frame of %i the receipt stays shorter than the return', (frame, count) => {
  const lines = ['see max_size', 'see min_size', 'see top_size'];
  const { r = [] } = excerpts([{ key: 'r', lines, distance: 0 }], { frame });
  expect(r).toStrictEqual(lines.slice(0, count));
});

test('kept lines are lines of the return in order, and together shorter', () => {
  const line = fc.oneof(
    fc.constantFrom('', 'max_size', 'min_size', 'src/app.ts:10: const x', '  12→export function readAll'),
    fc.string(),
  );
  const returns = fc.array(fc.tuple(fc.array(line), fc.nat({ max: 100_000 })), { maxLength: 5 });
  fc.assert(
    fc.property(returns, fc.nat({ max: 60 }), (all, frame) => {
      const dropped = all.map(([lines, distance], i) => ({ key: String(i), lines, distance }));
      const found = excerpts(dropped, { frame });
      for (const { key, lines } of dropped) {
        const own = found[key] ?? [];
        const size = (texts: readonly string[]): number => texts.join('\n').length;
        expect(isSubsequence(own, lines)).toBe(true);
        if (own.length > 0) expect(size(own) + frame).toBeLessThan(size(lines));
      }
      const chosen = Object.values(found).flat();
      expect(new Set(chosen).size).toBe(chosen.length);
    }),
  );
});

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const item of whole) if (item === part[next]) next += 1;
  return next === part.length;
}
