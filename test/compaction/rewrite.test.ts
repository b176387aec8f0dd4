import { expect, test } from 'vitest';
import { copyEdits } from '../../src/compaction/rewrite.js';
import type { JsonPath } from '../../src/transcript/splice.js';

const STYLE = { escapesNonAscii: false, spaced: false };
const LONG = 'x'.repeat(201);

function shrunk(copy: unknown): JsonPath[] {
  return copyEdits(['copy'], copy, 'receipt', STYLE).map(({ at }) => at);
}

/** A value at the bottom of so many arrays. */
function nested(value: unknown, levels: number): unknown {
  let outer = value;
  for (let i = 0; i < levels; i += 1) outer = [outer];
  return outer;
}

test.each<{ name: string; copy: unknown; at: readonly JsonPath[] }>([
  { name: 'a long string', copy: LONG, at: [['copy']] },
  {
    name: 'long strings inside',
    copy: { a: [1, LONG], b: LONG },
    at: [
      ['copy', 'b'],
      ['copy', 'a', 1],
    ],
  },
  { name: 'no short string', copy: { a: LONG.slice(1) }, at: [] },
  { name: 'nothing of no text', copy: [1, true, null], at: [] },
])('shrinks in a copy $name', ({ copy, at }) => {
  expect(shrunk(copy)).toStrictEqual(at);
});

test('leaves a copy of 60,000 levels as it is below the first 100', () => {
  expect(shrunk([LONG, nested(LONG, 98), nested(LONG, 60_000)])).toHaveLength(2);
});
