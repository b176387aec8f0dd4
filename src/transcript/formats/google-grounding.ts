import { googleField } from './google-parts.js';
import { field, isObject, listOf, stringOrNull } from './values.js';

/** What a text rests on, in the words that other providers' annotations use; offsets are UTF-16 units. */
interface Grounding {
  readonly url: string | null;
  readonly title: string | null;
  readonly cited_text: string | null;
  readonly start_index?: number;
  readonly end_index?: number;
}

/**
 * The grounding of a content by the index of its text part. The metadata counts in UTF-8 bytes; a support names its
 * chunks by their place in a list, and chunks that no support names speak for the whole text.
 */
export function groundingOf(
  content: unknown,
  parts: readonly unknown[],
): ReadonlyMap<number, readonly Grounding[]> {
  const grounding = googleField(content, 'groundingMetadata');
  const chunks = listOf(googleField(grounding, 'groundingChunks')).map(chunkSource);
  const supports = listOf(googleField(grounding, 'groundingSupports'));
  const byPart = new Map<number, Grounding[]>();
  const add = (segment: unknown, sources: readonly Grounding[]): void => {
    const part = partOf(segment, parts);
    const span = spanOf(segment, stringOrNull(field(parts[part], 'text')) ?? '');
    byPart.set(part, [...(byPart.get(part) ?? []), ...sources.map((source) => ({ ...source, ...span }))]);
  };
  for (const support of supports) {
    const indices = listOf(googleField(support, 'groundingChunkIndices'));
    add(
      field(support, 'segment'),
      indices.flatMap((index) => (typeof index === 'number' ? (chunks[index] ?? []) : [])),
    );
  }
  if (supports.length === 0 && chunks.length > 0) add(undefined, chunks);
  for (const citation of citationsOf(content))
    add(citation, [
      {
        url: stringOrNull(field(citation, 'uri')),
        title: stringOrNull(field(citation, 'title')),
        cited_text: null,
      },
    ]);
  return byPart;
}

function chunkSource(chunk: unknown): Grounding {
  const source =
    googleField(chunk, 'web') ?? googleField(chunk, 'retrievedContext') ?? googleField(chunk, 'maps');
  return {
    url: stringOrNull(field(source, 'uri')),
    title: stringOrNull(field(source, 'title')),
    cited_text: stringOrNull(field(source, 'text')),
  };
}

function citationsOf(content: unknown): readonly unknown[] {
  const metadata = googleField(content, 'citationMetadata');
  return listOf(googleField(metadata, 'citations') ?? googleField(metadata, 'citationSources'));
}

/** The part that the segment names, or the first one that the model says aloud. */
function partOf(segment: unknown, parts: readonly unknown[]): number {
  const isSaid = (part: unknown): boolean =>
    typeof field(part, 'text') === 'string' && field(part, 'thought') !== true;
  const named = googleField(segment, 'partIndex');
  return typeof named === 'number' && isSaid(parts[named]) ? named : parts.findIndex(isSaid);
}

/** Bytes of UTF-8 as UTF-16 units; a missing start is the text's. */
function spanOf(segment: unknown, text: string): Pick<Grounding, 'start_index' | 'end_index'> {
  if (!isObject(segment)) return {};
  const end = googleField(segment, 'endIndex');
  const start = googleField(segment, 'startIndex') ?? 0;
  if (typeof end !== 'number' || typeof start !== 'number') return {};
  const bytes = Buffer.from(text, 'utf8');
  const unitsTo = (offset: number): number => bytes.subarray(0, Math.max(0, offset)).toString('utf8').length;
  return { start_index: unitsTo(start), end_index: unitsTo(end) };
}
