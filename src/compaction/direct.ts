import { RECEIPT } from '../ledger/carried.js';
import type { Ledger } from '../ledger/entry.js';
import { collectLedgerLines } from '../ledger/streamed-ledger.js';
import { aboutFile } from '../transcript/errors.js';
import type { Format } from '../transcript/formats/format.js';
import type { ByteSource } from '../transcript/lines.js';
import type { Message } from '../transcript/message.js';
import { messageReader } from '../transcript/message-reader.js';
import { type OutlineResult, outlineMessage } from '../transcript/outline.js';
import { questionWatcher } from '../transcript/question.js';
import type { TranscriptRecord } from '../transcript/records.js';
import { replacedPieces } from '../transcript/replaced.js';
import { readSkimmed, type SkimVisitor } from '../transcript/skimmed.js';
import { type JsonStyle, locate, type Span, writeJson } from '../transcript/splice.js';
import { styleWatcher } from '../transcript/style.js';
import { openTranscript, type Transcript } from '../transcript/transcript.js';
import { findAgreedBoundary } from './boundary.js';
import { capsuleWithin } from './budget.js';
import type { Capsule, CapsuleEvidence, CapsuleGroup } from './capsule.js';
import { misleadingLines } from './compact.js';
import type { ReadOptions } from './compact-transcript.js';
import { type EvidenceReturns, evidenceReturns } from './evidence-returns.js';
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
  if (transcript === undefined || !isSkimmable(transcript)) return null;
  const read = readReturns(transcript, options);
  return read === null ? null : aboutFile(source.name, () => plan(transcript, read, options));
}

function plan(
  { source, format }: Transcript,
  read: ReadReturns,
  options: DirectOptions,
): DirectCompaction | null {
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
  const payload = payloads(format, read.style);
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

function isSkimmable({ format, layout, recordOptions }: Transcript): boolean {
  return format.skim !== undefined && layout === 'messages' && !recordOptions.isDocument;
}

interface ReadReturns {
  readonly messages: number;
  readonly lastQuestion: number;
  readonly returns: EvidenceReturns;
  readonly style: JsonStyle;
}

/** Null when there are pictures, or lists of nothing, in what the operator sent: they may have to go. */
function readReturns(transcript: Transcript, { ledger, strict }: DirectOptions): ReadReturns | null {
  const style = styleWatcher();
  const reader = returnReader(transcript.format, ledger);
  readSkimmed(transcript, strict, style, reader);
  return reader.hasLists() ? null : { ...reader.read(), style: style.style() };
}

interface ReturnReader extends SkimVisitor {
  /** Whether there are lists of the operator's that may have to change. */
  hasLists(): boolean;
  read(): Omit<ReadReturns, 'style'>;
}

/** What a skim tells of who speaks. */
const ASKED = { speaker: 'operator', isBlank: false } as const;
const SAID = { speaker: 'assistant', isBlank: false } as const;

function returnReader(format: Format, ledger: Ledger): ReturnReader {
  // The ledger's own strings are kept, not those of the records.
  const tools = new Map(
    ledger.capabilities.flatMap(({ toolNames }) => toolNames.map((name) => [name, name])),
  );
  const returns = evidenceReturns();
  const questions = questionWatcher();
  const messages = messageReader();
  let lastQuestion = 0;
  let hasLists = false;
  const hear = (position: number, message: Parameters<typeof questions.hear>[0]): void => {
    if (questions.hear(message)) lastQuestion = position;
  };
  const noteMessage = (record: TranscriptRecord, message: Message): void => {
    const outlined = outlineMessage(message);
    const { position, results, lists } = outlined;
    if (lists.length > 0) hasLists = true;
    hear(position, outlined);
    for (const result of results) {
      const tool = tools.get(result.tool ?? '');
      if (!result.isEditable || result.tool === null || tool === undefined) continue;
      const { start, end } = spanOf(record, result);
      returns.push(tool, position, record.start + start, record.start + end, result);
    }
  };
  return {
    skimmed({ kind, calls, tool, callId, start, end }, offset) {
      const position = messages.pass(calls);
      hear(position, kind === 'question' ? ASKED : SAID);
      if (kind !== 'result') return;
      const called = tool ?? messages.toolOf(callId);
      const owned = called === null ? undefined : tools.get(called);
      if (owned !== undefined) returns.push(owned, position, offset + start, offset + end);
    },
    parsed(record) {
      const entry = { record, at: [], value: record.value };
      for (const message of messages.read(entry, format.read(entry))) noteMessage(record, message);
    },
    hasLists: () => hasLists,
    read: () => ({ messages: messages.count(), lastQuestion, returns }),
  };
}

function spanOf({ bytes }: TranscriptRecord, { at }: OutlineResult): Span {
  const [found] = locate(bytes.toString('latin1'), [at]);
  if (found === undefined) throw new Error(`no value at /${at.join('/')}`);
  return found;
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
