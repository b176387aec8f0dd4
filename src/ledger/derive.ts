import { isRetrievedLabel } from '../transcript/labels.js';
import {
  type Item,
  type Message,
  messageText,
  type Part,
  resultText,
  type ToolCall,
  type ToolResult,
} from '../transcript/message.js';
import type { OutlineMessage } from '../transcript/outline.js';
import { questionPositions } from '../transcript/question.js';
import { callSource } from './call-source.js';
import { SHORTENED } from './carried.js';
import { ChunkStore, type DerivedChunk } from './chunk-store.js';
import { pictureRefs } from './chunks.js';
import { Citable } from './citable.js';
import { declaredCitations, type FoundCitation, markerCitations, type PlacedCitation } from './citations.js';
import { cutChunks } from './cut-chunks.js';
import { buildDerivedLedger } from './derived-ledger.js';
import type { Ledger } from './entry.js';
import { flatCopy, TextStore } from './kept-text.js';
import {
  isEvidenceResult,
  isOperatorResult,
  type RetrievedResult,
  type ReturnPlace,
  readResult,
} from './results.js';
import { TokenTrail } from './reuse.js';
import { RunIndex } from './runs.js';

/** Watches a conversation's messages go by, in order, and says at the end which evidence they hold and cite. */
export interface Derivation {
  see(message: Message): void;
  finish(outline: readonly OutlineMessage[]): DerivedLedger;
}

export interface DerivedLedger {
  readonly ledger: Ledger;
  readonly chunks: readonly DerivedChunk[];
  /**
   * Whether answers say what they cite, by declaring or marking most of it: then the rest was not used. Where they only
   * reuse what they read, nobody knows for certain. True when nothing is cited at all.
   */
  readonly isExplicit: boolean;
  /** The evidence returns in order, off-path ones included. */
  readonly results: readonly RetrievedResult[];
  /** Tokens that only evidence brought into the conversation, and who used them. */
  readonly trail: TokenTrail;
  /** Whether the result `part` of the message at `position` is evidence. */
  isEvidence(position: number, part: number): boolean;
}

/** Starts deriving a ledger for a conversation that has none (design.md "Ledger"). */
export function startDerivation(): Derivation {
  const results: RetrievedResult[] = [];
  const citations: PlacedCitation[] = [];
  const texts = new TextStore();
  const citable = new Citable();
  const trail = new TokenTrail();
  const runs = new RunIndex();
  const calls = watchCalls();
  const bases = new Map<string, number>();
  // What stands in prompts under our tag: some formats put the pictures of a result into the next user message.
  const prompted: Item[] = [];
  // An earlier compaction left lines in its receipts: it took the conversation for one that does not say what it cites.
  let isShortened = false;

  const noteReceipt = (receipt: string): void => {
    isShortened ||= receipt.startsWith(SHORTENED);
  };
  const hear = (text: string): void => {
    trail.hear(text);
    runs.hear(text);
  };
  const retrieve = (message: Message, part: ToolResult, i: number): void => {
    noteReceipt(resultText(part));
    if (isOperatorResult(part)) hear(resultText(part));
    const input = calls.answered(part); // also for what is no evidence: the next result is of the next call
    if (!isEvidenceResult(part)) return;
    const { position } = message;
    const base = uniqueBase(part.callId ?? `@${position}.${i}`, position, bases);
    const source = part.source ?? callSource(input);
    const result = readResult(message, part, { position, part: i }, base, source, texts);
    noteReceipt(result.receipt ?? '');
    citable.add(result, results.length);
    const { lines } = result;
    trail.retrieve(lines, results.length, position);
    runs.retrieve(lines, results.length);
    results.push(result);
  };

  return {
    see(message) {
      calls.see(message);
      if (message.speaker === 'operator') hear(messageText(message));
      for (const { items } of message.lists)
        if (items.some(isRetrievedLabel)) for (const item of items) prompted.push(item);
      // In order: what a provider searched for an answer stands in front of it, in the same message.
      message.parts.forEach((part, i) => {
        if (part.kind === 'tool-result') retrieve(message, part, i);
        else if (message.speaker === 'assistant')
          for (const citation of citationsIn(part, message.position, citable, trail, runs))
            citations.push(citation);
      });
    },
    finish(outline) {
      const onPath = new Set(outline.filter(({ isOnPath }) => isOnPath).map(({ position }) => position));
      const isLive = ({ position }: { readonly position: number }): boolean => onPath.has(position);
      const reuses = trail
        .reuses((result) => isLive(results[result] ?? NOWHERE))
        .map(
          ({ result, line, token, position }): PlacedCitation => ({
            result,
            first: line,
            last: line,
            kind: 'quote',
            quote: token,
            isExplicit: false,
            position,
          }),
        );
      const live = [...citations, ...reuses].filter(
        (one) => isLive(one) && isLive(results[one.result] ?? NOWHERE),
      );
      const store = new ChunkStore((id) => pictureRefs(id, prompted));
      const chunkAt = cutChunks(results, isLive, live, store);
      const ledger = buildDerivedLedger(store.all(), live, chunkAt, questionPositions(outline));
      return {
        ledger,
        chunks: store.all(),
        isExplicit: !isShortened && citesExplicitly(live),
        results,
        trail,
        isEvidence: isOneOf(results),
      };
    },
  };
}

