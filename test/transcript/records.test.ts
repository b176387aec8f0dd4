import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/transcript/errors.js';
import { isBlank, type RecordOptions, readRecords } from '../../src/transcript/records.js';
import { errorOf, shortReads, sourceOf } from './read.js';

const CUT = 'a file that is still being written? add --lenient';
const BINARY = 'is this a binary file?';
const DOCUMENT =
  'a JSON document over several lines stands alone in its file: ledger lines go into another, for --ledger';

/** `[line, start, end, value]` of each record. */
type Row = readonly [line: number, start: number, end: number, value: unknown];

function read(input: string | Uint8Array, options: Partial<RecordOptions> = {}): Row[] {
  const source = sourceOf(input);
  const whole = typeof input === 'string' ? Buffer.from(input) : input;
  const rows: Row[] = [];
  for (const record of readRecords(source, { isDocument: false, lenient: false, ...options })) {
    expect(record.index).toBe(rows.length);
    expect(record.bytes.equals(whole.subarray(record.start, record.end))).toBe(true);
    rows.push([record.line, record.start, record.end, record.value]);
  }
  return rows;
}

function failure(input: string | Uint8Array, options: Partial<RecordOptions> = {}) {
  const error = errorOf(() => read(input, options));
  return error instanceof InputError ? { message: error.message, hint: error.hint } : error;
}

interface Case {
  readonly name: string;
  readonly text: string;
  readonly records: readonly Row[];
}

const perLine: readonly Case[] = [
  { name: 'an empty source has no records', text: '', records: [] },
  { name: 'a byte-order mark alone is no record', text: '\ufeff', records: [] },
  { name: 'a source of comments has no records', text: '// a\n//b', records: [] },
  {
    name: 'a line is a record',
    text: '{"a":1}\n{"b":2}\n',
    records: [
      [1, 0, 7, { a: 1 }],
      [2, 8, 15, { b: 2 }],
    ],
  },
  {
    name: 'a line end is no part of a record',
    text: '\ufeff{"a":1}\r\n{"b":2}',
    records: [
      [1, 3, 10, { a: 1 }],
      [2, 12, 19, { b: 2 }],
    ],
  },
  {
    name: 'blank lines are no records but count as lines',
    text: '\n \t\r\n1\n\r\n\n2\n',
    records: [
      [3, 5, 6, 1],
      [6, 10, 11, 2],
    ],
  },
  {
    name: 'comment lines above the first record are no records',
    text: '// a\n\n//b\r\n1\n',
    records: [[4, 11, 12, 1]],
  },
  {
    name: 'a comment line behind a byte-order mark is no record',
    text: '\ufeff// a\n1\n',
    records: [[2, 8, 9, 1]],
  },
  {
    name: 'any JSON value is a record',
    text: 'null\n"a"\n[]\n-0.5\nfalse\n',
    records: [
      [1, 0, 4, null],
      [2, 5, 8, 'a'],
      [3, 9, 11, []],
      [4, 12, 16, -0.5],
      [5, 17, 22, false],
    ],
  },
  {
    name: 'two objects glued on a line are two records',
    text: '{"a":1}{"b":2}\n{"c":3}\n',
    records: [
      [1, 0, 7, { a: 1 }],
      [1, 7, 14, { b: 2 }],
      [2, 15, 22, { c: 3 }],
    ],
  },
  {
    name: 'blanks around glued objects are no part of them',
    text: ' {"a":1} \t{"b":2} {"c":3}\r\r\n',
    records: [
      [1, 1, 8, { a: 1 }],
      [1, 10, 17, { b: 2 }],
      [1, 18, 25, { c: 3 }],
    ],
  },
  {
    name: 'braces and quotes in strings do not split objects',
    text: '{"a":"}{\\"}{"}{"é":"\\\\"}',
    records: [
      [1, 0, 14, { a: '}{"}{' }],
      [1, 14, 25, { é: '\\' }],
    ],
  },
  {
    name: 'U+2028 and U+2029 stand in a string',
    text: '"\u2028\u2029"\n',
    records: [[1, 0, 8, '\u2028\u2029']],
  },
  { name: 'a CR between tokens is white space', text: '[1,\r2]\r', records: [[1, 0, 7, [1, 2]]] },
  {
    name: 'escapes of NUL and lone surrogates are text',
    text: '"\\u0000\\ud83d"',
    records: [[1, 0, 14, '\0\ud83d']],
  },
  { name: 'numbers may be huge', text: '[1e999,-1e999]', records: [[1, 0, 14, [Infinity, -Infinity]]] },
];

