import { splitSource } from './carried.js';
import type { ChunkDraft, ChunkSource } from './chunks.js';

/** A line that begins a block: an id in brackets, then nothing, a rank or a source (formats.md section 16). */
const HEADING = /^\[([^\][\s]{1,200})\](?:[ \t]+\[rank \d+ of \d+\])?(?:[ \t]+Source:[ \t]*(.*))?[ \t]*$/;

/** A line that begins a numbered result: `[1] Title`. */
const NUMBERED = /^\[(\d{1,3})\][ \t]+(\S.*)$/;

/** Lines between the heading and the text that describe the block. */
const DESCRIPTION = /^(Source|Type|Content|Title|URL|Headings):[ \t]*(.*)$/;

const SEPARATOR = /^(?:-{3,}|={3,})[ \t]*$/;

interface Block {
  readonly id: string;
  readonly isNumbered: boolean;
  readonly lines: string[];
}

/**
 * The chunks of a text in which each block is headed by its id, as retrieval tools print them. Every block must be
 * headed: text before the first heading means that the brackets are something else. Numbered blocks count from 1.
 */
export function headedBlocks(text: string): ChunkDraft[] {
  const blocks = splitBlocks(text);
  const numbered = blocks.filter(({ isNumbered }) => isNumbered);
  const isCounted = numbered.every(({ id }, i) => Number(id) === i + 1);
  if (numbered.length > 0 && (numbered.length !== blocks.length || !isCounted)) return [];
  return blocks.map(toChunk);
}

function splitBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of text.split('\n')) {
    const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
    const heading = HEADING.exec(plain);
    const numbered = heading === null ? NUMBERED.exec(plain) : null;
    const id = heading?.[1] ?? numbered?.[1];
    if (id !== undefined && !isNumberOnly(heading?.[0], id)) {
      const rest =
        heading === null
          ? `Title: ${numbered?.[2] ?? ''}`
          : heading[2] === undefined
            ? undefined
            : `Source: ${heading[2]}`;
      blocks.push({ id, isNumbered: numbered !== null, lines: rest === undefined ? [] : [rest] });
    } else if (blocks.length > 0) {
      blocks.at(-1)?.lines.push(line);
    } else if (plain.trim() !== '') {
      return [];
    }
  }
  return blocks;
}

/** `[12]` alone on a line is a list or a progress mark, not a chunk's id. */
function isNumberOnly(heading: string | undefined, id: string): boolean {
  return heading !== undefined && /^\d+$/.test(id) && heading.trim() === `[${id}]`;
}

function toChunk({ id, isNumbered, lines }: Block): ChunkDraft {
  const { description, body } = describe(lines);
  while (body.length > 0 && (body.at(-1)?.trim() === '' || SEPARATOR.test(body.at(-1) ?? ''))) body.pop();
  return {
    ownId: isNumbered ? null : id,
    label: isNumbered ? id : null,
    content: body.join('\n'),
    source: readSource(description),
    pictureRefs: [],
  };
}

/**
 * Takes the describing lines off a block: the heading's own, and those that a `Content:` line ends. Without such a
 * line what looks like a description may be the text.
 */
function describe(lines: readonly string[]): { description: ReadonlyMap<string, string>; body: string[] } {
  const description = new Map<string, string>();
  const matches = lines.map((line) => DESCRIPTION.exec(line.replace(/\r$/, '')));
  const end = matches.indexOf(null);
  const described = matches.slice(0, end < 0 ? undefined : end);
  const content = described.findIndex((match) => match?.[1] === 'Content');
  // The heading's own source stands first, put there by splitBlocks.
  const count = content >= 0 ? content + 1 : Math.min(described.length, 1);
  for (const match of described.slice(0, count)) description.set(match?.[1] ?? '', match?.[2] ?? '');
  const inline = description.get('Content') ?? '';
  return { description, body: [...(inline === '' ? [] : [inline]), ...lines.slice(count)] };
}

/** `"Title" (uri)`, `"Title"` or a bare uri, as retrieval tools print sources. */
function readSource(description: ReadonlyMap<string, string>): ChunkSource {
  const [quoted, bare] = splitSource((description.get('Source') ?? '').trim());
  const title = quoted ?? description.get('Title') ?? null;
  const uri = bare || (description.get('URL') ?? '');
  return { documentId: uri || (title ?? ''), uri, title };
}
