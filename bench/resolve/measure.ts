// The embedded planner next to simple ways to do what it does: added words, modes, retrieval and time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planEmbedded } from '../../src/query/planners/embedded.js';
import { type Example, readRows, SETS, type Turn } from './examples.js';
import { indexPassages, type Passage, type RetrievalRow, retrieve } from './retrieval.js';
import { type Answer, type Score, scoreSet } from './score.js';

type Asked = { readonly id: string; readonly query: string; readonly history: readonly Turn[] };
type System = { readonly name: string; readonly answer: (asked: Asked) => Answer };

const SYSTEMS: readonly System[] = [
  { name: 'question only', answer: ({ id }) => ({ id, terms: [] }) },
  { name: 'previous turn', answer: ({ id, history }) => ({ id, terms: lastTurn(history) }) },
  { name: 'all history', answer: allHistory },
  { name: 'embedded', answer: plan },
  // The gold has no plan without a search: what needs no word of the history is direct in it.
  { name: 'embedded, none read as direct', answer: (asked) => readNone(plan(asked)) },
];
const OUR_WEIGHT = 0.7;

const milliseconds: number[] = [];

export function measurePlanner(folder: string): void {
  const dev = readRows<Example>(join(folder, 'dev.jsonl')).filter(({ dataset }) => SETS.includes(dataset));
  // The first plan loads the model.
  for (const example of dev.slice(0, 50)) plan(example);
  milliseconds.length = 0;
  for (const system of SYSTEMS) measureSystem(system, dev, folder);
  const [median, most] = [quantile(milliseconds, 0.5), quantile(milliseconds, 0.95)];
  print(`\nmilliseconds a plan: median ${median.toFixed(2)}, 95 % under ${most.toFixed(2)}\n`);
  measureRetrieval(folder);
}

function measureSystem(system: System, dev: readonly Example[], folder: string): void {
  const answers = new Map(dev.map((example) => [example.id, system.answer(example)]));
  const rows = SETS.map((name) =>
    scoreSet(
      dev.filter(({ dataset }) => dataset === name),
      answers,
    ),
  );
  print(`\n${system.name}`);
  print(row('set', 'F1', 'direct', 'contextual', 'both', 'ungrounded'));
  rows.forEach((score, i) => {
    print(scoreRow(SETS[i] ?? '', score));
  });
  print(scoreRow('mean of sets', meanOf(rows)));
  print(checkAgainstScorer([...answers.values()], meanOf(rows), folder));
}

function measureRetrieval(folder: string): void {
  const index = indexPassages(readRows<Passage>(join(folder, 'passages-dev.jsonl')));
  const questions = readRows<RetrievalRow>(join(folder, 'retrieval-dev.jsonl'));
  print(row('retrieval', 'R@5', 'MRR'));
  const arms: readonly (readonly [string, System['answer'], number])[] = [
    ['question only', ({ id }) => ({ id, terms: [] }), 1],
    ['all history', allHistory, 1],
    ['embedded', plan, 1],
    [`embedded, added words at ${OUR_WEIGHT}`, plan, OUR_WEIGHT],
  ];
  for (const [name, answer, weight] of arms) {
    const { recall, rank } = retrieve(index, questions, (asked) => answer(asked).terms, weight);
    print(row(name, recall.toFixed(3), rank.toFixed(3)));
  }
}

function plan({ id, query, history }: Asked): Answer {
  const start = performance.now();
  const { terms, mode } = planEmbedded({
    query,
    history: history.map((turn, position) => ({ ...turn, position })),
  });
  milliseconds.push(performance.now() - start);
  return { id, terms, mode };
}

function allHistory({ id, history }: Asked): Answer {
  return { id, terms: history.map(({ text }) => text) };
}

function readNone(answer: Answer): Answer {
  return answer.mode === 'none' ? { ...answer, mode: 'direct' } : answer;
}

function lastTurn(history: readonly Turn[]): readonly string[] {
  const user = history.findLastIndex(({ role }) => role === 'user');
  return history.slice(Math.max(0, user)).map(({ text }) => text);
}

/** Whether the shared scorer counts the same. */
function checkAgainstScorer(answers: readonly Answer[], mean: Score, folder: string): string {
  const temporary = mkdtempSync(join(tmpdir(), 'thread-resolve-'));
  try {
    const file = join(temporary, 'system.jsonl');
    writeFileSync(file, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
    const args = [
      join(folder, 'score.mjs'),
      join(folder, 'dev.jsonl'),
      file,
      '--json',
      `--sets=${SETS.join()}`,
    ];
    const theirs = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))['MEAN-OF-SETS'];
    const gaps = [
      theirs.F1 - mean.f1,
      theirs.directRecall - mean.direct,
      theirs.contextualRecall - mean.contextual,
    ];
    // It rounds each set, and then the mean.
    const agrees = gaps.every((gap) => Math.abs(gap) < 0.11) && theirs.ungrounded === mean.ungrounded;
    return agrees ? 'score.mjs agrees' : `score.mjs disagrees: ${JSON.stringify(theirs)}`;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function meanOf(scores: readonly Score[]): Score {
  const mean = (pick: (score: Score) => number) =>
    scores.reduce((sum, score) => sum + pick(score), 0) / scores.length;
  return {
    f1: mean(({ f1 }) => f1),
    direct: mean(({ direct }) => direct),
    contextual: mean(({ contextual }) => contextual),
    ungrounded: scores.reduce((sum, { ungrounded }) => sum + ungrounded, 0),
  };
}

function scoreRow(name: string, { f1, direct, contextual, ungrounded }: Score): string {
  return row(
    name,
    f1.toFixed(1),
    direct.toFixed(1),
    contextual.toFixed(1),
    ((direct + contextual) / 2).toFixed(1),
    String(ungrounded),
  );
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
}

function row(...cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(34) : cell.padStart(11))).join('');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
