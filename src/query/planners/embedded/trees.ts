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

/** In one pass without calls: at the start of a command nothing is compiled yet, and every call shows. */
export function loadForest({ bias, scale, edges, trees }: PackedForest): Forest {
  const bytes = Buffer.from(trees, 'base64');
  const most = bytes.length >> 1;
  const [feature, value, right] = [new Int16Array(most), new Float64Array(most), new Int32Array(most)];
  const roots = [0];
  const open: number[] = []; // the nodes whose right branch is still to come
  let node = 0;
  for (let at = 0; at < bytes.length; node += 1) {
    const first = bytes[at] ?? LEAF;
    const second = bytes[at + 1] ?? 0;
    if (first === LEAF) {
      feature[node] = -1;
      value[node] = (((second << 24) >> 16) | (bytes[at + 2] ?? 0)) * scale;
      at += 3;
      const parent = open.pop();
      if (parent !== undefined) right[parent] = node + 1;
      else if (at < bytes.length) roots.push(node + 1);
    } else {
      feature[node] = first;
      value[node] = edges[first]?.[second] ?? Number.POSITIVE_INFINITY;
      open.push(node);
      at += 2;
    }
  }
  return { bias, roots: Int32Array.from(roots), feature, value, right };
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
