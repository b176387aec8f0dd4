import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ThreadError } from '../transcript/errors.js';
import type { Sink } from './io.js';

/** The reader of our output has gone (`| head`): a quiet end, not a failure. */
export class ClosedPipe extends Error {}

/** Writes to a file descriptor completely: short writes and a full pipe are tried again. */
export function descriptorSink(descriptor: number, name: string): Sink {
  return {
    write(bytes) {
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
      let written = 0;
      while (written < buffer.length) written += writeSome(descriptor, buffer.subarray(written), name);
    },
  };
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function writeSome(descriptor: number, bytes: Uint8Array, name: string): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EAGAIN') {
      Atomics.wait(pause, 0, 0, 2);
      return 0;
    }
    if (code === 'EPIPE') throw new ClosedPipe();
    throw new ThreadError(`cannot write ${name}: ${systemProblem(error)}`, { cause: error });
  }
}

/**
 * Writes a file as a whole or not at all: into a temporary file beside it, which takes its place when `produce` is
 * done. On any failure the target stays as it was. Devices and pipes are written to directly.
 * @param path the target, relative to `cwd`
 */
export async function writeWhole(
  path: string,
  cwd: string,
  produce: (sink: Sink) => void | Promise<void>,
): Promise<void> {
  const { target, existing } = findTarget(path, cwd);
  if (existing?.isDirectory()) throw new ThreadError(`cannot write ${path}: it is a directory`);
  if (existing !== undefined && !existing.isFile()) {
    const descriptor = openForWriting(target, constants.O_WRONLY, path);
    await finishing(
      () => produce(descriptorSink(descriptor, path)),
      () => closeSync(descriptor),
    );
    return;
  }
  const temporary = join(dirname(target), `.${basename(target)}.thread-${process.pid}.tmp`);
  // Never more readable than the file that it replaces, not even for a moment.
  const mode = existing === undefined ? undefined : existing.mode & 0o7777;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
  const descriptor = openForWriting(temporary, flags, path, mode);
  let isComplete = false;
  await finishing(
    async () => {
      await produce(descriptorSink(descriptor, path));
      writing(path, () => {
        if (mode !== undefined) fchmodSync(descriptor, mode);
        fsyncSync(descriptor);
        renameSync(temporary, target);
      });
      isComplete = true;
    },
    () => {
      closeSync(descriptor);
      if (!isComplete) unlinkSync(temporary);
    },
  );
}

async function finishing(work: () => void | Promise<void>, cleanUp: () => void): Promise<void> {
  try {
    await work();
  } finally {
    cleanUp();
  }
}

/**
 * A link stays a link: what it points to is replaced. Pipes keep the name that they were given by, because what a link
 * such as /dev/stdout points to is no path then.
 */
function findTarget(path: string, cwd: string): { target: string; existing: Stats | undefined } {
  const named = resolve(cwd, path);
  return writing(path, () => {
    const existing = statSync(named, { throwIfNoEntry: false });
    return { target: existing?.isFile() ? realpathSync(named) : named, existing };
  });
}

function openForWriting(path: string, flags: number, shown: string, mode = 0o666): number {
  return writing(shown, () => openSync(path, flags, mode));
}

/** Says of a system error that it kept us from writing. */
function writing<Result>(shown: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new ThreadError(`cannot write ${shown}: ${systemProblem(error)}`, { cause: error });
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const PROBLEMS: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'not permitted'],
  ['EISDIR', 'it is a directory'],
  ['ENOTDIR', 'a part of the path is not a directory'],
  ['ENOSPC', 'no space left on the device'],
  ['EROFS', 'the file system is read-only'],
  ['EFBIG', 'the file would be too large'],
  ['ELOOP', 'too many symbolic links'],
  ['ENAMETOOLONG', 'the name is too long'],
]);

/** A system error in words; the same on every Node version. */
export function systemProblem(error: unknown): string {
  const code = errorCode(error);
  return PROBLEMS.get(code) ?? code ?? String(error);
}
