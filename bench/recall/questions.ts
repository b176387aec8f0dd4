// The questions of retrieval-dev.jsonl over a transcript whose tool results are the passages of passages-dev.jsonl,
// counted as retrieval.mjs counts. `first five` counts the passages as they are printed; for the rest a result counts once.
import { join } from 'node:path';
import { loadPlanner } from '../../src/query/planners/index.js';
import { createResolver } from '../../src/query/resolve.js';
import { createRecall, wantedBy, wantedTerms } from '../../src/recall/recall.js';
import { type SearchTerm, withoutStopWords } from '../../src/recall/terms.js';
import { memorySource } from '../../src/transcript/lines.js';
import { type Conversation, openTranscript, readConversations } from '../../src/transcript/transcript.js';
import { readRows } from '../resolve/examples.js';
import type { Passage, RetrievalRow } from '../resolve/retrieval.js';

const SPEAKERS = { user: 'operator', assistant: 'assistant', system: 'summary' } as const;

/** Prints recall at five and mean reciprocal rank over all questions with an answer. */
export async function measureQuestions(folder: string): Promise<void> {
  const passages = readRows<Passage>(join(folder, 'passages-dev.jsonl'));
  const store = storeOf(passages);
  const rows = readRows<RetrievalRow>(join(folder, 'retrieval-dev.jsonl')).filter(
    ({ relevant, answerability }) => relevant.length > 0 && ['ANSWERABLE', 'PARTIAL'].includes(answerability),
  );
  const loadEmbedded = () => loadPlanner({ name: 'embedded', window: 'wide' });
  const resolve = createResolver({ planner: await loadEmbedded(), fallback: 'literal', loadEmbedded });
  const resolved = async ({ query, history }: RetrievalRow, isContext: boolean) => {
    const messages = history.map(({ role, text }, position) => ({ position, text, speaker: SPEAKERS[role] }));
    const { resolution, rows: said } = await resolve({ query, messages, currentIndex: -1 });
    const wanted = wantedBy(resolution, isContext ? said : []);
    return wanted.kind === 'terms' ? wanted.terms : [];
  };
  const arms: readonly (readonly [string, (row: RetrievalRow) => Promise<readonly SearchTerm[]>])[] = [
    ['question only', async ({ query }) => literalTerms(query)],
    ['resolved, without context', (row) => resolved(row, false)],
    ['resolved', (row) => resolved(row, true)],
  ];
  for (const [name, termsOf] of arms) {
    let [recall, rank, printed] = [0, 0, 0];
    for (const row of rows) {
      const found = foundIn(store, await termsOf(row)).map((position) => passages[position]?.id ?? '');
      const distinct = [...new Set(found)];
      const relevant = new Set(row.relevant);
      const share = (ids: Iterable<string>): number =>
        [...new Set(ids)].filter((id) => relevant.has(id)).length / relevant.size;
      recall += share(distinct.slice(0, 5));
      printed += share(found.slice(0, 5));
      const first = distinct.slice(0, 10).findIndex((id) => relevant.has(id));
      if (first >= 0) rank += 1 / (first + 1);
    }
    const mean = (sum: number): string => (sum / rows.length).toFixed(3);
    process.stdout.write(
      `${name}: ${rows.length} questions, R@5 ${mean(recall)}, MRR ${mean(rank)}, R@5 of the first five passages ${mean(printed)}\n`,
    );
  }
}

function literalTerms(query: string): readonly SearchTerm[] {
  const wanted = wantedTerms(query.match(/[\p{L}\p{N}_]+/gu) ?? [], false);
  return wanted.kind === 'terms' ? withoutStopWords(wanted.terms) : [];
}

/** Each passage is a tool result at its own position. */
function storeOf(passages: readonly Passage[]): Conversation[] {
  const lines = passages.map(({ title, text }, i) =>
    JSON.stringify({ role: 'tool', tool_call_id: `c${i}`, content: title ? `${title}\n${text}` : text }),
  );
  const source = memorySource('store', Buffer.from(`${lines.join('\n')}\n`));
  const transcript = openTranscript(source, { lenient: false, isForeign: () => false });
  if (transcript === undefined) return [];
  return [...readConversations(transcript)].map((conversation) => {
    const entries = [...conversation.entries()];
    return { ...conversation, entries: () => entries };
  });
}

/** Positions, best first. */
function foundIn(store: readonly Conversation[], terms: readonly SearchTerm[]): number[] {
  const recall = createRecall(terms);
  for (const conversation of store) recall.scan({ conversation, file: 'store' });
  const { passages } = recall.finish({ passages: Infinity, units: Infinity });
  return passages.map(({ passage }) => passage.position);
}
