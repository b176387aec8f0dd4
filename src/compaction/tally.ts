import type { createHash } from 'node:crypto';
import type { OutputPiece } from '../transcript/edited.js';
import type { OutlineMessage, OutlineResult } from '../transcript/outline.js';
import type { RecordRange } from '../transcript/records.js';
import type { Change, JsonPath } from '../transcript/splice.js';
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
  /** Byte offset of the first byte that differs, or null when none does; null too when no report was asked for. */
  firstChangedByte(): number | null;
  /** Hexadecimal digests of the whole input and output; null when no report was asked for. */
  digests(): { readonly input: string; readonly output: string } | null;
  changeOf(message: OutlineMessage, result: OutlineResult): PayloadChange | undefined;
}

/**
 * Starts counting. Digests and the changes of single returns cost a second look, and are kept for a report only.
 * @param newHash makes the digests of a report: `createHash` of node:crypto, which takes long to load; null without one
 */
export function createTally(compacted: CompactedTranscript, newHash: typeof createHash | null): Tally {
  const counts = { before: 0, after: 0 };
  let firstChanged: number | null = null;
  const [inputHash, outputHash] = [newHash?.('sha256'), newHash?.('sha256')];
  const changes = new Map<string, PayloadChange>();
  const returns = new Set(newHash === null ? [] : returnPlaces(compacted));
  return {
    see({ bytes, edited }) {
      const original = edited?.original ?? bytes;
      if (newHash !== null && edited !== null) firstChanged ??= differsAt(original, bytes, counts.before);
      counts.before += original.length;
      counts.after += bytes.length;
      if (newHash === null) return;
      inputHash?.update(original);
      outputHash?.update(bytes);
      if (edited === null) return;
      for (const change of edited.changes) {
        const place = placeOf(edited.record, change.edit.at);
        if (change.edit.op === 'replace' && returns.has(place))
          changes.set(place, payloadChange(original, change, newHash));
      }
    },
    bytes: () => counts,
    firstChangedByte: () => firstChanged,
    digests: () =>
      inputHash === undefined || outputHash === undefined
        ? null
        : { input: inputHash.digest('hex'), output: outputHash.digest('hex') },
    changeOf: ({ record }, { at }) => changes.get(placeOf(record, at)),
  };
}

function returnPlaces({ conversations }: CompactedTranscript): string[] {
  return conversations.flatMap(({ compaction }) =>
    compaction.returns.map(({ message, result }) => placeOf(message.record, result.at)),
  );
}

/** A place in a file of several conversations is its record and path. */
function placeOf({ start }: RecordRange, at: JsonPath): string {
  return `${start}/${at.join('/')}`;
}

/** In the output the payload may have another path, because items before it went: only the change says where it is. */
function payloadChange(
  original: Uint8Array,
  { start, end, json }: Change,
  newHash: typeof createHash,
): PayloadChange {
  return {
    bytesBefore: end - start,
    bytesAfter: Buffer.byteLength(json),
    sha256: newHash('sha256').update(original.subarray(start, end)).digest('hex'),
  };
}

function differsAt(a: Uint8Array, b: Uint8Array, offset: number): number | null {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return offset + i;
  return a.length === b.length ? null : offset + shared;
}
