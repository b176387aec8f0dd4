import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where a file is written before it takes the target's place. The name says which process it belongs to. */
export function temporaryFor(target: string): string {
  return join(dirname(target), `${prefixOf(target)}${process.pid}${SUFFIX}`);
}

/** Of a name that leaves no room for what is added, the beginning: most systems allow 255 bytes. */
function prefixOf(target: string): string {
  const name = Buffer.from(basename(target));
  return `.${name.length <= LONGEST_NAME ? name.toString() : wholeCharacters(name.subarray(0, LONGEST_NAME))}.thread-`;
}

const SUFFIX = '.tmp';
/** In bytes; with ten digits of a process, 229. */
const LONGEST_NAME = 206;

function wholeCharacters(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true });
}

/**
 * Removes what runs that were killed have left beside a target: temporary files of processes that are no more. What
 * cannot be removed stays, for it is in nobody's way.
 */
export function removeStale(target: string): void {
  const prefix = prefixOf(target);
  for (const name of namesIn(dirname(target))) {
    if (!name.startsWith(prefix) || !name.endsWith(SUFFIX)) continue;
    const pid = name.slice(prefix.length, -SUFFIX.length);
    if (/^[1-9]\d{0,9}$/.test(pid) && !isAlive(Number(pid))) remove(join(dirname(target), name));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // may be written to, not listed
  }
}

/** Of another user's process we are told that we may not ask: it is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // somebody else's
  }
}
