import { describe, expect, test } from 'vitest';
import { prefixEdits } from '../../src/anaphora/apply.js';
import { type Recollection, recollect } from '../../src/anaphora/recollect.js';
import { readTurns } from '../../src/anaphora/turns.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { memorySource } from '../../src/transcript/lines.js';
import { CORPUS, corpusFiles, isCorpusMissing, readCorpusFile } from '../corpus-files.js';

const FORMATS = ['claude-code', 'openai-chat', 'anthropic-messages', 'pydantic-ai', 'pi'];

async function recollections(bytes: Uint8Array): Promise<{ all: Recollection[]; applied: Buffer }> {
  const source = memorySource('x', bytes);
  const { conversations, style } = await readTurns(source, {
    packs: new Set(),
    lenient: false,
    onBrokenTail: () => undefined,
  });
  const all = conversations.flatMap(({ turns }) => recollect(turns));
  const pieces: Buffer[] = [];
  for (const piece of editedPieces(source, prefixEdits(source, all, style), style))
    pieces.push(Buffer.from(piece.bytes));
  return { all, applied: Buffer.concat(pieces) };
}

const GROUNDED = ['teaching', 'pack'];

describe.skipIf(isCorpusMissing)(CORPUS, () => {
  test.each(corpusFiles(FORMATS))('%s: prefixes are grounded, and the same every time', async (file) => {
    const bytes = readCorpusFile(file);
    const { all, applied } = await recollections(bytes);
    const fired = all.filter(({ prefix }) => prefix !== null);
    for (const { summary, anchor, prefix } of fired) {
      expect(GROUNDED).toContain(summary.groundingSource);
      expect(GROUNDED).toContain(anchor?.groundingSource);
      expect(prefix).toMatch(/^\(Recalling turn \d+: [^\p{Cc}]{1,240}\.\) $/u);
    }
    expect(all.every(({ prefix, reason }) => (prefix === null) !== (reason === null))).toBe(true);
    expect((await recollections(bytes)).all).toStrictEqual(all);
    expect((await recollections(applied)).applied.equals(applied)).toBe(true);
    if (fired.length === 0) expect(applied.equals(bytes)).toBe(true);
  });
});
