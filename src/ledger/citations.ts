import { field } from '../transcript/formats/values.js';
import type { TextPart, ToolCall } from '../transcript/message.js';

/** A chunk as citations are resolved against it. */
export interface CitableChunk {
  readonly id: string;
  readonly label: string | null;
  readonly uri: string;
  readonly title: string | null;
  readonly content: string;
}

/** A citation found in a message: which chunk, how, and the exact words that do it. */
export interface FoundCitation {
  readonly chunkId: string;
  readonly kind: 'declared' | 'marker';
  readonly quote: string;
}

/** The chunks that a message can cite: those retrieved before it. Later ones win where a name stands for several. */
export interface Citable {
  byId(id: string): CitableChunk | undefined;
  /** By the number in a numbered list of results. */
  byLabel(label: string): CitableChunk | undefined;
  byUri(uri: string): CitableChunk | undefined;
  byTitle(title: string): CitableChunk | undefined;
  byText(text: string): CitableChunk | undefined;
}

/** Names of tools that declare citations: they end in `_cite`, or are called so outright. */
export function isCiteTool(tool: string | null): boolean {
  return tool !== null && /(?:^|[_.-])(?:cite|register_citations?)$/.test(tool);
}

const DECLARED_KEYS = ['chunk_ids', 'ids', 'sources', 'chunk_id', 'id'];

/** Citations that a cite tool's call declares; the quote is the id as the call's arguments hold it. */
export function declaredCitations(call: ToolCall, citable: Citable): FoundCitation[] {
  if (!isCiteTool(call.tool)) return [];
  const ids = DECLARED_KEYS.flatMap((key) => {
    const value = field(call.input, key);
    return Array.isArray(value) ? value : [value];
  });
  return ids.flatMap((id) => {
    const chunk = typeof id === 'string' ? citable.byId(id) : undefined;
    return chunk === undefined ? [] : [{ chunkId: chunk.id, kind: 'declared', quote: String(id) } as const];
  });
}

/** Citations by marks in an answer's text and by the provider's annotations of it (formats.md section 17). */
export function markerCitations(part: TextPart, citable: Citable): FoundCitation[] {
  return [
    ...bracketCitations(part.text, citable),
    ...daggerCitations(part.text, citable),
    ...annotationCitations(part, citable),
  ];
}

/** `[id]`, `[id, id]`, `[[id]]`, `(source: id)`, and `[1][3]` where results were numbered. */
function bracketCitations(text: string, citable: Citable): FoundCitation[] {
  const found: FoundCitation[] = [];
  const withoutCode = blankCode(text);
  for (const match of text.matchAll(
    /\[([^[\]\n]{1,300})\](?!\()|\((?:source|chunk|ref): ([^()\n]{1,300})\)/g,
  )) {
    const [quote] = match;
    const isCode = withoutCode.charAt(match.index) === ' ';
    for (const name of names(match[1] ?? match[2] ?? '')) {
      const chunk =
        citable.byId(name) ?? (isCode || !/^\d{1,3}$/.test(name) ? undefined : citable.byLabel(name));
      if (chunk !== undefined) found.push({ chunkId: chunk.id, kind: 'marker', quote });
    }
  }
  return found;
}

/** The whole name, the names of a list, or the numbers of a range. */
function names(inside: string): string[] {
  const range = /^(\d{1,3})\s*[-–]\s*(\d{1,3})$/.exec(inside);
  if (range !== null) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    return to < from || to - from > 50
      ? []
      : Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
  }
  const list = inside.split(/[,;]\s*/).map((name) => name.trim().replace(/^chunk:/, ''));
  return list.length > 1 ? [inside, ...list] : list;
}

/** Code with spaces in its place, so that offsets stay: `[2]string` in code is no citation. */
function blankCode(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, (code) => ' '.repeat(code.length));
}

/** `【4:0†report.pdf】`: the name behind the dagger, or the id before it, when it resolves. */
function daggerCitations(text: string, citable: Citable): FoundCitation[] {
  return [...text.matchAll(/【([^【】†\n]{1,200})†([^【】\n]{0,200})】/g)].flatMap(
    ([quote, reference = '', name = '']) => {
      const path = reference.startsWith('F:') ? reference.slice(2) : name;
      const chunk = citable.byId(reference) ?? citable.byTitle(path) ?? citable.byUri(path);
      return chunk === undefined ? [] : [{ chunkId: chunk.id, kind: 'marker', quote } as const];
    },
  );
}

/** Anthropic `citations` and OpenAI `annotations` of a text. */
function annotationCitations(part: TextPart, citable: Citable): FoundCitation[] {
  return part.annotations.flatMap((annotation) => {
    const chunk = annotatedChunk(annotation, citable);
    const quote = annotatedText(annotation, part.text);
    return chunk === undefined || quote === '' ? [] : [{ chunkId: chunk.id, kind: 'marker', quote } as const];
  });
}

function annotatedChunk(annotation: unknown, citable: Citable): CitableChunk | undefined {
  const nested = field(annotation, 'url_citation') ?? annotation;
  const uri = [field(nested, 'url'), field(nested, 'source'), field(nested, 'file_id')].find(
    (one) => typeof one === 'string',
  );
  const title = [field(nested, 'title'), field(nested, 'document_title'), field(nested, 'filename')].find(
    (one) => typeof one === 'string',
  );
  const cited = field(nested, 'cited_text');
  return (
    (typeof cited === 'string' && cited.trim() !== '' ? citable.byText(cited) : undefined) ??
    (typeof uri === 'string' ? citable.byUri(uri) : undefined) ??
    (typeof title === 'string' ? citable.byTitle(title) : undefined)
  );
}

/** The words that an annotation covers; the whole text where the provider gives no span (formats.md section 4). */
function annotatedText(annotation: unknown, text: string): string {
  const nested = field(annotation, 'url_citation') ?? annotation;
  const [start, end] = [field(nested, 'start_index'), field(nested, 'end_index')];
  const span =
    typeof start === 'number' && typeof end === 'number' && end > start ? text.slice(start, end) : '';
  return span === '' ? text : span;
}
