import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMembers, MEMBER_SIZE } from '../../src/transcript/members.js';

/** The members that are found, keys and values as text; null for bytes that are refused. */
function membersIn(text: string): [string, string][] | null {
  // Something before and behind, which must not be looked at.
  const bytes = Buffer.from(`]"${text}"}`);
  const found: number[] = [];
  const filled = findMembers(bytes, 2, bytes.length - 2, found);
  if (filled < 0) return null;
  return Array.from({ length: filled / MEMBER_SIZE }, (_, i): [string, string] => {
    const [key = 0, keyEnd = 0, value = 0, end = 0] = found.slice(i * MEMBER_SIZE);
    return [bytes.toString('utf8', key, keyEnd), bytes.toString('utf8', value, end)];
  });
}

const long = 'x'.repeat(40);

test.each([
  { text: '{"a":1}', members: [['a', '1']] },
  {
    text: ' { "a" : "b" , "c":[] } \r',
    members: [
      ['a', '"b"'],
      ['c', '[]'],
    ],
  },
  { text: '{"a":1,"a":2}', members: [['a', '1'], ['a', '2']] }, // biome-ignore format: a pair
  { text: String.raw`{"a\"b":"c\\","d":"\\\""}`, members: [[String.raw`a\"b`, String.raw`"c\\"`], ['d', String.raw`"\\\""`]] }, // biome-ignore format: a pair
  { text: `{"a":"${long}\\\\"}`, members: [['a', `"${long}\\\\"`]] },
  { text: `{"a":"${long}\\"${long}"}`, members: [['a', `"${long}\\"${long}"`]] },
  { text: '{"a":{"b":[1,"]}",{}]}}', members: [['a', '{"b":[1,"]}",{}]}']] },
  { text: '{"a":-1.5e+9}', members: [['a', '-1.5e+9']] },
  { text: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, members: [['a', `${'['.repeat(100_000)}${']'.repeat(100_000)}`]] }, // biome-ignore format: a pair
  { text: '{"a":"é\u2028"}', members: [['a', '"é\u2028"']] },
  { text: '', members: null },
  { text: '{}', members: null },
  { text: '[1]', members: null },
  { text: '"a"', members: null },
  { text: '{"a"}', members: null },
  { text: '{"a":}', members: null },
  { text: '{"a":1,}', members: null },
  { text: '{"a":1', members: null },
  { text: '{"a":1}}', members: null },
  { text: '{"a":1}{"b":2}', members: null },
  { text: '{a:1}', members: null },
  { text: '{"a":tru}', members: null },
  { text: '{"a":01}', members: null },
  { text: '{"a":"b', members: null },
  { text: `{"a":"${long}`, members: null },
  { text: `{"a":"${long}\\"`, members: null },
  { text: '{"a":[}', members: null },
  { text: '{"a":[}]}', members: null },
  { text: '{"a":["b]}', members: null },
])('the members of $text', ({ text, members }) => {
  expect(membersIn(text)).toStrictEqual(members);
});

/** Objects as a parser sees them, their values written in one of two styles. */
const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1 });

test('every member of an object is found where JSON.parse finds it', () => {
  fc.assert(
    fc.property(objects, fc.boolean(), (value, isSpread) => {
      const text = isSpread ? JSON.stringify(value, null, 1).replaceAll('\n', '\t') : JSON.stringify(value);
      const found = membersIn(text) ?? [];
      expect(found.map(([key, member]) => [JSON.parse(`"${key}"`), JSON.parse(member)])).toStrictEqual(
        Object.entries(JSON.parse(text)),
      );
    }),
    { seed: 9, numRuns: 500 },
  );
});

test('a cut object is refused wherever it is cut', () => {
  fc.assert(
    fc.property(objects, fc.nat(), (value, cut) => {
      const bytes = Buffer.from(JSON.stringify(value));
      const kept = bytes.subarray(0, cut % bytes.length);
      expect(findMembers(kept, 0, kept.length, [])).toBe(-1);
    }),
    { seed: 9, numRuns: 500 },
  );
});
