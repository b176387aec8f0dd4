import type { Ledger, LedgerCapability } from './entry.js';
import type { Occurrence } from './record.js';

export interface LedgerFilter {
  /** Only chunks that this question retrieved or cited. */
  readonly question?: number | undefined;
  /** Only chunks that some question cited. */
  readonly isCited: boolean;
}

/** The ledger with the chunks that pass; its capabilities stay, so that it is still a ledger of the same transcript. */
export function filterLedger(ledger: Ledger, filter: LedgerFilter): Ledger {
  if (filter.question === undefined && !filter.isCited) return ledger;
  return { capabilities: ledger.capabilities.map((one) => filterCapability(one, filter)) };
}

function filterCapability(capability: LedgerCapability, filter: LedgerFilter): LedgerCapability {
  const { record, citations, proofs, unknown } = capability;
  const passing = [...record.occurrences].filter(([, occurrence]) => passes(occurrence, filter));
  const occurrences = new Map(passing);
  return {
    ...capability,
    record: { ...record, occurrences },
    citations: only(citations, occurrences),
    proofs: only(proofs, occurrences),
    unknown: { ...unknown, byChunk: only(unknown.byChunk, occurrences) },
  };
}

function passes({ retrievedInQuestions, citedInQuestions }: Occurrence, filter: LedgerFilter): boolean {
  if (filter.isCited && citedInQuestions.length === 0) return false;
  const { question } = filter;
  return (
    question === undefined || retrievedInQuestions.includes(question) || citedInQuestions.includes(question)
  );
}

function only<Value>(
  values: ReadonlyMap<string, Value>,
  kept: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Value> {
  return new Map([...values].filter(([id]) => kept.has(id)));
}
