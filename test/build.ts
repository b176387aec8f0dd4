import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Builds dist/ once before the tests, unless it is newer than everything that it is made from. */
export default function setup(): void {
  const sources = [
    'build.js',
    'package.json',
    'tsconfig.json',
    'tsconfig.types.json',
    'src',
    ...filesIn('src'),
  ];
  const newest = Math.max(...sources.map(changedAt));
  if (newest >= changedAt('dist/cli.js'))
    execFileSync(process.execPath, ['build.js'], { cwd: ROOT, stdio: 'inherit' });
}

/** Folders too: a file that was deleted leaves its time on them. */
function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
}

function changedAt(path: string): number {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
