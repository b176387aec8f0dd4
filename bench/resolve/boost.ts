// Gradient-boosted trees for a yes/no label: histograms over binned features, trees grown leaf by leaf.
import type { PackedForest } from '../../src/query/planners/embedded/trees.js';
import { packForest, type Split, type TreeNode } from './pack.js';

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
  /** Share of the rows read for one tree, if all had the same slope; above 1 only the flattest are left out. */
  readonly rowShare: number;
  /** Share of the features that one tree may ask for. */
  readonly featureShare: number;
  /** Hessian added to that of each leaf: what few rows say is trusted less. */
  readonly lambda: number;
  readonly seed: number;
}

interface Binned {
  readonly width: number;
  readonly edges: readonly (readonly number[])[];
  /** Row after row, the bin of each feature. */
  readonly bins: Uint8Array;
}

interface GainfulSplit extends Split {
  readonly gain: number;
}

interface Leaf {
  readonly rows: Int32Array;
  readonly histogram: Float64Array;
  readonly gradient: number;
  readonly hessian: number;
  split: GainfulSplit;
  node: TreeNode;
}

const BINS = 32;

export function trainForest(table: Table, settings: Settings): PackedForest {
  const binned = bin(table.rows);
  const random = randomFrom(settings.seed);
  const count = table.rows.length;
  const bias = logit(average(table.labels, table.weights));
  const margins = new Float64Array(count).fill(bias);
  const slopes = { gradients: new Float64Array(count), hessians: new Float64Array(count) };
  const trees: TreeNode[] = [];
  for (let i = 0; i < settings.trees; i += 1) {
    readSlopes(table, margins, slopes);
    const sample = drawRows(slopes, settings.rowShare, random);
    const features = binned.edges.map((_, feature) => feature).filter(() => random() < settings.featureShare);
    const tree = growTree({ binned, ...slopes, features, settings }, sample);
    for (let row = 0; row < count; row += 1) margins[row] = (margins[row] ?? 0) + valueAt(tree, binned, row);
    trees.push(tree);
  }
  return packForest(binned.edges, trees, bias);
}

interface Slopes {
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
}

interface Growing extends Slopes {
  readonly binned: Binned;
  readonly features: readonly number[];
  readonly settings: Settings;
}

function readSlopes(table: Table, margins: Float64Array, { gradients, hessians }: Slopes): void {
  for (let row = 0; row < margins.length; row += 1) {
    const p = 1 / (1 + Math.exp(-(margins[row] ?? 0)));
    const weight = table.weights[row] ?? 0;
    gradients[row] = weight * (p - (table.labels[row] ?? 0));
    hessians[row] = weight * p * (1 - p);
  }
}

/** Rows with a steep slope teach the most: the others are drawn in proportion, and count for those left out. */
function drawRows({ gradients, hessians }: Slopes, share: number, random: () => number): Int32Array {
  let total = 0;
  for (const gradient of gradients) total += Math.abs(gradient);
  const certain = total / gradients.length / share;
  const drawn = new Int32Array(gradients.length);
  let size = 0;
  for (let row = 0; row < gradients.length; row += 1) {
    const chance = Math.min(1, Math.abs(gradients[row] ?? 0) / certain);
    if (random() >= chance) continue;
    gradients[row] = (gradients[row] ?? 0) / chance;
    hessians[row] = (hessians[row] ?? 0) / chance;
    drawn[size] = row;
    size += 1;
  }
  return drawn.slice(0, size);
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
    leaf.node.value = (-growing.settings.rate * leaf.gradient) / (leaf.hessian + growing.settings.lambda);
  return root;
}

function splitLeaf(growing: Growing, leaf: Leaf): readonly Leaf[] {
  const { feature, bin: at } = leaf.split;
  const [left, right] = partition(growing.binned, leaf.rows, feature, at);
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

function partition(
  { bins, width }: Binned,
  rows: Int32Array,
  feature: number,
  at: number,
): readonly [Int32Array, Int32Array] {
  const [left, right] = [new Int32Array(rows.length), new Int32Array(rows.length)];
  let [lefts, rights] = [0, 0];
  for (let k = 0; k < rows.length; k += 1) {
    const row = rows[k] ?? 0;
    if ((bins[row * width + feature] ?? 0) <= at) left[lefts++] = row;
    else right[rights++] = row;
  }
  return [left.slice(0, lefts), right.slice(0, rights)];
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
  const { bins, width } = binned;
  const columns = Int32Array.from(features);
  const sums = new Float64Array(columns.length * BINS * 2);
  for (let k = 0; k < rows.length; k += 1) {
    const row = rows[k] ?? 0;
    const [gradient, hessian] = [gradients[row] ?? 0, hessians[row] ?? 0];
    for (let i = 0; i < columns.length; i += 1) {
      const at = 2 * (i * BINS + (bins[row * width + (columns[i] ?? 0)] ?? 0));
      sums[at] = (sums[at] ?? 0) + gradient;
      sums[at + 1] = (sums[at + 1] ?? 0) + hessian;
    }
  }
  return sums;
}

function bestSplit(
  { features, settings }: Growing,
  sums: Float64Array,
  gradient: number,
  hessian: number,
): GainfulSplit {
  let best: GainfulSplit = { gain: 0, feature: 0, bin: 0 };
  const whole = gradient ** 2 / (hessian + settings.lambda);
  features.forEach((feature, i) => {
    let [g, h] = [0, 0];
    for (let at = 0; at < BINS - 1; at += 1) {
      g += sums[2 * (i * BINS + at)] ?? 0;
      h += sums[2 * (i * BINS + at) + 1] ?? 0;
      if (h < settings.minWeight || hessian - h < settings.minWeight) continue;
      const rest = hessian - h;
      const gain = g ** 2 / (h + settings.lambda) + (gradient - g) ** 2 / (rest + settings.lambda) - whole;
      if (gain > best.gain) best = { gain, feature, bin: at };
    }
  });
  return best;
}

function valueAt(tree: TreeNode, { bins, width }: Binned, row: number): number {
  let node = tree;
  while (node.split !== undefined && node.left !== undefined && node.right !== undefined)
    node = (bins[row * width + node.split.feature] ?? 0) <= node.split.bin ? node.left : node.right;
  return node.value;
}

function bin(rows: readonly (readonly number[])[]): Binned {
  const width = rows[0]?.length ?? 0;
  const edges = Array.from({ length: width }, (_, feature) => quantiles(rows, feature));
  const bins = new Uint8Array(rows.length * width);
  rows.forEach((row, i) => {
    edges.forEach((list, feature) => {
      bins[i * width + feature] = binOf(row[feature] ?? 0, list);
    });
  });
  return { width, edges, bins };
}

function binOf(value: number, edges: readonly number[]): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (edges[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
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
