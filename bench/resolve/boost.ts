// Gradient-boosted trees for a yes/no label: histograms over binned features, trees grown leaf by leaf.
import { LEAF, type PackedForest } from '../../src/query/planners/embedded/trees.js';

export interface Table {
  readonly rows: readonly (readonly number[])[];
  readonly labels: readonly number[];
  readonly weights: readonly number[];
}

export interface Settings {
  readonly trees: number;
  readonly leaves: number;
  readonly rate: number;
  readonly minWeight: number;
  readonly seed: number;
}

interface Binned {
  readonly edges: readonly (readonly number[])[];
  readonly bins: readonly Uint8Array[];
}

interface Split {
  readonly gain: number;
  readonly feature: number;
  readonly bin: number;
}

interface Leaf {
  readonly rows: Int32Array;
  readonly histogram: Float64Array;
  readonly gradient: number;
  readonly hessian: number;
  split: Split;
  node: TreeNode;
}

type TreeNode = { value: number; split?: Split; left?: TreeNode; right?: TreeNode };

const BINS = 32;
const LAMBDA = 3;
const FEATURE_SHARE = 0.4;
const ROW_SHARE = 0.6;

export function trainForest(table: Table, settings: Settings): PackedForest {
  const binned = bin(table.rows);
  const random = randomFrom(settings.seed);
  const count = table.rows.length;
  const bias = logit(average(table.labels, table.weights));
  const margins = new Float64Array(count).fill(bias);
  const [gradients, hessians] = [new Float64Array(count), new Float64Array(count)];
  const trees: TreeNode[] = [];
  for (let i = 0; i < settings.trees; i += 1) {
    for (let row = 0; row < count; row += 1) {
      const p = 1 / (1 + Math.exp(-(margins[row] ?? 0)));
      const weight = table.weights[row] ?? 0;
      gradients[row] = weight * (p - (table.labels[row] ?? 0));
      hessians[row] = weight * p * (1 - p);
    }
    const sample = Int32Array.from({ length: count }, (_, row) => row).filter(() => random() < ROW_SHARE);
    const features = binned.bins.map((_, feature) => feature).filter(() => random() < FEATURE_SHARE);
    const tree = growTree({ binned, gradients, hessians, features, settings }, sample);
    for (let row = 0; row < count; row += 1) margins[row] = (margins[row] ?? 0) + valueAt(tree, binned, row);
    trees.push(tree);
  }
  return pack(binned.edges, trees, bias);
}

interface Growing {
  readonly binned: Binned;
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  readonly features: readonly number[];
  readonly settings: Settings;
}

function growTree(growing: Growing, rows: Int32Array): TreeNode {
  const root: TreeNode = { value: 0 };
  const leaves = [makeLeaf(growing, rows, root, histogram(growing, rows))];
  while (leaves.length < growing.settings.leaves) {
    const best = leaves.reduce((a, b) => (b.split.gain > a.split.gain ? b : a));
    if (best.split.gain <= 1e-9) break;
    leaves.splice(leaves.indexOf(best), 1, ...splitLeaf(growing, best));
  }
  for (const leaf of leaves)
    leaf.node.value = (-growing.settings.rate * leaf.gradient) / (leaf.hessian + LAMBDA);
  return root;
}

function splitLeaf(growing: Growing, leaf: Leaf): readonly Leaf[] {
  const { feature, bin: at } = leaf.split;
  const bins = growing.binned.bins[feature] ?? new Uint8Array();
  const left = leaf.rows.filter((row) => (bins[row] ?? 0) <= at);
  const right = leaf.rows.filter((row) => (bins[row] ?? 0) > at);
  const small = histogram(growing, left.length < right.length ? left : right);
  const large = leaf.histogram.map((value, i) => value - (small[i] ?? 0));
  const [leftNode, rightNode]: [TreeNode, TreeNode] = [{ value: 0 }, { value: 0 }];
  Object.assign(leaf.node, { split: leaf.split, left: leftNode, right: rightNode });
  const leftIsSmall = left.length < right.length;
  return [
    makeLeaf(growing, left, leftNode, leftIsSmall ? small : large),
    makeLeaf(growing, right, rightNode, leftIsSmall ? large : small),
  ];
}

function makeLeaf(growing: Growing, rows: Int32Array, node: TreeNode, sums: Float64Array): Leaf {
  let [gradient, hessian] = [0, 0];
  for (let i = 0; i < BINS; i += 1) {
    gradient += sums[2 * i] ?? 0;
    hessian += sums[2 * i + 1] ?? 0;
  }
  return {
    rows,
    node,
    histogram: sums,
    gradient,
    hessian,
    split: bestSplit(growing, sums, gradient, hessian),
  };
}

