import type { CompactedConversation } from '../compaction/compact-transcript.js';
import { digestOf, type Finding } from './finding.js';
import type { FilePairs, PairVerdict } from './pair-verdict.js';
import type { PairReport } from './pairs.js';
import type { DroppedReturn } from './record-case.js';
import type { Verification } from './verify.js';

/** The names by which messages call the files; no original when only a file's pairs were checked. */
export interface FileNames {
  readonly original: string | null;
  readonly file: string;
}

/** A verification as one JSON object, described by docs/schemas/verify.schema.json. */
export function verifyReport(names: FileNames, verification: Verification) {
  const { format, records, conversations, dropped, pairs } = verification;
  return {
    ...heading(names, format, verification),
    records,
    conversations: conversations.map(conversationReport),
    pairs: pairCounts(pairs),
    dropped: dropped.map(droppedReport),
    kept_chunks: conversations.flatMap(keptChunks),
    given_up: conversations.flatMap(givenUpChunks),
  };
}

/** The pairs alone, as an object of the same shape. */
export function pairReport(names: FileNames, { format, pairs }: FilePairs, verdict: PairVerdict) {
  return {
    ...heading(names, format, verdict),
    records: null,
    conversations: [],
    pairs: pairCounts(pairs),
    dropped: [],
    kept_chunks: [],
    given_up: [],
  };
}

function heading({ original, file }: FileNames, format: string | null, { findings, notes }: PairVerdict) {
  return {
    schema: 'thread/verify',
    version: 1,
    original,
    file,
    format,
    verdict: findings.length === 0 ? ('proved' as const) : ('refuted' as const),
    findings: findings.map(findingReport),
    notes: notes.map(findingReport),
  };
}

function findingReport(finding: Finding) {
  const { kind, conversation, position, part, line, message, expected, actual } = finding;
  return { kind, conversation, position, part, line, message, expected, actual };
}

/** Sums over all conversations. */
export function pairCounts(reports: readonly PairReport[]) {
  const sum = (count: (report: PairReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    calls: sum(({ calls }) => calls),
    results: sum(({ results }) => results),
    pairs: sum(({ pairs }) => pairs),
  };
}

function conversationReport({ index, id, isDerived, compaction }: CompactedConversation) {
  return {
    conversation: index,
    id,
    ledger: isDerived ? 'derived' : 'given',
    keep_from: compaction.keepFrom,
  };
}

function droppedReport({ conversation, plan, line, sha256, bytes }: DroppedReturn) {
  const { message, result, outcome } = plan;
  return {
    conversation,
    position: message.position,
    part: result.part,
    line,
    tool: result.tool,
    call_id: result.callId,
    outcome,
    sha256,
    bytes,
  };
}

/** The chunks of a conversation's capsule, in its order; none when no return carries it. */
export function keptChunks({ index, compaction, ledger }: CompactedConversation) {
  const carrier = compaction.returns.find(({ outcome }) => outcome === 'capsule');
  if (carrier === undefined) return [];
  const citations = new Map(ledger.capabilities.map((one) => [one.capability, one.citations]));
  return compaction.capsule.groups.flatMap(({ entries, question }, i) =>
    entries.map(({ capability, chunkId }) => ({
      conversation: index,
      capability,
      chunk_id: chunkId,
      group: i + 1,
      question,
      position: carrier.message.position,
      part: carrier.result.part,
      sha256: digestOf(citations.get(capability)?.get(chunkId)?.content ?? ''),
    })),
  );
}

function givenUpChunks({ index, compaction }: CompactedConversation) {
  return compaction.givenUp.flatMap(({ question, entries }) =>
    entries.map(({ capability, chunkId }) => ({
      conversation: index,
      capability,
      chunk_id: chunkId,
      question,
    })),
  );
}
