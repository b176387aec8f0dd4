import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Edit,
  type JsonPath,
  type JsonStyle,
  locate,
  splice,
  writeJson,
} from '../../src/transcript/splice.js';

const COMPACT: JsonStyle = { escapesNonAscii: false, spaced: false };
const SPACED: JsonStyle = { escapesNonAscii: false, spaced: true };
const ESCAPED: JsonStyle = { escapesNonAscii: true, spaced: false };
const PYTHON: JsonStyle = { escapesNonAscii: true, spaced: true };

function spliced(text: string, edits: readonly Edit[], style = COMPACT): string {
  return splice(Buffer.from(text), edits, style).bytes.toString();
}

const replace = (at: JsonPath, json: string): Edit => ({ op: 'replace', at, json });
const remove = (...at: JsonPath): Edit => ({ op: 'remove', at });
const append = (at: JsonPath, json: string): Edit => ({ op: 'append', at, json });

interface Case {
  readonly name: string;
  readonly text: string;
  readonly edits: readonly Edit[];
  readonly result: string;
  readonly style?: JsonStyle;
}

const replacements: readonly Case[] = [
  { name: 'the whole record', text: ' {"a":1} ', edits: [replace([], '[]')], result: ' [] ' },
  {
    name: 'a string',
    text: '{"a":"x","b":"x"}',
    edits: [replace(['b'], '"y"')],
    result: '{"a":"x","b":"y"}',
  },
  { name: 'a number', text: '[1.0,2e3,-0]', edits: [replace([1], 'null')], result: '[1.0,null,-0]' },
  {
    name: 'an object',
    text: '{"a":{"b":[{}]},"c":1}',
    edits: [replace(['a'], '0')],
    result: '{"a":0,"c":1}',
  },
  { name: 'an array', text: '{"a":[[],[]]}', edits: [replace(['a', 1], '0')], result: '{"a":[[],0]}' },
  {
    name: 'a value among numbers that JavaScript would respell',
    text: '{"id":12345678901234567890,"n":1.0,"t":"a","m":1E+3}',
    edits: [replace(['t'], '"b"')],
    result: '{"id":12345678901234567890,"n":1.0,"t":"b","m":1E+3}',
  },
  {
    name: 'a value among keys that JavaScript would reorder',
    text: '{"b":1,"10":2,"9":3,"a":4}',
    edits: [replace(['9'], '0')],
    result: '{"b":1,"10":2,"9":0,"a":4}',
  },
  {
    name: 'a value among escapes that JavaScript would respell',
    text: '{"u":"\\u00e9\\/\\ud83d","t":"\\u003c","n":"\\u0000"}',
    edits: [replace(['t'], '"x"')],
    result: '{"u":"\\u00e9\\/\\ud83d","t":"x","n":"\\u0000"}',
  },
  {
    name: 'a value among white space',
    text: '\t{ "a" :\r\n [ 1 ,\t"x" ] , "b" : 2 }\r',
    edits: [replace(['a', 1], '"y"')],
    result: '\t{ "a" :\r\n [ 1 ,\t"y" ] , "b" : 2 }\r',
  },
  {
    name: 'the last of two equal keys',
    text: '{"a":1,"b":2,"a":3}',
    edits: [replace(['a'], '0')],
    result: '{"a":1,"b":2,"a":0}',
  },
  {
    name: 'the last of two equal keys that are spelled differently',
    text: '{"\\u0061":1,"a":2,"\\u0061":3}',
    edits: [replace(['a'], '0')],
    result: '{"\\u0061":1,"a":2,"\\u0061":0}',
  },
  {
    name: 'a value below the last of two equal keys',
    text: '{"a":{"b":1},"a":{"b":2}}',
    edits: [replace(['a', 'b'], '0')],
    result: '{"a":{"b":1},"a":{"b":0}}',
  },
  {
    name: 'a value below __proto__',
    text: '{"__proto__":{"constructor":[1]},"toString":2}',
    edits: [replace(['__proto__', 'constructor', 0], '0'), replace(['toString'], '1')],
    result: '{"__proto__":{"constructor":[0]},"toString":1}',
  },
  {
    name: 'a value of the empty key',
    text: '{"":{"":1}}',
    edits: [replace(['', ''], '0')],
    result: '{"":{"":0}}',
  },
  {
    name: 'a value of a key beyond ASCII',
    text: '{"é":1,"😀":2}',
    edits: [replace(['😀'], '0')],
    result: '{"é":1,"😀":0}',
  },
  {
    name: 'a value of a key that is a lone surrogate',
    text: '{"\\ud83d":1,"\\ude00":2}',
    edits: [replace(['\ud83d'], '0')],
    result: '{"\\ud83d":0,"\\ude00":2}',
  },
  {
    name: 'values in any order of the edits',
    text: '["é","b","c"]',
    edits: [replace([2], '"ü"'), replace([0], '""')],
    result: '["","b","ü"]',
  },
  { name: 'nothing', text: ' [1, 2]\t', edits: [], result: ' [1, 2]\t' },
];

