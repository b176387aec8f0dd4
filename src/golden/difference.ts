import { diffTranscripts, type TranscriptDiff } from '../diff/transcript-diff.js';
import { ThreadError } from '../transcript/errors.js';
import { memorySource } from '../transcript/lines.js';
import { jsonLayout } from './json-layout.js';
import { commonUnits, type DifferenceLine, differingLines } from './text-lines.js';

/** What is different between the golden and today's output. */
export type Difference =
  /** How each of the two ends its lines, in words. */
  | { readonly kind: 'line-ends'; readonly at: TextPlace; readonly expected: string; readonly actual: string }
  /** At least one of the two is not UTF-8. The offset counts bytes from 0; a byte is null behind the end. */
  | {
      readonly kind: 'bytes';
      readonly at: TextPlace;
      readonly offset: number;
      readonly expected: number | null;
      readonly actual: number | null;
    }
  /** Both are transcripts; the lines are for reports that have no room for a rendering of the difference. */
  | {
      readonly kind: 'transcript';
      readonly at: TextPlace;
      readonly diff: TranscriptDiff;
      readonly lines: readonly DifferenceLine[];
    }
  | { readonly kind: 'json' | 'text'; readonly at: TextPlace; readonly lines: readonly DifferenceLine[] };

/** 1-based line and column in the golden; the column counts UTF-16 units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Values are laid out one a line up to this many UTF-16 units; what is larger is compared line by line. */
const LAYOUT_UNITS = 2_000_000;

/** Describes how two outputs differ; they must. */
export async function describeDifference(expected: Uint8Array, actual: Uint8Array): Promise<Difference> {
  const [before, after] = [decoded(expected), decoded(actual)];
  if (before === undefined || after === undefined) return byteDifference(expected, actual);
  const at = textPlace(before, commonUnits(before, after));
  if (withLf(before) === withLf(after))
    return { kind: 'line-ends', at, expected: lineEnds(before), actual: lineEnds(after) };
  const diff = await transcriptDiff(expected, actual);
  if (diff !== undefined) return { kind: 'transcript', at, diff, lines: differingLines(before, after) };
  const laidOut = layouts(before, after);
  if (laidOut !== undefined) return { kind: 'json', at, lines: differingLines(...laidOut) };
  return { kind: 'text', at, lines: differingLines(before, after) };
}

/** Of both together; what is larger is compared as text, in seconds. */
const TRANSCRIPT_BYTES = 16 * 1024 * 1024;

/** Undefined when one of them is no transcript, when no message differs, or when they are too large. */
async function transcriptDiff(expected: Uint8Array, actual: Uint8Array): Promise<TranscriptDiff | undefined> {
  if (expected.length + actual.length > TRANSCRIPT_BYTES) return undefined;
  try {
    const [before, after] = [memorySource('golden', expected), memorySource('today', actual)];
    const diff = await diffTranscripts(before, after, { lenient: false });
    const isTelling = diff.conversations.some(({ changes }) => changes.some(({ kind }) => kind !== 'same'));
    return isTelling ? diff : undefined;
  } catch (error) {
    // Whatever is no transcript is compared as JSON or as text.
    if (error instanceof ThreadError) return undefined;
    throw error;
  }
}

/** Undefined when the layouts are the same: then it is the spacing that differs. */
function layouts(before: string, after: string): [string, string] | undefined {
  if (before.length + after.length > LAYOUT_UNITS) return undefined;
  const [expected, actual] = [jsonLayout(before), jsonLayout(after)];
  if (expected === undefined || actual === undefined || expected === actual) return undefined;
  return [expected, actual];
}

function decoded(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return Buffer.byteLength(text) === bytes.length && Buffer.from(text).equals(bytes) ? text : undefined;
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/\n$/, '');
}

function lineEnds(text: string): string {
  const all = text.split('\n').length - 1;
  const crlf = text.split('\r\n').length - 1;
  const kind = crlf === 0 ? 'LF' : crlf === all ? 'CRLF' : 'LF and CRLF';
  if (all === 0) return 'none';
  return text.endsWith('\n') ? kind : `${kind}, none behind the last line`;
}

function textPlace(text: string, offset: number): TextPlace {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  return { line: text.slice(0, start).split('\n').length, column: offset - start + 1 };
}

function byteDifference(expected: Uint8Array, actual: Uint8Array): Difference {
  let offset = 0;
  while (offset < expected.length && expected[offset] === actual[offset]) offset += 1;
  const before = Buffer.from(expected.subarray(0, offset)).toString('latin1');
  return {
    kind: 'bytes',
    at: textPlace(before, before.length),
    offset,
    expected: expected[offset] ?? null,
    actual: actual[offset] ?? null,
  };
}
