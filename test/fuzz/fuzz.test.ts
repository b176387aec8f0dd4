import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { answer, ask, call, result } from '../chat-lines.js';
import { attemptsOn } from './attempts.js';
import { attempts, replayed, seedOr } from './budget.js';
import { COMMANDS } from './commands.js';
import { damaged } from './damage.js';
import { FIXTURE_INPUTS } from './inputs.js';
import { MUTATORS } from './mutators.js';
import { SHAPES } from './shapes.js';
import { startTrials } from './trial.js';
import { BOUNDS, startWatchdog } from './watchdog.js';

/** The same at every run, unless another one is asked for. */
const seed = seedOr(20_261_201);
const watchdog = startWatchdog(BOUNDS);
const trials = startTrials(watchdog);
const { properties, compact, run } = attemptsOn(FIXTURE_INPUTS, trials);

afterAll(async () => {
  trials.remove();
  await watchdog.stop();
});

/** As many as take a few seconds together. */
const RUNS: Readonly<Record<string, number>> = {
  'every command line keeps the invariants': 200,
  'every compaction keeps the invariants': 40,
  'by a given ledger the bytes are the same however they arrive': 50,
};

describe(`damaged fixtures (${replayed(seed)})`, () => {
  test.each(Object.entries(properties))('%s', async (name, property) => {
    await fc.assert(property, attempts(seed, RUNS[name] ?? 50));
  });

  test.each(FIXTURE_INPUTS)('$name as it is keeps the invariants', async (input) => {
    expect(await compact(input, ['--allow-uncited', '--recent', '0'])).toStrictEqual([]);
  });
});

/** Large enough to hold what a shape is; `npm run fuzz` makes them so large that a walk too many never ends. */
const COUNT = 40;

test.each(Object.entries(SHAPES))('%s keep the invariants', async (_, shape) => {
  const input = { bytes: Buffer.from(shape(COUNT)) };
  expect(await compact(input, ['--allow-uncited', '--recent', '0'])).toStrictEqual([]);
  for (const command of COMMANDS) expect(await run(input, command, false)).toStrictEqual([]);
});

const SMALL = Buffer.from(
  ask('Pier?') +
    call('c1') +
    result('c1', `[p] é😀 ${'high water '.repeat(9)}`) +
    answer('[p]') +
    ask('Now?'),
);

test('a small file cut at every byte keeps the invariants', async () => {
  for (let length = 0; length <= SMALL.length; length++)
    expect([
      length,
      ...(await compact({ bytes: SMALL.subarray(0, length) }, ['--allow-uncited'])),
    ]).toStrictEqual([length]);
});

test.each(Object.keys(MUTATORS))('%s: there is a fixture that it changes', (mutator) => {
  const changed = FIXTURE_INPUTS.filter(
    ({ bytes }) => !damaged(bytes, [{ mutator, seed: 1 }], MUTATORS).equals(bytes),
  );
  expect(changed).not.toStrictEqual([]);
});
