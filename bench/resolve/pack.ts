// Grown trees as the model file stores them (see trees.ts), with only those bin edges that a tree asks for.
import { LEAF, type PackedForest } from '../../src/query/planners/embedded/trees.js';

export interface Split {
  readonly feature: number;
  readonly bin: number;
}

export type TreeNode = { value: number; split?: Split; left?: TreeNode; right?: TreeNode };

// Leaf values are stored in two bytes.
const LARGEST_VALUE = 32000;

export function packForest(
  edges: readonly (readonly number[])[],
  trees: readonly TreeNode[],
  bias: number,
): PackedForest {
  const nodes = trees.flatMap(nodesOf);
  const used = usedBins(nodes, edges.length);
  const largest = Math.max(1e-9, ...nodes.map(({ value }) => Math.abs(value)));
  const scale = Number((largest / LARGEST_VALUE).toPrecision(6));
  const bytes = nodes.flatMap(({ split, value }) => {
    if (split !== undefined) return [split.feature, used[split.feature]?.indexOf(split.bin) ?? 0];
    const stored = Math.round(value / scale) & 0xffff;
    return [LEAF, stored >> 8, stored & 0xff];
  });
  return {
    bias: Number(bias.toPrecision(6)),
    scale,
    edges: used.map((bins, feature) => bins.map((bin) => edges[feature]?.[bin] ?? 0)),
    trees: Buffer.from(bytes).toString('base64'),
  };
}

/** A tree's nodes, each before those below it and the left before the right. */
function nodesOf(node: TreeNode): readonly TreeNode[] {
  if (node.left === undefined || node.right === undefined) return [node];
  return [node, ...nodesOf(node.left), ...nodesOf(node.right)];
}

function usedBins(nodes: readonly TreeNode[], features: number): readonly (readonly number[])[] {
  const used = Array.from({ length: features }, () => new Set<number>());
  for (const { split } of nodes) if (split !== undefined) used[split.feature]?.add(split.bin);
  return used.map((bins) => [...bins].sort((a, b) => a - b));
}
