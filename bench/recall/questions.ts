// The questions of retrieval-dev.jsonl over the passages of passages-dev.jsonl, counted as retrieval.mjs counts.
import { join } from 'node:path';
import { loadPlanner } from '../../src/query/planners/index.js';
import { createResolver } from '../../src/query/resolve.js';
import { createRanking } from '../../src/recall/rank.js';
import { wantedBy, wantedTerms } from '../../src/recall/recall.js';
import { compileTerms, type SearchTerm, withoutStopWords } from '../../src/recall/terms.js';
import { readRows } from '../resolve/examples.js';
import type { Passage, RetrievalRow } from '../resolve/retrieval.js';

const SPEAKERS = { user: 'operator', assistant: 'assistant', system: 'summary' } as const;

/** Prints recall at five and mean reciprocal rank over all questions with an answer. */
export async function measureQuestions(folder: string): Promise<void> {
  const passages = readRows<Passage>(join(folder, 'passages-dev.jsonl'));
  const rows = readRows<RetrievalRow>(join(folder, 'retrieval-dev.jsonl')).filter(
    ({ relevant, answerability }) => relevant.length > 0 && ['ANSWERABLE', 'PARTIAL'].includes(answerability),
  );
  const loadEmbedded = () => loadPlanner({ name: 'embedded', window: 'wide' });
  const resolve = createResolver({ planner: await loadEmbedded(), fallback: 'literal', loadEmbedded });
  const arms: readonly (readonly [string, (row: RetrievalRow) => Promise<readonly SearchTerm[]>])[] = [
    ['question only', async ({ query }) => literalTerms(query)],
    [
      'resolved',
      async ({ query, history }) => {
        const messages = history.map(({ role, text }, position) => ({
          position,
          text,
          speaker: SPEAKERS[role],
        }));
        const wanted = wantedBy((await resolve({ query, messages, currentIndex: -1 })).resolution);
        return wanted.kind === 'terms' ? wanted.terms : [];
      },
    ],
  ];
  for (const [name, termsOf] of arms) {
    let [recall, rank, unsearched] = [0, 0, 0];
    for (const row of rows) {
      const terms = await termsOf(row);
      if (terms.length === 0) unsearched += 1;
      const found = foundIn(passages, terms);
      const relevant = new Set(row.relevant);
      recall += found.slice(0, 5).filter((id) => relevant.has(id)).length / relevant.size;
      const first = found.slice(0, 10).findIndex((id) => relevant.has(id));
      if (first >= 0) rank += 1 / (first + 1);
    }
    process.stdout.write(
      `${name}: ${rows.length} questions, R@5 ${(recall / rows.length).toFixed(3)}, MRR ${(rank / rows.length).toFixed(3)}, ${unsearched} without terms\n`,
    );
  }
}

function literalTerms(query: string): readonly SearchTerm[] {
  const wanted = wantedTerms(query.match(/[\p{L}\p{N}_]+/gu) ?? [], false);
  return wanted.kind === 'terms' ? withoutStopWords(wanted.terms) : [];
}

function foundIn(passages: readonly Passage[], terms: readonly SearchTerm[]): string[] {
  const ranking = createRanking<{ id: string; text: string; source: { kind: 'context' } }>(
    compileTerms(terms),
  );
  for (const { id, title, text } of passages) {
    const whole = `${title ?? ''} ${text}`;
    ranking.pass('context', whole.length, 1);
    ranking.add({ id, text: whole, source: { kind: 'context' } });
  }
  return ranking.finish().map(({ passage }) => passage.id);
}