describe('reads a record a line', () => {
  test.each(perLine)('$name', ({ text, records }) => expect(read(text)).toStrictEqual(records));
});

test('keeps a key __proto__ as a field of its own', () => {
  const [row] = read('{"__proto__":{"role":"user"}}');
  expect(Object.keys(Object(row?.[3]))).toStrictEqual(['__proto__']);
});

test('reads the same records in short reads', () => {
  const text = '\ufeff// é\r\n{"a":"é😀"}{"b":2}\r\n\r\n[1]';
  const records = [
    ...readRecords(shortReads(Buffer.from(text), [1, 2, 3]), { isDocument: false, lenient: false }),
  ];
  expect(records.map(({ line, start, end, value }) => [line, start, end, value])).toStrictEqual([
    [2, 10, 24, { a: 'é😀' }],
    [2, 24, 31, { b: 2 }],
    [4, 35, 38, [1]],
  ]);
});

const documents: readonly Case[] = [
  { name: 'reaches to the end of the source', text: '[\n 1\n]\n', records: [[1, 0, 7, [1]]] },
  { name: 'may begin below comments and blank lines', text: '// a\n\n[\n1]', records: [[3, 6, 10, [1]]] },
  { name: 'begins behind a byte-order mark', text: '\ufeff{\r\n}\r\n', records: [[1, 3, 9, {}]] },
  { name: 'may be a scalar', text: '"a"', records: [[1, 0, 3, 'a']] },
];

describe('a document', () => {
  test.each(documents)('$name', ({ text, records }) =>
    expect(read(text, { isDocument: true })).toStrictEqual(records),
  );
});

/** What is wrong with one line of JSON: `column` is 1-based and counts UTF-16 units. */
const faults: readonly { text: string; column: number; problem: string }[] = [
  { text: '{"a":1}}', column: 8, problem: 'more text after the end of the value' },
  { text: '1 2', column: 3, problem: 'more text after the end of the value' },
  { text: '{"a":1}[2]', column: 8, problem: 'more text after the end of the value' },
  { text: '{"a" 1}', column: 6, problem: 'a colon is missing after a key' },
  { text: '{"a"}', column: 5, problem: 'a colon is missing after a key' },
  { text: '{"a"::1}', column: 6, problem: 'a value is missing' },
  { text: '{1:2}', column: 2, problem: 'a key in double quotes is missing' },
  { text: '{,}', column: 2, problem: 'a key in double quotes is missing' },
  { text: '{"a":1,}', column: 8, problem: 'a key in double quotes is missing' },
  { text: '{"a":}', column: 6, problem: 'a value is missing' },
  { text: '[1,]', column: 4, problem: 'a value is missing' },
  { text: '[,1]', column: 2, problem: 'a value is missing' },
  { text: '}', column: 1, problem: 'a value is missing' },
  { text: '[1 2]', column: 4, problem: 'a comma or ] is missing' },
  { text: '[1}', column: 3, problem: 'a comma or ] is missing' },
  { text: '[01]', column: 3, problem: 'a comma or ] is missing' },
  { text: '{"a":1 "b":2}', column: 8, problem: 'a comma or } is missing' },
  { text: '{"a":1]', column: 7, problem: 'a comma or } is missing' },
  { text: '{"a":"b":1}', column: 9, problem: 'a comma or } is missing' },
  { text: '{a:1}', column: 2, problem: 'not a JSON value' },
  { text: "['a']", column: 2, problem: 'not a JSON value' },
  { text: '[NaN]', column: 2, problem: 'not a JSON value' },
  { text: '[True]', column: 2, problem: 'not a JSON value' },
  { text: '[+1]', column: 2, problem: 'not a JSON value' },
  { text: '[1.]', column: 2, problem: 'not a JSON value' },
  { text: '[.5]', column: 2, problem: 'not a JSON value' },
  { text: '[1e]', column: 2, problem: 'not a JSON value' },
  { text: '[-]', column: 2, problem: 'not a JSON value' },
  { text: '[\u00a01]', column: 2, problem: 'not a JSON value' },
  { text: '[\ufeff1]', column: 2, problem: 'a byte-order mark inside the file' },
  { text: '[\u2028]', column: 2, problem: 'not a JSON value' },
  { text: '[\v1]', column: 2, problem: 'not a JSON value' },
  { text: 'plain text', column: 1, problem: 'not a JSON value' },
  { text: '[1] // a', column: 5, problem: 'a comment inside the JSON' },
  { text: '[/* a */1]', column: 2, problem: 'a comment inside the JSON' },
  { text: '["\\x"]', column: 2, problem: 'a string holds a character or an escape that JSON does not allow' },
  {
    text: '["\\u12g4"]',
    column: 2,
    problem: 'a string holds a character or an escape that JSON does not allow',
  },
  { text: '["\t"]', column: 2, problem: 'a string holds a character or an escape that JSON does not allow' },
  {
    text: '["a\rb"]',
    column: 2,
    problem: 'a string holds a character or an escape that JSON does not allow',
  },
  { text: '["\0"]', column: 2, problem: 'a string holds a character or an escape that JSON does not allow' },
  { text: '\0\0', column: 1, problem: 'a NUL byte where a value should be' },
  { text: '[\0]', column: 2, problem: 'a NUL byte where a value should be' },
  { text: '[1]\0', column: 4, problem: 'a NUL byte where a value should be' },
  { text: '["é😀",x]', column: 8, problem: 'not a JSON value' },
  { text: '\ufeff[x]', column: 2, problem: 'not a JSON value' },
  { text: ' \t[x]', column: 4, problem: 'not a JSON value' },
];

