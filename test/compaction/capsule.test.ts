import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCapsule, type CapsuleEvidence } from '../../src/compaction/capsule.js';
import { CAPSULE_HEADER } from '../../src/ledger/carried.js';
import { RuleError } from '../../src/transcript/errors.js';

interface Chunk {
  readonly id: string;
  readonly cited: readonly number[];
  readonly title?: string | null;
  readonly uri?: string;
  readonly pictures?: readonly string[];
}

/** Evidence whose chunks have the content `text of <id>` and stand in one document, D. */
function evidence(capability: string, chunks: readonly Chunk[]): CapsuleEvidence {
  return {
    capability,
    occurrences: new Map(
      chunks.map(({ id, cited }) => [
        id,
        { chunkId: id, capability, retrievedInQuestions: [], citedInQuestions: cited },
      ]),
    ),
    citations: new Map(
      chunks.map(({ id, title = null, uri = '', pictures = [] }) => [
        id,
        {
          chunkId: id,
          documentId: 'D',
          documentUri: uri,
          documentTitle: title,
          content: `text of ${id}`,
          pictureRefs: pictures,
        },
      ]),
    ),
  };
}

test('is empty when nothing was cited', () => {
  expect(buildCapsule([evidence('rag', [{ id: 'c1', cited: [] }])])).toStrictEqual({
    text: '',
    pictures: [],
    groups: [],
  });
});

test('groups by the newest citing question, newest first, then by capability and chunk', () => {
  const rag = evidence('rag', [
    { id: 'old', cited: [0] },
    { id: '10', cited: [2, 8, 4] },
    { id: '9', cited: [8] },
  ]);
  const { text, groups } = buildCapsule([rag, evidence('analysis', [{ id: 'z', cited: [8] }])]);
  expect(groups).toStrictEqual([
    {
      question: 8,
      entries: [
        { capability: 'analysis', chunkId: 'z' },
        { capability: 'rag', chunkId: '10' },
        { capability: 'rag', chunkId: '9' },
      ],
    },
    { question: 0, entries: [{ capability: 'rag', chunkId: 'old' }] },
  ]);
  expect(text).toBe(
    [
      CAPSULE_HEADER,
      '[Cited evidence group 1]',
      '[z] Source: \ntext of z',
      '[10] Source: \ntext of 10',
      '[9] Source: \ntext of 9',
      '[Cited evidence group 2]',
      '[old] Source: \ntext of old',
    ].join('\n\n'),
  );
});

const sources: readonly { title: string | null; uri: string; line: string }[] = [
  { title: 'Title', uri: 'kb://1', line: '[c1] Source: "Title" (kb://1)' },
  { title: 'same', uri: 'same', line: '[c1] Source: "same"' },
  { title: 'Title', uri: '', line: '[c1] Source: "Title"' },
  { title: ' ', uri: 'kb://1', line: '[c1] Source: " " (kb://1)' },
  { title: '', uri: 'kb://1', line: '[c1] Source: kb://1' },
  { title: null, uri: 'kb://1', line: '[c1] Source: kb://1' },
  { title: null, uri: '', line: '[c1] Source: ' },
];

test.each(sources)('the source line of title $title and URI $uri', ({ title, uri, line }) => {
  const { text } = buildCapsule([evidence('rag', [{ id: 'c1', cited: [4], title, uri }])]);
  expect(text.split('\n')).toContain(line);
});

test('gives a picture once, to the newest chunk that refers to it', () => {
  const rag = evidence('rag', [
    { id: 'c1', cited: [2], pictures: ['#/p/1', '#/p/2'] },
    { id: 'c2', cited: [8], pictures: ['#/p/1', '#/p/1'] },
    { id: 'c3', cited: [], pictures: ['#/p/3'] },
  ]);
  expect(buildCapsule([rag]).pictures).toStrictEqual([
    {
      capability: 'rag',
      chunkId: 'c2',
      documentId: 'D',
      selfRef: '#/p/1',
      label:
        'Page image retrieved from the knowledge base for cited evidence [c2] (#/p/1). Not provided by the user.',
    },
    {
      capability: 'rag',
      chunkId: 'c1',
      documentId: 'D',
      selfRef: '#/p/2',
      label:
        'Page image retrieved from the knowledge base for cited evidence [c1] (#/p/2). Not provided by the user.',
    },
  ]);
});

const missing: readonly { name: string; chunks: readonly Chunk[]; message: string }[] = [
  {
    name: 'names the first in the given order, with its questions',
    chunks: [
      { id: '10', cited: [8, 2] },
      { id: '1', cited: [9] },
    ],
    message:
      'rag cited 10 in question(s) [8, 2] but has no citation record for it, so its content cannot be retained.',
  },
  {
    name: 'passes over what was not cited',
    chunks: [
      { id: 'c1', cited: [] },
      { id: '__proto__', cited: [4] },
    ],
    message:
      'rag cited __proto__ in question(s) [4] but has no citation record for it, so its content cannot be retained.',
  },
];

describe('cited evidence without canonical citation', () => {
  test.each(missing)('$name', ({ chunks, message }) => {
    const rag = { ...evidence('rag', chunks), citations: new Map() };
    expect(() => buildCapsule([rag])).toThrow(new RuleError('ValueError', message));
  });
});

test('does not depend on the order in which chunks were recorded', () => {
  const chunk = fc.record({
    id: fc.string({ maxLength: 3 }),
    cited: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
  });
  const orders = fc
    .uniqueArray(chunk, { selector: ({ id }) => id, maxLength: 6 })
    .chain((chunks) =>
      fc.tuple(fc.constant(chunks), fc.shuffledSubarray(chunks, { minLength: chunks.length })),
    );
  fc.assert(
    fc.property(orders, ([chunks, shuffled]) => {
      expect(buildCapsule([evidence('rag', shuffled)])).toStrictEqual(
        buildCapsule([evidence('rag', chunks)]),
      );
    }),
  );
});
