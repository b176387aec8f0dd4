import { describe, expect, test } from 'vitest';
import { cutPassages, type Source } from '../../src/recall/passages.js';
import { createRanking } from '../../src/recall/rank.js';
import { compileTerms } from '../../src/recall/terms.js';

const term = (text: string, isFocus = false) => ({ text, weight: 1, isFocus, isLiteral: false });
const literal = (text: string) => ({ text, weight: 1, isFocus: false, isLiteral: true });

describe('compileTerms', () => {
  test.each([
    {
      name: 'a word',
      terms: [term('pump')],
      text: 'Pump, pumpkin, PUMPS',
      spans: [
        [0, 4],
        [15, 20],
      ],
    },
    { name: 'a plural', terms: [term('batteries')], text: 'one battery', spans: [[4, 11]] },
    { name: 'an identifier', terms: [term('CK-31')], text: 'kits CK-31 and CK-311', spans: [[5, 10]] },
    { name: 'a dotted name', terms: [term('a.b-c')], text: 'x a.b-c y', spans: [[2, 7]] },
    { name: 'no piece of a snake', terms: [term('node')], text: 'node_modules', spans: [] },
    { name: 'Chinese inside its run', terms: [term('电池')], text: '换了电池吗', spans: [[2, 4]] },
    { name: 'Arabic', terms: [term('سعر')], text: 'كم سعر هذا؟ الأسعار', spans: [[3, 6]] },
    { name: 'behind an emoji', terms: [term('key')], text: '😀 key', spans: [[3, 6]] },
    { name: 'a decomposed spelling', terms: [term('caf\u00e9')], text: 'the cafe\u0301', spans: [[4, 9]] },
    { name: 'no letter without its mark', terms: [term('cafe')], text: 'cafe\u0301', spans: [] },
    {
      name: 'between control characters',
      terms: [term('red')],
      text: '\0\u001b[31m red\0',
      spans: [[7, 10]],
    },
    {
      name: 'a literal with its case',
      terms: [literal('Red (1)')],
      text: 'red (1), Red (1)',
      spans: [[9, 16]],
    },
    { name: 'a literal of signs', terms: [literal('=> {')], text: 'f => { }', spans: [[2, 6]] },
  ])('finds $name', ({ terms, text, spans }) => {
    const matcher = compileTerms(terms);
    expect(matcher.spans(text).map(({ start, end }) => [start, end])).toStrictEqual(spans);
    const starts = matcher.hits(text).map(({ start }) => start);
    expect(new Set(starts)).toStrictEqual(new Set(spans.map(([start]) => start)));
  });

  const context = (text: string) => ({ ...term(text), isContext: true as const });
  test.each([
    { name: 'any term where none is a focus', terms: [term('a'), term('b')], text: 'b', isFound: true },
    { name: 'a focus term', terms: [term('a', true), term('b')], text: 'a', isFound: true },
    { name: 'no other alone', terms: [term('a', true), term('b')], text: 'b', isFound: false },
    { name: 'two others', terms: [term('a', true), term('b'), term('c')], text: 'b c', isFound: true },
    { name: 'no context alone', terms: [term('a'), context('b'), context('c')], text: 'b c', isFound: false },
    {
      name: 'another with two of context',
      terms: [term('a', true), term('b'), context('c'), context('d')],
      text: 'b c d',
      isFound: true,
    },
    { name: 'nothing for what holds no word', terms: [term('!?')], text: '!?', isFound: false },
  ])('takes $name', ({ terms, text, isFound }) => {
    const matcher = compileTerms(terms);
    const forms = matcher.hits(text).map(({ form }) => form);
    expect(forms.length > 0 && matcher.isEnough(forms)).toBe(isFound);
  });
});

type Row = readonly [string, Source['kind']?];

function ranked(words: readonly string[], rows: readonly Row[], capacity?: number) {
  const ranking = createRanking<{ id: number; text: string; source: Source }>(
    compileTerms(words.map((word) => term(word))),
    capacity,
  );
  for (const [id, [text, kind = 'operator']] of rows.entries()) {
    const source: Source = kind === 'tool' ? { kind, tool: 'x', isError: false } : { kind };
    ranking.add({
      text,
      source,
      pieces: () => cutPassages(text),
      passage: (piece) => ({ id, text: piece.text, source }),
    });
  }
  return {
    ids: ranking.finish().map(({ repeats }) => repeats.map(({ id }) => id)),
    dropped: ranking.dropped,
  };
}

describe('createRanking', () => {
  const cases: readonly { name: string; words: string[]; rows: Row[]; ids: number[][] }[] = [
    {
      name: 'rare words before common ones',
      words: ['a', 'b'],
      rows: [['a x'], ['b x'], ['a y'], ['z']],
      ids: [[1], [0], [2]],
    },
    { name: 'equals by address', words: ['a'], rows: [['a 1'], ['a 2'], ['a 3']], ids: [[0], [1], [2]] },
    { name: 'repeats as one', words: ['a'], rows: [['a'], ['b'], ['a', 'tool']], ids: [[0, 2]] },
    {
      name: 'one of each kind before the second of a kind',
      words: ['a'],
      rows: [
        ['a a a'],
        ['a a b'],
        ['a b b and much more', 'tool'],
        ['a b b and something else', 'assistant'],
      ],
      ids: [[0], [2], [3], [1]],
    },
    { name: 'summaries last', words: ['a'], rows: [['a a a', 'summary'], ['a b c d e f']], ids: [[1], [0]] },
    {
      name: 'a name as it is spelled first',
      words: ['src/a.ts'],
      rows: [['lib/src/a.ts'], ['at src/a.ts:']],
      ids: [[1], [0]],
    },
  ];
  test.each(cases)('ranks $name', ({ words, rows, ids }) => {
    expect(ranked(words, rows).ids).toStrictEqual(ids);
  });

  test('counts what it let go of once, however often it comes again', () => {
    const rows = Array.from({ length: 14 }, (_, i): Row => [`${'a '.repeat((i % 7) + 1)}${i % 7}`]);
    const { ids, dropped } = ranked(['a'], rows, 4);
    expect(ids.length + dropped).toBe(7);
  });

  test('holds no more than it may, and counts what it lets go of', () => {
    const rows = Array.from({ length: 7 }, (_, i): Row => [`${'a '.repeat(i + 1)}${i}`]);
    const { ids, dropped } = ranked(['a'], rows, 4);
    expect(ids.length + dropped).toBe(7);
    expect(ids.length).toBeLessThanOrEqual(4);
  });
});
