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
  const most = bytes.length >> 1;
  const [feature, value, right] = [new Int16Array(most), new Float64Array(most), new Int32Array(most)];
  const roots: number[] = [];
  let [at, nodes] = [0, 0];
  const readNode = () => {
    const node = nodes;
    const first = bytes[at] ?? LEAF;
    nodes += 1;
    if (first === LEAF) {
      feature[node] = -1;
      value[node] = bytes.readInt16BE(at + 1) * packed.scale;
      at += 3;
      return;
    }
    feature[node] = first;
    value[node] = edge(packed, first, bytes[at + 1]);
    at += 2;
    readNode();
    right[node] = nodes;
    readNode();
  };
  while (at < bytes.length) {
    roots.push(nodes);
    readNode();
  }
  return { bias: packed.bias, roots: Int32Array.from(roots), feature, value, right };
}

function edge(packed: PackedForest, feature: number, bin: number | undefined): number {
  return packed.edges[feature]?.[bin ?? 0] ?? Number.POSITIVE_INFINITY;
}

// A word with such odds after a quarter of the trees is never chosen: the rest of them would only cost time.
const HOPELESS = -5;

/** The forest's probability for one row of feature values. */
export function predict(forest: Forest, row: ArrayLike<number>): number {
  const { roots, bias } = forest;
  const quarter = roots.length >> 2;
  let sum = bias;
  for (let i = 0; i < roots.length; i += 1) {
    if (i === quarter && sum < HOPELESS) break;
    sum += treeValue(forest, roots[i] ?? 0, row);
  }
  return 1 / (1 + Math.exp(-sum));
}

function treeValue({ feature, value, right }: Forest, root: number, row: ArrayLike<number>): number {
  let node = root;
  let at = feature[node] ?? -1;
  while (at >= 0) {
    node = (row[at] ?? 0) <= (value[node] ?? 0) ? node + 1 : (right[node] ?? 0);
    at = feature[node] ?? -1;
  }
  return value[node] ?? 0;
}