function histogram({ binned, gradients, hessians, features }: Growing, rows: Int32Array): Float64Array {
  const sums = new Float64Array(features.length * BINS * 2);
  features.forEach((feature, i) => {
    const bins = binned.bins[feature] ?? new Uint8Array();
    const offset = i * BINS * 2;
    for (let k = 0; k < rows.length; k += 1) {
      const row = rows[k] ?? 0;
      const at = offset + 2 * (bins[row] ?? 0);
      sums[at] = (sums[at] ?? 0) + (gradients[row] ?? 0);
      sums[at + 1] = (sums[at + 1] ?? 0) + (hessians[row] ?? 0);
    }
  });
  return sums;
}

function bestSplit(
  { features, settings }: Growing,
  sums: Float64Array,
  gradient: number,
  hessian: number,
): Split {
  let best: Split = { gain: 0, feature: 0, bin: 0 };
  const whole = gradient ** 2 / (hessian + LAMBDA);
  features.forEach((feature, i) => {
    let [g, h] = [0, 0];
    for (let at = 0; at < BINS - 1; at += 1) {
      g += sums[2 * (i * BINS + at)] ?? 0;
      h += sums[2 * (i * BINS + at) + 1] ?? 0;
      if (h < settings.minWeight || hessian - h < settings.minWeight) continue;
      const gain = g ** 2 / (h + LAMBDA) + (gradient - g) ** 2 / (hessian - h + LAMBDA) - whole;
      if (gain > best.gain) best = { gain, feature, bin: at };
    }
  });
  return best;
}

function valueAt(tree: TreeNode, binned: Binned, row: number): number {
  let node = tree;
  while (node.split !== undefined && node.left !== undefined && node.right !== undefined)
    node = (binned.bins[node.split.feature]?.[row] ?? 0) <= node.split.bin ? node.left : node.right;
  return node.value;
}

function bin(rows: readonly (readonly number[])[]): Binned {
  const width = rows[0]?.length ?? 0;
  const edges = Array.from({ length: width }, (_, feature) => quantiles(rows, feature));
  const bins = edges.map((list, feature) =>
    Uint8Array.from(rows, (row) => {
      const value = row[feature] ?? 0;
      let [low, high] = [0, list.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (value <= (list[middle] ?? 0)) high = middle;
        else low = middle + 1;
      }
      return low;
    }),
  );
  return { edges, bins };
}

function quantiles(rows: readonly (readonly number[])[], feature: number): readonly number[] {
  const step = Math.max(1, Math.floor(rows.length / 20000));
  const values = Float64Array.from(
    { length: Math.floor(rows.length / step) },
    (_, i) => rows[i * step]?.[feature] ?? 0,
  ).sort();
  const distinct = [...new Set(values)];
  const picked =
    distinct.length <= BINS
      ? distinct.slice(0, -1).map((value, i) => (value + (distinct[i + 1] ?? value)) / 2)
      : Array.from({ length: BINS - 1 }, (_, i) => values[Math.floor(((i + 1) * values.length) / BINS)] ?? 0);
  return [...new Set(picked.map((value) => Number(value.toPrecision(4))))];
}

function pack(edges: readonly (readonly number[])[], trees: readonly TreeNode[], bias: number): PackedForest {
  const bytes: number[] = [];
  let largest = 1e-9;
  const leaves = (node: TreeNode, visit: (leaf: TreeNode) => void): void => {
    if (node.left === undefined || node.right === undefined) {
      visit(node);
      return;
    }
    leaves(node.left, visit);
    leaves(node.right, visit);
  };
  for (const tree of trees)
    leaves(tree, ({ value }) => {
      largest = Math.max(largest, Math.abs(value));
    });
  const scale = Number((largest / 32000).toPrecision(6));
  const write = (node: TreeNode): void => {
    if (node.split === undefined || node.left === undefined || node.right === undefined) {
      const value = Math.round(node.value / scale) & 0xffff;
      bytes.push(LEAF, value >> 8, value & 0xff);
      return;
    }
    bytes.push(node.split.feature, node.split.bin);
    write(node.left);
    write(node.right);
  };
  trees.forEach(write);
  return { bias: Number(bias.toPrecision(6)), scale, edges, trees: Buffer.from(bytes).toString('base64') };
}

function average(values: readonly number[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return values.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0) / total;
}

function logit(p: number): number {
  return Math.log(p / (1 - p));
}

/** A small generator with a seed (mulberry32): the same model from the same data. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
