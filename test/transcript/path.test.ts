import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { livePath, type PlacedNode, type TreeNode } from '../../src/transcript/path.js';

type NodeFields = Omit<Partial<TreeNode>, 'id' | 'parent'>;

/** A node whose record is its place in the file; see `placed`. */
function node(id: string | null, parent: string | null, fields: NodeFields = {}): TreeNode {
  return { id, parent, isSide: false, isMessage: true, reply: null, calls: [], results: [], ...fields };
}

function placed(nodes: readonly TreeNode[]): PlacedNode[] {
  return nodes.map((one, record) => ({ record, node: one }));
}

const bookkeeping = { isMessage: false };
const side = { isSide: true };

const cases: readonly { name: string; nodes: readonly TreeNode[]; path: readonly number[] }[] = [
  { name: 'nothing is on the path of nothing', nodes: [], path: [] },
  {
    name: 'a chain is on the path whole',
    nodes: [node('a', null), node('b', 'a'), node('c', 'b')],
    path: [0, 1, 2],
  },
  {
    name: 'of two branches the one with the last message is live',
    nodes: [node('a', null), node('b', 'a'), node('old', 'b'), node('older', 'old'), node('new', 'b')],
    path: [0, 1, 4],
  },
  {
    name: 'a branch that was taken up again is live',
    nodes: [node('a', null), node('old', 'a'), node('new', 'a'), node('again', 'old')],
    path: [0, 1, 3],
  },
  {
    name: 'a record that is no message links messages but leads to none',
    nodes: [node('a', null), node('p', 'a', bookkeeping), node('b', 'p'), node('q', 'a', bookkeeping)],
    path: [0, 1, 2],
  },
  {
    name: 'a compaction mark is a root: what stands above it is not on the path',
    nodes: [
      node('a', null),
      node('b', 'a'),
      node('mark', null, bookkeeping),
      node('summary', 'mark'),
      node('c', 'summary'),
    ],
    path: [2, 3, 4],
  },
  {
    name: 'the last of several compaction marks counts',
    nodes: [
      node('a', null),
      node('m1', null, bookkeeping),
      node('s1', 'm1'),
      node('m2', null, bookkeeping),
      node('s2', 'm2'),
    ],
    path: [3, 4],
  },
  {
    name: 'a compaction mark that no message follows yet hides nothing',
    nodes: [node('a', null), node('b', 'a'), node('mark', null, bookkeeping)],
    path: [0, 1],
  },
  {
    name: 'all records of one reply are live',
    nodes: [
      node('a', null),
      node('r1', 'a', { reply: 'r' }),
      node('r2', 'r1', { reply: 'r' }),
      node('b', 'r1'),
    ],
    path: [0, 1, 2, 3],
  },
  {
    name: 'parallel results that hang from different records of a reply are live',
    nodes: [
      node('a', null),
      node('r1', 'a', { reply: 'r', calls: ['c1'] }),
      node('r2', 'r1', { reply: 'r', calls: ['c2'] }),
      node('t1', 'r1', { results: ['c1'] }),
      node('r3', 'r2', { reply: 'r', calls: ['c3'] }),
      node('t3', 'r3', { results: ['c3'] }),
      node('t2', 'r2', { results: ['c2'] }),
      node('b', 't3'),
    ],
    path: [0, 1, 2, 3, 4, 5, 6, 7],
  },
  {
    name: 'a reply off the path stays off it with its results',
    nodes: [
      node('a', null),
      node('old', 'a', { reply: 'r', calls: ['c1'] }),
      node('t1', 'old', { results: ['c1'] }),
      node('new', 'a', { reply: 's', calls: ['c2'] }),
      node('t2', 'new', { results: ['c2'] }),
    ],
    path: [0, 3, 4],
  },
  {
    name: 'a result that was taken back stays off the path when the call has another there',
    nodes: [
      node('a', null),
      node('r', 'a', { calls: ['c'] }),
      node('old', 'r', { results: ['c'] }),
      node('t', 'r', { results: ['c'] }),
      node('b', 't'),
    ],
    path: [0, 1, 3, 4],
  },
  {
    name: 'of two results beside the path the one nearest below its call is live',
    nodes: [
      node('a', null),
      node('early', 'a', { results: ['c'] }),
      node('r', 'a', { calls: ['c'] }),
      node('t', 'r', { results: ['c'] }),
      node('late', 'r', { results: ['c'] }),
      node('b', 'r'),
    ],
    path: [0, 2, 3, 5],
  },
  {
    name: 'the result of another call with the same id on a branch that was given up stays off the path',
    nodes: [
      node('a', null),
      node('r', 'a', { calls: ['c'] }),
      node('old', 'a', { calls: ['c'] }),
      node('told', 'old', { results: ['c'] }),
      node('b', 'r'),
    ],
    path: [0, 1, 4],
  },
  {
    name: 'a result above a compaction mark stays off the path although a call below has its id',
    nodes: [
      node('a', null),
      node('old', 'a', { calls: ['c'] }),
      node('told', 'old', { results: ['c'] }),
      node('mark', null, bookkeeping),
      node('r', 'mark', { calls: ['c'] }),
      node('late', 'told', { results: ['c'] }),
      node('b', 'r'),
    ],
    path: [3, 4, 6],
  },
  {
    name: 'each call of an id that repeats on the path has a result of its own',
    nodes: [
      node('r1', null, { calls: ['c'] }),
      node('t1', 'r1', { results: ['c'] }),
      node('b', 'r1'),
      node('r2', 'b', { calls: ['c'] }),
      node('t2', 'r2', { results: ['c'] }),
      node('d', 'r2'),
    ],
    path: [0, 1, 2, 3, 4, 5],
  },
  {
    name: 'a result that hangs from another or from a record that is no message is live',
    nodes: [
      node('r', null, { calls: ['c1', 'c2', 'c3'] }),
      node('p', 'r', bookkeeping),
      node('t1', 'p', { results: ['c1'] }),
      node('t2', 't1', { results: ['c2'] }),
      node('t3', 'r', { results: ['c3'] }),
      node('b', 't3'),
    ],
    path: [0, 2, 3, 4, 5],
  },
  {
    name: 'a parent that is not in the file stands for the record before',
    nodes: [node('a', null), node('b', 'a'), node('c', 'gone'), node('d', 'c')],
    path: [0, 1, 2, 3],
  },
  {
    name: 'a slice without its root is on the path whole',
    nodes: [node('b', 'gone'), node('c', 'b'), node('d', 'gone too')],
    path: [0, 1, 2],
  },
  {
    name: 'a record that is its own parent is a root',
    nodes: [node('a', null), node('b', 'b'), node('c', 'b')],
    path: [1, 2],
  },
  {
    name: 'a cycle of parents is on the path once',
    nodes: [node('a', null), node('b', 'd'), node('c', 'b'), node('d', 'c')],
    path: [1, 2, 3],
  },
  {
    name: 'a parent that stands below is found',
    nodes: [node('b', 'a'), node('a', null), node('c', 'b')],
    path: [0, 1, 2],
  },
  {
    name: 'of records with one id the last is meant',
    nodes: [node('a', null), node('b', 'a'), node('a', null), node('b', 'a'), node('c', 'b')],
    path: [2, 3, 4],
  },
  {
    name: 'side chains are not the conversation',
    nodes: [
      node('a', null),
      node('side1', null, side),
      node('side2', 'side1', side),
      node('b', 'a'),
      node('side3', 'b', side),
    ],
    path: [0, 3],
  },
  {
    name: 'a result in a side chain is not the conversation',
    nodes: [node('a', null), node('b', 'a', { calls: ['c'] }), node('s', 'b', { ...side, results: ['c'] })],
    path: [0, 1],
  },
  {
    name: 'a file of one side chain is a transcript of its own',
    nodes: [node('a', null, side), node('b', 'a', side), node('old', 'b', side), node('c', 'b', side)],
    path: [0, 1, 3],
  },
  {
    name: 'a file of which no record has a parent is on the path whole',
    nodes: [node('a', null), node('b', null, bookkeeping), node('c', null)],
    path: [0, 1, 2],
  },
  {
    name: 'ids such as __proto__ are ids',
    nodes: [
      node('__proto__', null),
      node('constructor', '__proto__'),
      node('x', '__proto__'),
      node('y', 'constructor'),
    ],
    path: [0, 1, 3],
  },
  {
    name: 'a compaction that keeps the end of its past hides what stands above that',
    nodes: [
      node('a', null),
      node('b', 'a'),
      node('kept', 'b'),
      node('d', 'kept'),
      node('mark', 'd', { keptFrom: 'kept' }),
      node('e', 'mark'),
    ],
    path: [2, 3, 4, 5],
  },
  {
    name: 'what outlives compactions stays above one, an earlier compaction does not',
    nodes: [
      node('a', null, { outlivesCompaction: true }),
      node('b', 'a'),
      node('old', 'b', { keptFrom: null, outlivesCompaction: true }),
      node('c', 'old', { outlivesCompaction: true }),
      node('mark', 'c', { keptFrom: null }),
      node('d', 'mark'),
    ],
    path: [0, 3, 4, 5],
  },
  {
    name: 'what a compaction keeps goes by the branch that it stands on',
    nodes: [
      node('a', null),
      node('kept', 'a'),
      node('old', 'kept'),
      node('b', 'kept'),
      node('mark', 'b', { keptFrom: 'kept' }),
    ],
    path: [1, 3, 4],
  },
  {
    name: 'a compaction on another branch hides nothing',
    nodes: [node('a', null), node('b', 'a'), node('mark', 'b', { keptFrom: 'b' }), node('c', 'b')],
    path: [0, 1, 3],
  },
  {
    name: 'a compaction that keeps a record of another branch, or none, hides all above it',
    nodes: [
      node('a', null),
      node('old', 'a'),
      node('b', 'a'),
      node('mark', 'b', { keptFrom: 'old' }),
      node('c', 'mark'),
    ],
    path: [3, 4],
  },
  {
    name: 'the last of several compactions counts, and those above it are gone',
    nodes: [
      node('a', null),
      node('b', 'a'),
      node('m1', 'b', { keptFrom: 'b' }),
      node('c', 'm1'),
      node('m2', 'c', { keptFrom: 'b' }),
      node('d', 'm2'),
    ],
    path: [1, 3, 4, 5],
  },
  {
    name: 'a compaction that keeps nothing hides all above it, records without an id too',
    nodes: [node('a', null), node(null, 'a'), node('mark', null), node('m', 'a', { keptFrom: null })],
    path: [3],
  },
  {
    name: 'in a file without ids a compaction counts the records',
    nodes: [
      node(null, null, bookkeeping),
      node(null, null),
      node(null, null),
      node(null, null, { keptFrom: 2 }),
      node(null, null),
    ],
    path: [2, 3, 4],
  },
  {
    name: 'a count that is beyond the file keeps nothing',
    nodes: [node(null, null), node(null, null, { keptFrom: 9 }), node(null, null)],
    path: [1, 2],
  },
];

