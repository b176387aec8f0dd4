import { type ByteSource, memorySource } from '../../src/transcript/lines.js';
import type { Message } from '../../src/transcript/message.js';
import {
  openTranscript,
  readConversations,
  readMessages,
  type Transcript,
} from '../../src/transcript/transcript.js';

/** What messages call the inputs of these tests. */
const NAME = 't.jsonl';

/** A source over bytes, or over a text's UTF-8. */
export function sourceOf(input: string | Uint8Array): ByteSource {
  return memorySource(NAME, typeof input === 'string' ? Buffer.from(input, 'utf8') : input);
}

/** The same bytes from a source whose reads are short: the lengths are taken in turn. */
export function shortReads(bytes: Uint8Array, lengths: readonly number[]): ByteSource {
  const whole = memorySource(NAME, bytes);
  let reads = 0;
  return {
    ...whole,
    read(into, at) {
      const length = lengths[reads % lengths.length] ?? into.length;
      reads += 1;
      return whole.read(into.subarray(0, length), at);
    },
  };
}

/** One value a line, as JavaScript writes it. */
export function jsonl(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

export function openText(text: string, format?: string): Transcript | undefined {
  return openTranscript(sourceOf(text), { format, lenient: false, isForeign: () => false });
}

/** The messages of every conversation in a text; none when the text holds no value. */
export function messagesOf(text: string, format?: string): Message[][] {
  const transcript = openText(text, format);
  if (transcript === undefined) return [];
  return [...readConversations(transcript)].map((conversation) => [...readMessages(conversation)]);
}

/** The error that `work` throws; an error of its own when it throws none. */
export function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
