// Builds dist/: the command line and the library, bundled with code splitting so that a command loads only what it
// uses, and the library's type declarations. Run by `npm ci` (prepare) and `npm run build`.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);

/** commander can start subcommands that are programs of their own; thread has none, and loading that takes 2 ms at every start. */
const withoutPrograms = {
  name: 'without-programs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path: 'child_process', namespace: 'without-programs' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'without-programs' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** A long JSON value is parsed faster as JSON than as JavaScript. */
const jsonAsText = {
  name: 'json-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /model\.json$/ }, ({ path }) => ({
      contents: `export default JSON.parse(${JSON.stringify(readFileSync(path, 'utf8').trim())});`,
    }));
  },
};

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: { cli: 'src/cli/main.ts', 'case-worker': 'src/cli/case-worker.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Node 20 has them; esbuild doubts it and writes new RegExp(…), which is compiled anew at every call.
  supported: { 'regexp-unicode-property-escapes': true },
  // jsonc-parser's CommonJS build resolves its pieces at run time, which a bundle cannot do.
  mainFields: ['module', 'main'],
  chunkNames: 'chunks/[name]-[hash]',
  // commander is CommonJS inside: its require('node:…') calls need a real require in an ES module.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
  plugins: [withoutPrograms, jsonAsText],
  logLevel: 'warning',
});
execFileSync(
  process.execPath,
  [
    require.resolve('typescript/package.json').replace('package.json', 'bin/tsc'),
    '-p',
    'tsconfig.types.json',
  ],
  {
    stdio: 'inherit',
  },
);
