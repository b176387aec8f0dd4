import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A folder of test inputs that are no part of the repository. */
export interface SharedFolder {
  readonly path: string;
  readonly isMissing: boolean;
  /** For the title of the tests: says so when they are skipped. */
  readonly title: string;
}

/**
 * The folder that an environment variable names, else the one beside the repository. Without that one its tests are
 * skipped; a folder that is named has to be there.
 */
export function sharedFolder(name: string, variable: string): SharedFolder {
  const named = process.env[variable] || undefined;
  const path = named ?? fileURLToPath(new URL(`../../shared/${name}`, import.meta.url));
  const isMissing = !existsSync(path);
  if (isMissing && named !== undefined) throw new Error(`${variable}: no folder ${named}`);
  return {
    path,
    isMissing,
    title: isMissing ? `${name} (skipped: no folder ${path}, set ${variable})` : name,
  };
}
