import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CASE_SUFFIX } from '../golden/case-suffix.js';
import { compareCodePoints } from '../transcript/code-points.js';
import { InputError } from '../transcript/errors.js';
import { requireAllowed } from './confinement.js';
import { systemProblem } from './output.js';

/** An input of several. */
export interface TranscriptFile {
  readonly path: string;
  /** Found in a folder, so it may be something else than a transcript. */
  readonly isFound: boolean;
}

/**
 * The files that were named, in the order of the command line; for a folder, the `.jsonl` and `.json` files below it by
 * code point, without those of `thread check`. Links to folders are not followed: they may lead in circles.
 */
export function transcriptFiles(paths: readonly string[], cwd: string): TranscriptFile[] {
  return paths.flatMap((path): TranscriptFile[] => {
    if (path === '-' || !isFolder(path, cwd)) return [{ path, isFound: false }];
    return filesBelow(path, cwd).map((found) => ({ path: found, isFound: true }));
  });
}

/** What is not there is told when it is opened. */
function isFolder(path: string, cwd: string): boolean {
  requireAllowed('read', path, cwd);
  return statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function filesBelow(folder: string, cwd: string): string[] {
  try {
    return readdirSync(resolve(cwd, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.jsonl?$/.test(name) && !name.endsWith(CASE_SUFFIX))
      .sort(compareCodePoints)
      .map((name) => join(folder, name))
      .filter((path) => statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isFile() ?? false);
  } catch (error) {
    throw new InputError({ file: folder }, `cannot read: ${systemProblem(error)}`, { cause: error });
  }
}
