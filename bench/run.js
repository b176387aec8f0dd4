// Runs a benchmark written in TypeScript: node bench/run.js NAME [ARGS]; without a name, lists them.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [name] = process.argv.slice(2);
const entry = name === undefined ? '' : join(import.meta.dirname, name, 'main.ts');
if (name === undefined || !existsSync(entry)) {
  const names = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((item) =>
    item.isDirectory(),
  );
  process.stderr.write(
    `usage: node bench/run.js NAME\nbenchmarks: ${names.map((item) => item.name).join(', ')}\n`,
  );
  process.exitCode = 2;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'thread-bench-'));
  // Not in a finally: a benchmark that is stopped by a signal ends the process.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'main.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
  await import(pathToFileURL(outfile).href);
}
