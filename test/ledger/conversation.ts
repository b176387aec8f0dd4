import { type Derivation, type DerivedLedger, startDerivation } from '../../src/ledger/derive.js';
import type { CitationProof } from '../../src/ledger/entry.js';
import { TextStore } from '../../src/ledger/kept-text.js';
import type { RetrievedResult } from '../../src/ledger/results.js';
import { memorySource } from '../../src/transcript/lines.js';
import type { Message } from '../../src/transcript/message.js';
import { type OutlineMessage, outlineConversation } from '../../src/transcript/outline.js';
import { openTranscript, readConversations } from '../../src/transcript/transcript.js';

/** One value a line, as JavaScript writes it. */
export const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
export const ask = (content: string): string => line({ role: 'user', content });
export const answer = (content: string): string => line({ role: 'assistant', content });
export const result = (id: string, content: string): string =>
  line({ role: 'tool', tool_call_id: id, content });
export const call = (id: string, name = 'read', input: unknown = {}): string =>
  line({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  });

/** A call and its result. */
export const found = (id: string, content: string, name = 'read', input: unknown = {}): string =>
  call(id, name, input) + result(id, content);

/** Words that name nothing and repeat nothing; they make a text longer than a receipt. */
export const PLAIN =
  'nothing of note stands here and it goes on like that for as long as anybody cares to read '.repeat(2);

/** What is derived of one conversation, and what it was derived from. */
export interface Derived extends DerivedLedger {
  readonly outline: readonly OutlineMessage[];
  readonly messages: readonly Message[];
}

/** Derives the ledger of every conversation in a file. */
export function deriveAll(bytes: Uint8Array): Derived[] {
  const transcript = openTranscript(memorySource('x', bytes), { lenient: false, isForeign: () => false });
  if (transcript === undefined) return [];
  return [...readConversations(transcript)].map((conversation) => {
    const derivation: Derivation = startDerivation();
    const messages: Message[] = [];
    const outline = outlineConversation(conversation, (message) => {
      derivation.see(message);
      messages.push(message);
    });
    return { ...derivation.finish(outline), outline, messages };
  });
}

/** Derives the ledger of a text's only conversation. */
export function derive(text: string): Derived {
  const [derived] = deriveAll(Buffer.from(text));
  if (derived === undefined) throw new Error('no conversation');
  return derived;
}

/** Every proof, with its chunk: `c1#2 quote 3 max_size`, in the order of the ledger. */
export function proofForms({ ledger }: Pick<DerivedLedger, 'ledger'>): string[] {
  return ledger.capabilities
    .flatMap(({ proofs }) => [...proofs])
    .flatMap(([id, proofs]) => proofs.map((proof) => `${id} ${proofForm(proof)}`));
}

function proofForm({ kind, message, quote }: CitationProof): string {
  return `${kind} ${message} ${quote}`;
}

/** A result without structure, read from nowhere, with the named fields instead of that. */
export function retrieved(lines: readonly string[], fields: Partial<RetrievedResult> = {}): RetrievedResult {
  return {
    position: 2,
    part: 0,
    base: 'c1',
    tool: 'read',
    isEditable: true,
    source: { documentId: '', uri: '', title: null },
    text: new TextStore().keep(lines.join('\n')),
    lines,
    items: null,
    receipt: null,
    ...fields,
  };
}
