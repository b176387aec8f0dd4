// Trains the forest that says whether a question needs the history, and shows how well for several thresholds.
import type { Commonness } from '../../src/query/planners/embedded/commonness.js';
import { readConversation } from '../../src/query/planners/embedded/conversation.js';
import { isSmallTalk } from '../../src/query/planners/embedded/small-talk.js';
import { modeRow } from '../../src/query/planners/embedded/stages.js';
import { loadForest, type PackedForest, predict } from '../../src/query/planners/embedded/trees.js';
import { type Settings, type Table, trainForest } from './boost.js';
import { type Example, foldOf, lowerCased, SETS, withoutReplies } from './examples.js';

type Kind = 'original' | 'variant' | 'rewritten' | 'small talk';

interface Sample {
  readonly example: Example;
  readonly kind: Kind;
  readonly isDirect: boolean;
  readonly row: readonly number[];
  readonly fold: number;
}

const FOLDS = 3;
const SETTINGS: Settings = {
  trees: 300,
  leaves: 8,
  rate: 0.03,
  minWeight: 8,
  rowShare: 2,
  featureShare: 0.4,
  lambda: 3,
  seed: 3,
};
// Recalls are shown of the mean over several forests: one alone makes them wander.
const SEEDS = [3, 4, 5];
// Rare modes of a set count for more, though less than in full.
const CELL = 150;
const CELL_EXPONENT = 0.3;
const VARIANT_WEIGHT = 0.35;
// Both recalls are best balanced at about 0.7. A question that is wrongly taken for a whole one loses all its words,
// though, which costs the search more than a few words too many (mode.ts also weighs how many they would be).
const CONTEXTUAL_FROM = 0.5;
const PARAPHRASED_WEIGHT = 0.3;
// Sets whose rewrites people made of whole questions: each rewrite can be read alone, so it is a direct question.
const REWRITTEN = ['canard', 'qrecc', 'cast2022', 'ikat2023'];

export function trainMode(
  examples: readonly Example[],
  common: Commonness,
): { readonly forest: PackedForest; readonly contextualFrom: number } {
  const samples = examples.flatMap((example, i) => makeSamples(example, i, common));
  const weights = weigh(samples);
  const table = (chosen: (sample: Sample) => boolean) =>
    tableOf(samples, weights, (sample) => sample.kind !== 'small talk' && chosen(sample));
  logBalances(samples, crossScores(samples, table));
  const forest = trainForest(
    table(() => true),
    SETTINGS,
  );
  return { forest, contextualFrom: CONTEXTUAL_FROM };
}

function makeSamples(example: Example, i: number, common: Commonness): readonly Sample[] {
  const isDirect = example.mode === 'direct';
  // Small talk never comes to the forest; the gold calls it direct.
  if (isSmallTalk(example.query, example.history.findLast(({ role }) => role === 'assistant')?.text))
    return [{ example, kind: 'small talk', isDirect, row: [], fold: 0 }];
  const variant =
    [lowerCased(example), withoutReplies(example), lowerCased(withoutReplies(example))][i % 3] ?? example;
  const { rewrite } = example;
  const isRewritten = !isDirect && REWRITTEN.includes(example.dataset) && rewrite !== undefined;
  return [
    makeSample(example, 'original', isDirect, common),
    makeSample(variant, 'variant', isDirect, common),
    ...(isRewritten ? [makeSample({ ...example, query: rewrite }, 'rewritten', true, common)] : []),
  ];
}

function makeSample(example: Example, kind: Kind, isDirect: boolean, common: Commonness): Sample {
  const conversation = readConversation(
    example.query,
    example.history.map((turn, position) => ({ ...turn, position })),
  );
  return { example, kind, isDirect, row: modeRow(conversation, common), fold: foldOf(example, FOLDS) };
}

/** Every set weighs nearly the same, and so do both modes of it: rewritten questions make up what direct ones lack. */
function weigh(samples: readonly Sample[]): readonly number[] {
  const cellOf = ({ example, isDirect, kind }: Sample) => `${example.dataset} ${isDirect} ${kind}`;
  const sizes = new Map<string, number>();
  for (const sample of samples) sizes.set(cellOf(sample), (sizes.get(cellOf(sample)) ?? 0) + 1);
  const sizeOf = (dataset: string, isDirect: boolean, kind: Kind) =>
    sizes.get(`${dataset} ${isDirect} ${kind}`) ?? 0;
  return samples.map(({ example: { dataset }, isDirect, kind }) => {
    if (kind === 'rewritten') {
      const [direct, contextual] = [true, false].map((mode) => cellWeight(sizeOf(dataset, mode, 'original')));
      return ((contextual ?? 0) - (direct ?? 0)) / sizeOf(dataset, true, kind);
    }
    const size = sizeOf(dataset, isDirect, kind);
    const paraphrased = dataset === 'mtrag' ? PARAPHRASED_WEIGHT : 1;
    return (cellWeight(size) / size) * paraphrased * (kind === 'variant' ? VARIANT_WEIGHT : 1);
  });
}

function cellWeight(size: number): number {
  return size * (CELL / Math.max(1, size)) ** CELL_EXPONENT;
}

function tableOf(
  samples: readonly Sample[],
  weights: readonly number[],
  chosen: (sample: Sample) => boolean,
): Table {
  const own = samples.flatMap((sample, i) => (chosen(sample) ? [{ sample, weight: weights[i] ?? 0 }] : []));
  return {
    rows: own.map(({ sample }) => sample.row),
    labels: own.map(({ sample }) => Number(!sample.isDirect)),
    weights: own.map(({ weight }) => weight),
  };
}

/** Probabilities by forests that have not seen the conversation. */
function crossScores(
  samples: readonly Sample[],
  table: (chosen: (sample: Sample) => boolean) => Table,
): readonly number[] {
  const forests = Array.from({ length: FOLDS }, (_, fold) => {
    const seen = table((sample) => sample.fold !== fold);
    return SEEDS.map((seed) => loadForest(trainForest(seen, { ...SETTINGS, seed })));
  });
  return samples.map(({ kind, row, fold }) =>
    kind === 'small talk' ? 0 : mean((forests[fold] ?? []).map((forest) => predict(forest, row))),
  );
}

/** The recalls of direct and of contextual questions, set by set, at thresholds beside the one that is used. */
function logBalances(samples: readonly Sample[], scores: readonly number[]): void {
  for (let threshold = 0.2; threshold < 0.9; threshold += 0.1) logBalance(samples, scores, threshold);
}

function logBalance(samples: readonly Sample[], scores: readonly number[], threshold: number): void {
  const recalls = SETS.map((dataset) => recallsOf(samples, scores, dataset, threshold));
  const balance = mean(recalls.flat());
  const shown = recalls.map((pair) => pair.map((recall) => (100 * recall).toFixed(1)).join('/'));
  process.stderr.write(
    `contextual from ${threshold.toFixed(2)}: ${(100 * balance).toFixed(1)} (${shown.join(' ')})\n`,
  );
}

/** Of the direct questions, and of the others. */
function recallsOf(
  samples: readonly Sample[],
  scores: readonly number[],
  dataset: string,
  threshold: number,
): readonly [number, number] {
  const recall = (direct: boolean) =>
    mean(
      samples.flatMap(({ example, kind, isDirect }, i) =>
        (kind === 'original' || kind === 'small talk') && example.dataset === dataset && isDirect === direct
          ? [Number((scores[i] ?? 0) < threshold === direct)]
          : [],
      ),
    );
  return [recall(true), recall(false)];
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0) / Math.max(1, numbers.length);
}
