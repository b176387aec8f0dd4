/** Where a record stands in the tree of a format that has branches. */
export interface TreeNode {
  /** Null for a record without one, from which nothing hangs. */
  readonly id: string | null;
  /** The node it hangs from; null at a root. */
  readonly parent: string | null;
  /** A side chain: a sub-agent's messages, which are not the conversation. */
  readonly isSide: boolean;
  /** Whether the conversation can end in it: a message, or whatever else its tool goes on from. */
  readonly isMessage: boolean;
  /** The provider's id of the reply, where one reply is written as several records. */
  readonly reply: string | null;
  readonly calls: readonly string[];
  readonly results: readonly string[];
  /**
   * On a compaction that is no root: of what stands above it, only the records from this one on are live. It is given by
   * its id or, where records have none, by its place among the nodes; null when nothing above is live.
   */
  readonly keptFrom?: string | number | null;
  /** Stays live above a compaction whatever else does not, as what the operator said may. */
  readonly outlivesCompaction?: true;
}

/** An entry of a format whose entries are deleted or condensed by their ids, wherever in the conversation they stand. */
export interface ConversationEvent {
  /** Null for an entry without one, which stays. */
  readonly id: string | null;
  /** The ids of the entries before it that are not live any more. */
  readonly forgets: readonly string[] | 'everything';
}

/** Indices of the events that a later one takes out of the conversation. An id may be given again after that. */
export function forgottenEvents(events: readonly (ConversationEvent | null)[]): ReadonlySet<number> {
  const forgotten = new Set<number>();
  const live = new Map<string | null, number[]>();
  const forget = (id: string | null): void => {
    for (const index of live.get(id) ?? []) forgotten.add(index);
    live.delete(id);
  };
  events.forEach((event, index) => {
    for (const id of event?.forgets === 'everything' ? [...live.keys()] : (event?.forgets ?? [])) forget(id);
    const id = event?.id ?? null;
    const known = live.get(id);
    if (known === undefined) live.set(id, [index]);
    else known.push(index);
  });
  return forgotten;
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
 * the results of its calls belong to the path together (see `resultsBeside`). A parent that is not in the file (a slice,
 * deleted lines) stands for the record before. A file of side-chain records only is a sub-agent's own transcript: all of
 * it counts. So does all of a file in which no record has a parent: nobody wrote a tree there.
 *
 * The last compaction on the path that says from where on it keeps its past hides the rest of it, earlier compactions
 * included.
 */
export function livePath(placed: readonly PlacedNode[]): ReadonlySet<number> {
  const main = placed.filter(({ node }) => !node.isSide);
  const nodes = main.length > 0 ? main : placed;
  const isTree = nodes.some(({ node }) => node.parent !== null);
  const chain = withoutCompacted(isTree ? chainFromLastMessage(nodes) : nodes.toReversed(), nodes);
  const replies = new Set(chain.flatMap(({ node }) => (node.reply === null ? [] : [node.reply])));
  const isOfReply = ({ node }: PlacedNode): boolean => node.reply !== null && replies.has(node.reply);
  const included = new Set([...chain, ...nodes.filter(isOfReply)]);
  for (const item of resultsBeside(included, nodes)) included.add(item);
  return new Set([...included].map(({ record }) => record));
}

function chainFromLastMessage(nodes: readonly PlacedNode[]): PlacedNode[] {
  const last = nodes.findLastIndex(({ node }) => node.isMessage);
  return [...upwards(last, nodes, indicesById(nodes))];
}

function indicesById(nodes: readonly PlacedNode[]): ReadonlyMap<string | null, number> {
  return new Map(nodes.map(({ node }, i) => [node.id, i]));
}

/** A record, the one it hangs from, and so on to a root. */
function* upwards(
  start: number,
  nodes: readonly PlacedNode[],
  indexById: ReadonlyMap<string | null, number>,
): Generator<PlacedNode> {
  const seen = new Set<number>();
  let at = start;
  for (let item = nodes[at]; item !== undefined && !seen.has(at); item = nodes[at]) {
    seen.add(at);
    yield item;
    if (item.node.parent === null) return;
    at = indexById.get(item.node.parent) ?? at - 1;
  }
}

/**
 * The results of calls on the path that are not on the path themselves: of each call without a result there the first
 * one below it that is no other branch's. Ids may repeat, on the path as well as on branches that were given up.
 */
function resultsBeside(path: ReadonlySet<PlacedNode>, nodes: readonly PlacedNode[]): PlacedNode[] {
  const indexById = indicesById(nodes);
  const calls: { isAnswered: boolean; beside: PlacedNode | undefined }[] = [];
  const lastById = new Map<string, (typeof calls)[number]>();
  // Results may hang from each other by the thousand: what a walk has found out holds for all that it passed.
  const verdicts = new Map<PlacedNode, boolean>();
  const isOfPath = (index: number): boolean => {
    const passed: PlacedNode[] = [];
    let verdict = true;
    for (const item of upwards(index, nodes, indexById)) {
      const known = verdicts.get(item) ?? verdictOf(item, path);
      if (known === undefined) {
        passed.push(item);
        continue;
      }
      verdict = known;
      break;
    }
    for (const item of passed) verdicts.set(item, verdict);
    return verdict;
  };
  nodes.forEach((item, index) => {
    for (const id of path.has(item) ? item.node.calls : []) {
      const call = { isAnswered: false, beside: undefined };
      calls.push(call);
      lastById.set(id, call);
    }
    for (const id of item.node.results) {
      const call = lastById.get(id);
      if (call === undefined) continue;
      if (path.has(item)) call.isAnswered = true;
      else if (call.beside === undefined && isOfPath(index)) call.beside = item;
    }
  });
  return calls.flatMap(({ isAnswered, beside }) => (isAnswered || beside === undefined ? [] : [beside]));
}

/** Whether what hangs from a record is the path's; undefined where the record above it says so. */
function verdictOf(item: PlacedNode, path: ReadonlySet<PlacedNode>): boolean | undefined {
  if (path.has(item)) return true;
  // Results hang from each other too, and from records that are no messages.
  return item.node.isMessage && item.node.results.length === 0 ? false : undefined;
}

/** A chain, newest record first, without what its last compaction does not keep. */
function withoutCompacted(chain: readonly PlacedNode[], nodes: readonly PlacedNode[]): readonly PlacedNode[] {
  const mark = chain.findIndex(({ node }) => node.keptFrom !== undefined);
  const keptFrom = chain[mark]?.node.keptFrom;
  if (keptFrom === undefined) return chain;
  const isFirst = (item: PlacedNode): boolean =>
    typeof keptFrom === 'number' ? item === nodes[keptFrom] : keptFrom !== null && item.node.id === keptFrom;
  const above = chain.slice(mark + 1);
  const last = above.findIndex(isFirst);
  const kept = above.filter(
    ({ node }, i) => (i <= last || node.outlivesCompaction) && node.keptFrom === undefined,
  );
  return [...chain.slice(0, mark + 1), ...kept];
}
