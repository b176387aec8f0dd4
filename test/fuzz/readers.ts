import { compactTranscript } from '../../src/compaction/compact-transcript.js';
import { parseLedger } from '../../src/ledger/entry.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { ThreadError } from '../../src/transcript/errors.js';
import type { ByteSource } from '../../src/transcript/lines.js';
import { INPUT, type Input, LEDGER, type Trials } from './trial.js';

/** Nobody waits for more reads than these of one input. */
const MOST_READS = 20_000;

/**
 * What differs between the ways in which an input can be read for a compaction by a given ledger: as a file, through the
 * standard input in pieces of a size, and by a source that gives no more than so many bytes at once. Holds for any reader.
 * @param whole what the input was made from: without a ledger of its own, the one derived from this is given
 */
export async function chunked(
  input: Input,
  whole: Input | undefined,
  wanted: number,
  trials: Trials,
): Promise<readonly string[]> {
  const size = Math.max(wanted, Math.ceil(input.bytes.length / MOST_READS));
  const given = { ...input, ledger: input.ledger ?? (await derivedLedger(whole ?? input, trials)) };
  const args = ['compact', INPUT, '--ledger', LEDGER, '-q'];
  const file = await trials.run(given, { args, stdoutIs: 'transcript' });
  const piped = await trials.run(given, { args, stdoutIs: 'transcript' }, { pieces: size });
  const slow = await compactedSlowly(given, size);
  const asFile = (text: string): string => text.replaceAll('<stdin>', INPUT);
  return [
    ...(piped.code === file.code && piped.stdout.equals(file.stdout) ? [] : [`<stdin> in pieces of ${size}`]),
    ...(asFile(piped.stderr) === file.stderr ? [] : [`${piped.stderr} is not ${file.stderr}`]),
    ...((slow === undefined ? file.code === 2 : slow.equals(file.stdout))
      ? []
      : [`read ${size} bytes at once`]),
  ];
}

const derived = new WeakMap<Input, Promise<Buffer>>();

function derivedLedger(input: Input, trials: Trials): Promise<Buffer> {
  const made =
    derived.get(input) ??
    trials.run(input, { args: ['ledger', INPUT, '-q'], stdoutIs: 'jsonl' }).then(({ stdout }) => stdout);
  derived.set(input, made);
  return made;
}

/** The output, or undefined when the input is refused. */
async function compactedSlowly({ bytes, ledger }: Input, size: number): Promise<Buffer | undefined> {
  const source: ByteSource = {
    name: INPUT,
    size: bytes.length,
    read: (into, at) => bytes.copy(into, 0, at, Math.min(at + size, bytes.length)),
  };
  try {
    const { edits, style } = await compactTranscript(source, {
      ledger: parseLedger(ledger?.toString('utf8') ?? '', LEDGER),
      ...{ allowUncited: false, copies: false, lenient: false },
    });
    const pieces: Buffer[] = [];
    for (const { bytes: piece } of editedPieces(source, edits, style)) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof ThreadError) return undefined;
    throw error;
  }
}
