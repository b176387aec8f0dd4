import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource, readLines, readRange } from '../../src/transcript/lines.js';
import { shortReads, sourceOf } from './read.js';

/** `[start, end, next, text]` of each line. */
type Row = readonly [start: number, end: number, next: number, text: string];

function rowsOf(source: ByteSource): Row[] {
  const rows: Row[] = [];
  for (const { start, end, next, bytes } of readLines(source)) {
    rows.push([start, end, next, bytes.toString('utf8')]);
  }
  return rows;
}

const cases: readonly { name: string; text: string; lines: readonly Row[] }[] = [
  { name: 'an empty source has no lines', text: '', lines: [] },
  {
    name: 'a line ends at LF',
    text: 'a\nbc\n',
    lines: [
      [0, 1, 2, 'a'],
      [2, 4, 5, 'bc'],
    ],
  },
  {
    name: 'the last line needs no LF',
    text: 'a\nbc',
    lines: [
      [0, 1, 2, 'a'],
      [2, 4, 4, 'bc'],
    ],
  },
  {
    name: 'blank lines are lines',
    text: '\n\na\n\n',
    lines: [
      [0, 0, 1, ''],
      [1, 1, 2, ''],
      [2, 3, 4, 'a'],
      [4, 4, 5, ''],
    ],
  },
  {
    name: 'CR before LF is no text',
    text: 'a\r\nb\r\n',
    lines: [
      [0, 1, 3, 'a'],
      [3, 4, 6, 'b'],
    ],
  },
  {
    name: 'a line of CR LF is blank',
    text: '\r\n\r\n',
    lines: [
      [0, 0, 2, ''],
      [2, 2, 4, ''],
    ],
  },
  { name: 'only one CR before LF goes', text: 'a\r\r\n', lines: [[0, 2, 4, 'a\r']] },
  { name: 'a lone CR ends no line', text: 'a\rb\n', lines: [[0, 3, 4, 'a\rb']] },
  { name: 'a CR without LF at the end is text', text: 'a\r', lines: [[0, 2, 2, 'a\r']] },
  {
    name: 'LF before CR is a line end and a character',
    text: 'a\n\rb',
    lines: [
      [0, 1, 2, 'a'],
      [2, 4, 4, '\rb'],
    ],
  },
  { name: 'a byte-order mark is no text', text: '\ufeffa\n', lines: [[3, 4, 5, 'a']] },
  { name: 'a byte-order mark alone is a blank line', text: '\ufeff', lines: [[3, 3, 3, '']] },
  { name: 'a byte-order mark before CR LF is a blank line', text: '\ufeff\r\n', lines: [[3, 3, 5, '']] },
  { name: 'a second byte-order mark is text', text: '\ufeff\ufeff\n', lines: [[3, 6, 7, '\ufeff']] },
  {
    name: 'a byte-order mark after the first line is text',
    text: 'a\n\ufeffb',
    lines: [
      [0, 1, 2, 'a'],
      [2, 6, 6, '\ufeffb'],
    ],
  },
  {
    name: 'U+2028, U+2029, U+0085, VT and FF end no line',
    text: 'a\u2028b\u2029c\u0085d\ve\ff\n',
    lines: [[0, 16, 17, 'a\u2028b\u2029c\u0085d\ve\ff']],
  },
  {
    name: 'NUL is text',
    text: '\0\n\0',
    lines: [
      [0, 1, 2, '\0'],
      [2, 3, 3, '\0'],
    ],
  },
  {
    name: 'offsets count bytes',
    text: 'é😀\nx',
    lines: [
      [0, 6, 7, 'é😀'],
      [7, 8, 8, 'x'],
    ],
  },
];

describe('splits a source into lines', () => {
  test.each(cases)('$name', ({ text, lines }) => {
    expect(rowsOf(sourceOf(text))).toStrictEqual(lines);
  });
});

describe.each([1, 2, 3, 4, 5, 6, 7])('splits alike when a read gives %i bytes', (length) => {
  test.each(cases)('$name', ({ text, lines }) => {
    expect(rowsOf(shortReads(Buffer.from(text), [length]))).toStrictEqual(lines);
  });
});

test('keeps half a byte-order mark as text', () => {
  expect(rowsOf(memorySource('x', Buffer.from([0xef, 0xbb, 0x0a])))).toStrictEqual([[0, 2, 3, '\ufffd']]);
});

const MEBIBYTE = 1 << 20;

