import type { Ledger, LedgerCapability } from '../ledger/entry.js';
import type { Occurrence } from '../ledger/record.js';

/** What a turn's answer rests on. */
export interface Grounding {
  readonly source: 'teaching' | 'pack' | 'partial' | 'none';
  /** The first cited chunk of a `teaching` turn. */
  readonly chainId: string | null;
  readonly reason: string;
}

/** Where evidence of a turn came in without a chunk that the ledger knows. */
export type HasArrivals = (question: number) => boolean;

/**
 * The ground of the answer to a question: the first chunk that it cites decides. Capabilities named in `packs` are
 * knowledge that the host brought along, which has no chain.
 */
export function groundingOf(
  question: number,
  ledger: Ledger,
  packs: ReadonlySet<string>,
  hasArrivals: HasArrivals,
): Grounding {
  const first = firstCited(question, ledger);
  if (first !== undefined) {
    const reason = `cites ${first.chunkId} of ${first.capability}`;
    if (packs.has(first.capability)) return { source: 'pack', chainId: null, reason };
    return { source: 'teaching', chainId: first.chunkId, reason };
  }
  const isRetrieved = chunksOf(ledger).some(({ chunk }) => chunk.retrievedInQuestions.includes(question));
  return isRetrieved || hasArrivals(question)
    ? { source: 'partial', chainId: null, reason: 'retrieved, cited nothing' }
    : { source: 'none', chainId: null, reason: 'retrieved nothing' };
}

interface OwnedChunk {
  readonly owner: LedgerCapability;
  readonly chunk: Occurrence;
}

function chunksOf({ capabilities }: Ledger): OwnedChunk[] {
  return capabilities.flatMap((owner) =>
    [...owner.record.occurrences.values()].map((chunk) => ({ owner, chunk })),
  );
}

/** By the message that cites it; those of one message, and those without a proof, in the ledger's order. */
function firstCited(
  question: number,
  ledger: Ledger,
): { readonly chunkId: string; readonly capability: string } | undefined {
  const cited = chunksOf(ledger)
    .filter(({ chunk }) => chunk.chunkId !== '' && chunk.citedInQuestions.includes(question))
    .map(({ owner, chunk }) => ({
      chunkId: chunk.chunkId,
      capability: owner.capability,
      message: citingMessage(owner, chunk.chunkId, question),
    }));
  return cited.toSorted((a, b) => a.message - b.message)[0];
}

const UNPROVED = Number.MAX_SAFE_INTEGER;

function citingMessage({ proofs }: LedgerCapability, chunkId: string, question: number): number {
  return (proofs.get(chunkId) ?? [])
    .filter((proof) => proof.question === question && proof.kind !== 'carried')
    .reduce((first, { message }) => Math.min(first, message), UNPROVED);
}
