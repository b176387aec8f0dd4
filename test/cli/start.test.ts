import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

/** What each piece of the program loads at once, by esbuild's own account: no import() is followed. */
async function atOnce(): Promise<(piece: string) => readonly string[]> {
  const { metafile } = await build({
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    outdir: 'dist',
    metafile: true,
    write: false,
  });
  const inputs = (path: string, seen: Set<string>): readonly string[] => {
    const output = metafile.outputs[path];
    if (output === undefined || seen.has(path)) return [];
    seen.add(path);
    const others = output.imports.filter(({ kind }) => kind !== 'dynamic-import');
    return [
      ...Object.entries(output.inputs).flatMap(([source, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [source] : [],
      ),
      ...others.flatMap((one) => inputs(one.path, seen)),
    ];
  };
  return (source) => {
    const [path = ''] =
      Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
    return inputs(path, new Set());
  };
}

function packages(sources: readonly string[]): readonly string[] {
  const names = sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

const MODEL = 'src/query/planners/embedded/model.json';
const graphs: readonly { source: string; packages: readonly string[]; model?: true }[] = [
  { source: 'src/cli/main.ts', packages: ['commander'] },
  { source: 'src/cli/commands/compact.ts', packages: ['commander', 'jsonc-parser', 'tokenx'] },
  { source: 'src/cli/commands/resolve.ts', packages: ['commander', 'jsonc-parser'] },
  { source: 'src/cli/commands/show.ts', packages: ['commander', 'jsonc-parser'] },
  { source: 'src/query/planners/embedded.ts', packages: [], model: true },
];

describe('loads at once only what it uses', async () => {
  const sourcesOf = await atOnce();
  test.each(graphs)('$source', (row) => {
    const sources = sourcesOf(row.source);
    expect(sources.length).toBeGreaterThan(1);
    expect(packages(sources)).toEqual(row.packages);
    expect(sources.includes(MODEL)).toBe(row.model === true);
  });
});
