/** Where a record stands in the tree of a format that has branches. */
export interface TreeNode {
  readonly id: string;
  /** The node it hangs from; null at a root. */
  readonly parent: string | null;
  /** A side chain: a sub-agent's messages, which are not the conversation. */
  readonly isSide: boolean;
  readonly isMessage: boolean;
  /** The provider's id of the reply, where one reply is written as several records. */
  readonly reply: string | null;
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

export interface PlacedNode {
  readonly record: number;
  readonly node: TreeNode;
}

/**
 * The records of the live conversation: from the last message up to its root. A root is the start of the file or a
 * compaction mark, so what stands above the last mark is not on the path.
 *
 * One reply may be several records and parallel results hang from different ones of them, so the records of a reply and
 * the results of its calls belong to the path together. A parent that is not in the file (a slice, deleted lines)
 * stands for the record before. A file of side-chain records only is a sub-agent's own transcript: all of it counts.
 * So does all of a file in which no record has a parent: nobody wrote a tree there.
 */
export function livePath(placed: readonly PlacedNode[]): ReadonlySet<number> {
  const main = placed.filter(({ node }) => !node.isSide);
  const nodes = main.length > 0 ? main : placed;
  if (nodes.every(({ node }) => node.parent === null)) return new Set(nodes.map(({ record }) => record));
  const chain = chainFromLastMessage(nodes);
  const replies = new Set(chain.flatMap(({ node }) => (node.reply === null ? [] : [node.reply])));
  const isOfReply = ({ node }: PlacedNode): boolean => node.reply !== null && replies.has(node.reply);
  const included = new Set([...chain, ...nodes.filter(isOfReply)]);
  const calls = new Set([...included].flatMap(({ node }) => node.calls));
  for (const item of nodes) if (item.node.results.some((id) => calls.has(id))) included.add(item);
  return new Set([...included].map(({ record }) => record));
}

function chainFromLastMessage(nodes: readonly PlacedNode[]): PlacedNode[] {
  const indexById = new Map(nodes.map(({ node }, i) => [node.id, i]));
  const chain: PlacedNode[] = [];
  const seen = new Set<number>();
  let at = nodes.findLastIndex(({ node }) => node.isMessage);
  for (let item = nodes[at]; item !== undefined && !seen.has(at); item = nodes[at]) {
    seen.add(at);
    chain.push(item);
    if (item.node.parent === null) break;
    at = indexById.get(item.node.parent) ?? at - 1;
  }
  return chain;
}
