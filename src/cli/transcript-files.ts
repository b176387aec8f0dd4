import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CASE_SUFFIX } from '../golden/case-suffix.js';
import { compareCodePoints } from '../transcript/code-points.js';
import { requireAllowed } from './confinement.js';

/** An input of several. */
export interface TranscriptFile {
  readonly path: string;
  /** Found in a folder, so it may be something else than a transcript. */
  readonly isFound: boolean;
}

/**
 * The files that were named, in the order of the command line; for a folder, the `.jsonl` and `.json` files below it by
 * code point, without those of `thread check`. Links to folders are not followed: they may lead in circles. What cannot be
 * looked into stands among the files, so that opening it tells why.
 */
export function transcriptFiles(paths: readonly string[], cwd: string): TranscriptFile[] {
  return paths.flatMap((path): TranscriptFile[] => {
    if (path === '-' || !isFolder(path, cwd)) return [{ path, isFound: false }];
    return filesBelow(path, cwd)
      .sort(compareCodePoints)
      .map((found) => ({ path: found, isFound: found !== path }));
  });
}

/** What is not there is told when it is opened. */
function isFolder(path: string, cwd: string): boolean {
  requireAllowed('read', path, cwd);
  return statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function filesBelow(folder: string, cwd: string): string[] {
  const entries = entriesOf(resolve(cwd, folder));
  if (entries === undefined) return [folder];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, cwd);
    const isTranscript = /\.jsonl?$/.test(entry.name) && !entry.name.endsWith(CASE_SUFFIX);
    return isTranscript && mayBeFile(resolve(cwd, path)) ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined; // told when it is opened
  }
}

/** Not so a link that leads nowhere or in a circle. */
function mayBeFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ELOOP');
  }
}
