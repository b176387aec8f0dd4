import { describe, expect, test } from 'vitest';
import { type EditedRecord, editedPieces, mergeEdits } from '../../src/transcript/edited.js';
import type { Edit, JsonPath } from '../../src/transcript/splice.js';
import { shortReads } from './read.js';

const STYLE = { escapesNonAscii: false, spaced: false };

/** Edits of the record `[start, end)`; its line does not matter here. */
function edited(start: number, end: number, ...edits: Edit[]): EditedRecord {
  return { record: { index: 0, line: 1, start, end }, edits };
}

const replace = (at: JsonPath, json: string): Edit => ({ op: 'replace', at, json });

test('merges the edits of a record in the order given, and orders records as they stand in the file', () => {
  const merged = mergeEdits([
    edited(10, 12, replace([0], '1')),
    edited(2, 4, replace([1], '2')),
    edited(10, 12, replace([2], '3')),
  ]);
  expect(merged).toStrictEqual([
    edited(2, 4, replace([1], '2')),
    edited(10, 12, replace([0], '1'), replace([2], '3')),
  ]);
});

const FILE = '\ufeff// é\r\n[1]\r\n\r\n{"a":1.0}{"b":2}\n[3]';

const cases: readonly { name: string; edits: readonly EditedRecord[]; result: string }[] = [
  { name: 'nothing', edits: [], result: FILE },
  { name: 'a record', edits: [edited(10, 13, replace([0], '"é"'))], result: FILE.replace('[1]', '["é"]') },
  {
    name: 'one of two glued records',
    edits: [edited(26, 33, replace(['b'], '0'))],
    result: FILE.replace('"b":2', '"b":0'),
  },
  {
    name: 'both glued records and the last line',
    edits: [
      edited(17, 26, replace(['a'], '0')),
      edited(26, 33, replace(['b'], '0')),
      edited(34, 37, replace([], '4')),
    ],
    result: '\ufeff// é\r\n[1]\r\n\r\n{"a":0}{"b":0}\n4',
  },
];

describe('leaves every byte outside the edited values when it edits', () => {
  test.each(cases)('$name', ({ edits, result }) => {
    const written: Buffer[] = [];
    for (const { bytes } of editedPieces(shortReads(Buffer.from(FILE), [1, 2, 3]), edits, STYLE)) {
      written.push(Buffer.from(bytes));
    }
    expect(Buffer.concat(written).toString()).toBe(result);
  });
});

test('tells edited records from copied bytes', () => {
  const pieces = [
    ...editedPieces(shortReads(Buffer.from('[1]\n[2]'), [100]), [edited(4, 7, replace([0], '3'))], STYLE),
  ];
  expect(pieces.map((piece) => piece.edited && Buffer.from(piece.edited.original).toString())).toStrictEqual([
    null,
    '[2]',
  ]);
});
