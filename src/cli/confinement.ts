import { resolve, sep } from 'node:path';
import { ThreadError } from '../transcript/errors.js';

/** What work in a folder did about files. */
export interface FileUse {
  /** The first thing it tried outside of the folder. */
  violation: string | undefined;
  /** It was going to write a file, so the folder may not be what it was. */
  hasWritten: boolean;
}

interface Confinement extends FileUse {
  readonly root: string;
}

/** A case has a worker for itself while it runs, so one confinement at a time is enough for the module. */
let current: Confinement | undefined;

/**
 * Does work that may open files inside a folder only: not a file of another folder, which other machines do not have,
 * and not a device, whose reading may never end. Links are not looked at: the folder holds none.
 * @param root an absolute path without links
 */
export async function confined<T>(
  root: string,
  work: () => Promise<T>,
): Promise<FileUse & { readonly result: T }> {
  const confinement: Confinement = { root, violation: undefined, hasWritten: false };
  current = confinement;
  try {
    const result = await work();
    const { violation, hasWritten } = confinement;
    return { result, violation, hasWritten };
  } finally {
    current = undefined;
  }
}

/** Refuses a file that confined work may not open; called before any file is opened. */
export function requireAllowed(use: 'read' | 'write', path: string, cwd: string): void {
  if (current === undefined) return;
  const target = resolve(cwd, path);
  if (target !== current.root && !target.startsWith(current.root + sep))
    refuse(`a case cannot ${use} outside of its folder: ${path}`, current);
  if (use === 'write') current.hasWritten = true;
}

/** Refuses what a case may not do at all. */
export function refuseInCase(what: string): void {
  if (current !== undefined) refuse(`a case cannot ${what}`, current);
}

function refuse(problem: string, confinement: Confinement): never {
  confinement.violation ??= problem;
  throw new ThreadError(problem);
}
