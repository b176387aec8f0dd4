import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';

type Item = Readonly<Record<string, unknown>>;

/** A transcript that is unusual in one way: `units` of what there is much of. */
export interface Shape {
  readonly name: string;
  readonly unit: string;
  readonly records: (units: number) => Iterable<Item>;
  /** What names one conversation, in a file of several: a given ledger is about one. */
  readonly one?: readonly string[];
  /** Of a given ledger: the position of the question that retrieved and cited each chunk. */
  readonly chunks: (units: number) => Iterable<{ readonly id: string; readonly question: number }>;
}

const CHUNK_TEXT = 'the valve of the third basin closes when the level falls below forty ';
const NO_CHUNKS = () => [];

export const SHAPES: readonly Shape[] = [
  {
    ...{ name: 'tiny messages', unit: 'turns', chunks: NO_CHUNKS },
    *records(units) {
      for (let i = 0; i < units; i += 1) yield* turn(i, [`call_${i}`], () => 'ok', 'ok');
    },
  },
  {
    ...{ name: 'one huge line', unit: 'x 400 bytes', chunks: NO_CHUNKS },
    *records(units) {
      yield* turn(0, ['call_0'], () => 'word "x" \\ '.repeat(units * 29), 'It is a word.');
    },
  },
  {
    ...{ name: 'questions', unit: 'questions', chunks: NO_CHUNKS },
    *records(units) {
      yield* turn(0, ['call_0'], () => chunk('doc-0'), 'It closes [doc-0].');
      for (let i = 1; i < units; i += 1) {
        yield { role: 'user', content: `And what about basin ${i}? ${CHUNK_TEXT}` };
        yield { role: 'assistant', content: `Basin ${i} is like the one before: ${CHUNK_TEXT}` };
      }
    },
  },
  {
    ...{ name: 'chunks', unit: 'chunks' },
    *records(units) {
      for (let i = 0; i < units; i += 1) {
        const id = `doc-${i}`;
        yield* turn(i, [`call_${i}`], () => chunk(id), `It closes [${id}].`);
      }
    },
    *chunks(units) {
      for (let i = 0; i < units; i += 1) yield { id: `doc-${i}`, question: 4 * i };
    },
  },
  {
    ...{ name: 'conversations', unit: 'x 4 messages', chunks: NO_CHUNKS, one: ['--conversation', '0'] },
    *records(units) {
      for (let i = 0; i < Math.ceil(units / 5); i += 1) yield conversation(i);
    },
  },
  {
    ...{ name: 'tool calls', unit: 'calls', chunks: NO_CHUNKS },
    *records(units) {
      const calls = Array.from({ length: units }, (_, i) => `call_${i}`);
      yield* turn(0, calls, (id) => `${id}: ${CHUNK_TEXT}`, 'They are closed.');
    },
  },
];

/** Writes the transcript, and beside it what `--ledger` takes; a last question makes all before it earlier. */
export function writeShape(
  { records, chunks, one }: Shape,
  units: number,
  file: string,
  ledger: string,
): void {
  const output = openSync(file, 'w');
  let [pending, positions] = ['', 0];
  const flush = () => {
    writeSync(output, pending);
    pending = '';
  };
  for (const record of records(units)) {
    pending += `${JSON.stringify(record)}\n`;
    positions += 1;
    if (pending.length > 1 << 20) flush();
  }
  if (one === undefined) pending += `${JSON.stringify({ role: 'user', content: 'And the last?' })}\n`;
  flush();
  closeSync(output);
  writeFileSync(ledger, givenLedger(chunks(units), one === undefined ? positions : 0));
}

/** Four messages when there is one call: the question, the calls, their results, the answer. */
function* turn(
  i: number,
  ids: readonly string[],
  result: (id: string) => string,
  answer: string,
): Iterable<Item> {
  yield { role: 'user', content: `What is ${i}?` };
  const calls = ids.map((id) => ({
    ...{ id, type: 'function' },
    function: { name: 'search_docs', arguments: '{}' },
  }));
  yield { role: 'assistant', content: null, tool_calls: calls };
  for (const id of ids) yield { role: 'tool', tool_call_id: id, content: result(id) };
  yield { role: 'assistant', content: answer };
}

function conversation(i: number): Item {
  const conversations = Array.from({ length: 5 }, (_, k) => [
    { from: 'human', value: `What is ${i}.${k}?` },
    { from: 'function_call', value: JSON.stringify({ name: 'search_docs', arguments: { query: `${i}` } }) },
    { from: 'observation', value: chunk(`doc-${i}-${k}`) },
    { from: 'gpt', value: `It closes [doc-${i}-${k}].` },
  ]).flat();
  return { id: `one_${i}`, conversations };
}

function chunk(id: string): string {
  return `[${id}] ${CHUNK_TEXT.repeat(3)}`;
}

function givenLedger(
  chunks: Iterable<{ readonly id: string; readonly question: number }>,
  question: number,
): string {
  const capability = {
    ...{ type: 'capability', capability: 'docs', tool_names: ['search_docs'], question, in_progress: true },
    ...{ latest_evidence_epoch: 0, declaration: null },
  };
  let lines = `${JSON.stringify(capability)}\n`;
  for (const { id, question: by } of chunks) {
    const evidence = {
      ...{ type: 'evidence', capability: 'docs', chunk_id: id, document_id: 'd', document_uri: 'd' },
      ...{ document_title: null, content: CHUNK_TEXT.repeat(3), picture_refs: [] },
      ...{ retrieved_in_questions: [by], cited_in_questions: [by] },
    };
    lines += `${JSON.stringify(evidence)}\n`;
  }
  return lines;
}
