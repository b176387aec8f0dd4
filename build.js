// Builds dist/: the command line and the library, bundled with code splitting so that a command loads only what it
// uses, the licences of what is bundled, and the library's type declarations. Run by `npm ci` (prepare) and `npm run build`.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
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

/**
 * The notices of the packages that are bundled: MIT and ISC allow copies only together with them.
 * @throws Error for a package that ships no licence text
 */
function licenceNotices({ inputs }) {
  const folders = Object.keys(inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file));
    if (texts.length === 0) throw new Error(`${folder}: bundled, but without a licence text`);
    const notices = texts.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...notices].join('\n\n');
  });
}

rmSync('dist', { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
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
writeFileSync(
  'dist/THIRD-PARTY-LICENCES.txt',
  `${['thread is bundled with these packages.', ...licenceNotices(metafile)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`,
);
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
