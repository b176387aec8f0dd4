import type { Message, ToolResult } from '../transcript/message.js';
import type { CarriedChunk } from './carried.js';
import type { ChunkDraft, ChunkSource } from './chunks.js';
import type { Citable, CitableChunk } from './citations.js';

/** Where a chunk was retrieved: the return's message position and part. */
export interface Retrieval {
  readonly position: number;
  readonly part: number;
  /** Whether the return may be replaced at all. */
  readonly isEditable: boolean;
}

/** A chunk with its place in the transcript. */
export interface DerivedChunk extends CitableChunk {
  readonly capability: string;
  readonly source: ChunkSource;
  readonly pictureRefs: readonly string[];
  /** The group of an earlier capsule that it stood in, and the position of that capsule. */
  readonly carried: { readonly position: number; readonly group: number } | null;
  readonly retrievals: readonly Retrieval[];
}

/** The chunks retrieved so far, in order, by what citations call them; the newest wins where a name stands for several. */
export class ChunkStore implements Citable {
  readonly #chunks = new Map<string, DerivedChunk>();
  readonly #labels = new Map<string, CitableChunk>();
  readonly #uris = new Map<string, CitableChunk>();
  readonly #titles = new Map<string, CitableChunk>();
  readonly #positionOfBase = new Map<string, number>();

  /** Adds the chunks of one result. The same id with the same text is the same chunk, retrieved again. */
  add(
    message: Message,
    result: ToolResult,
    part: number,
    drafts: readonly (ChunkDraft | CarriedChunk)[],
  ): void {
    const { position } = message;
    const base = this.#uniqueBase(result.callId ?? `@${position}.${part}`, position);
    const retrieval = { position, part, isEditable: result.isEditable };
    drafts.forEach((draft, i) => {
      const id = this.#uniqueId(draft.ownId ?? `${base}#${i + 1}`, draft.content, position);
      const known = this.#chunks.get(id);
      const chunk = known ?? newChunk(id, draft, result.tool ?? 'unknown', position);
      this.#remember({ ...chunk, retrievals: [...chunk.retrievals, retrieval] });
    });
  }

  /** In order of first retrieval. */
  all(): DerivedChunk[] {
    return [...this.#chunks.values()];
  }

  byId(id: string): CitableChunk | undefined {
    return this.#chunks.get(id);
  }

  byLabel(label: string): CitableChunk | undefined {
    return this.#labels.get(label);
  }

  byUri(uri: string): CitableChunk | undefined {
    return this.#uris.get(uri);
  }

  byTitle(title: string): CitableChunk | undefined {
    return this.#titles.get(title);
  }

  byText(text: string): CitableChunk | undefined {
    return this.all().findLast(({ content }) => content.includes(text.trim()));
  }

  #remember(chunk: DerivedChunk): void {
    this.#chunks.set(chunk.id, chunk);
    if (chunk.label !== null) this.#labels.set(chunk.label, chunk);
    if (chunk.uri !== '') this.#uris.set(chunk.uri, chunk);
    if (chunk.title !== null) this.#titles.set(chunk.title, chunk);
  }

  /** Call ids may repeat: the second result of an id is told apart by its position. */
  #uniqueBase(base: string, position: number): string {
    const first = this.#positionOfBase.get(base);
    if (first === undefined) this.#positionOfBase.set(base, position);
    return first === undefined || first === position ? base : `${base}@${position}`;
  }

  #uniqueId(id: string, content: string, position: number): string {
    const known = this.#chunks.get(id);
    return known === undefined || known.content === content ? id : `${id}@${position}`;
  }
}

function newChunk(
  id: string,
  draft: ChunkDraft | CarriedChunk,
  tool: string,
  position: number,
): DerivedChunk {
  const { content, source, label, pictureRefs } = draft;
  const carried = 'group' in draft ? { position, group: draft.group } : null;
  // Entries keep the order in which their capsule has them: it was sorted by capability before id.
  const capability = 'series' in draft && draft.series > 0 ? `${tool}~${draft.series + 1}` : tool;
  return {
    id,
    label,
    uri: source.uri,
    title: source.title,
    content,
    source,
    pictureRefs,
    capability,
    carried,
    retrievals: [],
  };
}
