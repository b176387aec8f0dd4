import { describe, expect, test } from 'vitest';
import type { JsonStyle } from '../../src/transcript/splice.js';
import { styleWatcher } from '../../src/transcript/style.js';

function styleOf(records: readonly string[]): JsonStyle {
  const watcher = styleWatcher();
  for (const record of records) watcher.see(Buffer.from(record));
  return watcher.style();
}

const escapes: readonly { name: string; records: readonly string[]; escapesNonAscii: boolean }[] = [
  { name: 'nothing to go by is raw', records: [], escapesNonAscii: false },
  { name: 'ASCII is raw', records: ['{"a":"b\\n\\"\\/\\t"}'], escapesNonAscii: false },
  { name: 'characters as they are', records: ['{"a":"é"}'], escapesNonAscii: false },
  { name: 'escapes of characters', records: ['{"a": "\\u00e9"}'], escapesNonAscii: true },
  { name: 'escapes in capitals', records: ['{"a":"\\u00E9"}'], escapesNonAscii: true },
  { name: 'escapes in keys', records: ['{"\\u4f60":1}'], escapesNonAscii: true },
  { name: 'escapes of pairs', records: ['{"a":"\\ud83d\\ude00"}'], escapesNonAscii: true },
  {
    name: 'escapes behind ASCII records',
    records: ['{"a":1}', '{"a":"x"}', '{"a":"\\u00e9"}'],
    escapesNonAscii: true,
  },
  {
    name: 'escapes in a file that has raw characters too',
    records: ['["\\u00e9"]', '["é"]', '["\\u00e9"]'],
    escapesNonAscii: false,
  },
  { name: 'raw characters before escapes', records: ['["é\\u00e9"]'], escapesNonAscii: false },
  {
    name: 'escapes of control characters',
    records: ['{"a":"\\u0000\\u001f\\u007f"}'],
    escapesNonAscii: false,
  },
  { name: 'escapes of ASCII', records: ['{"a":"\\u003c"}'], escapesNonAscii: false },
  {
    name: 'escapes of lone surrogates',
    records: ['{"a":"\\ud83d x \\ude00\\ud83d"}'],
    escapesNonAscii: false,
  },
  { name: 'escapes of U+2028 and U+2029', records: ['{"a":"\\u2028\\u2029"}'], escapesNonAscii: false },
  { name: 'an escape behind a forced one', records: ['{"a":"\\u2028\\u2027"}'], escapesNonAscii: true },
  {
    name: 'JSON in a string, whose escapes are text',
    records: ['{"a":"{\\"b\\":\\"\\\\u00e9\\"}"}'],
    escapesNonAscii: false,
  },
  {
    name: 'an escape behind a backslash of the text',
    records: ['{"a":"\\\\\\u00e9"}'],
    escapesNonAscii: true,
  },
];

describe('tells escapes of characters beyond ASCII:', () => {
  test.each(escapes)('$name', ({ records, escapesNonAscii }) => {
    expect(styleOf(records).escapesNonAscii).toBe(escapesNonAscii);
  });
});

const spacings: readonly { name: string; records: readonly string[]; spaced: boolean }[] = [
  { name: 'nothing to go by', records: [], spaced: false },
  { name: 'JavaScript', records: ['{"a":1, "b": 2}'], spaced: false },
  { name: 'Python', records: ['{"a": 1,"b":2}'], spaced: true },
  { name: 'the first object of an array', records: ['[{"a": 1}]'], spaced: true },
  { name: 'a document over several lines', records: ['[\n  {\n    "a": 1\n  }\n]'], spaced: true },
  { name: 'a space before the colon only', records: ['{"a" :1}'], spaced: false },
  { name: 'a colon in the key', records: ['{"a: b\\": c":1}'], spaced: false },
  {
    name: 'the first record with a key',
    records: ['{}', '[1, 2]', '"a: b"', '{"a": 1}', '{"a":1}'],
    spaced: true,
  },
  { name: 'the first record even when later ones differ', records: ['{"a":1}', '{"a": 1}'], spaced: false },
];

describe('tells a space behind colons:', () => {
  test.each(spacings)('$name: $spaced', ({ records, spaced }) =>
    expect(styleOf(records).spaced).toBe(spaced),
  );
});
