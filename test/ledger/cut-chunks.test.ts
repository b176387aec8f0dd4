import { describe, expect, test } from 'vitest';
import type { CarriedChunk } from '../../src/ledger/carried.js';
import { ChunkStore } from '../../src/ledger/chunk-store.js';
import type { ChunkDraft } from '../../src/ledger/chunks.js';
import type { CitedLines } from '../../src/ledger/citable.js';
import { cutChunks } from '../../src/ledger/cut-chunks.js';
import type { ResultItem, RetrievedResult } from '../../src/ledger/results.js';
import { retrieved } from './conversation.js';

/** The chunks of the results, and the ids that hold each of the cited lines. */
function cut(results: readonly RetrievedResult[], cited: readonly CitedLines[] = [], isLive = () => true) {
  const store = new ChunkStore(() => []);
  const chunkAt = cutChunks(results, isLive, cited, store);
  return { chunks: store.all(), ids: cited.map(chunkAt) };
}

/** `a,b`: the first lines of each chunk's content, the lines divided by `/`. */
const contents = ({ chunks }: ReturnType<typeof cut>): string[] =>
  chunks.map(({ content }) => content.replaceAll('\n', '/'));

const abc = [...'abcdefghij'];
const at = (first: number, last = first, result = 0): CitedLines => ({ result, first, last });

describe('a result without structure is cut', () => {
  test.each<[rule: string, cited: CitedLines[], expected: string[]]>([
    ['into its passages where nothing is cited', [], ['a/b/c/d/e/f/g/h/i/j']],
    ['around what is cited', [at(4, 5)], ['a/b/c', 'd/e', 'f/g/h/i/j']],
    ['at the first line', [at(1)], ['a', 'b/c/d/e/f/g/h/i/j']],
    ['at the last line', [at(10)], ['a/b/c/d/e/f/g/h/i', 'j']],
    ['once for lines with two others between them', [at(4), at(7)], ['a/b/c', 'd/e/f/g', 'h/i/j']],
    ['twice for lines with three others between them', [at(4), at(8)], ['a/b/c', 'd', 'e/f/g', 'h', 'i/j']],
    ['for lines in any order', [at(7), at(4)], ['a/b/c', 'd/e/f/g', 'h/i/j']],
    ['for lines inside of others', [at(2, 9), at(4)], ['a', 'b/c/d/e/f/g/h/i', 'j']],
  ])('%s', (_, cited, expected) => {
    expect(contents(cut([retrieved(abc)], cited))).toStrictEqual(expected);
  });

  test('into chunks with the number of their first line behind the id of the call', () => {
    const { chunks } = cut([retrieved(abc)], [at(4, 5)]);
    expect(chunks.map(({ id, lines }) => ({ id, lines }))).toStrictEqual([
      { id: 'c1#1', lines: { first: 1, last: 3 } },
      { id: 'c1#4', lines: { first: 4, last: 5 } },
      { id: 'c1#6', lines: { first: 6, last: 10 } },
    ]);
  });

  test('into no chunks of blank lines', () => {
    expect(contents(cut([retrieved(['', ' ', 'c', ''])], [at(3)]))).toStrictEqual(['c']);
  });
});

test('cited lines are held by every chunk that has one of them', () => {
  expect(cut([retrieved(abc)], [at(4, 5), at(9), at(5, 9)]).ids).toStrictEqual([
    ['c1#4'],
    ['c1#4'],
    ['c1#4'],
  ]);
  const long = Array.from({ length: 90 }, (_, i) => `line ${i}`);
  expect(cut([retrieved(long)], [at(1, 90)]).ids).toStrictEqual([['c1#1', 'c1#41', 'c1#81']]);
});

test('nothing is cut of a result that is not live', () => {
  expect(cut([retrieved(abc)], [at(4)], () => false)).toStrictEqual({ chunks: [], ids: [[]] });
});

