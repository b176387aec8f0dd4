import type { Ledger, LedgerCapability } from '../ledger/entry.js';

/** What a turn's answer rests on. */
export interface Grounding {
  readonly source: 'teaching' | 'pack' | 'partial' | 'none';
  /** The first cited chunk of a `teaching` turn. */
  readonly chainId: string | null;
  readonly reason: string;
}

/** Where evidence of a turn came in without a chunk that the ledger knows. */
export type HasArrivals = (question: number) => boolean;

/** The grounds of the answers, by question. The ledger is read once: it may list as many chunks as there are questions. */
export function groundingsOf(
  ledger: Ledger,
  packs: ReadonlySet<string>,
): (question: number, hasArrivals: HasArrivals) => Grounding {
  const uses = usesOf(ledger);
  return (question, hasArrivals) => groundingOf(question, uses, packs, hasArrivals);
}

/**
 * The ground of the answer to a question: the first chunk that it cites decides. Capabilities named in `packs` are
 * knowledge that the host brought along, which has no chain.
 */
function groundingOf(
  question: number,
  { cited, retrieved }: Uses,
  packs: ReadonlySet<string>,
  hasArrivals: HasArrivals,
): Grounding {
  const first = firstCited(question, cited.get(question) ?? []);
  if (first !== undefined) {
    const reason = `cites ${first.chunkId} of ${first.capability}`;
    if (packs.has(first.capability)) return { source: 'pack', chainId: null, reason };
    return { source: 'teaching', chainId: first.chunkId, reason };
  }
  return retrieved.has(question) || hasArrivals(question)
    ? { source: 'partial', chainId: null, reason: 'retrieved, cited nothing' }
    : { source: 'none', chainId: null, reason: 'retrieved nothing' };
}

interface OwnedChunk {
  readonly owner: LedgerCapability;
  readonly chunkId: string;
}

/** What each question cites, in the ledger's order, and which questions retrieved anything. */
interface Uses {
  readonly cited: ReadonlyMap<number, readonly OwnedChunk[]>;
  readonly retrieved: ReadonlySet<number>;
}

function usesOf({ capabilities }: Ledger): Uses {
  const cited = new Map<number, OwnedChunk[]>();
  const retrieved = new Set<number>();
  for (const owner of capabilities) {
    for (const { chunkId, retrievedInQuestions, citedInQuestions } of owner.record.occurrences.values()) {
      for (const question of retrievedInQuestions) retrieved.add(question);
      if (chunkId === '') continue;
      for (const question of new Set(citedInQuestions)) {
        const chunks = cited.get(question);
        if (chunks === undefined) cited.set(question, [{ owner, chunkId }]);
        else chunks.push({ owner, chunkId });
      }
    }
  }
  return { cited, retrieved };
}

/** By the message that cites it; those of one message, and those without a proof, in the ledger's order. */
function firstCited(
  question: number,
  chunks: readonly OwnedChunk[],
): { readonly chunkId: string; readonly capability: string } | undefined {
  const cited = chunks.map(({ owner, chunkId }) => ({
    chunkId,
    capability: owner.capability,
    message: citingMessage(owner, chunkId, question),
  }));
  return cited.toSorted((a, b) => a.message - b.message)[0];
}

const UNPROVED = Number.MAX_SAFE_INTEGER;

function citingMessage({ proofs }: LedgerCapability, chunkId: string, question: number): number {
  return (proofs.get(chunkId) ?? [])
    .filter((proof) => proof.question === question && proof.kind !== 'carried')
    .reduce((first, { message }) => Math.min(first, message), UNPROVED);
}