/**
 * Knows what each result's call asked for. In formats without ids a result answers the first open call of its tool since
 * the operator spoke.
 */
function watchCalls(): { see(message: Message): void; answered(result: ToolResult): unknown } {
  const byId = new Map<string, unknown>();
  const unnamed: ToolCall[] = [];
  return {
    see({ speaker, parts }) {
      if (speaker === 'operator') unnamed.length = 0;
      for (const part of parts) {
        if (part.kind !== 'tool-call') continue;
        if (part.id === null) unnamed.push(part);
        else byId.set(part.id, part.input);
      }
    },
    answered({ callId, tool }) {
      if (callId !== null) return byId.get(callId);
      const index = unnamed.findIndex((call) => call.tool === tool);
      return index < 0 ? undefined : unnamed.splice(index, 1)[0]?.input;
    },
  };
}

function citesExplicitly(citations: readonly PlacedCitation[]): boolean {
  const places = (of: readonly PlacedCitation[]): number =>
    new Set(of.map(({ result, first }) => `${result}:${first}`)).size;
  return places(citations.filter(({ isExplicit }) => isExplicit)) * 2 >= places(citations);
}

const NOWHERE = { position: -1 };

/** Apart from `startDerivation`, so that what only a derivation needs is not held as long as its ledger. */
function isOneOf(results: readonly ReturnPlace[]): DerivedLedger['isEvidence'] {
  const places = new Set(results.map(placeKey));
  return (position, part) => places.has(placeKey({ position, part }));
}

function placeKey({ position, part }: ReturnPlace): string {
  return `${position}.${part}`;
}

/** Call ids may repeat: the second result of an id is told apart by its position. */
function uniqueBase(base: string, position: number, seen: Map<string, number>): string {
  const first = seen.get(base);
  if (first === undefined) seen.set(base, position);
  return first === undefined || first === position ? base : `${base}@${position}`;
}

/** What a part of the assistant's message cites outright; what it merely repeats is noted for later. */
function citationsIn(
  part: Part,
  position: number,
  citable: Citable,
  trail: TokenTrail,
  runs: RunIndex,
): PlacedCitation[] {
  if (part.kind === 'text') {
    trail.say(part.text, position, 'answer');
    const repeated = runs.repeated(part.text).map(({ result, line, quote }): FoundCitation => {
      return { result, first: line, last: line, kind: 'quote', quote, isExplicit: false };
    });
    const found = [...markerCitations(part, citable), ...repeated];
    return found.map((one) => placed(one, position));
  }
  if (part.kind !== 'tool-call') return [];
  for (const text of stringLeaves(part.input)) trail.say(text, position, 'call');
  return declaredCitations(part, citable).map((one) => placed(one, position));
}

/** Field by field: V8 gives an object that spreads another one a layout of its own, which takes more than its values. */
function placed(
  { result, first, last, kind, quote, isExplicit }: FoundCitation,
  position: number,
): PlacedCitation {
  return { result, first, last, kind, quote: flatCopy(quote), isExplicit, position };
}

/** The strings and numbers in a call's arguments, in order. */
export function stringLeaves(value: unknown): string[] {
  const leaves: string[] = [];
  const pending: unknown[] = [value];
  for (let next = pending.pop(); pending.length > 0 || next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') leaves.push(next);
    else if (typeof next === 'number') leaves.push(String(next));
    else if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next).reverse()) pending.push(inner);
  }
  return leaves;
}
