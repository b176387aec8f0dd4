import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sharedFolder } from './shared-folder.js';
import { runAnaphora } from './vectors/anaphora.js';
import { runCapsule } from './vectors/capsule.js';
import { runHistory, runRecordCheck } from './vectors/history.js';
import { runLedger } from './vectors/ledger.js';
import { runInput, runValidate, runWindow } from './vectors/query.js';

interface VectorFile {
  readonly file: string;
  /** From a vector's `input` to what must equal its `expected`. */
  readonly run: (input: unknown) => unknown;
}

const files: readonly VectorFile[] = [
  { file: 'anaphora.jsonl', run: runAnaphora },
  { file: 'ledger.jsonl', run: runLedger },
  { file: 'capsule.jsonl', run: runCapsule },
  { file: 'history.jsonl', run: runHistory },
  { file: 'record-check.jsonl', run: runRecordCheck },
  { file: 'query-window.jsonl', run: runWindow },
  { file: 'query-input.jsonl', run: runInput },
  { file: 'query-validate.jsonl', run: runValidate },
];

const vectorLine = z.object({ id: z.string(), input: z.unknown(), expected: z.unknown() });

const folder = sharedFolder('vectors', 'THREAD_VECTORS');
const [present, absent] = [files.filter(isPresent), files.filter((one) => !isPresent(one))];

function isPresent({ file }: VectorFile): boolean {
  return existsSync(join(folder.path, file));
}

describe.skipIf(folder.isMissing)(folder.title, () => {
  test('are there', () => expect(present).not.toStrictEqual([]));

  test.skip.each(absent)('$file (skipped: not in the folder)', () => undefined);

  test.each(present)('$file', ({ file, run }) => {
    const vectors = readVectors(file);
    expect(vectors.length).toBeGreaterThan(0);
    const results = vectors.map(({ id, input, expected }) => ({
      id,
      expected,
      actual: runNamed(id, run, input),
    }));
    const different = results.filter(({ actual, expected }) => !isDeepStrictEqual(actual, expected));
    const [first] = different;
    // Names every vector that differs, and shows how for the first.
    expect({ differ: different.map(({ id }) => id), first: first?.actual }).toStrictEqual({
      differ: [],
      first: first?.expected,
    });
  });
});

function readVectors(file: string): z.output<typeof vectorLine>[] {
  const lines = readFileSync(join(folder.path, file), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => vectorLine.parse(JSON.parse(line)));
}

function runNamed(id: string, run: VectorFile['run'], input: unknown): unknown {
  try {
    return run(input);
  } catch (cause) {
    throw new Error(`${id} ended in an error: ${cause}`, { cause });
  }
}