describe('a repeated passage', () => {
  const long = ['The same words stand here again and again, and there are more than eighty of them.'];

  test('is one chunk that was retrieved twice', () => {
    const { chunks, ids } = cut(
      [retrieved(long), retrieved(long, { position: 6, base: 'c2' })],
      [at(1), at(1, 1, 1)],
    );
    expect(chunks.map(({ id, retrievals }) => ({ id, retrievals }))).toStrictEqual([
      {
        id: 'c1#1',
        retrievals: [
          { position: 2, part: 0, isEditable: true },
          { position: 6, part: 0, isEditable: true },
        ],
      },
    ]);
    expect(ids).toStrictEqual([['c1#1'], ['c1#1']]);
  });

  test('is two chunks when it is short', () => {
    const { chunks } = cut([retrieved(['short']), retrieved(['short'], { position: 6, base: 'c2' })]);
    expect(chunks.map(({ id }) => id)).toStrictEqual(['c1#1', 'c2#1']);
  });
});

describe('a structured result', () => {
  const draft = (ownId: string | null, content: string): ChunkDraft => ({
    ownId,
    label: null,
    content,
    source: { documentId: '', uri: '', title: null },
    pictureRefs: [],
  });
  /** Items of one line each. */
  const items = (...drafts: readonly ChunkDraft[]): ResultItem[] =>
    drafts.map((one, i) => ({ draft: one, first: i + 1, last: i + 1 }));
  const structured = (
    drafts: readonly ChunkDraft[],
    fields: Partial<RetrievedResult> = {},
  ): RetrievedResult =>
    retrieved(
      drafts.map(({ content }) => content),
      { items: items(...drafts), ...fields },
    );

  test('gives its items as they are, with their own ids or their number', () => {
    const { chunks, ids } = cut([structured([draft('k-1', 'one'), draft(null, 'two')])], [at(2)]);
    expect(chunks.map(({ id, content, lines }) => [id, content, lines])).toStrictEqual([
      ['k-1', 'one', null],
      ['c1#2', 'two', null],
    ]);
    expect(ids).toStrictEqual([['c1#2']]);
  });

  test('gives a known item again where id and text are the same', () => {
    const again = { position: 6, base: 'c2' };
    const { chunks } = cut([structured([draft('k-1', 'one')]), structured([draft('k-1', 'one')], again)]);
    expect(chunks.map(({ id, retrievals }) => [id, retrievals.length])).toStrictEqual([['k-1', 2]]);
  });

  const idsAndContents = ({ chunks }: ReturnType<typeof cut>) =>
    chunks.map(({ id, content }) => [id, content]);

  test('gives the newest of several texts their id, and keeps the others under one of their own', () => {
    const first = structured([draft('k-1', 'one'), draft('k-1', 'two'), draft('k-1', 'three')]);
    const second = structured([draft('k-1', 'four'), draft('k-1', 'five')], { position: 6, base: 'c2' });
    expect(idsAndContents(cut([first, second]))).toStrictEqual([
      ['k-1@2', 'one'],
      ['k-1@2.2', 'two'],
      ['k-1@2.3', 'three'],
      ['k-1@6', 'four'],
      ['k-1', 'five'],
    ]);
  });

  const carriedChunk = (ownId: string, content: string): CarriedChunk => ({
    ...draft(ownId, content),
    ...{ ownId, heading: `[${ownId}] Source: `, group: 1, groups: 1, series: 0 },
  });

  test('leaves the entries of a capsule their ids, whatever is newer', () => {
    const carried = carriedChunk('k-1', 'one');
    const capsule = structured([carried], { receipt: '' });
    const newer = structured([draft('k-1', 'two')], { position: 6, base: 'c2' });
    expect(idsAndContents(cut([capsule, newer]))).toStrictEqual([
      ['k-1', 'one'],
      ['k-1@6', 'two'],
    ]);
  });

  test('leaves the entries of a capsule their ids, although a passage was called so', () => {
    const carried = carriedChunk('c1#1', 'one');
    const capsule = structured([carried], { receipt: '' });
    expect(idsAndContents(cut([capsule, retrieved(['two'], { position: 6 })]))).toStrictEqual([
      ['c1#1', 'one'],
      ['c1#1@6', 'two'],
    ]);
  });
});

test('passages keep their texts apart where call ids repeat', () => {
  const { chunks } = cut([retrieved(['one']), retrieved(['two']), retrieved(['three'], { position: 6 })]);
  expect(chunks.map(({ id, content }) => [id, content])).toStrictEqual([
    ['c1#1', 'one'],
    ['c1#1@2', 'two'],
    ['c1#1@6', 'three'],
  ]);
});
