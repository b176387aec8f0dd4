/** A place in a memory file that an answer says it rests on. */
export interface MemoryEntry {
  readonly quote: string;
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

const OPEN = '<oai-mem-citation>';
const CLOSE = '</oai-mem-citation>';

/**
 * The entries of Codex's memory citations (formats.md section 17), such as `MEMORY.md:19-40|note=[…]`, and the text
 * without their blocks: they are written for a program, in a notation of their own.
 */
export function memoryEntries(text: string): {
  readonly rest: string;
  readonly entries: readonly MemoryEntry[];
} {
  const [rest, entries]: [string[], MemoryEntry[]] = [[], []];
  let from = 0;
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, from)) {
    const close = text.indexOf(CLOSE, open);
    if (close < 0) break;
    rest.push(text.slice(from, open));
    entries.push(...entriesIn(text.slice(open + OPEN.length, close)));
    from = close + CLOSE.length;
  }
  return { rest: [...rest, text.slice(from)].join('\n'), entries };
}

function entriesIn(block: string): MemoryEntry[] {
  return block.split('\n').flatMap((line) => {
    const [, path, from, to] = /^([^|\n]{1,300}):(\d{1,7})-(\d{1,7})\|note=/.exec(line.trim()) ?? [];
    if (path === undefined) return [];
    return [{ quote: line.trim(), path, from: Number(from), to: Number(to) }];
  });
}
