import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompactedConversation, compactTranscript } from '../../src/compaction/compact-transcript.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { ThreadError } from '../../src/transcript/errors.js';
import { memorySource } from '../../src/transcript/lines.js';

/** How many chunks that transcripts cite by declaring or marking them still stand, whole and under their ids. */
export interface CitedCount {
  readonly cited: number;
  readonly whole: number;
  readonly resolvable: number;
}

const FOLDERS = ['openai-chat', 'anthropic-messages', 'pydantic-ai'];

/** Compacts each transcript as if a new question came at its end, and looks for what its answers cited. */
export async function countCited(corpus: string, fixtures: string): Promise<CitedCount> {
  const folders = [fixtures, ...FOLDERS.map((name) => join(corpus, name))].filter((folder) =>
    existsSync(folder),
  );
  const counts: CitedCount[] = [];
  for (const folder of folders) {
    const names = readdirSync(folder).filter((name) => /\.jsonl?$/.test(name) && !name.includes('.ledger.'));
    for (const name of names.sort()) counts.push(...(await countFile(join(folder, name))));
  }
  return counts.reduce(
    (total, one) => ({
      cited: total.cited + one.cited,
      whole: total.whole + one.whole,
      resolvable: total.resolvable + one.resolvable,
    }),
    { cited: 0, whole: 0, resolvable: 0 },
  );
}

async function countFile(path: string): Promise<CitedCount[]> {
  const source = memorySource(path, readFileSync(path));
  const options = {
    boundary: Number.MAX_SAFE_INTEGER,
    recent: 0,
    allowUncited: true,
    copies: false,
    lenient: false,
  };
  const compacted = await compactTranscript(source, options).catch((error: unknown) => {
    if (error instanceof ThreadError) return undefined; // no transcript
    throw error;
  });
  if (compacted === undefined) return [];
  const pieces: Buffer[] = [];
  for (const { bytes } of editedPieces(source, compacted.edits, compacted.style))
    pieces.push(Buffer.from(bytes));
  const output = Buffer.concat(pieces).toString('utf8');
  return compacted.conversations.map((conversation) => countConversation(conversation, output));
}

function countConversation({ ledger, compaction }: CompactedConversation, output: string): CitedCount {
  const { text } = compaction.capsule;
  const cited = ledger.capabilities.flatMap(({ citations, proofs }) =>
    [...citations.values()].filter(({ chunkId }) =>
      proofs.get(chunkId)?.some(({ kind }) => kind === 'declared' || kind === 'marker'),
    ),
  );
  // What a provider searched for itself is never replaced: it stands where it stood.
  const stands = (content: string): boolean =>
    text.includes(content) ||
    content.split('\n').every((line) => output.includes(JSON.stringify(line).slice(1, -1)));
  return {
    cited: cited.length,
    whole: cited.filter(({ content }) => stands(content)).length,
    resolvable: cited.filter(
      ({ chunkId, content }) =>
        text.includes(`[${chunkId}] Source: `) || (!text.includes(content) && stands(content)),
    ).length,
  };
}
