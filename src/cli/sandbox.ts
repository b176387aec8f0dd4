import {
  copyFileSync,
  type Dirent,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { CASE_SUFFIX, GOLDEN_SUFFIX } from '../golden/case-suffix.js';
import { ThreadError } from '../transcript/errors.js';
import { systemProblem } from './output.js';

/** A copy of a case's folder, for a command to work in. */
export interface Sandbox {
  /** An absolute path without links. */
  readonly path: string;
  /** Links that were not followed, relative to the folder. */
  readonly leftOut: readonly string[];
}

/** Enough for any case's inputs; a folder above a whole project is a mistake, and would be copied for each lane. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Not inputs of a case, and often large. */
const SKIPPED = new Set(['.git', 'node_modules']);

/** A folder for sandboxes, below the system's one for temporary files. */
export function makeSandboxRoot(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'thread-check-')));
}

/**
 * Copies a case's folder without cases and goldens, so that an output never depends on them. A link to a file inside
 * the folder becomes that file; others are left out.
 */
export function makeSandbox(folder: string, path: string): Sandbox {
  const leftOut: string[] = [];
  let left = MAX_BYTES;
  const copy = (inner: string): void => {
    mkdirSync(join(path, inner), { recursive: true });
    for (const entry of readdirSync(join(folder, inner), { withFileTypes: true })) {
      const name = join(inner, entry.name);
      if (isSkipped(entry)) continue;
      if (entry.isDirectory()) {
        copy(name);
        continue;
      }
      if (!isCopied(entry, join(folder, name), folder)) {
        leftOut.push(name);
        continue;
      }
      left -= statSync(join(folder, name)).size;
      if (left < 0) throw new ThreadError(TOO_LARGE);
      copyFileSync(join(folder, name), join(path, name));
    }
  };
  try {
    copy('.');
  } catch (error) {
    if (error instanceof ThreadError) throw error;
    throw new ThreadError(`cannot copy the folder of the case: ${systemProblem(error)}`, { cause: error });
  }
  return { path, leftOut };
}

const TOO_LARGE = `the folder of the case holds more than ${MAX_BYTES / 1024 / 1024} MiB: give the case a folder with its inputs only`;

function isSkipped({ name }: Dirent): boolean {
  return SKIPPED.has(name) || name.endsWith(CASE_SUFFIX) || name.endsWith(GOLDEN_SUFFIX);
}

/** Pipes and devices are not copied: reading them may never end. */
function isCopied(entry: Dirent, path: string, folder: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return existsSync(path) && statSync(path).isFile() && isInside(path, folder);
}

/** Whether a file, links followed, stands inside a folder. Both must be there. */
export function isInside(path: string, folder: string): boolean {
  return realpathSync(path).startsWith(realpathSync(folder) + sep);
}

export function removeSandboxes(root: string): void {
  rmSync(root, { recursive: true, force: true });
}
