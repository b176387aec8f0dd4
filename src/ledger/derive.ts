import type { Item, Message, ToolResult } from '../transcript/message.js';
import { resultText } from '../transcript/message.js';
import type { OutlineMessage } from '../transcript/outline.js';
import { questionPositions } from '../transcript/question.js';
import { carriedChunks, isReceipt, RECEIPT } from './carried.js';
import { ChunkStore, type DerivedChunk } from './chunk-store.js';
import { pictureRefs, resultChunks } from './chunks.js';
import {
  type Citable,
  declaredCitations,
  type FoundCitation,
  isCiteTool,
  markerCitations,
} from './citations.js';
import { buildDerivedLedger, type CitingMessage } from './derived-ledger.js';
import type { Ledger } from './entry.js';

/** Tools that bring in what the operator says, not what was retrieved (formats.md section 2.7). */
const OPERATOR_TOOLS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ask_user', 'request_user_input']);

/** Watches a conversation's messages go by, in order, and says at the end which evidence they hold and cite. */
export interface Derivation {
  see(message: Message): void;
  finish(outline: readonly OutlineMessage[]): DerivedLedger;
}

export interface DerivedLedger {
  readonly ledger: Ledger;
  readonly chunks: readonly DerivedChunk[];
  /** Whether the result `part` of the message at `position` is evidence. */
  isEvidence(position: number, part: number): boolean;
}

/** Starts deriving a ledger for a conversation that has none (design.md "Ledger"). */
export function startDerivation(): Derivation {
  const store = new ChunkStore();
  const citing: CitingMessage[] = [];
  const evidence = new Set<string>();
  return {
    see(message) {
      if (message.speaker === 'assistant')
        citing.push({ position: message.position, citations: citationsIn(message, store) });
      message.parts.forEach((part, i) => {
        if (part.kind !== 'tool-result' || !isEvidenceResult(part)) return;
        evidence.add(`${message.position}.${i}`);
        store.add(message, part, i, carriedEntries(message, part) ?? resultChunks(part));
      });
    },
    finish(outline) {
      const onPath = new Set(outline.filter(({ isOnPath }) => isOnPath).map(({ position }) => position));
      const chunks = store.all().flatMap((chunk) => {
        const retrievals = chunk.retrievals.filter(({ position }) => onPath.has(position));
        return retrievals.length === 0 ? [] : [{ ...chunk, retrievals }];
      });
      const citingOnPath = citing.filter(({ position }) => onPath.has(position));
      return {
        ledger: buildDerivedLedger(chunks, citingOnPath, questionPositions(outline)),
        chunks,
        isEvidence: (position, part) => evidence.has(`${position}.${part}`),
      };
    },
  };
}

/** Results no longer than a receipt are none, nor is what a cite tool or the operator says, nor a receipt itself. */
function isEvidenceResult(result: ToolResult): boolean {
  if (isCiteTool(result.tool) || (result.tool !== null && OPERATOR_TOOLS.has(result.tool))) return false;
  const text = resultText(result);
  return (text.length > RECEIPT.length && !isReceipt(text)) || !result.isEditable;
}

/** The entries of a capsule that an earlier compaction put into a result, with their pictures. */
function carriedEntries(message: Message, result: ToolResult) {
  const items: readonly Item[] = [...(result.blocks ?? []), ...message.lists.flatMap((list) => list.items)];
  const first = result.blocks?.[0];
  const text = first?.kind === 'text' ? first.text : resultText(result);
  return carriedChunks(text)?.map((chunk) => ({ ...chunk, pictureRefs: pictureRefs(chunk.ownId, items) }));
}

function citationsIn(message: Message, citable: Citable): FoundCitation[] {
  return message.parts.flatMap((part) => {
    if (part.kind === 'text') return markerCitations(part, citable);
    return part.kind === 'tool-call' ? declaredCitations(part, citable) : [];
  });
}