describe('replaces', () => {
  test.each(replacements)('$name', ({ text, edits, result }) => expect(spliced(text, edits)).toBe(result));
});

const arrayEdits: readonly Case[] = [
  { name: 'removes the first element', text: '[1, 2, 3]', edits: [remove(0)], result: '[2, 3]' },
  { name: 'removes a middle element', text: '[1, 2, 3]', edits: [remove(1)], result: '[1, 3]' },
  { name: 'removes the last element', text: '[1, 2, 3]', edits: [remove(2)], result: '[1, 2]' },
  { name: 'removes the only element', text: '[ 1 ]', edits: [remove(0)], result: '[  ]' },
  { name: 'removes the first two', text: '[1, 2, 3]', edits: [remove(0), remove(1)], result: '[3]' },
  { name: 'removes the last two', text: '[1, 2, 3]', edits: [remove(2), remove(1)], result: '[1]' },
  { name: 'removes the outer two', text: '[1, 2, 3]', edits: [remove(0), remove(2)], result: '[2]' },
  { name: 'removes every other', text: '[1,2,3,4]', edits: [remove(0), remove(2)], result: '[2,4]' },
  { name: 'removes all', text: '[1, 2, 3]', edits: [remove(0), remove(1), remove(2)], result: '[]' },
  {
    name: 'removes elements that are arrays and objects',
    text: '{"a":[{"b":[1]},[2,[3]],4]}',
    edits: [remove('a', 0), remove('a', 1)],
    result: '{"a":[4]}',
  },
  {
    name: 'removes an element and replaces inside another',
    text: '[[1],[2],[3]]',
    edits: [remove(0), replace([1, 0], '0')],
    result: '[[0],[3]]',
  },
  {
    name: 'removes from two arrays',
    text: '{"a":[1,2],"b":[1,2]}',
    edits: [remove('b', 0), remove('a', 1)],
    result: '{"a":[1],"b":[2]}',
  },
  {
    name: 'removes from the last of two equal keys',
    text: '{"a":[1,2,3],"a":[4,5]}',
    edits: [remove('a', 1)],
    result: '{"a":[1,2,3],"a":[4]}',
  },
  { name: 'appends', text: '[1]', edits: [append([], '2')], result: '[1,2]' },
  {
    name: 'appends in the style of the file',
    text: '[1]',
    edits: [append([], '2')],
    result: '[1, 2]',
    style: SPACED,
  },
  { name: 'appends behind the last element', text: '[ 1 ]', edits: [append([], '2')], result: '[ 1,2 ]' },
  { name: 'appends to an empty array', text: '{"a":[ ]}', edits: [append(['a'], '1')], result: '{"a":[1 ]}' },
  {
    name: 'appends several in their order',
    text: '[1]',
    edits: [append([], '3'), append([], '2')],
    result: '[1,3,2]',
  },
  {
    name: 'appends to an array and to its last element',
    text: '[[1]]',
    edits: [append([], '3'), append([0], '2')],
    result: '[[1,2],3]',
  },
  { name: 'removes some and appends', text: '[1,2]', edits: [append([], '3'), remove(1)], result: '[1,3]' },
  {
    name: 'removes the first and appends',
    text: '[1,2]',
    edits: [remove(0), append([], '3')],
    result: '[2,3]',
  },
  {
    name: 'removes all and appends',
    text: '[1, 2]',
    edits: [remove(0), remove(1), append([], '3')],
    result: '[3]',
  },
  {
    name: 'removes all and appends several',
    text: '[1]',
    edits: [append([], '2'), remove(0), append([], '3')],
    result: '[2, 3]',
    style: SPACED,
  },
];

