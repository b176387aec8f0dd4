// What is in a transcript file: its format, and how much of what it holds.
import type { ByteSource } from '../transcript/lines.js';
import { type Message, messageText, type Part, type Role, resultText } from '../transcript/message.js';
import { type OutlineMessage, outlineConversation } from '../transcript/outline.js';
import { questionPositions } from '../transcript/question.js';
import { selectConversations } from '../transcript/select-conversation.js';
import { writeJson } from '../transcript/splice.js';
import { estimateTokens } from '../transcript/token-estimate.js';
import {
  type Conversation,
  openTranscript,
  readConversations,
  type Transcript,
} from '../transcript/transcript.js';
import { type Damage, fileDamage, pairDamage } from './damage.js';
import { isLedgerLine } from './ledger-line.js';
import { isEvidenceResult } from './results.js';

export interface Inventory {
  readonly format: string;
  /** From 0.5 (another format fits as well) to 1. */
  readonly confidence: number;
  /** The 1-based line that decided the format. */
  readonly decidedBy: number;
  readonly conversations: number;
  readonly messages: number;
  /** Messages that are not part of the live conversation. */
  readonly offPath: number;
  readonly questions: number;
  /** Tool results that count as evidence in a conversation without a ledger. */
  readonly evidence: number;
  readonly images: number;
  /** Estimated tokens of everything on and off the path; thinking and calls count for the assistant. */
  readonly tokensByRole: ReadonlyMap<Role, number>;
  /** By tool, the largest first; null for results whose call is not there. */
  readonly tools: readonly ToolShare[];
  readonly damage: readonly Damage[];
}

export interface ToolShare {
  readonly tool: string | null;
  readonly results: number;
  readonly tokens: number;
}

/**
 * Counts what a file holds, or one conversation of it, named by its index or id. A broken last line is damage, not an error.
 * @returns `ledger` for a file of ledger lines alone, `empty` for an input without any value
 * @throws InputError when the format is not recognised, or a line before the last is not JSON
 */
export function takeInventory(
  source: ByteSource,
  format: string | undefined,
  wanted?: string,
): Inventory | 'empty' | 'ledger' {
  const broken: number[] = [];
  let hasLedger = false;
  const open = (lenient: boolean): Transcript | undefined =>
    openTranscript(source, {
      format,
      lenient,
      isForeign: ({ value }) => {
        const isForeign = isLedgerLine(value);
        hasLedger ||= isForeign;
        return isForeign;
      },
      onBrokenTail: (line) => {
        if (!broken.includes(line)) broken.push(line);
      },
    });
  const transcript = open(true);
  if (transcript === undefined) {
    if (hasLedger) return 'ledger';
    // Nothing but a broken line is not empty: the error says what is wrong with it.
    if (broken.length > 0) open(false);
    return 'empty';
  }
  const counts = newCounts();
  let decidedBy = 1;
  const conversations = readConversations({
    ...transcript,
    isForeign: (record) => {
      if (record.index === transcript.decidedBy) decidedBy = record.line;
      return transcript.isForeign(record);
    },
  });
  for (const conversation of selectConversations(conversations, wanted, source.name))
    countConversation(conversation, counts);
  const { tools, pairs, ...totals } = counts;
  return {
    format: transcript.format.name,
    confidence: transcript.confidence,
    decidedBy,
    ...totals,
    tools: [...tools.values()].toSorted((a, b) => b.tokens - a.tokens),
    damage: [...fileDamage(source, broken), ...pairs],
  };
}

interface Counts {
  conversations: number;
  messages: number;
  offPath: number;
  questions: number;
  evidence: number;
  images: number;
  readonly tokensByRole: Map<Role, number>;
  readonly tools: Map<string | null, ToolShare>;
  pairs: readonly Damage[];
}

function newCounts(): Counts {
  return {
    conversations: 0,
    messages: 0,
    offPath: 0,
    questions: 0,
    evidence: 0,
    images: 0,
    tokensByRole: new Map(),
    tools: new Map(),
    pairs: [],
  };
}

function countConversation(conversation: Conversation, counts: Counts): void {
  const outline = outlineConversation(conversation, (message) => countMessage(message, counts));
  counts.conversations += 1;
  counts.messages += outline.length;
  counts.offPath += outline.filter(({ isOnPath }) => !isOnPath).length;
  counts.questions += questionPositions(outline).length;
  counts.pairs = pairDamage(counts.pairs, onPath(outline));
}

function onPath(outline: readonly OutlineMessage[]): readonly OutlineMessage[] {
  return outline.filter(({ isOnPath }) => isOnPath);
}

function countMessage(message: Message, counts: Counts): void {
  add(counts.tokensByRole, message.role, estimateTokens(messageText(message)));
  for (const part of message.parts) countPart(part, message.role, counts);
}

function countPart(part: Part, role: Role, counts: Counts): void {
  switch (part.kind) {
    case 'tool-result': {
      const tokens = estimateTokens(resultText(part));
      // Providers put results into user messages: they are the tool's words all the same.
      add(counts.tokensByRole, 'tool', tokens);
      const known = counts.tools.get(part.tool) ?? { tool: part.tool, results: 0, tokens: 0 };
      counts.tools.set(part.tool, { ...known, results: known.results + 1, tokens: known.tokens + tokens });
      counts.evidence += Number(isEvidenceResult(part));
      counts.images += part.blocks?.filter(({ kind }) => kind === 'image').length ?? 0;
      return;
    }
    case 'tool-call':
      add(counts.tokensByRole, role, estimateTokens(`${part.tool} ${callText(part.input)}`));
      return;
    case 'thinking':
      add(counts.tokensByRole, role, estimateTokens(part.text));
      return;
    case 'image':
      counts.images += 1;
      return;
    case 'text':
    case 'file':
    case 'raw':
      return;
  }
}

function callText(input: unknown): string {
  if (typeof input === 'string') return input;
  return input === undefined ? '' : writeJson(input, { escapesNonAscii: false, spaced: false });
}

function add(counts: Map<Role, number>, role: Role, tokens: number): void {
  counts.set(role, (counts.get(role) ?? 0) + tokens);
}
