import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompactTranscriptOptions, compactTranscript } from '../../src/compaction/compact-transcript.js';
import { type Ledger, parseLedger } from '../../src/ledger/entry.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { ThreadError } from '../../src/transcript/errors.js';
import { memorySource } from '../../src/transcript/lines.js';
import { type Verification, verifyCompaction } from '../../src/verify/verify.js';
import { ROOT } from '../cli/run.js';

/** A transcript to compact, and the ledger that goes with it. */
export interface VerifyCase {
  readonly name: string;
  readonly original: Buffer;
  readonly ledger: Ledger | undefined;
}

function fixture(name: string): Buffer {
  return readFileSync(join(ROOT, 'fixtures', name));
}

function derivedCase(name: string): VerifyCase {
  return { name, original: fixture(name), ledger: undefined };
}

/** One of each kind: a ledger given and derived, records and documents, pictures, copies for viewers. */
export const FIXTURES: readonly VerifyCase[] = [
  {
    name: 'openai-chat with a ledger',
    original: fixture('rag.jsonl'),
    ledger: parseLedger(fixture('rag.ledger.jsonl').toString('utf8'), 'ledger'),
  },
  { name: 'openai-chat', original: fixture('support.jsonl'), ledger: undefined },
  { name: 'openai-chat with shortened receipts', original: fixture('coding.jsonl'), ledger: undefined },
  {
    name: 'anthropic-messages with pictures',
    original: fixture('request.anthropic.json'),
    ledger: undefined,
  },
  { name: 'claude-code', original: fixture('session.claude.jsonl'), ledger: undefined },
  { name: 'codex', original: fixture('session.codex.jsonl'), ledger: undefined },
  { name: 'openai-responses', original: fixture('session.openai-responses.json'), ledger: undefined },
  { name: 'pydantic-ai', original: fixture('history.pydantic-ai.json'), ledger: undefined },
  ...['session.vercel-ai.json', 'session.vercel-ai.model.json', 'session.opencode.json'].map(derivedCase),
  ...['session.gemini-cli.json', 'session.gemini-cli.jsonl', 'session.google-genai.json'].map(derivedCase),
];

const CORPUS = process.env.THREAD_CORPUS ?? join(ROOT, '../shared/corpus');

/** Real files, whose receipts keep lines of what they stand for. */
const CORPUS_FILES = [
  'openai-chat/tau-airline-62.one-per-line.jsonl',
  'openai-chat/tau-airline-8.messages.jsonl',
  'opencode/oc-36-messages.json',
  'gemini-cli/gm-session-33k.json',
  'claude-code/cc-glued-line.jsonl',
  'pi/pi-v3-tree.jsonl',
  'pydantic-ai/tau-62.model-messages.json',
];

export const CORPUS_CASES: readonly (VerifyCase & { readonly isMissing: boolean })[] = CORPUS_FILES.map(
  (name) => {
    const path = join(CORPUS, name);
    const isMissing = !existsSync(path);
    const original = isMissing ? Buffer.alloc(0) : readFileSync(path);
    return {
      name: isMissing ? `${name} (skipped: not at ${path})` : name,
      original,
      ledger: undefined,
      isMissing,
    };
  },
);

export type Options = Omit<CompactTranscriptOptions, 'ledger' | 'allowUncited' | 'lenient' | 'copies'> & {
  readonly copies?: boolean;
};

export async function compact({ original, ledger }: VerifyCase, options: Options = {}): Promise<Buffer> {
  const source = memorySource('original', original);
  const { edits, style } = await compactTranscript(source, {
    ledger,
    allowUncited: true,
    lenient: false,
    copies: false,
    ...options,
  });
  const pieces: Buffer[] = [];
  for (const { bytes } of editedPieces(source, edits, style)) pieces.push(Buffer.from(bytes));
  return Buffer.concat(pieces);
}

/** Null when the compacted bytes are no transcript any more, which the command ends with 2. */
export async function verify(
  { original, ledger }: VerifyCase,
  compacted: Buffer,
): Promise<Verification | null> {
  try {
    return await verifyCompaction(memorySource('original', original), memorySource('compacted', compacted), {
      ledger,
      lenient: false,
    });
  } catch (error) {
    if (error instanceof ThreadError && error.exitCode === 2) return null;
    throw error;
  }
}
