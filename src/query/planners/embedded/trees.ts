// Boosted decision trees as the model file stores them: one byte string a forest, trees in preorder.
// A node is [feature, bin] and goes left when the value is at most edges[feature][bin]; a leaf is [255, high, low].

export interface PackedForest {
  readonly bias: number;
  readonly scale: number;
  readonly edges: readonly (readonly number[])[];
  readonly trees: string;
}

export interface Forest {
  readonly bias: number;
  readonly roots: Int32Array;
  readonly feature: Int16Array;
  readonly value: Float64Array;
  readonly right: Int32Array;
}

export const LEAF = 255;

export function loadForest(packed: PackedForest): Forest {
  const bytes = Buffer.from(packed.trees, 'base64');
  const [feature, value, right, roots]: [number[], number[], number[], number[]] = [[], [], [], []];
  let at = 0;
  const readNode = () => {
    const node = feature.length;
    const first = bytes[at] ?? LEAF;
    feature.push(first === LEAF ? -1 : first);
    value.push(
      first === LEAF ? bytes.readInt16BE(at + 1) * packed.scale : edge(packed, first, bytes[at + 1]),
    );
    right.push(0);
    at += first === LEAF ? 3 : 2;
    if (first === LEAF) return;
    readNode();
    right[node] = feature.length;
    readNode();
  };
  while (at < bytes.length) {
    roots.push(feature.length);
    readNode();
  }
  return {
    bias: packed.bias,
    roots: Int32Array.from(roots),
    feature: Int16Array.from(feature),
    value: Float64Array.from(value),
    right: Int32Array.from(right),
  };
}

function edge(packed: PackedForest, feature: number, bin: number | undefined): number {
  return packed.edges[feature]?.[bin ?? 0] ?? Number.POSITIVE_INFINITY;
}

/** The forest's probability for one row of feature values. */
export function predict(forest: Forest, row: ArrayLike<number>): number {
  const { feature, value, right } = forest;
  let sum = forest.bias;
  for (const root of forest.roots) {
    let node = root;
    let at = feature[node] ?? -1;
    while (at >= 0) {
      node = (row[at] ?? 0) <= (value[node] ?? 0) ? node + 1 : (right[node] ?? 0);
      at = feature[node] ?? -1;
    }
    sum += value[node] ?? 0;
  }
  return 1 / (1 + Math.exp(-sum));
}
