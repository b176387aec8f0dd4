import { compactTranscript } from '../../src/compaction/compact-transcript.js';
import { RECEIPT } from '../../src/ledger/carried.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { ThreadError } from '../../src/transcript/errors.js';
import { memorySource } from '../../src/transcript/lines.js';
import { resultText } from '../../src/transcript/message.js';
import { outlineConversation } from '../../src/transcript/outline.js';
import { openTranscript, readConversations, readMessages } from '../../src/transcript/transcript.js';
import { evidenceBefore } from './needed.js';
import type { Cut } from './sessions.js';

/** A way to shrink earlier evidence: what it still shows of it, receipts and headings included. */
export interface Arm {
  readonly name: string;
  readonly show: (cut: Cut) => Promise<string[]>;
}

/** The other ways: what agents and chat applications do today. */
const RIVALS: readonly Arm[] = [
  { name: 'nothing dropped', show: async ({ before }) => evidenceBefore(before) },
  { name: 'all receipts', show: async ({ before }) => evidenceBefore(before).map(() => RECEIPT) },
  ...[3, 10].map((count) => ({
    name: `keep last ${count} results`,
    show: async ({ before }: Cut) => keepingNewest(evidenceBefore(before), (i) => i < count),
  })),
  ...[10_000, 20_000, 40_000].map((tokens) => ({
    name: `newest ${tokens / 1000}k tokens protected`,
    show: async ({ before }: Cut) => {
      let used = 0;
      return keepingNewest(evidenceBefore(before), (_, text) => {
        used += text.length;
        return used <= tokens * 4;
      });
    },
  })),
  {
    name: 'head 400 + tail 200 characters',
    show: async ({ before }) =>
      evidenceBefore(before).map((text) =>
        text.length > 600 ? `${text.slice(0, 400)}\n…\n${text.slice(-200)}` : text,
      ),
  },
];

function keepingNewest(texts: readonly string[], keeps: (age: number, text: string) => boolean): string[] {
  return texts
    .toReversed()
    .map((text, i) => (keeps(i, text) ? text : RECEIPT))
    .reverse();
}

/** `thread compact` at several settings; without one, its defaults. */
const OURS: readonly Arm[] = [undefined, 0, 1000, 5000, 10_000].map((recent) => ({
  name: recent === undefined ? 'thread compact' : `thread compact --recent ${recent}`,
  show: (cut) => compacted(cut, recent),
}));

export const ARMS: readonly Arm[] = [...RIVALS, ...OURS];

/** The session up to its question, as a file of its own would be. What is refused keeps everything. */
async function compacted(cut: Cut, recent: number | undefined): Promise<string[]> {
  const { name, bytes, question, before } = cut;
  const source = memorySource(name, bytesUpTo(bytes, name, question));
  const options = { recent, boundary: question, allowUncited: false, copies: false, lenient: true };
  const result = await compactTranscript(source, options).catch((error: unknown) => {
    if (error instanceof ThreadError) return undefined;
    throw error;
  });
  if (result === undefined) return evidenceBefore(before);
  const pieces: Buffer[] = [];
  for (const piece of editedPieces(source, result.edits, result.style)) pieces.push(Buffer.from(piece.bytes));
  const positions = new Set(before.filter(({ isEvidence }) => isEvidence).map(({ position }) => position));
  const output = openTranscript(memorySource(name, Buffer.concat(pieces)), {
    lenient: true,
    isForeign: () => false,
  });
  if (output === undefined) return [];
  return [...readConversations(output)].flatMap((conversation) =>
    [...readMessages(conversation)]
      .filter(({ position }) => positions.has(position))
      .flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === 'tool-result' ? [resultText(part)] : [])),
      ),
  );
}

/** The records up to and with the question's: what came later is not known yet. */
function bytesUpTo(bytes: Buffer, name: string, question: number): Buffer {
  const transcript = openTranscript(memorySource(name, bytes), { lenient: true, isForeign: () => false });
  if (transcript === undefined) return bytes;
  const messages = [...readConversations(transcript)].flatMap((conversation) =>
    outlineConversation(conversation),
  );
  return bytes.subarray(0, messages.find(({ position }) => position === question)?.record.end);
}
