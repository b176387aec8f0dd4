import { firstValueEnd } from '../transcript/json-text.js';
import { type JsonPath, locate, type Span } from '../transcript/splice.js';
import type { Ignored } from './cases.js';

/** An output with the ignored values taken out. Every other byte stays. */
export interface Masked {
  readonly bytes: Uint8Array;
  /** The pointers that led to a value. */
  readonly found: ReadonlySet<string>;
}

const MASK = '"(ignored)"';

/**
 * Puts one and the same text in place of every ignored value: in the document that the output is, or in each of its
 * lines when it is JSON Lines. What is no JSON stays as it is.
 */
export function maskIgnored(output: Uint8Array, ignore: readonly Ignored[]): Masked {
  const found = new Set<string>();
  if (ignore.length === 0) return { bytes: output, found };
  const text = Buffer.from(output).toString('latin1');
  const pieces = isDocument(text) ? [text] : text.split(/(?<=\n)/);
  const masked = pieces.map((piece) => maskPiece(piece, ignore, found)).join('');
  return { bytes: Buffer.from(masked, 'latin1'), found };
}

/** One value and nothing behind it; a first line that is a value of its own makes it JSON Lines. */
function isDocument(text: string): boolean {
  const end = firstValueEnd(text);
  return end !== undefined && text.slice(end).trim() === '';
}

function maskPiece(text: string, ignore: readonly Ignored[], found: Set<string>): string {
  if (!isDocument(text)) return text;
  const spans: Span[] = [];
  for (const { pointer } of ignore) {
    const places = locate(text, pointerPaths(pointer)).filter((place) => place !== undefined);
    if (places.length > 0) found.add(pointer);
    spans.push(...places);
  }
  return replaced(text, outermost(spans));
}

/** A pointer may lead to a value inside another ignored one. */
function outermost(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}

function replaced(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { start, end } of spans) {
    pieces.push(text.slice(copied, start), MASK);
    copied = end;
  }
  return [...pieces, text.slice(copied)].join('');
}

/** `0` is the index of an array or the key of an object; a pointer does not say which. */
function pointerPaths(pointer: string): JsonPath[] {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<(string | number)[][]>(
    (paths, key) => paths.flatMap((path) => extended(path, key)),
    [[]],
  );
}

function extended(path: readonly (string | number)[], key: string): (string | number)[][] {
  return /^(?:0|[1-9]\d*)$/.test(key)
    ? [
        [...path, key],
        [...path, Number(key)],
      ]
    : [[...path, key]];
}