describe('in an array', () => {
  test.each(arrayEdits)('$name', ({ text, edits, result, style }) =>
    expect(spliced(text, edits, style)).toBe(result),
  );
});

const refusals: readonly { name: string; text: string; edits: readonly Edit[]; message: string }[] = [
  {
    name: 'a key that is not there',
    text: '{"a":1}',
    edits: [replace(['b'], '0')],
    message: 'no value at /b',
  },
  {
    name: 'an inherited key',
    text: '{"a":1}',
    edits: [replace(['toString'], '0')],
    message: 'no value at /toString',
  },
  {
    name: 'an index past the end',
    text: '[[1]]',
    edits: [replace([0, 1], '0')],
    message: 'no value at /0/1',
  },
  {
    name: 'a number as the key of an object',
    text: '{"0":1}',
    edits: [replace([0], '0')],
    message: 'no value at /0',
  },
  {
    name: 'a text as the index of an array',
    text: '[1]',
    edits: [replace(['0'], '0')],
    message: 'no value at /0',
  },
  { name: 'removing past the end', text: '[1]', edits: [remove(1)], message: 'no element at /1' },
  {
    name: 'removing from what is no array',
    text: '{"a":1}',
    edits: [remove('a', 0)],
    message: 'no element at /a/0',
  },
  {
    name: 'appending to what is not there',
    text: '{}',
    edits: [append(['a'], '1')],
    message: 'no value at /a',
  },
  { name: 'removing twice', text: '[1,2]', edits: [remove(0), remove(0)], message: 'edits overlap' },
  {
    name: 'replacing inside what is replaced',
    text: '[[1]]',
    edits: [replace([0, 0], '2'), replace([0], '3')],
    message: 'edits overlap',
  },
  {
    name: 'replacing what is removed',
    text: '[1,2]',
    edits: [remove(1), replace([1], '3')],
    message: 'edits overlap',
  },
  {
    name: 'replacing the first that is removed',
    text: '[1,2]',
    edits: [remove(0), replace([0], '3')],
    message: 'edits overlap',
  },
  {
    name: 'appending to what is replaced',
    text: '{"a":[1]}',
    edits: [append(['a'], '2'), replace(['a'], '[]')],
    message: 'edits overlap',
  },
];

describe('refuses', () => {
  test.each(refusals)('$name', ({ text, edits, message }) =>
    expect(() => spliced(text, edits)).toThrow(message),
  );
});

const places: readonly {
  name: string;
  text: string;
  path: JsonPath;
  found: string | undefined;
  elements?: string[];
}[] = [
  { name: 'the root', text: ' [1, "é"] ', path: [], found: '[1, "é"]', elements: ['1', '"é"'] },
  {
    name: 'a value behind characters of many bytes',
    text: '{"😀":"é","a":[2]}',
    path: ['a'],
    found: '[2]',
    elements: ['2'],
  },
  {
    name: 'elements that are nested',
    text: '[[1,[2]],{"a":[3]}]',
    path: [],
    found: '[[1,[2]],{"a":[3]}]',
    elements: ['[1,[2]]', '{"a":[3]}'],
  },
  {
    name: 'a string that looks like structure',
    text: '["]},{[:",2]',
    path: [0],
    found: '"]},{[:"',
    elements: [],
  },
  {
    name: 'a string that ends in a backslash',
    text: '{"a":"\\\\","b":1}',
    path: ['a'],
    found: '"\\\\"',
    elements: [],
  },
  {
    name: 'the last of two equal keys',
    text: '{"a":[1],"a":[2]}',
    path: ['a'],
    found: '[2]',
    elements: ['2'],
  },
  {
    name: 'nothing below __proto__ when there is none',
    text: '{}',
    path: ['__proto__', 'toString'],
    found: undefined,
  },
  { name: 'nothing below a scalar', text: '{"a":"b"}', path: ['a', 0], found: undefined },
  { name: 'nothing in an empty text', text: '', path: [], found: undefined },
];

describe('finds', () => {
  test.each(places)('$name', ({ text, path, found, elements }) => {
    const bytes = Buffer.from(text);
    const textOf = ({ start, end }: { start: number; end: number }) => bytes.toString('utf8', start, end);
    const [span] = locate(bytes.toString('latin1'), [path]);
    expect(span && textOf(span)).toBe(found);
    expect(span?.elements.map(textOf)).toStrictEqual(elements);
  });
});

