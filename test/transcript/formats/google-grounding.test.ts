import { describe, expect, test } from 'vitest';
import { groundingOf } from '../../../src/transcript/formats/google-grounding.js';

const web = { web: { uri: 'https://a.example', title: 'a' } };
const store = { retrievedContext: { title: 'b', text: 'Sea.' } };
const WEB = { url: 'https://a.example', title: 'a', cited_text: null };
const STORE = { url: null, title: 'b', cited_text: 'Sea.' };

const grounded = (supports: readonly unknown[], chunks: readonly unknown[] = [web, store]) => ({
  groundingMetadata: { groundingChunks: chunks, groundingSupports: supports },
});
const support = (segment: unknown, ...groundingChunkIndices: readonly unknown[]) => ({
  segment,
  groundingChunkIndices,
});

/** 2 UTF-16 units and 3 bytes before it, then a pair of units that has 4 bytes. */
const TEXT = '\u00e9 \u{1f41d} in';

interface Row {
  readonly name: string;
  readonly content: unknown;
  readonly parts?: readonly unknown[];
  readonly grounding: readonly (readonly [number, readonly object[]])[];
}

const rows: readonly Row[] = [
  {
    name: 'bytes become UTF-16 units',
    content: grounded([support({ startIndex: 3, endIndex: 7 }, 0, 1)]),
    grounding: [
      [
        0,
        [
          { ...WEB, start_index: 2, end_index: 4 },
          { ...STORE, start_index: 2, end_index: 4 },
        ],
      ],
    ],
  },
  {
    name: 'a start that is left out is the beginning',
    content: grounded([support({ endIndex: 2 }, 0)]),
    grounding: [[0, [{ ...WEB, start_index: 0, end_index: 1 }]]],
  },
  {
    name: 'of the part that is named, else of the first that is said',
    content: grounded([support({ partIndex: 2, endIndex: 1 }, 0), support({ partIndex: 0, endIndex: 1 }, 1)]),
    parts: [{ text: 'hm', thought: true }, { text: 'one' }, { text: 'two' }],
    grounding: [
      [2, [{ ...WEB, start_index: 0, end_index: 1 }]],
      [1, [{ ...STORE, start_index: 0, end_index: 1 }]],
    ],
  },
  {
    name: 'chunks without supports are of the whole text',
    content: grounded([]),
    grounding: [[0, [WEB, STORE]]],
  },
  {
    name: 'a place that is not in the list, or no place, is nothing',
    content: grounded([support({ endIndex: 2 }, 7, -1, 'x', null)], [web]),
    grounding: [[0, []]],
  },
  {
    name: 'snake case, and quotations',
    content: {
      grounding_metadata: { grounding_chunks: [web], grounding_supports: null },
      citationMetadata: { citations: [{ startIndex: 0, endIndex: 2, uri: 'u' }] },
    },
    grounding: [[0, [WEB, { url: 'u', title: null, cited_text: null, start_index: 0, end_index: 1 }]]],
  },
  { name: 'nothing', content: {}, grounding: [] },
];

describe('grounding', () => {
  test.each(rows)('$name', ({ content, parts = [{ text: TEXT }], grounding }) => {
    expect([...groundingOf(content, parts)]).toStrictEqual(grounding);
  });
});
