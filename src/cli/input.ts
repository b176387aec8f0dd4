import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError, ThreadError } from '../transcript/errors.js';
import { type ByteSource, memorySource } from '../transcript/lines.js';
import { requireAllowed } from './confinement.js';
import type { Io } from './io.js';
import { systemProblem } from './output.js';

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
  if (path === undefined || path === '-') return work(await stdinSource(io));
  const descriptor = openForReading(path, io.cwd);
  try {
    return await work(fileSource(descriptor, path));
  } finally {
    closeSync(descriptor);
  }
}

async function stdinSource(io: Io): Promise<ByteSource> {
  if (io.isTerminal.stdin) {
    throw new MissingInput('no input: name a transcript file, or pipe one in');
  }
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of io.stdin) chunks.push(chunk);
  } catch (error) {
    throw cannotRead(STDIN_NAME, error);
  }
  return memorySource(STDIN_NAME, Buffer.concat(chunks));
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
      try {
        return readSync(descriptor, into, 0, length, at);
      } catch (error) {
        throw cannotRead(name, error);
      }
    },
  };
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
