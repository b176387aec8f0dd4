import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompactTranscriptOptions } from '../../src/compaction/compact-transcript.js';
import { type CarriedChunk, readCapsule } from '../../src/ledger/carried.js';
import { ROOT } from '../cli/run.js';
import { CORPUS, corpusFiles, isCorpusMissing, readCorpusFile } from '../corpus-files.js';
import { compactBytes, returnTexts } from './compacted.js';
import { anyRounds, type Round, WRITERS, type Writer } from './rounds.js';

type Options = Partial<CompactTranscriptOptions>;

const OPTIONS: readonly Options[] = [
  {},
  { recent: 0 },
  { recent: 400 },
  { recent: 5000 },
  { budget: 300 },
  { addresses: false },
];

/** The bytes after a compaction; it is checked that another one leaves them as they are. */
async function compactTwice(bytes: Uint8Array | string, options: Options): Promise<Buffer> {
  const { output } = await compactBytes(bytes, options);
  const again = await compactBytes(output, options);
  expect(again.output.toString()).toBe(output.toString());
  return output;
}

const fixtures = readdirSync(join(ROOT, 'fixtures'))
  .filter((name) => /\.jsonl?$/.test(name) && !/\.(?:ledger|case)\./.test(name))
  .toSorted();

describe('compacting again gives the same bytes', () => {
  describe.each(OPTIONS)('%j', (options) => {
    test.each(fixtures)('fixtures/%s', async (name) => {
      await compactTwice(readFileSync(join(ROOT, 'fixtures', name)), options);
    });

    describe.skipIf(isCorpusMissing)(CORPUS, () => {
      test.each(corpusFiles())('%s', async (file) => {
        await compactTwice(readCorpusFile(file), options);
      });
    });
  });
});

/** The entries of the capsules that stand in a transcript. */
function capsuleEntries(bytes: Uint8Array): readonly CarriedChunk[] {
  return [...returnTexts(bytes).values()].flatMap((text) => readCapsule(text)?.entries ?? []);
}

/** Compacts, goes on with more rounds, and compacts again, as often as there are lists of rounds. */
async function checkLoop(
  writer: Writer,
  stretches: readonly (readonly Round[])[],
  options: Options,
): Promise<void> {
  const write = writer();
  let bytes: Buffer = Buffer.alloc(0);
  let before: readonly CarriedChunk[] = [];
  for (const rounds of stretches) {
    bytes = await compactTwice(Buffer.concat([bytes, Buffer.from(write(rounds))]), options);
    const after = capsuleEntries(bytes);
    const places = before.map(({ ownId, content, source }) =>
      after.findIndex(
        (entry) => entry.ownId === ownId && entry.content === content && entry.source.uri === source.uri,
      ),
    );
    // Nothing is lost, and the order stays: later groups are of older questions.
    expect(before.filter((_, i) => places[i] === -1)).toStrictEqual([]);
    const groups = places.map((place) => after[place]?.group ?? 0);
    expect(groups).toStrictEqual(groups.toSorted((a, b) => a - b));
    before = after;
  }
}

describe('a conversation that goes on after a compaction loses no entry of the capsule', () => {
  const stretches = fc.tuple(
    anyRounds({ minLength: 1, maxLength: 5 }),
    anyRounds({ minLength: 10, maxLength: 10 }),
    anyRounds({ minLength: 1, maxLength: 3 }),
  );

  test.each(Object.entries(WRITERS))('in %s', async (_, writer) => {
    await fc.assert(
      fc.asyncProperty(
        stretches,
        fc.constantFrom<Options>({}, { recent: 0 }, { recent: 400 }, { addresses: false }),
        (all, options) => checkLoop(writer, all, options),
      ),
      { numRuns: 150 },
    );
  });
});
