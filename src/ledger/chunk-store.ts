import type { CarriedChunk } from './carried.js';
import type { ChunkDraft, ChunkSource } from './chunks.js';
import type { KeptPart } from './kept-text.js';
import type { LineSpan } from './passages.js';
import type { RetrievedResult, ReturnPlace } from './results.js';

/** Where a chunk was retrieved. */
export interface Retrieval extends ReturnPlace {
  readonly isEditable: boolean;
}

/** Where an earlier capsule has a chunk. */
export interface CarriedPlace {
  /** Of the capsule. */
  readonly position: number;
  /** 1 is the group of the newest citing question, of so many groups. */
  readonly group: number;
  readonly groups: number;
  /** What the capsule calls it. */
  readonly ownId: string;
}

/** A chunk with its place in the transcript. */
export interface DerivedChunk {
  readonly id: string;
  readonly capability: string;
  readonly content: string;
  readonly source: ChunkSource;
  readonly pictureRefs: readonly string[];
  /** Its lines in the result that brought it first; null for items with an identity of their own. */
  readonly lines: LineSpan | null;
  readonly carried: CarriedPlace | null;
  readonly retrievals: readonly Retrieval[];
}

/** A passage that repeats another one counts as the same chunk from this length on; shorter ones repeat by chance. */
const SHORTEST_REPEAT = 80;

/** The chunks of a conversation, in order of first retrieval, with unique ids. */
export class ChunkStore {
  readonly #chunks = new Map<string, StoredChunk>();
  /** Ids of passages by a hash of their text: the texts themselves as keys would all be held. */
  readonly #idsByHash = new Map<number, string | string[]>();
  readonly #claims = new Map<string, string>();
  /** How many texts share an id and a position: where to go on counting. */
  readonly #counts = new Map<string, number>();
  readonly #promptedRefs: (chunkId: string) => readonly string[];

  /** @param promptedRefs the references of pictures that stand in prompts under a label with the chunk's id */
  constructor(promptedRefs: (chunkId: string) => readonly string[]) {
    this.#promptedRefs = promptedRefs;
  }

  /** An id that a result gives stands for the first text that claims it; other texts get another id. */
  claim(id: string, content: string): void {
    if (!this.#claims.has(id)) this.#claims.set(id, content);
  }

  /** Adds an item of a structured result and returns its id: the same id with the same text is the same chunk again. */
  addItem(result: RetrievedResult, draft: ChunkDraft | CarriedChunk, index: number): string {
    const id = this.#freeId(draft.ownId ?? `${result.base}#${index + 1}`, draft.content, result);
    const prompted = draft.ownId === null ? [] : this.#promptedRefs(draft.ownId);
    const pictureRefs = [...new Set([...draft.pictureRefs, ...prompted])];
    this.#add(id, result, () => itemChunk(id, result, { ...draft, pictureRefs }));
    return id;
  }

  /** Adds a passage of a result without structure and returns its id: an exact repeat is the same chunk again. */
  addPassage(result: RetrievedResult, lines: LineSpan, content: string, kept: KeptPart): string {
    const repeats = content.length < SHORTEST_REPEAT ? undefined : this.#idOf(content);
    const id = repeats ?? this.#freeId(`${result.base}#${lines.first}`, content, result);
    if (repeats === undefined && content.length >= SHORTEST_REPEAT) this.#noteText(content, id);
    this.#add(id, result, () => new PassageChunk(id, result, lines, kept));
    return id;
  }

  #idOf(content: string): string | undefined {
    const known = this.#idsByHash.get(hashOf(content)) ?? [];
    const ids = typeof known === 'string' ? [known] : known;
    return ids.find((id) => this.#chunks.get(id)?.content === content);
  }

  #noteText(content: string, id: string): void {
    const hash = hashOf(content);
    const ids = this.#idsByHash.get(hash);
    if (ids === undefined) this.#idsByHash.set(hash, id);
    else if (typeof ids === 'string') this.#idsByHash.set(hash, [ids, id]);
    else ids.push(id);
  }

  all(): DerivedChunk[] {
    return [...this.#chunks.values()];
  }

  /** The wanted id, with the position and a count behind it where another text has it already. */
  #freeId(wanted: string, content: string, { position }: RetrievedResult): string {
    if (!this.#isTaken(wanted, content)) return wanted;
    const placed = `${wanted}@${position}`;
    let count = this.#counts.get(placed) ?? 1;
    let id = placed;
    for (; this.#isTaken(id, content); count++) id = count === 1 ? placed : `${placed}.${count}`;
    this.#counts.set(placed, Math.max(1, count - 1));
    return id;
  }

  #isTaken(id: string, content: string): boolean {
    return (this.#chunks.get(id)?.content ?? this.#claims.get(id) ?? content) !== content;
  }

  #add(id: string, result: RetrievedResult, make: () => StoredChunk): void {
    const chunk = this.#chunks.get(id);
    if (chunk === undefined) this.#chunks.set(id, make());
    else chunk.retrievals.push(retrievalOf(result));
  }
}

function retrievalOf({ position, part, isEditable }: RetrievedResult): Retrieval {
  return { position, part, isEditable };
}

interface StoredChunk extends DerivedChunk {
  readonly retrievals: Retrieval[];
}

/** FNV-1a over the UTF-16 units, 32 bits with a sign: numbers above 2^31 take memory of their own. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

function itemChunk(id: string, result: RetrievedResult, draft: ChunkDraft | CarriedChunk): StoredChunk {
  const { tool, position } = result;
  const { content, source, pictureRefs } = draft;
  const carried = 'group' in draft ? carriedPlace(draft, position) : null;
  // Entries keep the order in which their capsule has them: it was sorted by capability before id.
  const capability = 'series' in draft && draft.series > 0 ? `${tool}${seriesMark(draft.series + 1)}` : tool;
  return {
    id,
    capability,
    content,
    source,
    pictureRefs,
    lines: null,
    carried,
    retrievals: [retrievalOf(result)],
  };
}

function carriedPlace({ group, groups, ownId }: CarriedChunk, position: number): CarriedPlace {
  return { position, group, groups, ownId };
}

/** `~2`, `~9`, `~~10`: in code point order, which is the order of a capsule. */
function seriesMark(series: number): string {
  const digits = String(series);
  return '~'.repeat(digits.length) + digits;
}

/** A class, because of tens of thousands of them each with a function of its own would take several times the memory. */
class PassageChunk implements StoredChunk {
  readonly id: string;
  readonly capability: string;
  readonly source: ChunkSource;
  readonly pictureRefs: readonly string[] = NO_PICTURES;
  readonly lines: LineSpan;
  readonly carried = null;
  readonly retrievals: Retrieval[];
  readonly #text: KeptPart;

  constructor(id: string, result: RetrievedResult, lines: LineSpan, text: KeptPart) {
    this.id = id;
    this.capability = result.tool;
    this.source = result.source;
    this.lines = lines;
    this.retrievals = [retrievalOf(result)];
    this.#text = text;
  }

  get content(): string {
    return this.#text.read();
  }
}

const NO_PICTURES: readonly string[] = [];
