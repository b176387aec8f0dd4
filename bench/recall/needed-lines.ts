// Real sessions cut at their questions and compacted: whether each token that the continuation uses, and that the
// compacted context shows no more, is found again in the original by its name.
import { compactTranscript } from '../../src/compaction/compact-transcript.js';
import { readTexts } from '../../src/recall/passages.js';
import { createRecall } from '../../src/recall/recall.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { ThreadError } from '../../src/transcript/errors.js';
import { memorySource } from '../../src/transcript/lines.js';
import { outlineConversation } from '../../src/transcript/outline.js';
import { type Conversation, openTranscript, readConversations } from '../../src/transcript/transcript.js';
import { measureTokens, neededTokens } from '../retention/needed.js';
import { type Cut, readCuts } from '../retention/sessions.js';

const LIMITS = { passages: 4, units: 6000 };

export async function measureNeededLines(corpus: string): Promise<void> {
  let [cuts, asked, standing, holding] = [0, 0, 0, 0];
  for (const cut of readCuts(corpus)) {
    const bytes = bytesBefore(cut);
    const compacted = await compactedBytes(cut, bytes);
    if (compacted === undefined) continue;
    cuts += 1;
    const shown = measureTokens(textOf(conversationsIn(compacted, cut.name)));
    const hidden = [...neededTokens(cut).all].filter((token) => !shown.has(token));
    const originals = conversationsIn(bytes, cut.name);
    for (const token of hidden) {
      const recall = createRecall([{ text: token, weight: 1, isFocus: false, isLiteral: false }]);
      for (const conversation of originals) recall.scan({ conversation, file: cut.name });
      const texts = recall.finish(LIMITS).passages.map(({ passage }) => passage.text);
      asked += 1;
      if (texts.some((text) => measureTokens(text).has(token))) standing += 1;
      if (texts.some((text) => text.includes(token))) holding += 1;
    }
  }
  process.stdout.write(
    `needed lines: ${cuts} compacted cuts, ${asked} tokens no longer shown; found in the first four passages: ${percent(holding / asked)}, as a token of its own: ${percent(standing / asked)}\n`,
  );
}

/** The session up to and with its question. */
function bytesBefore({ name, bytes, question }: Cut): Buffer {
  const messages = conversationsIn(bytes, name).flatMap((one) => outlineConversation(one));
  return bytes.subarray(0, messages.find(({ position }) => position === question)?.record.end);
}

/** Undefined for what compact refuses. */
async function compactedBytes({ name, question }: Cut, bytes: Buffer): Promise<Buffer | undefined> {
  const source = memorySource(name, bytes);
  try {
    const options = { boundary: question, allowUncited: false, copies: false, lenient: true };
    const { edits, style } = await compactTranscript(source, options);
    const pieces: Buffer[] = [];
    for (const piece of editedPieces(source, edits, style)) pieces.push(Buffer.from(piece.bytes));
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof ThreadError) return undefined;
    throw error;
  }
}

/** Read once: every token is looked for in the same messages. */
function conversationsIn(bytes: Buffer, name: string): Conversation[] {
  const transcript = openTranscript(memorySource(name, bytes), { lenient: true, isForeign: () => false });
  if (transcript === undefined) return [];
  return [...readConversations(transcript)].map((conversation) => {
    const entries = [...conversation.entries()];
    return { ...conversation, entries: () => entries };
  });
}

function textOf(conversations: readonly Conversation[]): string {
  return conversations.flatMap((one) => [...readTexts(one)].map(({ text }) => text)).join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
