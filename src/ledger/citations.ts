import { field } from '../transcript/formats/values.js';
import type { TextPart, ToolCall } from '../transcript/message.js';
import type { Citable, CitedLines } from './citable.js';
import { type MemoryEntry, memoryEntries } from './memory-citations.js';

/** A citation found in a message: what it points to, how, and the exact words that do it. */
export interface FoundCitation extends CitedLines {
  readonly kind: 'declared' | 'marker' | 'quote';
  readonly quote: string;
  /** Whether it is made on purpose, to say what an answer rests on; a path or a link may be said for its own sake. */
  readonly isExplicit: boolean;
}

/** A citation with the position of the message that makes it. */
export interface PlacedCitation extends FoundCitation {
  readonly position: number;
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
    const lines = typeof id === 'string' ? citable.byId(id) : undefined;
    return lines === undefined
      ? []
      : [{ ...lines, kind: 'declared', quote: String(id), isExplicit: true } as const];
  });
}

/** Citations by marks in an answer's text and by the provider's annotations of it (formats.md section 17). */
export function markerCitations(part: TextPart, citable: Citable): FoundCitation[] {
  const { rest: text, entries } = memoryEntries(part.text);
  return [
    ...bracketCitations(text, citable),
    ...daggerCitations(text, citable),
    ...pathCitations(text, citable),
    ...linkCitations(text, citable),
    ...annotationCitations(part, citable),
    ...entries.flatMap((entry) => memoryCitation(entry, citable)),
  ];
}

function memoryCitation({ quote, path, from, to }: MemoryEntry, citable: Citable): FoundCitation[] {
  return to < from ? [] : marker(citable.byFileLines(path, from, to), quote);
}

function marker(lines: CitedLines | undefined, quote: string, isExplicit = true): FoundCitation[] {
  return lines === undefined ? [] : [{ ...lines, kind: 'marker', quote, isExplicit }];
}

/** `[id]`, `[id, id]`, `[[id]]`, `(source: id)`, and `[1][3]` where results were numbered. */
function bracketCitations(text: string, citable: Citable): FoundCitation[] {
  const withoutCode = blankCode(text);
  const pattern =
    /\[([^[\]\n]{1,300})\](?!\()|\((?:source|chunk|ref): ([^()\n]{1,300})\)|<cite (?:id|index)="([^"\n]{1,300})"/g;
  return [...text.matchAll(pattern)].flatMap((match) => {
    const isCode = withoutCode.charAt(match.index) === ' ' || /\w/.test(text.charAt(match.index - 1));
    return names(match[1] ?? match[2] ?? match[3] ?? '').flatMap((name) => {
      const isNumber = !isCode && /^\d{1,3}$/.test(name);
      return marker(citable.byId(name) ?? (isNumber ? citable.byLabel(name) : undefined), match[0]);
    });
  });
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

/** `【4:0†report.pdf】`, `【F:src/a.ts†L10-L20】`: the name behind the dagger, or the file before it. */
function daggerCitations(text: string, citable: Citable): FoundCitation[] {
  return [...text.matchAll(/【([^【】†\n]{1,200})†([^【】\n]{0,200})】/g)].flatMap(
    ([quote, reference = '', name = '']) => {
      const lines = /^L(\d+)(?:-L(\d+))?$/.exec(name);
      if (reference.startsWith('F:') && lines !== null) {
        const from = Number(lines[1]);
        return marker(citable.byFileLines(reference.slice(2), from, Number(lines[2] ?? from)), quote);
      }
      return marker(citable.byId(reference) ?? citable.byTitle(name) ?? citable.byUri(name), quote);
    },
  );
}

/** `reset.go:48-52`, `a.go#L200`, `` `reset.go` (lines 48-51) ``: lines of a file that was read or searched. */
function pathCitations(text: string, citable: Citable): FoundCitation[] {
  // The pattern tries every word of a text; few texts have a number where it needs one.
  if (!/:\d|#L\d|\(lines? \d/.test(text)) return [];
  const pattern =
    /([\w@./\\-]{1,200}\.[A-Za-z]\w{0,9})(?:`? \(lines? |:|#L)(\d{1,7})(?:(?:-|–| to |-L)(\d{1,7}))?/g;
  return [...text.matchAll(pattern)].flatMap(([quote, path = '', from = '', to]) => {
    const [first, last] = [Number(from), Number(to ?? from)];
    return last < first ? [] : marker(citable.byFileLines(path, first, last), quote, false);
  });
}

/** A link or bare URL to a page that was fetched or found. */
function linkCitations(text: string, citable: Citable): FoundCitation[] {
  return [...text.matchAll(/https?:\/\/[^\s<>()[\]"'`]{3,500}/g)].flatMap(([url]) => {
    const plain = url.replace(/[.,;:!?]+$/, '');
    return marker(citable.byUri(plain), plain, false);
  });
}

/** The citations and annotations that a provider gives of a text. */
function annotationCitations(part: TextPart, citable: Citable): FoundCitation[] {
  return part.annotations.flatMap((annotation) => {
    const quote = annotatedText(annotation, part.text);
    return quote === '' ? [] : annotatedLines(annotation, citable).flatMap((lines) => marker(lines, quote));
  });
}

/** What an annotation points to: one thing, or in Cohere's a list of sources or of their ids. */
function annotatedLines(annotation: unknown, citable: Citable): readonly (CitedLines | undefined)[] {
  const nested = field(annotation, 'url_citation') ?? annotation;
  const sources = [field(nested, 'sources'), field(nested, 'document_ids')]
    .filter((list) => Array.isArray(list))
    .flat();
  return sources.length === 0
    ? [describedLines(nested, ['cited_text'], citable)]
    : sources.map((source) => sourceLines(source, citable));
}

function sourceLines(source: unknown, citable: Citable): CitedLines | undefined {
  const id = typeof source === 'string' ? source : firstString(source, ['id']);
  const shown = field(source, 'document') ?? field(source, 'tool_output');
  return (
    (id === undefined ? undefined : citable.byId(id)) ??
    describedLines(shown, ['text', 'snippet', 'content'], citable)
  );
}

function describedLines(
  value: unknown,
  textKeys: readonly string[],
  citable: Citable,
): CitedLines | undefined {
  const uri = firstString(value, ['url', 'source', 'file_id']);
  const title = firstString(value, ['title', 'document_title', 'filename']);
  const cited = firstString(value, textKeys);
  return (
    (cited === undefined || cited.trim() === '' ? undefined : citable.byText(cited)) ??
    (uri === undefined ? undefined : citable.byUri(uri)) ??
    (title === undefined ? undefined : citable.byTitle(title))
  );
}

function firstString(value: unknown, keys: readonly string[]): string | undefined {
  const found = keys.map((key) => field(value, key)).find((one) => typeof one === 'string');
  return typeof found === 'string' ? found : undefined;
}

/** The words that an annotation covers; the whole text where the provider gives no span (formats.md section 4). */
function annotatedText(annotation: unknown, text: string): string {
  const nested = field(annotation, 'url_citation') ?? annotation;
  const start = field(nested, 'start_index') ?? field(nested, 'start');
  const end = field(nested, 'end_index') ?? field(nested, 'end');
  const span =
    typeof start === 'number' && typeof end === 'number' && end > start ? text.slice(start, end) : '';
  return span === '' ? text : span;
}
