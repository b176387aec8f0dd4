import { describe, expect, test } from 'vitest';
import { describeDifference } from '../../src/golden/difference.js';
import { maskIgnored } from '../../src/golden/ignore.js';
import { differingLines } from '../../src/golden/text-lines.js';
import { ask } from '../chat-lines.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

const rows: readonly (readonly [what: string, expected: string, actual: string, difference: object])[] = [
  [
    'CRLF instead of LF',
    'a\r\nb\r\n',
    'a\nb\n',
    { kind: 'line-ends', expected: 'CRLF', actual: 'LF', at: { line: 1, column: 2 } },
  ],
  ['one CRLF', 'a\r\nb\n', 'a\nb\n', { kind: 'line-ends', expected: 'LF and CRLF', actual: 'LF' }],
  [
    'no last line end',
    'a\nb',
    'a\nb\n',
    { kind: 'line-ends', expected: 'LF, none behind the last line', actual: 'LF' },
  ],
  ['no line end at all', 'a', 'a\n', { kind: 'line-ends', expected: 'none', actual: 'LF' }],
  [
    'no UTF-8',
    'a\n\xff',
    'a\nb',
    { kind: 'bytes', offset: 2, expected: 255, actual: 98, at: { line: 2, column: 1 } },
  ],
  ['no UTF-8, and an end', '\xff\xfe', '\xff', { kind: 'bytes', offset: 1, expected: 254, actual: null }],
  [
    'one value of JSON',
    '{"a":[1.0,{}],"b":2}',
    '{"a":[1,{}],"b":2}',
    {
      kind: 'json',
      at: { line: 1, column: 8 },
      lines: [
        { sign: '@', text: 'line 1' },
        { sign: ' ', text: '{' },
        { sign: ' ', text: '  "a": [' },
        { sign: '-', text: '    1.0,' },
        { sign: '+', text: '    1,' },
        { sign: ' ', text: '    {}' },
        { sign: ' ', text: '  ],' },
        { sign: ' ', text: '  "b": 2' },
      ],
    },
  ],
  ['the spacing of JSON', '{"a":1}', '{"a": 1}', { kind: 'text', at: { line: 1, column: 6 } }],
  [
    'a line of JSON Lines',
    '{"a":1}\n{"b":1}\n',
    '{"a":1}\n{"b":2}\n',
    { kind: 'json', at: { line: 2, column: 6 } },
  ],
  ['deep JSON', `${'['.repeat(9999)}1`, `${'['.repeat(9999)}2`, { kind: 'text' }],
  ['a message', ask('One?'), ask('Two?'), { kind: 'transcript', at: { line: 1 } }],
  ['nothing and something', '', 'a\n', { kind: 'text', at: { line: 1, column: 1 } }],
];

test.each(rows)('names %s', async (_, expected, actual, difference) => {
  expect(await describeDifference(bytes(expected), bytes(actual))).toMatchObject(difference);
});

test('a transcript of many megabytes is compared as text', async () => {
  const chat = ask('When?').repeat(300_000);
  expect(
    await describeDifference(bytes(`${chat}${ask('Why?')}`), bytes(`${chat}${ask('Where?')}`)),
  ).toMatchObject({
    kind: 'text',
    at: { line: 300_001 },
    lines: [{ text: 'line 300001, and what follows' }, { text: ask('Why?').trim() }, {}, {}, {}],
  });
});

describe('what is shown stays small', () => {
  test.each([100_000, 10_000_000])('of a line of %i units', (units) => {
    const long = 'x'.repeat(units / 2);
    const shown = differingLines(`${long}a${long}\n`, `${long}b${long}\n`);
    expect(shown.map(({ sign }) => sign)).toStrictEqual(['@', '-', '+']);
    expect(shown[1]?.text).toMatch(/^…x{59,60}ax{139,}…$/);
    expect(shown[2]?.text).toMatch(/^…x{59,60}bx{139,}…$/);
  });

  test('of texts that have no line in common, of ten megabytes', () => {
    const lines = (from: number) => Array.from({ length: 500_000 }, (_, i) => `${from + i}\n`).join('');
    const shown = differingLines(`same\n${lines(0)}`, `same\n${lines(1_000_000)}`);
    expect(shown.length).toBeLessThan(70);
    expect(shown[0]).toStrictEqual({ sign: '@', text: 'line 2, and what follows' });
    expect(shown[1]).toStrictEqual({ sign: '-', text: '0' });
  });
});

const masks: readonly (readonly [output: string, pointers: readonly string[], masked: string])[] = [
  ['{ "a": {"b":1}, "c":2}', ['/a'], '{ "a": "(ignored)", "c":2}'],
  ['{"a":{"b":1}}', ['/a/b', '/a'], '{"a":"(ignored)"}'],
  [
    '{"a":1}\n{"b":2}\nno JSON\n{"a":3}\n',
    ['/a'],
    '{"a":"(ignored)"}\n{"b":2}\nno JSON\n{"a":"(ignored)"}\n',
  ],
  ['{"a/b":[1,{"~":2}],"0":3}', ['/a~1b/1/~0', '/0'], '{"a/b":[1,{"~":"(ignored)"}],"0":"(ignored)"}'],
  ['{"a":1,"a":2}', ['/a'], '{"a":1,"a":"(ignored)"}'],
];

test.each(masks)('%s without %j', (output, pointers, masked) => {
  const ignore = pointers.map((pointer) => ({ pointer, reason: 'a clock' }));
  const { bytes: left, found } = maskIgnored(Buffer.from(output), ignore);
  expect(Buffer.from(left).toString()).toBe(masked);
  expect([...found].toSorted()).toStrictEqual(pointers.toSorted());
});
