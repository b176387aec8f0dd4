import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ledger } from '../ledger/entry.js';
import { parsePlainLedger } from '../ledger/plain-ledger.js';
import { readText } from './input.js';
import type { Io } from './io.js';

/**
 * The ledger of the file named by `--ledger`, or of the one that stands beside the transcript under its name; undefined
 * when there is neither. Loads the ledger's schema only when it is needed to read it.
 */
export async function givenLedger(
  transcript: string | undefined,
  named: string | undefined,
  io: Io,
): Promise<Ledger | undefined> {
  const path = ledgerPath(transcript, named, io.cwd);
  if (path === undefined) return undefined;
  const text = readText(path, io.cwd);
  const plain = parsePlainLedger(text, path);
  if (plain !== null) return plain;
  const { parseLedger } = await import('../ledger/entry.js');
  return parseLedger(text, path);
}

/** The file that `givenLedger` reads, if any. */
export function ledgerPath(
  transcript: string | undefined,
  named: string | undefined,
  cwd: string,
): string | undefined {
  return named ?? sidecar(transcript, cwd);
}

function sidecar(transcript: string | undefined, cwd: string): string | undefined {
  if (transcript === undefined || transcript === '-' || !/\.jsonl?$/.test(transcript)) return undefined;
  const path = transcript.replace(/\.jsonl?$/, '.ledger.jsonl');
  return path !== transcript && existsSync(resolve(cwd, path)) ? path : undefined;
}
