import { InputError } from '../transcript/errors.js';
import type { TranscriptRecord } from '../transcript/records.js';
import type { IsForeign } from '../transcript/transcript.js';
import type { Ledger, LedgerLine } from './entry.js';
import { isLedgerLine, isStateObject } from './ledger-line.js';

/** Collects the ledger lines that stand in the same stream as a transcript, however often it is read. */
export interface LedgerLineCollector {
  readonly isForeign: IsForeign;
  /** The ledger of the lines seen so far; undefined when there were none. Loads the ledger's schema only if needed. */
  ledger(): Promise<Ledger | undefined>;
}

interface CollectedLine extends LedgerLine {
  readonly isState: boolean;
}

export function collectLedgerLines(file: string): LedgerLineCollector {
  const lines = new Map<number, CollectedLine>();
  return {
    isForeign({ value, index, bytes, line }: TranscriptRecord): boolean {
      if (!isLedgerLine(value)) return false;
      if (!lines.has(index))
        lines.set(index, { text: bytes.toString('utf8'), line, isState: isStateObject(value) });
      return true;
    },
    async ledger() {
      if (lines.size === 0) return undefined;
      const collected = [...lines.values()];
      const state = collected.find(({ isState }) => isState);
      if (state !== undefined) return stateLedger(state, collected.length, file);
      const { parseLedgerLines } = await import('./entry.js');
      return parseLedgerLines(collected, file);
    },
  };
}

async function stateLedger({ text, line }: LedgerLine, count: number, file: string): Promise<Ledger> {
  if (count > 1)
    throw new InputError(
      { file, line },
      'a state object is a whole ledger, but there are more ledger lines',
      {
        hint: 'keep one of them, or name the ledger with --ledger FILE',
      },
    );
  const { parseStateObject } = await import('./state-object.js');
  return { capabilities: parseStateObject(text, file, line) };
}
