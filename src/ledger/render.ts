import type { CanonicalCitation, Ledger, LedgerCapability } from './entry.js';
import type { Declaration } from './record.js';

/**
 * The ledger as JSON Lines: of each capability its own line, then its chunks in the order of their occurrences; '' for
 * no capabilities. A citation without an occurrence becomes a line of no question, after the others.
 */
export function renderLedger(ledger: Ledger): string {
  return ledgerLines(ledger)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** The lines of a ledger as values, in the order and with the keys in which they are written. */
export function ledgerLines({ capabilities }: Ledger): object[] {
  return capabilities.flatMap((owner) => [
    renderCapability(owner),
    ...chunkIds(owner).map((chunkId) => renderEvidence(owner, chunkId)),
  ]);
}

function chunkIds({ record, citations }: LedgerCapability): string[] {
  return [...new Set([...record.occurrences.keys(), ...citations.keys()])];
}

function renderCapability({ capability, toolNames, record, unknown }: LedgerCapability) {
  return {
    type: 'capability',
    capability,
    tool_names: toolNames,
    question: record.question,
    in_progress: record.inProgress,
    latest_evidence_epoch: record.latestEvidenceEpoch,
    declaration: record.declaration === null ? null : renderDeclaration(record.declaration),
    ...unknown.own,
  };
}

function renderDeclaration({ question, epoch, refs }: Declaration) {
  return {
    question,
    epoch,
    refs: refs.map((ref) => ({ capability: ref.capability, chunk_id: ref.chunkId })),
  };
}

function renderEvidence(owner: LedgerCapability, chunkId: string) {
  const { capability, record, citations, proofs, unknown } = owner;
  const occurrence = record.occurrences.get(chunkId);
  const citation = citations.get(chunkId);
  return {
    type: 'evidence',
    capability,
    chunk_id: chunkId,
    ...(citation === undefined ? {} : renderCitation(citation)),
    retrieved_in_questions: occurrence?.retrievedInQuestions ?? [],
    cited_in_questions: occurrence?.citedInQuestions ?? [],
    citations: (proofs.get(chunkId) ?? []).map(({ question, kind, message, quote, span }) => ({
      question,
      kind,
      message,
      quote,
      ...(span === undefined ? {} : { span }),
    })),
    ...unknown.byChunk.get(chunkId),
  };
}

function renderCitation({ documentId, documentUri, documentTitle, content, pictureRefs }: CanonicalCitation) {
  return {
    document_id: documentId,
    document_uri: documentUri,
    document_title: documentTitle,
    content,
    picture_refs: pictureRefs,
  };
}
