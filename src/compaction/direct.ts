import { RECEIPT } from '../ledger/carried.js';
import type { Ledger } from '../ledger/entry.js';
import { collectLedgerLines } from '../ledger/streamed-ledger.js';
import type { Format } from '../transcript/formats/format.js';
import type { ByteSource } from '../transcript/lines.js';
import { messageReader } from '../transcript/message-reader.js';
import { type OutlineResult, outlineMessage } from '../transcript/outline.js';
import type { TranscriptRecord } from '../transcript/records.js';
import { replacedPieces } from '../transcript/replaced.js';
import { readSkimmed } from '../transcript/skimmed.js';
import { type JsonStyle, locate, type Span, writeJson } from '../transcript/splice.js';
import { styleWatcher } from '../transcript/style.js';
import { openTranscript, type Transcript } from '../transcript/transcript.js';
import { findAgreedBoundary } from './boundary.js';
import { capsuleWithin } from './budget.js';
import type { Capsule, CapsuleEvidence, CapsuleGroup } from './capsule.js';
import { misleadingLines } from './compact.js';
import type { ReadOptions } from './compact-transcript.js';
import { requireRecords } from './record-check.js';
import { payloadJson } from './rewrite.js';
import { earlierOccurrences } from './rules.js';

export interface DirectOptions extends Omit<ReadOptions, 'ledger' | 'conversation'> {
  readonly ledger: Ledger;
  readonly boundary?: number | undefined;
  readonly budget?: number | undefined;
  /** Parse every record, also those that need no rewriting. */
  readonly strict: boolean;
}

/** A compaction of a file of one conversation, planned on what its lines' bytes tell. */
export interface DirectCompaction {
  /** How many messages the conversation has. */
  readonly messages: number;
  /** How many evidence returns are below the boundary, and replaced. */
  readonly returns: number;
  readonly capsule: Capsule;
  /** Groups that the budget had no room for, oldest first. */
  readonly givenUp: readonly CapsuleGroup[];
  readonly warnings: readonly string[];
  /** The output. A piece's bytes are valid until the next piece is asked for. */
  pieces(): Iterable<Uint8Array>;
}

/**
 * Plans the same compaction as `compactTranscript` does with a given ledger, without parsing the records that it does
 * not depend on: of these only the structure is checked. Little is held of each return that may be replaced, nothing of
 * other messages.
 * @returns null where this cannot be done: in formats whose records have to be parsed, in files of whole conversations,
 * and where retrieved pictures have to be moved. Nothing has been written then.
 * @throws ThreadError as `compactTranscript` does
 */
export function compactDirectly(source: ByteSource, options: DirectOptions): DirectCompaction | null {
  const { isForeign } = collectLedgerLines(source.name);
  const transcript = openTranscript(source, { ...options, isForeign });
  if (transcript === undefined || transcript.layout !== 'messages' || transcript.recordOptions.isDocument)
    return null;
  const read = readReturns(transcript, options);
  if (read === null) return null;
  const { ledger } = options;
  const boundary = findAgreedBoundary(ledger, read, options.boundary);
  const returns = read.returns.countBefore(boundary);
  requireRecords(ledger.capabilities, read.returns.tools(returns));
  const evidence = ledger.capabilities.map(
    (one): CapsuleEvidence => ({
      capability: one.capability,
      occurrences: earlierOccurrences(one, boundary),
      citations: one.citations,
    }),
  );
  const { capsule, givenUp } = capsuleWithin(evidence, options.budget);
  if (capsule.pictures.length > 0) return null;
  const payload = payloads(transcript.format, read.style);
  const receipt = payload(RECEIPT);
  const last = capsule.text === '' ? receipt : payload(capsule.text);
  return {
    messages: read.messages,
    returns,
    capsule,
    givenUp,
    warnings: misleadingLines(evidence, capsule),
    pieces: () =>
      replacedPieces(source, returns, (i) => {
        const { start, end, special } = read.returns.at(i);
        return { start, end, bytes: (i === returns - 1 ? last : receipt)(special) };
      }),
  };
}

interface ReadReturns {
  readonly messages: number;
  readonly lastQuestion: number;
  readonly returns: EvidenceReturns;
  readonly style: JsonStyle;
}

