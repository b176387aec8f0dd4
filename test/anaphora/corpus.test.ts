import { describe, expect, test } from 'vitest';
import type { Recollection } from '../../src/anaphora/recollect.js';
import { readLedgers } from '../../src/ledger/conversation-ledger.js';
import { parseLedger } from '../../src/ledger/entry.js';
import { renderLedger } from '../../src/ledger/render.js';
import { memorySource } from '../../src/transcript/lines.js';
import { CORPUS, corpusFiles, isCorpusMissing, readCorpusFile } from '../corpus-files.js';
import { type ReadAloud, recollectAll, violations } from './violations.js';

const SOME_CONVERSATIONS = 5;

/** Questions, answers and grounds, with the prefixes taken off the answers. */
function told({ conversations }: ReadAloud): unknown {
  return conversations.map((recollections) =>
    recollections.map(({ turn, summary }) => ({
      question: turn.question,
      answer: turn.answer?.text.replace(/^\(Recalling turn -?\d+: .*?\.\) /, ''),
      summary,
    })),
  );
}

function withoutPrefixes(bytes: Buffer, recollections: readonly Recollection[]): string {
  return recollections
    .flatMap(({ prefix, turn }) => (prefix === null || turn.answer === null ? [] : [prefix]))
    .reduce(
      (text, prefix) => text.replace(JSON.stringify(prefix).slice(1, -1), ''),
      bytes.toString('latin1'),
    );
}

describe.skipIf(isCorpusMissing)(CORPUS, () => {
  test.each(corpusFiles())(
    '%s: prefixes are grounded, and the same every time',
    async (file) => {
      const bytes = readCorpusFile(file);
      const { conversations: derived } = await readLedgers(memorySource(file, bytes), {
        lenient: false,
        onBrokenTail: () => undefined,
      });
      const packs = new Set(
        derived.flatMap(({ ledger }) => ledger.capabilities.map(({ capability }) => capability)),
      );
      const given = derived.slice(0, SOME_CONVERSATIONS).map(({ index, ledger }) => ({
        conversation: String(index),
        given: parseLedger(renderLedger(ledger), 'ledger'),
      }));
      for (const options of [...[...packs].map((name) => ({ packs: new Set([name]) })), ...given])
        expect((await recollectAll(bytes, options)).conversations.flatMap(violations)).toStrictEqual([]);
      for (const options of [{}, { packs }]) {
        const read = await recollectAll(bytes, options);
        expect(read.conversations.flatMap(violations)).toStrictEqual([]);
        const again = await recollectAll(read.applied, options);
        expect(again.applied.equals(read.applied)).toBe(true);
        expect(told(again)).toStrictEqual(told(read));
        expect(withoutPrefixes(read.applied, read.conversations.flat()) === bytes.toString('latin1')).toBe(
          true,
        );
      }
      expect(told(await recollectAll(bytes))).toStrictEqual(told(await recollectAll(bytes)));
    },
    60_000,
  );

  test('it holds turns that go back to others', async () => {
    const reads = await Promise.all(corpusFiles().map((file) => recollectAll(readCorpusFile(file))));
    const all = reads.flatMap(({ conversations }) => conversations.flat());
    expect(all.filter(({ prefix }) => prefix !== null).length).toBeGreaterThan(0);
    expect(all.filter(({ summary }) => summary.groundingSource === 'teaching').length).toBeGreaterThan(50);
  }, 60_000);
});
