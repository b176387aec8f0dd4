import { startDerivation } from '../ledger/derive.js';
import type { Ledger } from '../ledger/entry.js';
import { outlineConversation } from '../transcript/outline.js';
import { readConversations, type Transcript } from '../transcript/transcript.js';

/** The positions of the questions that cite a chunk of a conversation; none when nothing tells. */
export type CitingQuestions = (conversation: number, chunkId: string) => readonly number[];

/** By the ledger, else by one that is derived from the transcript when the first chunk of a conversation is asked for. */
export function citingQuestions(transcript: Transcript | null, ledger: Ledger | undefined): CitingQuestions {
  const given = ledger === undefined ? undefined : byChunk(ledger);
  let derived: { readonly conversation: number; readonly chunks: ReturnType<typeof byChunk> } | undefined;
  return (conversation, chunkId) => {
    if (given === undefined && derived?.conversation !== conversation)
      derived = { conversation, chunks: byChunk(derivedLedger(transcript, conversation)) };
    return (given ?? derived?.chunks)?.get(chunkId) ?? [];
  };
}

function derivedLedger(transcript: Transcript | null, index: number): Ledger {
  for (const conversation of transcript === null ? [] : readConversations(transcript)) {
    if (conversation.index !== index) continue;
    const derivation = startDerivation();
    return derivation.finish(outlineConversation(conversation, (message) => derivation.see(message))).ledger;
  }
  return { capabilities: [] };
}

function byChunk({ capabilities }: Ledger): ReadonlyMap<string, readonly number[]> {
  return new Map(
    capabilities.flatMap(({ record }) =>
      [...record.occurrences.values()].map(({ chunkId, citedInQuestions }) => [
        chunkId,
        citedInQuestions.toSorted((a, b) => a - b),
      ]),
    ),
  );
}