describe('names the first fault of a line', () => {
  test.each(faults)('$text', ({ text, column, problem }) => {
    const expected = { message: `t.jsonl:1:${column}: not JSON: ${problem}`, hint: undefined };
    expect(failure(`${text}\n1\n`)).toStrictEqual(expected);
    expect(failure(`${text}\n`)).toStrictEqual(expected);
  });
});

const scraps = fc
  .array(fc.constantFrom(...'{}[],:"\\u0019aeE+-./* \t\r\0é', 'true', 'null', '"a"', '"a":', '{"a":1}'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((pieces) => pieces.join(''));

test('a line is refused with a fault inside it exactly when it is no JSON and no glued objects', () => {
  fc.assert(
    fc.property(scraps, (text) => {
      fc.pre(text.trim() !== '' && !text.startsWith('//'));
      if (isJson(text) || text.split(/(?<=\})\s*(?=\{)/).every(isJson)) {
        expect(read(text).length).toBeGreaterThan(0);
      } else {
        const error = errorOf(() => read(text));
        expect(error.message).toMatch(/^t\.jsonl:1:\d+: not JSON: (?!no value)/);
        expect(error instanceof InputError && error.place.column).toBeLessThanOrEqual(text.length + 1);
      }
    }),
    { numRuns: 20_000 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Lines that may be the last of a file that is still being written. */
const cuts: readonly { text: string; column: number; problem: string }[] = [
  { text: '{', column: 2, problem: 'an object is not closed' },
  { text: '{"a":1,', column: 8, problem: 'an object is not closed' },
  { text: '{"a":[1', column: 8, problem: 'an array is not closed' },
  { text: '[{}', column: 4, problem: 'an array is not closed' },
  { text: '{"a', column: 2, problem: 'a string is not closed' },
  { text: '{"a":"x\\', column: 6, problem: 'a string is not closed' },
  { text: '{"a":"x\\"', column: 6, problem: 'a string is not closed' },
  { text: '{"a":"x\\u00', column: 6, problem: 'a string is not closed' },
  { text: '{"é😀":"x', column: 8, problem: 'a string is not closed' },
];

describe('a cut last line', () => {
  test.each(cuts)('$text is an error that names lenient', ({ text, column, problem }) => {
    const message = `t.jsonl:2:${column}: not JSON: ${problem}`;
    expect(failure(`{}\n${text}`)).toStrictEqual({ message, hint: CUT });
    expect(failure(`{}\n${text}\n`)).toStrictEqual({ message, hint: CUT });
  });

  test.each(cuts)('$text is passed over with lenient, and reported', ({ text }) => {
    const lines: number[] = [];
    const options = { lenient: true, onBrokenTail: (line: number) => lines.push(line) };
    expect(read(`{}\n\n${text}`, options)).toStrictEqual([[1, 0, 2, {}]]);
    expect(read(`{}\n\n${text}\r\n`, options)).toStrictEqual([[1, 0, 2, {}]]);
    expect(lines).toStrictEqual([3, 3]);
  });

  test.each(cuts)('$text is an error with lenient when a line follows', ({ text, column, problem }) => {
    const hint = text === '{' ? DOCUMENT : undefined;
    const expected = { message: `t.jsonl:2:${column}: not JSON: ${problem}`, hint };
    expect(failure(`{}\n${text}\n{}`, { lenient: true })).toStrictEqual(expected);
  });
});

const tails: readonly { name: string; tail: Uint8Array }[] = [
  { name: 'a line cut inside a character', tail: Buffer.from('{"a":"é').subarray(0, -1) },
  { name: 'a tail of NUL bytes', tail: Buffer.alloc(5000) },
  { name: 'an object and the beginning of another', tail: Buffer.from('{"a":1}{"b":') },
];

test.each(tails)('lenient passes over $name', ({ tail }) => {
  expect(read(Buffer.concat([Buffer.from('1\n'), tail]), { lenient: true })).toStrictEqual([[1, 0, 1, 1]]);
});

test('lenient reads a last line that is complete', () => {
  const options = {
    lenient: true,
    onBrokenTail: () => expect.unreachable(),
  };
  expect(read('1\n2', options)).toStrictEqual([
    [1, 0, 1, 1],
    [2, 2, 3, 2],
  ]);
});

test('a comment line below a record is an error', () => {
  expect(failure('{}\n\n// a\n{}')).toStrictEqual({
    message: 't.jsonl:3:1: not JSON: a comment inside the JSON',
    hint: undefined,
  });
});

test('a string is closed however long it is', () => {
  expect(failure(`["${'x'.repeat(200_000)}\\x"]`)).toStrictEqual({
    message: 't.jsonl:1:2: not JSON: a string holds a character or an escape that JSON does not allow',
    hint: undefined,
  });
});

/** Bytes behind `["é`, in hexadecimal. */
const notUtf8: readonly { name: string; hex: string; column: number; hint: string }[] = [
  { name: 'a byte that begins no character', hex: 'ff414141', column: 4, hint: BINARY },
  { name: 'a continuation alone', hex: '80414141', column: 4, hint: BINARY },
  { name: 'a character of two bytes that is cut', hex: 'c3414141', column: 4, hint: BINARY },
  { name: 'a character of three bytes that is cut', hex: 'ef414141', column: 4, hint: BINARY },
  { name: 'two bytes of U+FFFD', hex: 'efbf4141', column: 4, hint: BINARY },
  { name: 'a byte behind U+FFFD', hex: 'efbfbdff414141', column: 5, hint: BINARY },
  { name: 'an encoded surrogate', hex: 'eda0804141', column: 4, hint: BINARY },
  { name: 'an overlong slash', hex: 'c0af4141', column: 4, hint: BINARY },
  { name: 'a line cut inside a character', hex: 'f09f98', column: 4, hint: CUT },
];

describe('names the place of what is not UTF-8', () => {
  test.each(notUtf8)('$name', ({ hex, column, hint }) => {
    const input = Buffer.concat([Buffer.from('1\n["é'), Buffer.from(hex, 'hex')]);
    expect(failure(input)).toStrictEqual({ message: `t.jsonl:2:${column}: not UTF-8 text`, hint });
  });
});

const brokenDocuments: readonly { name: string; text: string; message: string }[] = [
  {
    name: 'the line of the fault',
    text: '{\n  "a": 1,\n  "b": oops\n}\n',
    message: 't.jsonl:3:8: not JSON: not a JSON value',
  },
  {
    name: 'the line of the fault in a file of CR LF',
    text: '{\r\n  "a": 1,\r\n  "b": oops\r\n}\r\n',
    message: 't.jsonl:3:8: not JSON: not a JSON value',
  },
  {
    name: 'lines from the top of the file',
    text: '\ufeff// a\n\n[\n1,\n]',
    message: 't.jsonl:5:1: not JSON: a value is missing',
  },
  {
    name: 'columns in UTF-16 units of their line',
    text: '["ééé",\n"é😀", x]',
    message: 't.jsonl:2:8: not JSON: not a JSON value',
  },
  {
    name: 'a line end inside a string',
    text: '["a\nb"]',
    message: 't.jsonl:1:2: not JSON: a string holds a character or an escape that JSON does not allow',
  },
  {
    name: 'the end of a document that is cut',
    text: '[\n  1',
    message: 't.jsonl:2:4: not JSON: an array is not closed',
  },
  {
    name: 'the end of a document that is cut behind a line end',
    text: '[\n  1,\n',
    message: 't.jsonl:3:1: not JSON: an array is not closed',
  },
  { name: 'a source without a value', text: '\n// a\n', message: 't.jsonl: no JSON in it' },
];

describe('the error of a document names', () => {
  // Lenient passes over lines only, so it neither helps nor is it named.
  test.each(brokenDocuments)('$name', ({ text, message }) => {
    expect(failure(text, { isDocument: true })).toStrictEqual({ message, hint: undefined });
    expect(failure(text, { isDocument: true, lenient: true })).toStrictEqual({ message, hint: undefined });
  });
});

const shared: readonly { name: string; text: string; isDocument: boolean; message: string }[] = [
  {
    name: 'a line behind it',
    text: '{\n"a":1\n}\n{}',
    isDocument: true,
    message: 't.jsonl:4:1: not JSON: more text after the end of the value',
  },
  {
    name: 'a line before it',
    text: '{}\n[ \r\n{}\n]\n',
    isDocument: false,
    message: 't.jsonl:2:3: not JSON: an array is not closed',
  },
];

describe('a document stands alone, says the error of one with', () => {
  test.each(shared)('$name', ({ text, isDocument, message }) => {
    expect(failure(text, { isDocument })).toStrictEqual({ message, hint: DOCUMENT });
  });
});

const DEPTH = 100_000;
const DEEP_ARRAY = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
const DEEP_OBJECT = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`;

const deep: readonly { name: string; text: string; isDocument: boolean; count: number }[] = [
  { name: 'arrays', text: DEEP_ARRAY, isDocument: false, count: 1 },
  { name: 'objects', text: DEEP_OBJECT, isDocument: false, count: 1 },
  { name: 'glued objects', text: DEEP_OBJECT + DEEP_OBJECT, isDocument: false, count: 2 },
  { name: 'a document', text: DEEP_ARRAY, isDocument: true, count: 1 },
];

describe('nesting of any depth is read', () => {
  test.each(deep)('$name', ({ text, isDocument, count }) => {
    expect(read(text, { isDocument }).length).toBe(count);
  });

  test('and checked for faults', () => {
    expect(failure(`${DEEP_OBJECT.slice(0, -1)}]\n1`)).toStrictEqual({
      message: `t.jsonl:1:${DEPTH * 6 + 1}: not JSON: a comma or } is missing`,
      hint: undefined,
    });
  });
});

const blanks: readonly { text: string; blank: boolean }[] = [
  { text: '', blank: true },
  { text: ' \t\r\n', blank: true },
  { text: '\0', blank: false },
  { text: '\v', blank: false },
  { text: '\u00a0', blank: false },
  { text: '\ufeff', blank: false },
];

test.each(blanks)('$text is blank: $blank', ({ text, blank }) => {
  expect(isBlank(Buffer.from(text))).toBe(blank);
});
