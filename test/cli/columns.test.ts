import { describe, expect, test } from 'vitest';
import { cellWidth, fitEnd, fitMiddle, oneLine } from '../../src/cli/columns.js';

describe('cells', () => {
  test.each([
    ['', 0],
    ['pier', 4],
    ['日本', 4],
    ['🌊', 2],
    ['✅⚡', 4],
    ['e\u0301', 1],
    ['\u0e01\u0e34', 1],
    ['\u0915\u094d', 1],
    ['\u1112\u1161\u11ab', 2],
  ])('"%s" takes %i', (text, width) => {
    expect(cellWidth(text)).toBe(width);
  });

  test.each([
    ['pier', 6, 'pier  ', 'pier  '],
    ['pier', 4, 'pier', 'pier'],
    ['kb/tides.md', 6, 'kb/ti…', 'kb/…md'],
    ['日本語です', 6, '日本… ', '日…す '],
    ['call_123#45', 8, 'call_12…', 'call…#45'],
    ['pier', 1, '…', '…'],
  ])('"%s" in %i is cut to whole characters and padded', (text, width, end, middle) => {
    expect({ end: fitEnd(text, width), middle: fitMiddle(text, width) }).toStrictEqual({ end, middle });
  });

  test('a text of several lines is one', () => {
    expect(oneLine('a\n\tb\u001b')).toBe('a\\n\\tb\\x1b');
  });

  test('half of a surrogate pair is an escape, a whole one is not', () => {
    expect(oneLine('\ud83c 🌊 \udf0a')).toBe('\\ud83c 🌊 \\udf0a');
  });
});
