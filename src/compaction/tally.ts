import { createHash } from 'node:crypto';
import type { OutputPiece } from '../transcript/edited.js';
import type { OutlineMessage, OutlineResult } from '../transcript/outline.js';
import { locate } from '../transcript/splice.js';
import type { CompactedTranscript } from './compact-transcript.js';

/** What a return's payload was and became. */
export interface PayloadChange {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Of the original JSON value's bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Counts while the output is written; nothing is kept of it. */
export interface Tally {
  see(piece: OutputPiece): void;
  bytes(): { readonly before: number; readonly after: number };
  /** Byte offset of the first byte that differs, or null when none does. */
  firstChangedByte(): number | null;
  /** Hexadecimal digests of the whole input and output; null when no report was asked for. */
  digests(): { readonly input: string; readonly output: string } | null;
  changeOf(message: OutlineMessage, result: OutlineResult): PayloadChange | undefined;
}

/** Starts counting. Digests and the changes of single returns cost a second look, and are kept for a report only. */
export function createTally(compacted: CompactedTranscript, isForReport: boolean): Tally {
  const counts = { before: 0, after: 0 };
  let firstChanged: number | null = null;
  const [inputHash, outputHash] = [createHash('sha256'), createHash('sha256')];
  const changes = new Map<string, PayloadChange>();
  const byRecord = isForReport ? returnsByRecord(compacted) : new Map<number, ReturnPlace[]>();
  return {
    see({ bytes, edited }) {
      const original = edited?.original ?? bytes;
      if (edited !== null) firstChanged ??= differsAt(original, bytes, counts.before);
      counts.before += original.length;
      counts.after += bytes.length;
      if (!isForReport) return;
      inputHash.update(original);
      outputHash.update(bytes);
      if (edited === null) return;
      const places = byRecord.get(edited.record.start) ?? [];
      payloadChanges(original, bytes, places).forEach((change, i) => {
        const place = places[i];
        if (place !== undefined) changes.set(keyOf(place.message, place.result), change);
      });
    },
    bytes: () => counts,
    firstChangedByte: () => firstChanged,
    digests: () =>
      isForReport ? { input: inputHash.digest('hex'), output: outputHash.digest('hex') } : null,
    changeOf: (message, result) => changes.get(keyOf(message, result)),
  };
}

interface ReturnPlace {
  readonly message: OutlineMessage;
  readonly result: OutlineResult;
}

function returnsByRecord({ conversations }: CompactedTranscript): Map<number, ReturnPlace[]> {
  const byRecord = new Map<number, ReturnPlace[]>();
  for (const place of conversations.flatMap(({ compaction }) => compaction.returns)) {
    const { start } = place.message.record;
    byRecord.set(start, [...(byRecord.get(start) ?? []), place]);
  }
  return byRecord;
}

/** A place in a file of several conversations is its record and path. */
function keyOf({ record }: OutlineMessage, { at }: OutlineResult): string {
  return `${record.start}/${at.join('/')}`;
}

function payloadChanges(
  original: Uint8Array,
  bytes: Uint8Array,
  places: readonly ReturnPlace[],
): PayloadChange[] {
  const paths = places.map(({ result }) => result.at);
  const before = locate(Buffer.from(original).toString('latin1'), paths);
  const after = locate(Buffer.from(bytes).toString('latin1'), paths);
  return places.map((_, i) => {
    const [old, now] = [before[i], after[i]];
    if (old === undefined || now === undefined) throw new Error('a rewritten payload is not where it was');
    const payload = original.subarray(old.start, old.end);
    return {
      bytesBefore: old.end - old.start,
      bytesAfter: now.end - now.start,
      sha256: createHash('sha256').update(payload).digest('hex'),
    };
  });
}

function differsAt(a: Uint8Array, b: Uint8Array, offset: number): number | null {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return offset + i;
  return a.length === b.length ? null : offset + shared;
}