test('finds one path asked for twice', () => {
  // JSON inside a JSON string: the low byte of the first key's letter is a quote.
  expect(locate('{"\u0122":1,"b":2}', [['b']])).toMatchObject([{ start: 11, end: 12 }]);
  expect(locate('[1]', [[0], [0], []])).toStrictEqual([
    { start: 1, end: 2, elements: [] },
    { start: 1, end: 2, elements: [] },
    { start: 0, end: 3, elements: [{ start: 1, end: 2 }] },
  ]);
});

test('edits at any depth', () => {
  const depth = 100_000;
  const text = `${'[{"a":'.repeat(depth)}[1]${'}]'.repeat(depth)}`;
  const path = Array.from({ length: depth }, () => [0, 'a']).flat();
  const result = spliced(text, [replace([...path, 0], '2'), append(path, '3')]);
  expect(result === text.replace('[1]', '[2,3]')).toBe(true);
});

const written: readonly { name: string; value: unknown; style: JsonStyle; json: string }[] = [
  { name: 'as JavaScript does', value: { a: [1, 'é'], b: {} }, style: COMPACT, json: '{"a":[1,"é"],"b":{}}' },
  {
    name: 'with spaces',
    value: { a: [1, 'é'], b: {}, c: [] },
    style: SPACED,
    json: '{"a": [1, "é"], "b": {}, "c": []}',
  },
  { name: 'with escapes', value: { é: 'ü' }, style: ESCAPED, json: '{"\\u00e9":"\\u00fc"}' },
  {
    name: 'as Python does',
    value: { é: ['😀', null] },
    style: PYTHON,
    json: '{"\\u00e9": ["\\ud83d\\ude00", null]}',
  },
  { name: 'spaces in strings as they are', value: 'a:b,c: d, e', style: SPACED, json: '"a:b,c: d, e"' },
  { name: 'ASCII never escaped', value: 'a~/<\u007f', style: ESCAPED, json: '"a~/<\u007f"' },
  { name: 'U+0080 escaped', value: '\u0080\uffff', style: ESCAPED, json: '"\\u0080\\uffff"' },
  { name: 'control characters escaped', value: '\0\n\t"\\', style: COMPACT, json: '"\\u0000\\n\\t\\"\\\\"' },
  { name: 'U+2028 raw', value: '\u2028', style: COMPACT, json: '"\u2028"' },
  { name: 'lone surrogates escaped', value: '\ud83d|\ude00', style: COMPACT, json: '"\\ud83d|\\ude00"' },
  { name: 'lone surrogates escaped once', value: '\ude00\ud83d', style: ESCAPED, json: '"\\ude00\\ud83d"' },
  { name: 'a pair raw', value: '😀', style: COMPACT, json: '"😀"' },
  { name: 'scalars', value: [true, null, -1.5, 1e21], style: SPACED, json: '[true, null, -1.5, 1e+21]' },
  {
    name: 'a key __proto__',
    value: JSON.parse('{"__proto__":{"a":1}}'),
    style: SPACED,
    json: '{"__proto__": {"a": 1}}',
  },
];

describe('writes', () => {
  test.each(written)('$name', ({ value, style, json }) => expect(writeJson(value, style)).toBe(json));
});

test.each([COMPACT, SPACED, ESCAPED, PYTHON])('writes what reads back as the same value: %o', (style) => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = writeJson(value, style);
      expect(isDeepStrictEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)))).toBe(true);
      expect(Buffer.from(json).toString()).toBe(json);
    }),
    { numRuns: 500 },
  );
});

const SCALARS = [
  ...['null', 'true', 'false', '0', '-0', '1.0', '1e3', '-1.50E-07', '12345678901234567890', '1e999'],
  ...[
    '""',
    '"a"',
    '"\\u00e9"',
    '"é"',
    '"😀"',
    '"\\ud83d"',
    '"\\ude00\\ud83d"',
    '"\\/"',
    '"\\u0000"',
    '"\u2028"',
  ],
  ...['"}],{[:"', '"\\\\"', '"\\""', '"\\\\\\""', '"// no comment"', '"/* */"'],
];
const KEYS = [
  ...[
    '"a"',
    '"\\u0061"',
    '"b"',
    '""',
    '"0"',
    '"10"',
    '"é"',
    '"\\u00e9"',
    '"\\ud83d"',
    '"__proto__"',
    '"constructor"',
  ],
];
const MARKER = '"the only text of its kind"';

