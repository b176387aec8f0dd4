import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../cli/run.js';
import { corpusFiles, readCorpusFile } from '../corpus-files.js';
import type { Input } from './trial.js';

export interface NamedInput extends Input {
  readonly name: string;
}

const FIXTURES = join(ROOT, 'fixtures');

/** The fixtures that are transcripts: one of each format at least. */
export const FIXTURE_INPUTS: readonly NamedInput[] = readdirSync(FIXTURES)
  .filter((name) => /\.jsonl?$/.test(name) && !/\.(?:ledger|case)\./.test(name))
  .toSorted()
  .map((name) => ({
    name: `fixtures/${name}`,
    bytes: readFileSync(join(FIXTURES, name)),
    ledger: name === 'rag.jsonl' ? readFileSync(join(FIXTURES, 'rag.ledger.jsonl')) : undefined,
  }));

/** Real files, up to a size with which a command takes no longer than a moment. */
export function corpusInputs(mostBytes: number): NamedInput[] {
  return corpusFiles()
    .map((name) => ({ name, bytes: readCorpusFile(name) }))
    .filter(({ bytes }) => bytes.length <= mostBytes);
}
