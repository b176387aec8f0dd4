import { counted, grouped } from '../transcript/counts.js';
import { changeRows } from './render-change.js';
import { plainRows, type Screen } from './screen.js';
import type { EvidenceCounts, MessageSummary, SideConversation } from './side.js';
import { statRows } from './stat.js';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type ConversationDiff,
  type TranscriptDiff,
} from './transcript-diff.js';

export interface RenderOptions {
  readonly screen: Screen;
  /** Unchanged lines around changed ones. */
  readonly context: number;
  /** Nothing is folded. */
  readonly isFull: boolean;
  /** A bar for each message in place of its text. */
  readonly isStat: boolean;
}

/** A difference for people, line by line, each with its line end; a text is read when its lines are asked for. */
export function* renderDiff(diff: TranscriptDiff, options: RenderOptions): Generator<string> {
  for (const line of diffRows(diff, options)) yield `${line}\n`;
}

function* diffRows(diff: TranscriptDiff, options: RenderOptions): Generator<string> {
  const { screen } = options;
  for (const line of headerLines(diff)) yield* plainRows(line, 'heading', screen);
  const isOne = diff.conversations.length === 1;
  for (const conversation of diff.conversations) {
    if (conversation.changes.every(({ kind }) => kind === 'same')) continue;
    if (!isOne) {
      yield '';
      yield* plainRows(conversationHeading(conversation), 'heading', screen);
    }
    if (options.isStat) yield* statRows(conversation, screen);
    else
      for (const change of conversation.changes)
        yield* changeRows(change, { diff, conversation, ...options });
  }
}

function headerLines(diff: TranscriptDiff): string[] {
  const { before, after } = diff;
  const sides = [before, after].map(({ conversations }) => sumOf(conversations));
  const [left = NOTHING, right = NOTHING] = sides;
  return [
    `--- ${before.source.name} (${before.transcript?.format.name ?? 'empty'})`,
    `+++ ${after.source.name} (${after.transcript?.format.name ?? 'empty'})`,
    ...(diff.conversations.length > 1
      ? [`conversations  ${before.conversations.length} → ${after.conversations.length}`]
      : []),
    `messages  ${grouped(left.messages)} → ${grouped(right.messages)}`,
    `evidence  ${evidenceText(left)} → ${evidenceText(right)}`,
    `bytes     ${fromTo(before.source.size, after.source.size)}`,
    `tokens    ${fromTo(left.tokens, right.tokens)}, estimated`,
    ...(diff.isAcrossFormats ? ['across formats: compared by what a model reads, not by bytes'] : []),
    verdict(diff),
    ...remarks(diff),
  ];
}

export interface Sum extends EvidenceCounts {
  readonly messages: number;
  readonly tokens: number;
}

const NOTHING: Sum = { messages: 0, tokens: 0, returns: 0, capsules: 0, chunks: 0, receipts: 0 };

/** What the messages of a side are together. */
export function sumOf(conversations: readonly SideConversation[]): Sum {
  return conversations.flatMap(({ messages }) => messages).reduce(added, NOTHING);
}

function added(sum: Sum, { tokens, evidence }: MessageSummary): Sum {
  return {
    messages: sum.messages + 1,
    tokens: sum.tokens + tokens,
    returns: sum.returns + evidence.returns,
    capsules: sum.capsules + evidence.capsules,
    chunks: sum.chunks + evidence.chunks,
    receipts: sum.receipts + evidence.receipts,
  };
}

function evidenceText({ returns, capsules, chunks, receipts }: Sum): string {
  return [
    counted(returns, 'return'),
    ...(capsules === 0 ? [] : [`${counted(capsules, 'capsule')} with ${counted(chunks, 'chunk')}`]),
    ...(receipts === 0 ? [] : [counted(receipts, 'receipt')]),
  ].join(', ');
}

function fromTo(before: number, after: number): string {
  const share = before === 0 || before === after ? '' : ` (${percent((after - before) / before)})`;
  return `${grouped(before)} → ${grouped(after)}${share}`;
}

/** With a sign; a change never reads as none. */
function percent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 0) return share < 0 ? '-<1 %' : '+<1 %';
  return `${rounded > 0 ? '+' : ''}${grouped(rounded)} %`;
}

function verdict({ conversations, isSame }: TranscriptDiff): string {
  if (isSame) return 'the same';
  return countsText(conversations) || 'no messages';
}

/** How many messages there are of each kind. */
export function kindCounts(conversations: readonly ConversationDiff[]): ReadonlyMap<ChangeKind, number> {
  const counts = new Map<ChangeKind, number>(CHANGE_KINDS.map((kind) => [kind, 0]));
  for (const { changes } of conversations)
    for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function countsText(conversations: readonly ConversationDiff[]): string {
  return [...kindCounts(conversations)]
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => (isNoun(kind) ? counted(count, kind) : `${grouped(count)} ${kind}`))
    .join(', ');
}

function isNoun(kind: ChangeKind): boolean {
  return kind === 'capsule' || kind === 'receipt';
}

function remarks({ conversations, differsBetween, isAcrossFormats }: TranscriptDiff): string[] {
  const removed = conversations.reduce((sum, { bookkeeping }) => sum + bookkeeping.removed, 0);
  const extra = conversations.reduce((sum, { bookkeeping }) => sum + bookkeeping.added, 0);
  return [
    ...(removed + extra === 0 || isAcrossFormats
      ? []
      : [`records that are no messages differ: ${removed} removed, ${extra} added`]),
    ...(differsBetween
      ? [
          'what stands between the messages differs: line ends, blank lines, spacing or the fields around them',
        ]
      : []),
  ];
}

function conversationHeading({ before, after, changes }: ConversationDiff): string {
  const { index, id } = after ?? before ?? { index: 0, id: null };
  const where = after === null ? ' (only before)' : before === null ? ' (only after)' : '';
  const text = [...countsOf(changes)].map(([kind, count]) => `${grouped(count)} ${kind}`).join(', ');
  return `##### conversation ${index}${id === null ? '' : ` ${id}`}${where}: ${text}`;
}

function countsOf(changes: ConversationDiff['changes']): ReadonlyMap<ChangeKind, number> {
  const counts = new Map<ChangeKind, number>();
  for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
