import { expect, test } from 'vitest';
import { readTurns } from '../../src/anaphora/turns.js';
import { memorySource } from '../../src/transcript/lines.js';

const TURNS = 40_000;

// Work for each turn that grows with the turns, or with the ledger, would not end within the test's limit.
test('every turn of very many finds its messages and its chunk among as many', async () => {
  const lines: string[] = [];
  for (let i = 0; i < TURNS; i += 1) {
    lines.push(
      JSON.stringify({ role: 'user', content: `What is ${i}?` }),
      JSON.stringify({ role: 'assistant', content: `It is ${i} [doc-${i}].` }),
    );
  }
  const ledger = Array.from({ length: TURNS }, (_, i) => ({
    ...{ type: 'evidence', capability: 'docs', chunk_id: `doc-${i}`, document_id: 'd', document_uri: 'd' },
    ...{ document_title: null, content: 'It is.', picture_refs: [] },
    ...{ retrieved_in_questions: [2 * i], cited_in_questions: [2 * i] },
  }));
  const capability = {
    ...{ type: 'capability', capability: 'docs', tool_names: ['search'], question: 2 * (TURNS - 1) },
    ...{ in_progress: false, latest_evidence_epoch: 0, declaration: null },
  };
  for (const entry of [capability, ...ledger]) lines.push(JSON.stringify(entry));
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const { conversations } = await readTurns(memorySource('many', bytes), {
    ...{ given: undefined, packs: new Set(), format: undefined, conversation: undefined, lenient: false },
    onBrokenTail: () => {},
  });
  const turns = conversations[0]?.turns ?? [];
  expect(turns.length).toBe(TURNS);
  expect(turns.at(-1)).toMatchObject({
    question: `What is ${TURNS - 1}?`,
    answer: { text: `It is ${TURNS - 1} [doc-${TURNS - 1}].` },
    grounding: { source: 'teaching', chainId: `doc-${TURNS - 1}` },
  });
});
