import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { FORMATS } from '../src/transcript/formats/index.js';
import { sharedFolder } from './shared-folder.js';

const { path: folder, isMissing, title } = sharedFolder('corpus', 'THREAD_CORPUS');

/** Without the corpus its tests are skipped, and their title says so. */
export const isCorpusMissing = isMissing;
export const CORPUS = `the ${title}`;

/** The corpus has a folder for each format, which is called as the format is. */
export const FORMAT_NAMES: readonly string[] = FORMATS.map(({ name }) => name);

/** Not transcripts: conversations as one display text each, and a response of another API. */
const NO_TRANSCRIPTS: ReadonlySet<string> = new Set([
  'openai-chat/tau-airline-fewshot.jsonl',
  'gemini-cli/resp-google-search-interactions.json',
]);

/** The corpus' transcripts of the given formats, relative to it, in order. */
export function corpusFiles(formats: readonly string[] = FORMAT_NAMES): string[] {
  return formats
    .map((name) => join(folder, name))
    .filter(existsSync)
    .flatMap((path) =>
      readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .toSorted(),
    )
    .filter((file) => !NO_TRANSCRIPTS.has(file));
}

export function readCorpusFile(file: string): Buffer {
  return readFileSync(join(folder, file));
}
