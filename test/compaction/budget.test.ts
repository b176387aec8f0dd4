import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capsuleWithin } from '../../src/compaction/budget.js';
import { buildCapsule, type CapsuleEvidence } from '../../src/compaction/capsule.js';
import { estimateTokens } from '../../src/transcript/token-estimate.js';

/** A chunk of so many words that these questions cited. */
interface Chunk {
  readonly capability?: string;
  readonly id: string;
  readonly cited: readonly number[];
  readonly words: number;
}

function evidenceOf(chunks: readonly Chunk[]): CapsuleEvidence[] {
  const names = [...new Set(chunks.map(({ capability = 'rag' }) => capability))];
  return names.map((capability) => {
    const own = chunks.filter((chunk) => (chunk.capability ?? 'rag') === capability);
    return {
      capability,
      occurrences: new Map(
        own.map(({ id, cited }) => [
          id,
          { chunkId: id, capability, retrievedInQuestions: [0], citedInQuestions: cited },
        ]),
      ),
      citations: new Map(
        own.map(({ id, words }) => [
          id,
          {
            chunkId: id,
            documentId: '',
            documentUri: 'kb',
            documentTitle: null,
            content: 'tide '.repeat(words),
            pictureRefs: [],
          },
        ]),
      ),
    };
  });
}

/** `4: b, c`: the groups that are kept and those that are given up. */
function within(chunks: readonly Chunk[], budget: number | undefined) {
  const { capsule, givenUp } = capsuleWithin(evidenceOf(chunks), budget);
  const form = ({ question, entries }: (typeof givenUp)[number]): string =>
    `${question}: ${entries.map(({ chunkId }) => chunkId).join(', ')}`;
  return { kept: capsule.groups.map(form), givenUp: givenUp.map(form) };
}

const three: readonly Chunk[] = [
  { id: 'a', cited: [0], words: 300 },
  { id: 'b', cited: [4], words: 300 },
  { id: 'c', cited: [0, 8], words: 300 },
  { id: 'd', cited: [], words: 300 },
];

describe('of a capsule is given up', () => {
  test.each<[rule: string, budget: number | undefined, kept: string[], givenUp: string[]]>([
    ['nothing without a budget', undefined, ['8: c', '4: b', '0: a'], []],
    ['nothing when it fits', 1100, ['8: c', '4: b', '0: a'], []],
    ['the oldest group', 800, ['8: c', '4: b'], ['0: a']],
    ['the oldest groups, oldest first', 500, ['8: c'], ['0: a', '4: b']],
    ['everything when nothing fits', 100, [], ['0: a', '4: b', '8: c']],
    ['everything for nothing', 0, [], ['0: a', '4: b', '8: c']],
  ])('%s', (_, budget, kept, givenUp) => {
    expect(within(three, budget)).toStrictEqual({ kept, givenUp });
  });

  test('a group whole, whatever its capabilities', () => {
    const chunks: readonly Chunk[] = [
      { id: 'a', cited: [4], words: 300 },
      { capability: 'web', id: 'b', cited: [4], words: 1 },
      { capability: 'web', id: 'c', cited: [8], words: 300 },
    ];
    expect(within(chunks, 500)).toStrictEqual({ kept: ['8: c'], givenUp: ['4: a, b'] });
  });

  test('a younger group too when it alone does not fit', () => {
    const chunks: readonly Chunk[] = [
      { id: 'a', cited: [0], words: 10 },
      { id: 'b', cited: [4], words: 900 },
    ];
    expect(within(chunks, 500)).toStrictEqual({ kept: [], givenUp: ['0: a', '4: b'] });
  });
});

test('a group that is given up takes its pictures along', () => {
  const [evidence] = evidenceOf(three.slice(0, 2));
  if (evidence === undefined) throw new Error('no evidence');
  const citations = new Map(
    [...evidence.citations].map(([id, one]) => [id, { ...one, documentId: id, pictureRefs: ['#/p/0'] }]),
  );
  const { capsule } = capsuleWithin([{ ...evidence, citations }], 500);
  expect(capsule.pictures.map(({ chunkId }) => chunkId)).toStrictEqual(['b']);
});

test('what is left is the capsule of the newest groups, and fits', () => {
  const chunk = fc.record({
    capability: fc.constantFrom('rag', 'web'),
    id: fc.string({ maxLength: 2 }),
    cited: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
    words: fc.nat({ max: 200 }),
  });
  const chunks = fc.uniqueArray(chunk, {
    selector: ({ capability, id }) => `${capability}/${id}`,
    maxLength: 8,
  });
  fc.assert(
    fc.property(chunks, fc.nat({ max: 800 }), (all, budget) => {
      const whole = buildCapsule(evidenceOf(all));
      const { capsule, givenUp } = capsuleWithin(evidenceOf(all), budget);
      expect([...capsule.groups, ...givenUp.toReversed()]).toStrictEqual(whole.groups);
      expect(estimateTokens(capsule.text)).toBeLessThanOrEqual(budget);
    }),
  );
});
