import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ThreadError } from '../transcript/errors.js';
import { systemProblem } from './output.js';

/** Up to so many bytes a stream is held in memory; a longer one goes to a temporary file. */
const HELD = 64 * 1024 * 1024;

/** What came out of a stream: its bytes, or a descriptor of a file that has them and no name. */
export type Spooled = { readonly bytes: Buffer } | { readonly descriptor: number };

/**
 * Takes a stream to its end, so that it can be read more than once. The file is readable for its owner only, and loses
 * its name as soon as it is open: whatever ends the program, the system then removes it.
 * @param held how many bytes are held in memory at most
 * @throws whatever the stream does, and ThreadError when there is no place for the file; nothing stays behind
 */
export async function spool(stream: AsyncIterable<Uint8Array>, held = HELD): Promise<Spooled> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let descriptor: number | undefined;
  try {
    for await (const chunk of stream) {
      if (descriptor !== undefined) {
        append(descriptor, chunk);
        continue;
      }
      chunks.push(chunk);
      length += chunk.length;
      if (length <= held) continue;
      descriptor = nameless();
      for (const one of chunks) append(descriptor, one);
      chunks.length = 0;
    }
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw error;
  }
  return descriptor === undefined ? { bytes: Buffer.concat(chunks) } : { descriptor };
}

function nameless(): number {
  const path = join(tmpdir(), `thread-${process.pid}-${process.hrtime.bigint()}.spool`);
  return spooling(() => {
    const descriptor = openSync(path, 'wx+', 0o600);
    try {
      unlinkSync(path);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return descriptor;
  });
}

function append(descriptor: number, bytes: Uint8Array): void {
  spooling(() => {
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  });
}

/** Says of a system error that it is the temporary file's, not the input's. */
function spooling<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const problem = `cannot write a temporary file in ${tmpdir()}: ${systemProblem(error)}`;
    throw new ThreadError(problem, { hint: 'TMPDIR names another folder for it', cause: error });
  }
}
