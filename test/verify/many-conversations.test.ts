import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../../src/transcript/lines.js';
import { type Verification, verifyCompaction } from '../../src/verify/verify.js';
import { compact } from './cases.js';

interface Turn {
  readonly from: string;
  readonly value: string;
}

/** A conversation whose evidence is cited, so that compacting leaves a capsule and receipts in it. */
function row(number: number): { readonly id: string; readonly conversations: readonly Turn[] } {
  const conversations = [0, 1, 2, 3].flatMap((question): Turn[] => [
    { from: 'human', value: `What about station ${number} in week ${question}?` },
    { from: 'function_call', value: JSON.stringify({ name: 'search', arguments: { number, question } }) },
    {
      from: 'observation',
      value: [0, 1, 2, 3, 4, 5]
        .map((i) => `Pump ${i} of it was serviced, note_${number}_${question}_${i}, by crew ${number + i}.`)
        .join('\n'),
    },
    { from: 'gpt', value: `It was serviced, as note_${number}_${question}_1 says.` },
  ]);
  return { id: `row-${number}`, conversations };
}

const rows = (count: number): ReturnType<typeof row>[] => Array.from({ length: count }, (_, i) => row(i));

const LAYOUTS: readonly (readonly [layout: string, write: (count: number) => string])[] = [
  ['one document', (count) => `${JSON.stringify(rows(count))}\n`],
  ['one document of many lines', (count) => `${JSON.stringify(rows(count), null, 2)}\n`],
  [
    'a line each',
    (count) =>
      rows(count)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
  ],
];

interface Counted {
  readonly verification: Verification;
  /** How often each byte of both files was read, on average. */
  readonly readings: number;
}

async function verifyCounted(original: Buffer, compacted: Buffer): Promise<Counted> {
  let bytes = 0;
  const counting = (source: ByteSource): ByteSource => ({
    ...source,
    read(into, position) {
      const read = source.read(into, position);
      bytes += read;
      return read;
    },
  });
  const verification = await verifyCompaction(
    counting(memorySource('original', original)),
    counting(memorySource('compacted', compacted)),
    { lenient: false },
  );
  return { verification, readings: bytes / (original.length + compacted.length) };
}

async function compactRows(text: string): Promise<[original: Buffer, compacted: Buffer]> {
  const original = Buffer.from(text);
  return [original, await compact({ name: 'rows', original, ledger: undefined }, { recent: 0 })];
}

const tamper = (compacted: Buffer): Buffer =>
  Buffer.from(compacted.toString('utf8').replaceAll('not cited now.]', 'never cited.]'));

describe.each(LAYOUTS)('many conversations in %s', (_, write) => {
  test.each<[verdict: string, change: (compacted: Buffer) => Buffer, isProved: boolean]>([
    ['proved', (compacted) => compacted, true],
    ['refuted in each of them', tamper, false],
  ])('are %s, and no byte is read more often because there are more of them', async (_, change, isProved) => {
    const [few, many] = await Promise.all(
      [6, 48].map(async (count) => {
        const [original, compacted] = await compactRows(write(count));
        expect(compacted.length).toBeLessThan(original.length);
        return await verifyCounted(original, change(compacted));
      }),
    );
    const wrong = new Set(many?.verification.findings.map(({ conversation }) => conversation));
    expect(wrong.size).toBe(isProved ? 0 : 48);
    expect(many?.verification.conversations.length).toBe(48);
    expect(many?.readings).toBeLessThan((few?.readings ?? 0) * 1.1);
  });

  test('are told apart: what was done to one is found in that one only', async () => {
    const [original, compacted] = await compactRows(write(12));
    const text = compacted.toString('utf8');
    const at = text.indexOf('week 2', text.indexOf('row-7'));
    const changed = Buffer.from(`${text.slice(0, at)}week 5${text.slice(at + 6)}`);
    const { findings, dropped } = (await verifyCounted(original, changed)).verification;
    expect(findings.map(({ conversation, position }) => [conversation, position])).toStrictEqual([[7, 8]]);
    expect(new Set(dropped.map(({ conversation }) => conversation)).size).toBe(12);
  });

  test.each<[what: string, recentOf: (index: number) => number]>([
    ['different options for each', (index) => (index % 2 === 0 ? 0 : 150)],
  ])('were compacted with %s, and are proved', async (_, recentOf) => {
    const original = Buffer.from(write(6));
    let compacted: Buffer = original;
    for (let i = 0; i < 6; i++)
      compacted = await compact(
        { name: 'rows', original: compacted, ledger: undefined },
        { conversation: String(i), recent: recentOf(i) },
      );
    expect((await verifyCounted(original, compacted)).verification.findings).toStrictEqual([]);
  });
});
