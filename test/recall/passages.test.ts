import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutPassages, readTexts } from '../../src/recall/passages.js';
import { readConversations } from '../../src/transcript/transcript.js';
import { jsonl, openText } from '../transcript/read.js';

const lengths = (text: string): number[] => [...cutPassages(text)].map((piece) => piece.text.length);

describe('cutPassages', () => {
  test.each([
    { name: 'nothing of an empty text', text: '', cut: [] },
    { name: 'a short text whole', text: 'One line.', cut: [9] },
    { name: 'exactly the most that fits', text: 'x'.repeat(512), cut: [512] },
    {
      name: 'behind the last line end',
      text: `${'a'.repeat(300)}\n${'b'.repeat(100)}\n${'c'.repeat(200)}`,
      cut: [402, 200],
    },
    { name: 'behind a sentence', text: `${'a '.repeat(200)}end. ${'b '.repeat(100)}`, cut: [405, 200] },
    { name: 'behind a Chinese sentence', text: `${'水'.repeat(400)}。${'火'.repeat(200)}`, cut: [401, 200] },
    { name: 'between words', text: `${'a'.repeat(500)} ${'b'.repeat(100)}`, cut: [501, 100] },
    { name: 'not at a seam right behind the start', text: `a\n${'b'.repeat(600)}`, cut: [512, 90] },
    { name: 'no pair of surrogates', text: `${'x'.repeat(511)}😀`, cut: [511, 2] },
    { name: 'no family', text: `${'x'.repeat(510)}👨‍👩‍👧`, cut: [510, 8] },
    { name: 'no letter from its mark', text: `${'x'.repeat(511)}e\u0301`, cut: [511, 2] },
    { name: 'no space from its mark', text: `${'x'.repeat(511)} \u0301${'y'.repeat(9)}`, cut: [511, 11] },
  ])('cuts $name', ({ text, cut }) => {
    expect(lengths(text)).toStrictEqual(cut);
  });

  test('passages tile their text, within the length, between characters', () => {
    const unit = fc.constantFrom(
      'a',
      'word ',
      '\n',
      '. ',
      '😀',
      'e\u0301',
      '水',
      '。',
      'مرحبا ',
      '\0',
      '\u001b[31m',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 900, size: 'max' }), (units) => {
        const text = units.join('');
        const pieces = [...cutPassages(text)];
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const piece of pieces) {
          expect(piece.text.length).toBeLessThanOrEqual(512);
          expect(text.startsWith(piece.text, piece.offset)).toBe(true);
          expect(() => encodeURIComponent(piece.text)).not.toThrow();
        }
      }),
      { seed: 5, numRuns: 60 },
    );
  });
});

test('tells who brought a text in', () => {
  const transcript = openText(
    jsonl([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Before.', source: { type: 'compaction-summary' } },
      { role: 'user', content: 'Read it' },
      {
        role: 'assistant',
        content: 'Reading.',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'text' },
    ]),
  );
  const texts =
    transcript === undefined ? [] : [...readConversations(transcript)].flatMap((one) => [...readTexts(one)]);
  expect(texts.map(({ position, part, source, text }) => [position, part, source.kind, text])).toStrictEqual([
    [0, 0, 'context', 'Be kind.'],
    [1, 0, 'summary', 'Before.'],
    [2, 0, 'operator', 'Read it'],
    [3, 0, 'assistant', 'Reading.'],
    [3, 1, 'assistant', '{"path":"a.ts"}'],
    [4, 0, 'tool', 'text'],
  ]);
  expect(texts.at(-1)?.source).toStrictEqual({ kind: 'tool', tool: 'read', isError: false });
});
