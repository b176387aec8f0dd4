import { describe, expect, test } from 'vitest';
import type { Resolution } from '../../src/query/resolution.js';
import {
  type AskedHere,
  createRecall,
  type Recalled,
  wantedBy,
  wantedTerms,
} from '../../src/recall/recall.js';
import { readVisible } from '../../src/recall/visible.js';
import { type Conversation, readConversations } from '../../src/transcript/transcript.js';
import { jsonl, openText } from '../transcript/read.js';

const resolution: Resolution = {
  query: 'what does it cost?',
  mode: 'contextual',
  time: 'unspecified',
  terms: ['cost', 'what', 'kit', 'clutch'],
  focusTerms: ['kit'],
  basis: [{ position: 0, role: 'user', quote: 'the kit' }],
  omittedTokens: 0,
  planner: 'embedded',
  fallback: null,
  warnings: [],
};

describe('wantedBy', () => {
  test('puts the focus first, weighs other added words less, leaves stop words out', () => {
    expect(wantedBy(resolution)).toStrictEqual({
      kind: 'terms',
      terms: [
        { text: 'kit', weight: 0.7, isFocus: true, isLiteral: false },
        { text: 'cost', weight: 1, isFocus: false, isLiteral: false },
        { text: 'clutch', weight: 0.7, isFocus: false, isLiteral: false },
      ],
    });
  });

  test('adds what was said around the question as context, its searched and stop words left out', () => {
    const rows = ['old', 'The belt.', 'Of the kits?', 'Belts, 40 euros', 'yes'].map((text, position) => ({
      ...{ position, role: 'user' as const, truncated: false },
      text,
    }));
    const wanted = wantedBy(resolution, rows);
    const context = wanted.kind === 'terms' ? wanted.terms.filter(({ isContext }) => isContext) : [];
    expect(context.map(({ text, weight }) => [text, weight])).toStrictEqual([
      ['Belts', 0.1],
      ['40', 0.1],
      ['euros', 0.1],
      ['yes', 0.1],
    ]);
  });

  test('of an ambiguous question gives the quotes', () => {
    const { basis } = resolution;
    expect(wantedBy({ ...resolution, mode: 'ambiguous' })).toStrictEqual({ kind: 'ambiguous', basis });
  });
});

const conversations = (contents: readonly string[]): Conversation[] => {
  const transcript = openText(jsonl(contents.map((content) => ({ role: 'user', content }))));
  return transcript === undefined ? [] : [...readConversations(transcript)];
};

function recalled(
  contents: readonly string[],
  options: { asked?: AskedHere; passages?: number; units?: number; visible?: readonly string[] } = {},
): Recalled {
  const { asked, passages = 4, units = 6000, visible } = options;
  const wanted = wantedTerms(['kit'], false);
  const recall = createRecall(wanted.kind === 'terms' ? wanted.terms : []);
  for (const conversation of conversations(contents)) recall.scan({ conversation, file: 'f', asked });
  return recall.finish(
    { passages, units },
    visible === undefined ? undefined : readVisible(conversations(visible)),
  );
}

const positions = (found: Recalled) => ({
  passages: found.passages.map(({ passage }) => passage.position),
  visible: found.visible.map(({ passage }) => passage.position),
  leftOut: found.leftOut.map(({ passage }) => passage.position),
});

describe('createRecall', () => {
  const texts = ['the kit a', 'the kit b', 'none', 'the kit c'];
  test.each([
    { name: 'finds all', options: {}, passages: [0, 1, 3], visible: [], leftOut: [] },
    {
      name: 'leaves the asking message out',
      options: { asked: { position: 3, query: 'the kit d', context: new Set<number>() } },
      passages: [0, 1],
      visible: [],
      leftOut: [],
    },
    {
      name: 'keeps to the number of passages',
      options: { passages: 1 },
      passages: [0],
      visible: [],
      leftOut: [1, 3],
    },
    { name: 'keeps to the length', options: { units: 18 }, passages: [0, 1], visible: [], leftOut: [3] },
    {
      name: 'names what is in view',
      options: { visible: ['so: the kit b.'] },
      passages: [0, 3],
      visible: [1],
      leftOut: [],
    },
  ])('$name', ({ options, passages, visible, leftOut }) => {
    expect(positions(recalled(texts, options))).toStrictEqual({ passages, visible, leftOut });
  });

  test('gives the offset of a passage in its part', () => {
    const text = `${'x'.repeat(511)}😀 the kit`;
    const { passages } = recalled([text]);
    expect(passages.map(({ passage }) => [passage.offset, passage.text, passage.isComplete])).toStrictEqual([
      [511, '😀 the kit', false],
    ]);
  });

  test('context decides between passages, but not for the message that it was taken from', () => {
    const context = { text: 'belt', weight: 0.1, isFocus: false, isLiteral: false, isContext: true as const };
    const recall = createRecall([{ text: 'kit', weight: 1, isFocus: true, isLiteral: false }, context]);
    const asked = { query: 'which kit?', context: new Set([1]) };
    const texts = ['A kit is here now', 'A kit with a belt', 'A kit of one belt', 'which kit?'];
    for (const conversation of conversations(texts)) recall.scan({ conversation, file: 'f', asked });
    expect(positions(recall.finish({ passages: 4, units: 600 })).passages).toStrictEqual([2, 0, 1]);
  });

  test('a heading in view does not hide what stood below it', () => {
    const passage = ['kit one', 'a long line of text that a reader would miss'].join('\n');
    expect(positions(recalled([passage], { visible: ['kit one'] })).passages).toStrictEqual([0]);
  });
});
