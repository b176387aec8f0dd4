import type { Capsule } from '../compaction/capsule.js';
import type { Compaction } from '../compaction/compact.js';
import type { Io } from './io.js';
import { counted, grouped } from './terminal.js';
import { warn } from './warning.js';

/** What is said of a compaction on the standard error. */
export interface Told {
  /** Null for an input without messages. */
  readonly counts: {
    readonly conversations: number;
    readonly messages: number;
    readonly returns: number;
    readonly kept: number;
    readonly bytes: { readonly before: number; readonly after: number };
  } | null;
  readonly compactions: readonly Pick<Compaction, 'warnings' | 'givenUp' | 'missingPictures'>[];
}

/** Says what a compaction warns of, and sums it up if that is wanted. */
export function tell({ counts, compactions }: Told, isSummed: boolean, io: Io): void {
  for (const { warnings, givenUp, missingPictures } of compactions) {
    for (const warning of warnings) warn(io, warning);
    for (const { question, entries } of givenUp) {
      const ids = entries.map(({ chunkId }) => `[${chunkId}]`).join(' ');
      warn(
        io,
        `given up for the budget: ${counted(entries.length, 'chunk')} cited by question ${question}: ${ids}`,
      );
    }
    for (const { label } of missingPictures)
      warn(io, `a cited picture was not found or cannot be decoded, and is left out: ${label}`);
  }
  if (isSummed) io.stderr.write(`thread: ${summary(counts)}\n`);
}

function summary(counts: Told['counts']): string {
  if (counts === null) return 'no messages, nothing to compact';
  const { conversations, messages, returns, kept, bytes } = counts;
  return [
    ...(conversations > 1 ? [counted(conversations, 'conversation')] : []),
    counted(messages, 'message'),
    `${counted(returns, 'evidence return')} below the boundary`,
    `${counted(kept, 'chunk')} kept`,
    `${grouped(bytes.before)} -> ${grouped(bytes.after)} bytes`,
  ].join(', ');
}

/** A capsule without a return to carry it goes nowhere. */
export function keptChunks(returns: number, { groups }: Pick<Capsule, 'groups'>): number {
  return returns === 0 ? 0 : groups.reduce((sum, { entries }) => sum + entries.length, 0);
}
