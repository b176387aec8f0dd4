import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for generated files of up to gigabytes: gone when this process ends, also by Ctrl-C. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `thread-${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(2));
  return folder;
}
