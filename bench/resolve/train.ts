// Trains the embedded planner's classifier and writes model.json. usage: node bench/run.js resolve train [FOLDER [MODEL]]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model } from '../../src/query/planners/embedded/classifier.js';
import { type Commonness, loadCommonness } from '../../src/query/planners/embedded/commonness.js';
import { readConversation } from '../../src/query/planners/embedded/conversation.js';
import { chosenFrom } from '../../src/query/planners/embedded/expected.js';
import { type Measured, measure, wordRows } from '../../src/query/planners/embedded/stages.js';
import { loadForest, type PackedForest, predict } from '../../src/query/planners/embedded/trees.js';
import { splitWords } from '../../src/query/planners/embedded/words.js';
import { type Settings, type Table, trainForest } from './boost.js';
import { type Example, foldOf, goldKeys, lowerCased, readRows, SETS, withoutReplies } from './examples.js';
import { makeOperations } from './operations.js';
import { trainMode } from './train-mode.js';

interface Sample {
  readonly example: Example;
  readonly measured: Measured;
  readonly labels: readonly number[];
  readonly fold: number;
  readonly weight: number;
  readonly isVariant: boolean;
}

interface Stage {
  readonly rowsOf: (sample: Sample, index: number) => readonly (readonly number[])[];
  readonly tableOf: (indexes: readonly number[]) => Table;
  readonly settings: Settings;
}

const FOLDS = 3;
const OPERATIONS = 600;
const WORDS: Settings = {
  trees: 340,
  leaves: 64,
  rate: 0.042,
  minWeight: 10,
  rowShare: 0.5,
  featureShare: 0.3,
  lambda: 10,
  seed: 3,
};
const VARIANT_WEIGHT = 0.35;
const PARAPHRASED_WEIGHT = 0.3;

export function train(folder: string, target: string): void {
  const examples = readExamples(folder);
  const tiers = commonnessTiers(examples);
  const samples = makeSamples(examples, loadCommonness(tiers));
  log(`${samples.length} samples, ${sum(samples.map(({ labels }) => labels.length))} words`);
  const words = crossTrain(samples, wordStage(samples));
  log('words trained');
  reportWords(samples, words.scores);
  const mode = trainMode(examples, loadCommonness(tiers));
  const model: Model = {
    commonness: tiers,
    words: words.forest,
    mode: mode.forest,
    contextualFrom: mode.contextualFrom,
  };
  writeFileSync(target, `${JSON.stringify(model)}\n`);
}

/** Replaces only what decides the mode in the model file: it does not depend on the scores of words. */
export function retrainMode(folder: string, target: string): void {
  const model: Model = JSON.parse(readFileSync(target, 'utf8'));
  const { forest, contextualFrom } = trainMode(readExamples(folder), loadCommonness(model.commonness));
  writeFileSync(target, `${JSON.stringify({ ...model, mode: forest, contextualFrom })}\n`);
}

function readExamples(folder: string): readonly Example[] {
  return [...readRows<Example>(join(folder, 'train.jsonl')), ...makeOperations(OPERATIONS)];
}

/** Every word counts the same: to weigh up the small sets made the forest learn their few conversations by heart. */
function makeSamples(examples: readonly Example[], common: Commonness): readonly Sample[] {
  return examples.flatMap((example, i) => {
    const weight = example.dataset === 'mtrag' ? PARAPHRASED_WEIGHT : 1;
    const variant =
      [lowerCased(example), withoutReplies(example), lowerCased(withoutReplies(example))][i % 3] ?? example;
    return [
      makeSample(example, common, weight, false),
      makeSample(variant, common, weight * VARIANT_WEIGHT, true),
    ];
  });
}

function makeSample(example: Example, common: Commonness, weight: number, isVariant: boolean): Sample {
  const conversation = readConversation(
    example.query,
    example.history.map((turn, position) => ({ ...turn, position })),
  );
  const gold = goldKeys(example);
  const labels = conversation.candidates.map(({ key }) => Number(gold.has(key)));
  return {
    example,
    measured: measure(conversation, common),
    labels,
    fold: foldOf(example, FOLDS),
    weight,
    isVariant,
  };
}

/** Scores by forests that have not seen the conversation, and one forest of all that is kept. */
function crossTrain(
  samples: readonly Sample[],
  stage: Stage,
): { scores: readonly (readonly number[])[]; forest: PackedForest } {
  const indexes = samples.map((_, i) => i);
  const scores: (readonly number[])[] = samples.map(() => []);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const forest = loadForest(
      trainForest(stage.tableOf(indexes.filter((i) => samples[i]?.fold !== fold)), stage.settings),
    );
    samples.forEach((sample, i) => {
      if (sample.fold === fold) scores[i] = stage.rowsOf(sample, i).map((row) => predict(forest, row));
    });
  }
  return { scores, forest: trainForest(stage.tableOf(indexes), stage.settings) };
}

function wordStage(samples: readonly Sample[]): Stage {
  const cache = samples.map(({ measured }) => wordRows(measured));
  return {
    rowsOf: (_, i) => cache[i] ?? [],
    settings: WORDS,
    tableOf: (indexes) => {
      const rows = indexes.flatMap((i) => cache[i] ?? []);
      const labels = indexes.flatMap((i) => samples[i]?.labels ?? []);
      const weights = indexes.flatMap((i) => (samples[i]?.labels ?? []).map(() => samples[i]?.weight ?? 0));
      return { rows, labels, weights };
    },
  };
}

function reportWords(samples: readonly Sample[], scores: readonly (readonly number[])[]): void {
  const bySet = SETS.map((dataset) => f1(samples, scores, dataset));
  const mean = sum(bySet) / SETS.length;
  log(`words: ${mean.toFixed(1)} (${bySet.map((value) => value.toFixed(1)).join(' ')})`);
}

function f1(samples: readonly Sample[], scores: readonly (readonly number[])[], dataset: string): number {
  let [right, chosen, wanted] = [0, 0, 0];
  samples.forEach(({ example, labels, isVariant }, i) => {
    if (example.dataset !== dataset || isVariant) return;
    const own = scores[i] ?? [];
    const from = chosenFrom(own);
    wanted += goldKeys(example).size;
    labels.forEach((label, k) => {
      if ((own[k] ?? 0) < from) return;
      chosen += 1;
      right += label;
    });
  });
  return (200 * right) / Math.max(1, chosen + wanted);
}

/** Words by the share of conversations that use them: from every 300th on in four tiers. */
function commonnessTiers(examples: readonly Example[]): readonly string[] {
  const seen = new Map<string, Set<string>>();
  for (const example of examples.filter(({ dataset }) => dataset !== 'camrest' && dataset !== 'operations'))
    for (const word of [...example.history.map(({ text }) => text), example.query].flatMap(splitWords))
      if (!word.isStop) seen.set(word.key, (seen.get(word.key) ?? new Set()).add(example.conversation));
  const conversations = new Set([...seen.values()].flatMap((set) => [...set])).size;
  const shareOf = (key: string) => (seen.get(key)?.size ?? 0) / conversations;
  const steps = [0.004, 0.008, 0.016, 0.032, 0.064, 1];
  return steps.slice(0, -1).map((from, i) =>
    [...seen.keys()]
      .filter((key) => shareOf(key) >= from && shareOf(key) < (steps[i + 1] ?? 1))
      .sort()
      .join(' '),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
