import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { InputError, ThreadError } from '../transcript/errors.js';
import { type ByteSource, memorySource, readLines } from '../transcript/lines.js';
import { requireAllowed } from './confinement.js';
import type { Io } from './io.js';
import { systemProblem } from './output.js';
import { type Spooled, spool } from './spool.js';
import { warn } from './warning.js';

/** Nobody named an input and the standard input is a terminal: the command's help says what it takes. */
export class MissingInput extends ThreadError {}

/** The system does not give an input: it may be a transcript or not. */
export class UnreadableInput extends InputError {}

/** What messages call the standard input. */
const STDIN_NAME = '<stdin>';

/**
 * Opens an input: a file's path, or `-` or nothing for the standard input, and closes it when `work` is done.
 * @throws ThreadError when there is no such file, or when the standard input is a terminal
 */
export async function withSource<T>(
  path: string | undefined,
  io: Io,
  work: (source: ByteSource) => Promise<T>,
): Promise<T> {
  if (path === undefined || path === '-') return withStdin(io, work);
  const descriptor = openForReading(path, io.cwd);
  try {
    const source = fileSource(descriptor, path);
    const result = await workOnWhole(source, () => hasGrown(descriptor, source), work);
    if (hasGrown(descriptor, source))
      warn(io, `${path}: it grew while it was read; what came later is left out`);
    return result;
  } finally {
    closeSync(descriptor);
  }
}

/** Only a file can: a pipe or a device is read to its end. */
function hasGrown(descriptor: number, { size }: ByteSource): boolean {
  const status = fstatSync(descriptor);
  return status.isFile() && status.size > size;
}

/**
 * Does work on a file that somebody may be writing: a last line that was half there when the file was opened is no
 * fault when it has grown since. The work then is done again without that line; no work prints anything before it has
 * read all.
 */
async function workOnWhole<T>(
  source: ByteSource,
  isGrowing: () => boolean,
  work: (source: ByteSource) => Promise<T>,
): Promise<T> {
  try {
    return await work(source);
  } catch (error) {
    const size = error instanceof InputError && isGrowing() ? endOfLines(source) : source.size;
    if (size === source.size) throw error;
    const read = (into: Uint8Array, at: number): number =>
      source.read(into.subarray(0, Math.max(0, size - at)), at);
    return work({ ...source, size, read });
  }
}

/** Where the lines end that are whole; the source's size when all are, or there is only one. */
function endOfLines(source: ByteSource): number {
  let whole = 0;
  for (const { end, next } of readLines(source)) if (end < next) whole = next;
  return whole > 0 ? whole : source.size;
}

async function withStdin<T>(io: Io, work: (source: ByteSource) => Promise<T>): Promise<T> {
  if (io.isTerminal.stdin) {
    throw new MissingInput('no input: name a transcript file, or pipe one in');
  }
  const spooled = await spoolStdin(io);
  if ('bytes' in spooled) return work(memorySource(STDIN_NAME, spooled.bytes));
  try {
    return await work(fileSource(spooled.descriptor, STDIN_NAME));
  } finally {
    closeSync(spooled.descriptor);
  }
}

async function spoolStdin(io: Io): Promise<Spooled> {
  try {
    return await spool(io.stdin);
  } catch (error) {
    throw error instanceof ThreadError ? error : cannotRead(STDIN_NAME, error);
  }
}

/** The process's standard input. Node's stream passes a directory off as empty; a plain read says what is wrong. */
export async function* standardInput(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (fstatSync(0).isDirectory()) readSync(0, Buffer.alloc(1));
  yield* open();
}

function openForReading(path: string, cwd: string): number {
  // It would be the working directory: a variable of a script that is not set.
  if (path === '') throw new ThreadError('cannot read a file without a name');
  requireAllowed('read', path, cwd);
  try {
    return openSync(resolve(cwd, path), 'r');
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function fileSource(descriptor: number, name: string): ByteSource {
  const status = fstatSync(descriptor);
  if (status.isDirectory()) throw new InputError({ file: name }, 'cannot read: it is a directory');
  // A pipe or a device has no size and cannot be read twice.
  if (!status.isFile()) return memorySource(name, readAll(descriptor, name));
  return {
    name,
    size: status.size,
    read(into, at) {
      const length = Math.min(into.length, status.size - at);
      if (length <= 0) return 0;
      const read = readAt(descriptor, into, length, at, name);
      // Whoever reads it twice comes to its end twice: what was planned the first time holds for the second.
      if (read === 0 || at + read === status.size) requireUnchanged(descriptor, status, name);
      return read;
    },
  };
}

/** What was appended behind the size at first is not read; any other change makes one text of two. */
function requireUnchanged(descriptor: number, first: Stats, name: string): void {
  const { size, mtimeMs } = fstatSync(descriptor);
  if (size < first.size) throw new UnreadableInput({ file: name }, 'it became shorter while it was read');
  if (size === first.size && mtimeMs !== first.mtimeMs)
    throw new UnreadableInput({ file: name }, 'it was written over while it was read');
}

function readAt(descriptor: number, into: Uint8Array, length: number, at: number, name: string): number {
  try {
    return readSync(descriptor, into, 0, length, at);
  } catch (error) {
    throw cannotRead(name, error);
  }
}

function readAll(descriptor: number, name: string): Buffer {
  try {
    return readFileSync(descriptor);
  } catch (error) {
    throw cannotRead(name, error);
  }
}

function cannotRead(name: string, error: unknown): UnreadableInput {
  return new UnreadableInput({ file: name }, `cannot read: ${systemProblem(error)}`, { cause: error });
}

/**
 * A small file's text, such as a ledger's.
 * @throws InputError when it is not UTF-8: decoding would put other characters into what is quoted from it
 */
export function readText(path: string, cwd: string): string {
  requireAllowed('read', path, cwd);
  return decoded(readBytes(resolve(cwd, path), path), path);
}

/** @throws InputError when it is not UTF-8, naming file and line */
export function decoded(bytes: Buffer, shown: string): string {
  if (!isUtf8(bytes)) throw new InputError({ file: shown, line: firstBadLine(bytes) }, 'not UTF-8 text');
  return bytes.toString('utf8');
}

function readBytes(path: string, shown: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw cannotRead(shown, error);
  }
}

function firstBadLine(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n');
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1;
}
