// BM25 over the passages of the shared data set, counted as its retrieval.mjs counts.
import { STOP_WORDS } from '../../src/query/planners/embedded/stop-words.js';
import { wordKey } from '../../src/query/planners/embedded/words.js';
import type { Turn } from './examples.js';
import { tokens } from './score.js';

export interface RetrievalRow {
  readonly id: string;
  readonly history: readonly Turn[];
  readonly query: string;
  readonly relevant: readonly string[];
  readonly answerability: string;
}

export interface Passage {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

interface Index {
  readonly passages: readonly Passage[];
  readonly postings: ReadonlyMap<string, readonly (readonly [number, number])[]>;
  readonly lengths: readonly number[];
}

export function indexPassages(passages: readonly Passage[]): Index {
  const postings = new Map<string, [number, number][]>();
  const lengths = passages.map(({ title, text }, i) => {
    const keys = tokens(`${title ?? ''} ${text}`).map(wordKey);
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const [key, count] of counts) postings.set(key, [...(postings.get(key) ?? []), [i, count]]);
    return keys.length;
  });
  return { passages, postings, lengths };
}

/** Recall at five and mean reciprocal rank over the questions that have an answer; words not in the question weigh `weight`. */
export function retrieve(
  index: Index,
  rows: readonly RetrievalRow[],
  termsOf: (row: RetrievalRow) => readonly string[],
  weight: number,
): { recall: number; rank: number } {
  const answerable = rows.filter(
    ({ relevant, answerability }) => relevant.length > 0 && ['ANSWERABLE', 'PARTIAL'].includes(answerability),
  );
  let [recall, rank] = [0, 0];
  for (const row of answerable) {
    const words = new Map(contentKeys(row.query).map((key) => [key, 1]));
    for (const key of termsOf(row).flatMap(contentKeys)) if (!words.has(key)) words.set(key, weight);
    const found = search(index, words);
    const relevant = new Set(row.relevant);
    recall += found.slice(0, 5).filter((id) => relevant.has(id)).length / relevant.size;
    const first = found.findIndex((id) => relevant.has(id));
    if (first >= 0) rank += 1 / (first + 1);
  }
  return { recall: recall / answerable.length, rank: rank / answerable.length };
}

function contentKeys(text: string): readonly string[] {
  return tokens(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(wordKey);
}

function search(
  { passages, postings, lengths }: Index,
  words: ReadonlyMap<string, number>,
): readonly string[] {
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const scores = new Map<number, number>();
  for (const [key, weight] of words) {
    const list = postings.get(key) ?? [];
    const rarity = Math.log(1 + (passages.length - list.length + 0.5) / (list.length + 0.5));
    for (const [i, count] of list) {
      const length = (lengths[i] ?? 0) / average;
      scores.set(
        i,
        (scores.get(i) ?? 0) + (weight * rarity * count * 2.2) / (count + 1.2 * (0.25 + 0.75 * length)),
      );
    }
  }
  return [...scores]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, 10)
    .map(([i]) => passages[i]?.id ?? '');
}
