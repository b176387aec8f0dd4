import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ThreadError } from '../transcript/errors.js';
import { requireAllowed } from './confinement.js';
import { interruptible } from './interrupt.js';
import type { Sink } from './io.js';
import { escapedJson } from './json-output.js';
import { removeStale, temporaryFor } from './temporary.js';

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

/** What is written, in order. A piece is written before the next is asked for. */
export type Pieces = Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>;

/** Writes to the named file as a whole or not at all; nothing and `-` are names of the stream. */
export async function writeTo(
  path: string | undefined,
  stream: Sink,
  cwd: string,
  pieces: Pieces,
): Promise<void> {
  if (namesFile(path)) await writeWhole(path, cwd, pieces);
  else for await (const piece of pieces) stream.write(piece);
}

/** Whether an output's name is a file's; nothing and `-` stand for a stream. */
export function namesFile(path: string | undefined): path is string {
  return path !== undefined && path !== '-';
}

/**
 * Writes a file as a whole or not at all: into a temporary file beside it, which takes its place when all is there. On
 * any failure, and on a signal that ends the program, the target stays as it was. Devices and pipes are written to
 * directly.
 * @param path the target, relative to `cwd`
 */
async function writeWhole(path: string, cwd: string, pieces: Pieces): Promise<void> {
  const { target, existing } = findTarget(path, cwd);
  if (existing !== undefined && !existing.isFile()) {
    const descriptor = openForWriting(target, constants.O_WRONLY, path);
    const sink = await deviceSink(descriptor, path);
    await finishing(
      async () => {
        for await (const piece of pieces) sink.write(piece);
      },
      () => closeSync(descriptor),
    );
    return;
  }
  await interruptible((pause) => replaceFile({ path, target, existing }, pieces, pause));
}

/** A terminal may have been given by name, such as /dev/tty: what is written there is JSON, or safe already. */
async function deviceSink(descriptor: number, path: string): Promise<Sink> {
  const { isatty } = await import('node:tty'); // takes long to load
  const sink = descriptorSink(descriptor, path);
  return isatty(descriptor) ? escapedJson(sink) : sink;
}

async function replaceFile(
  { path, target, existing }: Target,
  pieces: Pieces,
  pause: () => Promise<void>,
): Promise<void> {
  const temporary = temporaryFor(target);
  removeStale(target);
  // Never more readable than the file that it replaces, not even for a moment.
  const mode = existing === undefined ? undefined : existing.mode & 0o7777;
  // Nothing may be there: not a link that leads elsewhere, nor a file that others may read.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  writing(path, () => rmSync(temporary, { force: true }));
  const descriptor = openForWriting(temporary, flags, path, mode);
  const sink = descriptorSink(descriptor, path);
  let isComplete = false;
  await finishing(
    async () => {
      for await (const piece of pieces) {
        sink.write(piece);
        await pause();
      }
      writing(path, () => {
        if (mode !== undefined) fchmodSync(descriptor, mode);
        fsyncSync(descriptor);
      });
      await pause();
      writing(path, () => renameSync(temporary, target));
      isComplete = true;
    },
    () => {
      closeSync(descriptor);
      if (!isComplete) rmSync(temporary, { force: true }); // gone already, if somebody cleaned up
    },
  );
}

async function finishing(work: () => Promise<void>, cleanUp: () => void): Promise<void> {
  try {
    await work();
  } finally {
    cleanUp();
  }
}

/** Fails for a target that cannot be written, before there is anything to write. */
export function requireWritable(path: string, cwd: string): void {
  const { target, existing } = findTarget(path, cwd);
  const isFile = existing?.isFile() ?? true;
  writing(path, () => accessSync(isFile ? dirname(target) : target, constants.W_OK));
}

/**
 * The same for all names of a file, whether it is there already or not; undefined for what is no file, such as a pipe,
 * to which two may write.
 */
export function fileIdentity(path: string, cwd: string): string | undefined {
  const { target, existing } = findTarget(path, cwd);
  return existing === undefined ? target : identityOf(existing);
}

/** The same of what is open already. */
export function descriptorIdentity(descriptor: number): string | undefined {
  try {
    return identityOf(fstatSync(descriptor));
  } catch {
    return undefined; // closed
  }
}

function identityOf(status: Stats): string | undefined {
  return status.isFile() ? `${status.dev}:${status.ino}` : undefined;
}

interface Target {
  /** As the user gave it. */
  readonly path: string;
  readonly target: string;
  readonly existing: Stats | undefined;
}

/**
 * A link stays a link: what it points to is replaced, or made. Pipes keep the name that they were given by, because what
 * a link such as /dev/stdout points to is no path then.
 */
function findTarget(path: string, cwd: string): Target {
  requireAllowed('write', path, cwd);
  const named = resolve(cwd, path);
  const existing = writing(path, () => statSync(named, { throwIfNoEntry: false }));
  if (existing?.isDirectory()) throw new ThreadError(`cannot write ${path}: it is a directory`);
  if (existing === undefined) return { path, target: writing(path, () => newTarget(named)), existing };
  return { path, target: existing.isFile() ? writing(path, () => realpathSync(named)) : named, existing };
}

/** Where a file that is not there yet comes to stand; links may point to it already. */
function newTarget(named: string): string {
  const target = join(realpathSync(dirname(named)), basename(named));
  const isLink = lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? newTarget(resolve(dirname(target), readlinkSync(target))) : target;
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
  ['EBADF', 'bad file descriptor'],
  ['EIO', 'input/output error'],
]);

/** A system error in words; the same on every Node version. */
export function systemProblem(error: unknown): string {
  const code = errorCode(error);
  return PROBLEMS.get(code) ?? code ?? String(error);
}
