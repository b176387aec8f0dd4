import {
  type CompactedTranscript,
  type CompactTranscriptOptions,
  compactTranscript,
} from '../../src/compaction/compact-transcript.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { memorySource } from '../../src/transcript/lines.js';
import { resultText } from '../../src/transcript/message.js';
import { openTranscript, readConversations, readMessages } from '../../src/transcript/transcript.js';

export interface CompactedBytes {
  readonly compacted: CompactedTranscript;
  readonly output: Buffer;
}

/** Compacts bytes; also where nothing is cited, unless the options say otherwise. */
export async function compactBytes(
  bytes: Uint8Array | string,
  options: Partial<CompactTranscriptOptions> = {},
): Promise<CompactedBytes> {
  const source = memorySource('x', Buffer.from(bytes));
  const compacted = await compactTranscript(source, {
    allowUncited: true,
    copies: false,
    lenient: false,
    ...options,
  });
  const pieces: Buffer[] = [];
  for (const { bytes: piece } of editedPieces(source, compacted.edits, compacted.style))
    pieces.push(Buffer.from(piece));
  return { compacted, output: Buffer.concat(pieces) };
}

/** The payloads of all tool results as a model reads them, by place: `4.0`. */
export function returnTexts(bytes: Uint8Array | string): Map<string, string> {
  const transcript = openTranscript(memorySource('x', Buffer.from(bytes)), {
    lenient: false,
    isForeign: () => false,
  });
  if (transcript === undefined) return new Map();
  const conversations = [...readConversations(transcript)];
  return new Map(
    conversations.flatMap((conversation) =>
      [...readMessages(conversation)].flatMap(({ position, parts }) =>
        parts.flatMap((part, i): [string, string][] =>
          part.kind === 'tool-result' ? [[placeOf(conversation.index, position, i), resultText(part)]] : [],
        ),
      ),
    ),
  );
}

/** A place; in any but the first conversation with its number in front. */
function placeOf(conversation: number, position: number, part: number): string {
  return `${conversation === 0 ? '' : `${conversation}: `}${position}.${part}`;
}
