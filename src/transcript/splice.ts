import { tokens } from './json-text.js';
import { findMembers, MEMBER_SIZE } from './members.js';

/** Keys and indices from a record's root to a value inside it. */
export type JsonPath = readonly (string | number)[];

/** One change inside a record. `json` is JSON text, already written in the file's style. */
export type Edit =
  | { readonly op: 'replace'; readonly at: JsonPath; readonly json: string }
  /** `at` names an array element; the comma that separates it goes with it. */
  | { readonly op: 'remove'; readonly at: JsonPath }
  /** `at` names an array; the new element comes last. */
  | { readonly op: 'append'; readonly at: JsonPath; readonly json: string };

/** Byte offsets inside a record's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value that was looked for: where it stands, and where its elements stand when it is an array. */
export interface Found extends Span {
  readonly elements: readonly Span[];
}

/** How the file writes JSON, so that what we add looks like what is there. */
export interface JsonStyle {
  /** Non-ASCII characters as `\uXXXX`. */
  readonly escapesNonAscii: boolean;
  /** A space after colons and commas. */
  readonly spaced: boolean;
}

/**
 * Applies edits to one record's bytes. Only the bytes of the edited values change: spacing, key order, number
 * spellings, duplicate keys and escapes around them stay. Where a key occurs twice the last one is meant, as JSON
 * parsers read it. Edits must not overlap.
 * @throws Error when an edit's path is not in the record: the caller read the record wrongly.
 */
export function splice(bytes: Uint8Array, edits: readonly Edit[], style: JsonStyle): Spliced {
  const changes = spliceChanges(bytes, edits, style);
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const change of changes) {
    pieces.push(bytes.subarray(copied, change.start), Buffer.from(change.json, 'utf8'));
    copied = change.end;
  }
  pieces.push(bytes.subarray(copied));
  return { bytes: Buffer.concat(pieces), changes };
}

export interface Spliced {
  readonly bytes: Buffer;
  /** In the order of their places in the record as it was. */
  readonly changes: readonly Change[];
}

/** What an edit does to a record's text: the bytes of the span become `json`. */
export interface Change extends Span {
  readonly json: string;
  readonly edit: Edit;
}

/** The changes that `splice` makes, in the order of their places. */
export function spliceChanges(bytes: Uint8Array, edits: readonly Edit[], style: JsonStyle): Change[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = replacedMember(buffer, edits) ?? locate(buffer.toString('latin1'), edits.map(locatedPath));
  const changes = edits.map((edit, i) => ({ ...textChange(edit, found[i], edits, style), edit }));
  changes.sort((a, b) => a.start - b.start || a.end - b.end);
  if (changes.some(({ start }, i) => start < (changes[i - 1]?.end ?? 0))) throw new Error('edits overlap');
  return changes;
}

/**
 * Where the one member stands that is replaced, in records that are objects: most edits are such, and `locate` walks
 * every token. Undefined for other edits, and where a key is written with escapes.
 */
function replacedMember(bytes: Buffer, [edit, ...others]: readonly Edit[]): [Found] | undefined {
  const key = edit?.op === 'replace' && edit.at.length === 1 ? edit.at[0] : undefined;
  if (typeof key !== 'string' || others.length > 0) return undefined;
  const members: number[] = [];
  const filled = findMembers(bytes, 0, bytes.length, members);
  let found: [Found] | undefined;
  for (let i = 0; i < filled; i += MEMBER_SIZE) {
    const [from, to, start = 0, end = 0] = members.slice(i, i + MEMBER_SIZE);
    const name = bytes.toString('utf8', from, to);
    if (name.includes('\\')) return undefined;
    if (name === key) found = [{ start, end, elements: [] }];
  }
  return found;
}

/** Removing is an edit of the array that holds the element. */
function locatedPath(edit: Edit): JsonPath {
  return edit.op === 'remove' ? edit.at.slice(0, -1) : edit.at;
}

function textChange(
  edit: Edit,
  found: Found | undefined,
  edits: readonly Edit[],
  style: JsonStyle,
): Omit<Change, 'edit'> {
  if (found === undefined) throw new Error(`no value at /${edit.at.join('/')}`);
  switch (edit.op) {
    case 'replace':
      return { start: found.start, end: found.end, json: edit.json };
    case 'remove':
      return removal(found, edit.at, removedIndices(edits, edit.at.slice(0, -1)));
    case 'append': {
      const isFirst = edits.find((other) => other.op === 'append' && samePath(other.at, edit.at)) === edit;
      const isFirstElement = isFirst && removedIndices(edits, edit.at).size === found.elements.length;
      // Appends to one array all stand at its end; sorting keeps them in the order given.
      const end = found.elements.at(-1)?.end ?? found.start + 1;
      return {
        start: end,
        end,
        json: isFirstElement ? edit.json : `${style.spaced ? ', ' : ','}${edit.json}`,
      };
    }
  }
}