/** Lengths around the window's size, and one that makes it grow several times. */
const longLines: readonly { name: string; length: number; ending: string; read: number }[] = [
  { name: 'a line that ends with the window', length: MEBIBYTE - 1, ending: '\n', read: MEBIBYTE },
  { name: 'a line whose LF is behind the window', length: MEBIBYTE, ending: '\n', read: MEBIBYTE },
  { name: 'a line whose CR ends the window', length: MEBIBYTE - 1, ending: '\r\n', read: MEBIBYTE },
  { name: 'a line whose CR is behind the window', length: MEBIBYTE, ending: '\r\n', read: MEBIBYTE },
  { name: 'a line of 5 MB', length: 5 * MEBIBYTE, ending: '\n', read: 10 * MEBIBYTE },
  { name: 'a line of 5 MB in short reads', length: 5 * MEBIBYTE, ending: '\r\n', read: 4093 },
];

test.each(longLines)('reads $name whole', ({ length, ending, read }) => {
  const long = 'x'.repeat(length);
  const source = shortReads(Buffer.from(`a\n${long}${ending}b`), [read]);
  const lines = rowsOf(source);
  const next = 2 + length + ending.length;
  expect(lines.map(([start, end, after]) => [start, end, after])).toStrictEqual([
    [0, 1, 2],
    [2, 2 + length, next],
    [next, next + 1, next + 1],
  ]);
  // Not toBe: its message for two texts of 5 MB would take minutes.
  expect(lines[1]?.[3] === long).toBe(true);
});

test('numbers lines from 1', () => {
  expect([...readLines(sourceOf('\ufeffa\n\nb'))].map(({ number }) => number)).toStrictEqual([1, 2, 3]);
});

const PIECES = ['\n', '\r', '\r\n', '\ufeff', '\0', '\u2028', 'é', '😀', 'a', '{"a":1}'].map((text) =>
  Buffer.from(text),
);
const bytes = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }) },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => Buffer.concat(pieces));
const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 });

const BOM = 'efbbbf';
const LINE_ENDS = ['0a', '0d0a'];

test('lines tile the source, whatever its bytes and however short its reads', () => {
  fc.assert(
    fc.property(bytes, lengths, (whole, reads) => {
      const pieces: Buffer[] = [];
      let before = 0;
      for (const { number, start, end, next, bytes: text } of readLines(shortReads(whole, reads))) {
        expect(number).toBe(pieces.length + 1);
        expect(text.equals(whole.subarray(start, end))).toBe(true);
        expect(text.includes(0x0a)).toBe(false);
        // All that is not text is a byte-order mark at the very start, and the line's end.
        expect(number === 1 ? ['', BOM] : ['']).toContain(whole.toString('hex', before, start));
        expect(next === whole.length ? ['', ...LINE_ENDS] : LINE_ENDS).toContain(
          whole.toString('hex', end, next),
        );
        pieces.push(Buffer.from(whole.subarray(before, next)));
        before = next;
      }
      expect(Buffer.concat(pieces).equals(whole)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('a line is what stands between two LF bytes', () => {
  fc.assert(
    fc.property(bytes, (whole) => {
      let before = 0;
      const lines: string[] = [];
      for (const { next } of readLines(memorySource('x', whole))) {
        lines.push(whole.toString('latin1', before, next));
        before = next;
      }
      expect(lines).toStrictEqual(whole.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []);
    }),
    { numRuns: 1000 },
  );
});

const ranges: readonly { name: string; from: number; to: number; text: string }[] = [
  { name: 'a range', from: 1, to: 3, text: 'bc' },
  { name: 'an empty range', from: 2, to: 2, text: '' },
  { name: 'the whole', from: 0, to: 5, text: 'abcde' },
  { name: 'what there is of a range that reaches past the end', from: 3, to: 9, text: 'de' },
  { name: 'nothing of a range past the end', from: 7, to: 9, text: '' },
];

test.each(ranges)('reads $name in one read or in many', ({ from, to, text }) => {
  const whole = Buffer.from('abcde');
  expect(readRange(memorySource('x', whole), from, to).toString()).toBe(text);
  expect(readRange(shortReads(whole, [1]), from, to).toString()).toBe(text);
});

test('a range is a copy of its own', () => {
  const whole = Buffer.from('abc');
  const range = readRange(memorySource('x', whole), 0, 3);
  whole.fill(0);
  expect(range.toString()).toBe('abc');
});
