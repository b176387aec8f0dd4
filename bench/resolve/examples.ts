// The conversations of the shared data set, and how they are split and varied for training.
import { readFileSync } from 'node:fs';
import { wordKey } from '../../src/query/planners/embedded/words.js';

export interface Turn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly text: string;
}

export interface Example {
  readonly id: string;
  readonly dataset: string;
  readonly conversation: string;
  readonly history: readonly Turn[];
  readonly query: string;
  /** The question as a person wrote it to be read alone. */
  readonly rewrite?: string;
  readonly gold_terms: readonly string[];
  readonly mode: 'direct' | 'contextual';
}

export const SETS = ['canard', 'qrecc', 'camrest', 'cast2022', 'ikat2023'];

export function readRows<Row>(path: string): readonly Row[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** The number of the fold that the whole conversation belongs to. */
export function foldOf({ conversation }: Example, folds: number): number {
  let hash = 7;
  for (const character of conversation) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return Math.abs(hash) % folds;
}

export function goldKeys(example: Example): ReadonlySet<string> {
  return new Set(example.gold_terms.map(wordKey));
}

/** As people type it: without capitals. */
export function lowerCased(example: Example): Example {
  return {
    ...example,
    query: example.query.toLowerCase(),
    history: example.history.map(({ role, text }) => ({ role, text: text.toLowerCase() })),
  };
}

/** As a search box stores it: without the replies. */
export function withoutReplies(example: Example): Example {
  return { ...example, history: example.history.filter(({ role }) => role !== 'assistant') };
}