function removedIndices(edits: readonly Edit[], array: JsonPath): ReadonlySet<unknown> {
  return new Set(
    edits
      .filter((edit) => edit.op === 'remove' && samePath(edit.at.slice(0, -1), array))
      .map((edit) => edit.at.at(-1)),
  );
}

/** An element goes with the comma before it, or, when nothing before it stays, with the comma behind it. */
function removal(array: Found, at: JsonPath, removed: ReadonlySet<unknown>): Omit<Change, 'edit'> {
  const index = Number(at.at(-1));
  const element = array.elements[index];
  if (element === undefined) throw new Error(`no element at /${at.join('/')}`);
  const staysBefore = array.elements.some((_, i) => i < index && !removed.has(i));
  const before = array.elements[index - 1];
  if (staysBefore && before !== undefined) return { start: before.end, end: element.end, json: '' };
  return { start: element.start, end: array.elements[index + 1]?.start ?? element.end, json: '' };
}

function samePath(a: JsonPath, b: JsonPath): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
}

interface Wanted {
  readonly children: Map<string | number, Wanted>;
  readonly requests: number[];
}

interface Frame {
  readonly wanted: Wanted | undefined;
  readonly start: number;
  readonly isArray: boolean;
  readonly elements: Span[];
  key: string | number;
}

/**
 * Finds values by their paths in one pass over a record's text (latin1, see `tokens`); undefined where there is none.
 * Of a key that occurs twice the last one counts.
 */
export function locate(text: string, paths: readonly JsonPath[]): (Found | undefined)[] {
  const results: (Found | undefined)[] = paths.map(() => undefined);
  const root = wantedTree(paths);
  const stack: Frame[] = [];
  let expectsKey = false;
  const wantedHere = (): Wanted | undefined => {
    const frame = stack.at(-1);
    return frame === undefined ? root : frame.wanted?.children.get(frame.key);
  };
  const finish = (wanted: Wanted | undefined, span: Span, elements: readonly Span[]): void => {
    for (const request of wanted?.requests ?? []) results[request] = { ...span, elements };
    const parent = stack.at(-1);
    if (parent?.isArray) parent.elements.push(span);
  };
  for (const { kind, start, end } of tokens(text)) {
    const frame = stack.at(-1);
    if (kind === '{' || kind === '[') {
      stack.push({ wanted: wantedHere(), start, isArray: kind === '[', elements: [], key: 0 });
      expectsKey = kind === '{';
    } else if (kind === '}' || kind === ']') {
      const closed = stack.pop();
      if (closed !== undefined) finish(closed.wanted, { start: closed.start, end }, closed.elements);
      expectsKey = false;
    } else if (kind === ',') {
      if (frame?.isArray && typeof frame.key === 'number') frame.key += 1;
      expectsKey = frame !== undefined && !frame.isArray;
    } else if (expectsKey && frame !== undefined) {
      frame.key = frame.wanted === undefined ? '' : keyOf(text.slice(start, end));
      expectsKey = false;
    } else if (kind !== ':') {
      finish(wantedHere(), { start, end }, []);
    }
  }
  return results;
}

function keyOf(written: string): string {
  // JSON inside a JSON string is decoded already: its characters are no bytes.
  const isDecoded = /[^\0-\u00ff]/.test(written);
  const key: unknown = JSON.parse(isDecoded ? written : Buffer.from(written, 'latin1').toString('utf8'));
  return String(key);
}

function wantedTree(paths: readonly JsonPath[]): Wanted {
  const root: Wanted = { children: new Map(), requests: [] };
  paths.forEach((path, request) => {
    let node = root;
    for (const key of path) {
      const child = node.children.get(key) ?? { children: new Map(), requests: [] };
      node.children.set(key, child);
      node = child;
    }
    node.requests.push(request);
  });
  return root;
}

/** A value of any depth as JSON text in the file's style. Lone surrogates come out as escapes. */
export function writeJson(value: unknown, style: JsonStyle): string {
  const json = style.spaced ? joinedJson(value, ': ', ', ') : compactJson(value);
  return style.escapesNonAscii ? escapeNonAscii(json) : json;
}

/** JSON.stringify is several times faster, but it recurses: a few thousand levels are too many for it. */
function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return joinedJson(value, ':', ',');
    throw error;
  }
}

function joinedJson(value: unknown, colon: string, comma: string): string {
  const pieces: string[] = [];
  const pending: ({ readonly text: string } | { readonly value: unknown })[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) {
      pieces.push(next.text);
    } else if (typeof next.value !== 'object' || next.value === null) {
      pieces.push(JSON.stringify(next.value));
    } else {
      const isArray = Array.isArray(next.value);
      pieces.push(isArray ? '[' : '{');
      pending.push({ text: isArray ? ']' : '}' });
      const items = Object.entries(next.value).map(([key, item], i) => {
        const name = isArray ? '' : JSON.stringify(key) + colon;
        return { text: i === 0 ? name : comma + name, value: item };
      });
      // What is pushed last is written first.
      for (const { text, value: item } of items.toReversed()) pending.push({ value: item }, { text });
    }
  }
  return pieces.join('');
}

function escapeNonAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