/** Null when there are pictures, or lists of nothing, in what the operator sent: they may have to go. */
function readReturns(transcript: Transcript, { ledger, strict }: DirectOptions): ReadReturns | null {
  const tools = new Set(ledger.capabilities.flatMap(({ toolNames }) => toolNames));
  const returns = evidenceReturns();
  const questions = questionWatcher();
  const reader = messageReader();
  const style = styleWatcher();
  const note = (
    tool: string | null,
    position: number,
    start: number,
    end: number,
    special?: OutlineResult,
  ) => {
    if (tool !== null && tools.has(tool)) returns.push(tool, position, start, end, special);
  };
  for (const read of readSkimmed(transcript, strict, style)) {
    if ('skimmed' in read) {
      const { skimmed, start } = read;
      const position = reader.pass(skimmed.kind === 'calls' ? skimmed.calls : []);
      questions.see(position, skimmed.kind === 'question');
      if (skimmed.kind !== 'result') continue;
      const { tool, callId, payload } = skimmed;
      note(tool ?? reader.toolOf(callId), position, start + payload.start, start + payload.end);
      continue;
    }
    const { record } = read;
    const entry = { record, at: [], value: record.value };
    for (const message of reader.read(entry, transcript.format.read(entry))) {
      const { position, speaker, isBlank, results, lists } = outlineMessage(message);
      if (lists.length > 0) return null;
      if (!(isBlank && speaker === 'operator')) questions.see(position, speaker === 'operator');
      for (const result of results.filter(({ isEditable }) => isEditable)) {
        const { start, end } = spanOf(record, result);
        note(result.tool, position, record.start + start, record.start + end, result);
      }
    }
  }
  return { messages: reader.count(), lastQuestion: questions.last(), returns, style: style.style() };
}

function spanOf({ bytes }: TranscriptRecord, { at }: OutlineResult): Span {
  const [found] = locate(bytes.toString('latin1'), [at]);
  if (found === undefined) throw new Error(`no value at /${at.join('/')}`);
  return found;
}

/** Finds where the last question begins, as `questionPositions` does: operator messages in a row are one question. */
function questionWatcher(): { see(position: number, isOperator: boolean): void; last(): number } {
  let last = 0;
  let wasOperator = false;
  return {
    see(position, isOperator) {
      if (isOperator && !wasOperator) last = position;
      wasOperator = isOperator;
    },
    last: () => last,
  };
}

/** Where evidence returns stand, in columns: an object for each would be most of the memory that a large file takes. */
interface EvidenceReturns {
  /** `start` and `end` are the payload's byte offsets in the file; `special` is the result when it is no plain string. */
  push(tool: string, position: number, start: number, end: number, special?: OutlineResult): void;
  /** How many there are below a position. */
  countBefore(boundary: number): number;
  /** The tools of the first ones. */
  tools(count: number): ReadonlySet<string>;
  at(index: number): Span & { readonly special: OutlineResult | undefined };
}

function evidenceReturns(): EvidenceReturns {
  const starts: number[] = [];
  const ends: number[] = [];
  const positions: number[] = [];
  const tools: string[] = [];
  const specials = new Map<number, OutlineResult>();
  return {
    push(tool, position, start, end, special) {
      if (special !== undefined) specials.set(starts.length, special);
      starts.push(start);
      ends.push(end);
      positions.push(position);
      tools.push(tool);
    },
    countBefore(boundary) {
      const count = positions.findIndex((position) => position >= boundary);
      return count < 0 ? positions.length : count;
    },
    tools: (count) => new Set(tools.slice(0, count)),
    at: (index) => ({ start: starts[index] ?? 0, end: ends[index] ?? 0, special: specials.get(index) }),
  };
}

/** Writes a text as payloads: the same bytes for every plain one. */
function payloads(
  format: Format,
  style: JsonStyle,
): (text: string) => (special: OutlineResult | undefined) => Uint8Array {
  return (text) => {
    const plain = Buffer.from(writeJson(text, style));
    return (special) =>
      special === undefined
        ? plain
        : Buffer.from(payloadJson({ result: special }, text, [], { format, style }));
  };
}
