import { flatCopy } from './kept-text.js';
import type { RetrievedResult } from './results.js';

/** What a citation points to: lines of a result (1-based, both included). */
export interface CitedLines {
  readonly result: number;
  readonly first: number;
  readonly last: number;
}

/**
 * The evidence retrieved so far, by what citations call it. Where a name stands for several pieces the newest wins,
 * because that is what the writer saw last.
 */
export class Citable {
  readonly #results: RetrievedResult[] = [];
  readonly #byId = new Map<string, CitedLines>();
  readonly #byLabel = new Map<string, CitedLines>();
  readonly #byUri = new Map<string, CitedLines>();
  readonly #byTitle = new Map<string, CitedLines>();
  /** Results without structure by the last name of the path that they were read from. */
  readonly #byFileName = new Map<string, number[]>();
  /** The newest search hit for a file's last name and line number. */
  readonly #hits = new Map<
    string,
    { readonly path: string; readonly result: number; readonly line: number }
  >();

  add(result: RetrievedResult, index: number): void {
    this.#results[index] = result;
    if (result.items === null) this.#addWhole(result, index);
    for (const { draft, first, last } of result.items ?? []) {
      const lines = { result: index, first, last };
      if (draft.ownId !== null) this.#byId.set(draft.ownId, lines);
      if (draft.label !== null) this.#byLabel.set(draft.label, lines);
      if (draft.source.uri !== '') this.#byUri.set(draft.source.uri, lines);
      if (draft.source.title !== null) this.#byTitle.set(draft.source.title, lines);
    }
  }

  byId(id: string): CitedLines | undefined {
    return this.#byId.get(id);
  }

  /** By the number in a numbered list of results. */
  byLabel(label: string): CitedLines | undefined {
    return this.#byLabel.get(label);
  }

  byUri(uri: string): CitedLines | undefined {
    return this.#byUri.get(uri);
  }

  byTitle(title: string): CitedLines | undefined {
    return this.#byTitle.get(title);
  }

  /** The piece that holds a provider's `cited_text`. */
  byText(text: string): CitedLines | undefined {
    const wanted = text.trim();
    for (let index = this.#results.length - 1; index >= 0; index--) {
      const result = this.#results[index];
      const item = result?.items?.find(({ draft }) => draft.content.includes(wanted));
      if (item !== undefined) return { result: index, first: item.first, last: item.last };
      if (result?.items === null && result.text.read().includes(wanted))
        return linesOf(result, index, wanted);
    }
    return undefined;
  }

  /** Lines `from` to `to` of a file, by their numbers in the file: as it was read, else as a search found them. */
  byFileLines(path: string, from: number, to: number): CitedLines | undefined {
    return this.#readLines(path, from, to) ?? this.#foundLines(path, from, to);
  }

  #readLines(path: string, from: number, to: number): CitedLines | undefined {
    const name = fileName(path);
    for (const index of (this.#byFileName.get(name) ?? []).toReversed()) {
      const result = this.#results[index];
      if (result === undefined || !isSameFile(result.source.documentId, path)) continue;
      const numbers = result.lines.map(fileLineNumber);
      const first = numbers.findIndex((number) => number !== null && number >= from && number <= to);
      const last = numbers.findLastIndex((number) => number !== null && number >= from && number <= to);
      if (first >= 0) return { result: index, first: first + 1, last: last + 1 };
    }
    return undefined;
  }

  #foundLines(path: string, from: number, to: number): CitedLines | undefined {
    const name = fileName(path);
    for (let number = from; number <= Math.min(to, from + MOST_LINES_LOOKED_FOR); number++) {
      const hit = this.#hits.get(`${name}:${number}`);
      if (hit !== undefined && isSameFile(hit.path, path))
        return { result: hit.result, first: hit.line, last: hit.line };
    }
    return undefined;
  }

  #addHits(lines: readonly string[], index: number): void {
    lines.forEach((line, i) => {
      const [, path, number] = SEARCH_HIT.exec(line.slice(0, 400)) ?? [];
      if (path !== undefined)
        this.#hits.set(`${fileName(path)}:${number}`, { path: flatCopy(path), result: index, line: i + 1 });
    });
  }

  #addWhole(result: RetrievedResult, index: number): void {
    const { lines: texts } = result;
    this.#addHits(texts, index);
    const { documentId, title } = result.source;
    const lines = { result: index, first: 1, last: texts.length };
    // Only a result that says itself where it comes from has a title: its id names it as a URL does.
    if (title !== null) this.#byTitle.set(title, lines);
    if (title !== null || /^[a-z]+:\/\//i.test(documentId)) this.#byUri.set(documentId, lines);
    const name = fileName(documentId);
    if (name !== '') this.#byFileName.set(name, [...(this.#byFileName.get(name) ?? []), index]);
  }
}

/** A line of a search: `path:12:text`, or `path-12-text` around it. */
const SEARCH_HIT = /^([\w./\\@-]{1,300}?\.\w{1,10})[:-](\d{1,7})[:-]/;
const MOST_LINES_LOOKED_FOR = 100;

function linesOf(result: RetrievedResult, index: number, text: string): CitedLines {
  const whole = result.text.read();
  const start = whole.indexOf(text);
  const first = whole.slice(0, start).split('\n').length;
  return { result: index, first, last: first + text.split('\n').length - 1 };
}

function fileName(path: string): string {
  return /[^/\\]*$/.exec(path.trim())?.[0] ?? '';
}

/** The shorter of two paths is the end of the longer one. */
function isSameFile(a: string, b: string): boolean {
  const [long, short] = a.length >= b.length ? [slashed(a), slashed(b)] : [slashed(b), slashed(a)];
  return long === short || long.endsWith(`/${short.replace(/^(?:\.\/|…\/)+/, '')}`);
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

/** The number at the start of a line of a numbered listing (`  48→`, `48:`, `48-`); null without one. */
function fileLineNumber(line: string): number | null {
  const match = /^\s{0,8}(\d{1,7})(?:→|[:|\t-])/.exec(line);
  return match === null ? null : Number(match[1]);
}