describe('finds the live path', () => {
  test.each(cases)('$name', ({ nodes, path }) => {
    expect([...livePath(placed(nodes))].sort((a, b) => a - b)).toStrictEqual(path);
  });
});

test('names records, not their places among the nodes', () => {
  expect(
    livePath([
      { record: 3, node: node('a', null) },
      { record: 9, node: node('b', 'a') },
    ]),
  ).toStrictEqual(new Set([3, 9]));
});

const MANY = 100_000;
const upTo = <T>(make: (i: number) => T): T[] => Array.from({ length: MANY }, (_, i) => make(i));

/** Walking up from each record would take minutes. */
const long: readonly { name: string; nodes: readonly TreeNode[]; size: number }[] = [
  {
    name: 'a chain of any length',
    nodes: upTo((i) => node(`n${i}`, i === 0 ? null : `n${i - 1}`)),
    size: MANY,
  },
  {
    name: 'results that hang from each other on a branch that was given up',
    nodes: [
      node('a', null),
      node('old', 'a'),
      node('calls', 'a', { calls: upTo((i) => `c${i}`) }),
      ...upTo((i) => node(`r${i}`, i === 0 ? 'old' : `r${i - 1}`, { results: [`c${i}`] })),
      node('new', 'calls'),
    ],
    size: 3,
  },
  {
    name: 'results that hang from each other below their calls',
    nodes: [
      node('calls', null, { calls: upTo((i) => `c${i}`) }),
      ...upTo((i) => node(`r${i}`, i === 0 ? 'calls' : `r${i - 1}`, { results: [`c${i}`] })),
      node('new', 'calls'),
    ],
    size: MANY + 2,
  },
  {
    name: 'results that hang from each other in a circle',
    nodes: [
      node('calls', null, { calls: upTo((i) => `c${i}`) }),
      ...upTo((i) => node(`r${i}`, `r${(i + 1) % MANY}`, { results: [`c${i}`] })),
      node('new', 'calls'),
    ],
    size: MANY + 2,
  },
];

test.each(long)('follows $name', ({ nodes, size }) => {
  expect(livePath(placed(nodes)).size).toBe(size);
});

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'gone');
const anyNode = fc.record({
  id,
  parent: fc.option(id),
  isSide: fc.boolean(),
  isMessage: fc.boolean(),
  reply: fc.option(fc.constantFrom('r', 's')),
  calls: fc.array(fc.constantFrom('c1', 'c2'), { maxLength: 2 }),
  results: fc.array(fc.constantFrom('c1', 'c2'), { maxLength: 2 }),
});

test('whatever the links say, the last message is on the path and nothing outside the file is', () => {
  fc.assert(
    fc.property(fc.array(anyNode, { maxLength: 8 }), (nodes) => {
      const path = livePath(placed(nodes));
      const isMain = nodes.some(({ isSide }) => !isSide);
      const last = nodes.findLastIndex(({ isMessage, isSide }) => isMessage && !(isMain && isSide));
      if (last >= 0) expect(path).toContain(last);
      for (const record of path) expect(nodes[record]?.isSide).toBe(!isMain);
    }),
    { numRuns: 3000 },
  );
});
