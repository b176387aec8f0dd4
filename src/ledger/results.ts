import type { Item, Message, ToolResult } from '../transcript/message.js';
import { resultText } from '../transcript/message.js';
import {
  type CarriedCapsule,
  type CarriedChunk,
  distinctEntries,
  isReceipt,
  RECEIPT,
  readCapsule,
} from './carried.js';
import { type ChunkDraft, type ChunkSource, pictureRefs, resultChunks } from './chunks.js';
import { isCiteTool } from './citations.js';
import type { KeptText, TextStore } from './kept-text.js';

/** Where a return stands: its message's position, and its part in the message. */
export interface ReturnPlace {
  readonly position: number;
  readonly part: number;
}

/** One evidence return of a conversation. */
export interface RetrievedResult extends ReturnPlace {
  /** What ids of its chunks begin with: its call's id, made unique where ids repeat. */
  readonly base: string;
  readonly tool: string;
  /** Whether the return may be replaced at all. */
  readonly isEditable: boolean;
  readonly source: ChunkSource;
  /** The whole payload as a model reads it. */
  readonly text: KeptText;
  /**
   * As a model reads it: in a structured result the lines of its items, one item behind the other. Made anew each time
   * they are asked for: all lines of a long session together would be several times its bytes.
   */
  readonly lines: readonly string[];
  /** The items of a structured result, with the lines that are theirs; null for text without structure. */
  readonly items: readonly ResultItem[] | null;
  /** The receipt behind a capsule that stands in it ('' for none); null when it is no capsule. */
  readonly receipt: string | null;
}

export interface ResultItem {
  readonly draft: ChunkDraft | CarriedChunk;
  /** 1-based, in `lines`. */
  readonly first: number;
  readonly last: number;
}

/** Tools that bring in what the operator says, not what was retrieved (formats.md section 2.7). */
const OPERATOR_TOOLS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ask_user', 'request_user_input']);

/**
 * Whether a result is evidence of a conversation without a ledger: results no longer than a receipt are none, nor is
 * what a cite tool or the operator says, what no model is shown any more, nor a receipt itself.
 */
export function isEvidenceResult(result: ToolResult): boolean {
  if (result.isHidden || isCiteTool(result.tool) || isOperatorResult(result)) return false;
  const text = resultText(result);
  const hasPicture = result.blocks?.some(({ kind }) => kind === 'image') === true;
  return ((text.length > RECEIPT.length || hasPicture) && !isReceipt(text)) || !result.isEditable;
}

/** Whether a result is what the operator says. */
export function isOperatorResult({ tool }: ToolResult): boolean {
  return tool !== null && OPERATOR_TOOLS.has(tool);
}

/** Reads a result: the entries of a capsule, the items of a structured result, or its lines. */
export function readResult(
  message: Message,
  result: ToolResult,
  place: ReturnPlace,
  base: string,
  source: ChunkSource,
  store: TextStore,
): RetrievedResult {
  const capsule = standingCapsule(message, result);
  const drafts = capsule?.entries ?? resultChunks(result);
  const text = store.keep(resultText(result));
  const common = {
    ...place,
    base,
    tool: result.tool ?? 'unknown',
    isEditable: result.isEditable,
    source,
    text,
    receipt: capsule?.receipt ?? null,
  };
  if (drafts.length === 0)
    return {
      ...common,
      items: null,
      get lines() {
        return text.read().split('\n');
      },
    };
  let count = 0;
  const items = drafts.map((draft): ResultItem => {
    const first = count + 1;
    count += draft.content.split('\n').length;
    return { draft, first, last: count };
  });
  return {
    ...common,
    items,
    get lines() {
      return drafts.flatMap(({ content }) => content.split('\n'));
    },
  };
}

/** The capsule that an earlier compaction put into a result, with its pictures. */
function standingCapsule(message: Message, result: ToolResult): CarriedCapsule | undefined {
  const first = result.blocks?.[0];
  const capsule = readCapsule(first?.kind === 'text' ? first.text : resultText(result));
  if (capsule === undefined) return undefined;
  // Only now: a message may hold thousands of results, and few of them are capsules.
  const items: readonly Item[] = [...(result.blocks ?? []), ...message.lists.flatMap((list) => list.items)];
  return {
    ...capsule,
    entries: distinctEntries(capsule.entries).map((entry) => ({
      ...entry,
      pictureRefs: pictureRefs(entry.ownId, items),
    })),
  };
}
