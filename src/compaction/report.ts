import type { ByteSource } from '../transcript/lines.js';
import type { EvidenceReturn } from './compact.js';
import type { CompactedConversation, CompactedTranscript } from './compact-transcript.js';
import type { ReturnPlan } from './history.js';
import type { Tally } from './tally.js';

/**
 * The report of a compaction: one JSON object, described by docs/schemas/compact-report.schema.json. Call it when the
 * output has been written: the tally has counted it then.
 */
export function compactReport(source: ByteSource, compacted: CompactedTranscript, tally: Tally) {
  const { before, after } = tally.bytes();
  const digests = tally.digests();
  return {
    schema: 'thread/compact-report',
    version: 1,
    file: source.name,
    format: compacted.transcript?.format.name ?? null,
    bytes: { before, after },
    sha256: { before: digests?.input ?? null, after: digests?.output ?? null },
    first_changed_byte: tally.firstChangedByte(),
    conversations: compacted.conversations.map((one) => conversationReport(one, tally)),
  };
}

function conversationReport(conversation: CompactedConversation, tally: Tally) {
  const { index, id, outline, compaction, isDerived } = conversation;
  return {
    conversation: index,
    id,
    ledger: isDerived ? 'derived' : 'given',
    messages: outline.length,
    boundary: compaction.boundary,
    keep_from: compaction.keepFrom,
    pairs: pairCounts(conversation),
    returns: [
      ...compaction.returns.map((one) => returnReport(one, conversation, tally)),
      ...compaction.kept.map(keptReport),
    ].sort((a, b) => a.position - b.position || a.part - b.part),
    given_up: compaction.givenUp.map(({ question, entries }) => ({
      question,
      chunks: entries.map(({ chunkId }) => chunkId),
    })),
    missing_pictures: compaction.missingPictures.map(({ capability, chunkId, selfRef }) => ({
      capability,
      chunk_id: chunkId,
      self_ref: selfRef,
    })),
    warnings: compaction.warnings,
  };
}

function returnReport(
  { message, result, outcome }: ReturnPlan,
  { compaction, ledger }: CompactedConversation,
  tally: Tally,
) {
  const change = tally.changeOf(message, result);
  const cited = new Map(
    ledger.capabilities.map(({ capability, record }) => [capability, record.occurrences]),
  );
  const kept = outcome === 'capsule' ? compaction.capsule.groups.flatMap(({ entries }) => entries) : [];
  return {
    position: message.position,
    part: result.part,
    line: message.record.line,
    tool: result.tool,
    call_id: result.callId,
    outcome,
    bytes_before: change?.bytesBefore ?? null,
    bytes_after: change?.bytesAfter ?? null,
    sha256: change?.sha256 ?? null,
    chunks: kept.map(({ capability, chunkId }) => ({
      capability,
      chunk_id: chunkId,
      cited_in_questions: cited.get(capability)?.get(chunkId)?.citedInQuestions ?? [],
    })),
  };
}

/** A return that stays as it is: of the current question, off the path, or not ours to change. */
function keptReport({ message, result }: EvidenceReturn) {
  return {
    position: message.position,
    part: result.part,
    line: message.record.line,
    tool: result.tool,
    call_id: result.callId,
    outcome: 'kept' as const,
    bytes_before: null,
    bytes_after: null,
    sha256: null,
    chunks: [],
  };
}

/**
 * Calls and results in their order: a result answers the nearest open call above it with its id, or without one where it
 * has none. A compaction removes neither, so the counts hold for both sides of it.
 */
function pairCounts({ outline }: CompactedConversation) {
  const open = new Map<string | null, number>();
  const counts = { calls: 0, results: 0, calls_without_result: 0, results_without_call: 0 };
  for (const { calls, results } of outline) {
    for (const id of calls) {
      open.set(id, (open.get(id) ?? 0) + 1);
      counts.calls += 1;
    }
    for (const { callId } of results) {
      const waiting = open.get(callId) ?? 0;
      if (waiting > 0) open.set(callId, waiting - 1);
      else counts.results_without_call += 1;
      counts.results += 1;
    }
  }
  for (const waiting of open.values()) counts.calls_without_result += waiting;
  return counts;
}