const space = fc
  .array(fc.constantFrom(' ', '\n', '\t', '\r'), { maxLength: 2 })
  .map((pieces) => pieces.join(''));
const spaced = (text: fc.Arbitrary<string>) => fc.tuple(space, text, space).map((pieces) => pieces.join(''));

/** JSON texts in odd styles: keys may occur twice. */
const { json } = fc.letrec<{ json: string; array: string; object: string }>((tie) => ({
  json: spaced(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...SCALARS),
      tie('array'),
      tie('object'),
    ),
  ),
  array: fc.oneof(
    space.map((blank) => `[${blank}]`),
    fc.array(tie('json'), { minLength: 1, maxLength: 4 }).map((items) => `[${items.join(',')}]`),
  ),
  object: fc.oneof(
    space.map((blank) => `{${blank}}`),
    fc
      .array(fc.tuple(spaced(fc.constantFrom(...KEYS)), tie('json')), { minLength: 1, maxLength: 5 })
      .map((fields) => `{${fields.map(([key, value]) => `${key}:${value}`).join(',')}}`),
  ),
}));

/** The paths of all values in a parsed value, its own first. */
function pathsIn(value: unknown): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const below = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...below.flatMap(([key, item]) => pathsIn(item).map((path) => [key, ...path]))];
}

/** A copy of a parsed value with another value at a path. */
function withValue(value: unknown, [key, ...rest]: JsonPath, other: unknown): unknown {
  if (key === undefined) return other;
  const entries = Object.entries(Object(value)).map(([name, item]) => [
    name,
    name === String(key) ? withValue(item, rest, other) : item,
  ]);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce(
    (inner: unknown, key) => Object.getOwnPropertyDescriptor(Object(inner), key)?.value,
    value,
  );
}

test('replacing the value at any path changes that value and no byte around it', () => {
  fc.assert(
    fc.property(json, fc.nat(), (text, choice) => {
      const before: unknown = JSON.parse(text);
      const paths = pathsIn(before);
      const path = paths[choice % paths.length] ?? [];
      const result = spliced(text, [replace(path, MARKER)]);

      expect(isDeepStrictEqual(JSON.parse(result), withValue(before, path, JSON.parse(MARKER)))).toBe(true);
      const [head = '', tail = ''] = result.split(MARKER);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      const replaced: unknown = JSON.parse(text.slice(head.length, text.length - tail.length));
      expect(isDeepStrictEqual(replaced, valueAt(before, path))).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

const arrayChanges = fc.record({
  items: fc.array(json, { maxLength: 6 }),
  blank: space,
  removed: fc.uniqueArray(fc.nat({ max: 5 })),
  appended: fc.array(fc.constantFrom(...SCALARS), { maxLength: 3 }),
  replaced: fc.nat({ max: 5 }),
  style: fc.constantFrom(COMPACT, SPACED),
});

test('removing from an array, appending to it and replacing in it is what JavaScript does with the values', () => {
  fc.assert(
    fc.property(arrayChanges, ({ items, blank, removed, appended, replaced, style }) => {
      const text = `{"a":[0],"list":[${items.join(',') || blank}],"z":1.0}`;
      const gone = removed.filter((index) => index < items.length);
      const stays = replaced < items.length && !gone.includes(replaced);
      const edits = [
        ...appended.map((item) => append(['list'], item)),
        ...gone.map((index) => remove('list', index)),
        ...(stays ? [replace(['list', replaced], MARKER)] : []),
      ];
      const result = spliced(text, edits, style);

      const list = items.map((item, i) => (stays && i === replaced ? MARKER : item));
      const expected = [...list.filter((_, i) => !gone.includes(i)), ...appended];
      const parsed: unknown = JSON.parse(result);
      expect(isDeepStrictEqual(parsed, JSON.parse(`{"a":[0],"list":[${expected.join(',')}],"z":1.0}`))).toBe(
        true,
      );
      expect(result.startsWith('{"a":[0],"list":[') && result.endsWith('],"z":1.0}')).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
