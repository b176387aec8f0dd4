import { kindCounts, sumOf } from './render.js';
import type { Section } from './sections.js';
import type { MessageSummary, Side, SideConversation } from './side.js';
import type { ConversationDiff, MessageChange, TranscriptDiff } from './transcript-diff.js';

/** A difference as one JSON object, described by docs/schemas/diff.schema.json. */
export function diffReport(diff: TranscriptDiff) {
  const { before, after, isSame, isAcrossFormats, differsBetween, conversations } = diff;
  return {
    schema: 'thread/diff',
    version: 1,
    verdict: isSame ? ('same' as const) : ('different' as const),
    across_formats: isAcrossFormats,
    before: sideReport(before),
    after: sideReport(after),
    counts: countsReport(conversations),
    differs_between: differsBetween,
    conversations: conversations.map((one) => conversationReport(one, diff)),
  };
}

function sideReport({ source, transcript, conversations }: Side) {
  const { messages, tokens, ...evidence } = sumOf(conversations);
  const { returns, capsules, chunks, receipts } = evidence;
  return {
    file: source.name,
    format: transcript?.format.name ?? null,
    conversations: conversations.length,
    messages,
    evidence: { returns, capsules, chunks, receipts },
    bytes: source.size,
    tokens,
  };
}

function countsReport(conversations: readonly ConversationDiff[]) {
  return Object.fromEntries(kindCounts(conversations));
}

function conversationReport(conversation: ConversationDiff, diff: TranscriptDiff) {
  const { before, after, changes, bookkeeping } = conversation;
  return {
    before: conversationName(before),
    after: conversationName(after),
    counts: countsReport([conversation]),
    bookkeeping: { removed: bookkeeping.removed, added: bookkeeping.added },
    messages: changes
      .filter(({ kind }) => kind !== 'same')
      .map((change) => changeReport(change, conversation, diff)),
  };
}

function conversationName(conversation: SideConversation | null) {
  return conversation === null ? null : { conversation: conversation.index, id: conversation.id };
}

function changeReport(
  change: MessageChange,
  { before }: ConversationDiff,
  { bodies, citing }: TranscriptDiff,
) {
  const { role, tool } = change.after ?? change.before;
  const sections = change.kind === 'reformatted' ? [] : bodies.sections(change.before, change.after);
  return {
    kind: change.kind,
    content_changed: change.before?.content !== change.after?.content,
    role,
    tool,
    before: messagePlace(change.before),
    after: messagePlace(change.after),
    parts: sections.map(partReport),
    chunks: sections.flatMap(({ entries }) =>
      entries.map(({ ownId, group }) => ({
        chunk_id: ownId,
        group,
        cited_in_questions: citing(before?.index ?? 0, ownId),
      })),
    ),
  };
}

function messagePlace(message: MessageSummary | null) {
  if (message === null) return null;
  const { position, record, bytes, tokens } = message;
  return { position, line: record.line, bytes, tokens };
}

/** Lengths are in UTF-16 units; null on the side that has no such part. */
function partReport({ title, became, before, after }: Section) {
  return { title, became, length_before: before?.length ?? null, length_after: after?.length ?? null };
}
