import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { livePath, type PlacedNode, type TreeNode } from '../../src/transcript/path.js';

type NodeFields = Omit<Partial<TreeNode>, 'id' | 'parent'>;

/** A node whose record is its place in the file; see `placed`. */
function node(id: string, parent: string | null, fields: NodeFields = {}): TreeNode {
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

test('follows a chain of any length', () => {
  const nodes = Array.from({ length: 100_000 }, (_, i) => node(`n${i}`, i === 0 ? null : `n${i - 1}`));
  expect(livePath(placed(nodes)).size).toBe(100_000);
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
