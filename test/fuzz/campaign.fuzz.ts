import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { CORPUS, isCorpusMissing } from '../corpus-files.js';
import { attemptsOn } from './attempts.js';
import { attempts, isReplay, replayed, seedOr } from './budget.js';
import { COMMANDS } from './commands.js';
import { corpusInputs, FIXTURE_INPUTS } from './inputs.js';
import { SHAPES } from './shapes.js';
import { startTrials } from './trial.js';
import { BOUNDS, startWatchdog } from './watchdog.js';

const seed = seedOr(Date.now() % 2 ** 31);
/** For each property and each set of inputs. */
const SECONDS = Number(process.env.THREAD_FUZZ_SECONDS ?? 60);
/** How many attempts are made of a seed, before the next one follows. */
const ROUND = 50;
/** Larger files are tried in too few ways to be worth it. */
const MOST_BYTES = 300_000;
/** Of a shape's pieces: a walk over all of them for each of them never ends. */
const COUNT = 20_000;
/** Cut at every byte. */
const SMALL_BYTES = 3500;

const watchdog = startWatchdog(BOUNDS);
const trials = startTrials(watchdog);
const corpus = isCorpusMissing ? [] : corpusInputs(MOST_BYTES);

afterAll(async () => {
  trials.remove();
  await watchdog.stop();
});

const sets = [
  { title: 'fixtures', inputs: FIXTURE_INPUTS, isMissing: false },
  { title: CORPUS, inputs: corpus, isMissing: isCorpusMissing },
];

describe(`fuzz (${replayed(seed)})`, () => {
  describe.each(Object.entries(SHAPES))('%s', (_, shape) => {
    const { compact, run } = attemptsOn(FIXTURE_INPUTS, trials);
    const input = { bytes: Buffer.from(shape(COUNT)) };

    test('compact', async () => {
      expect(await compact(input, ['--allow-uncited', '--recent', '0'])).toStrictEqual([]);
    });

    test.each(COMMANDS)('$args', async (command) => {
      expect(await run(input, command, false)).toStrictEqual([]);
    });
  });

  describe.each(sets)('$title', ({ inputs, isMissing }) => {
    const { properties, compact } = attemptsOn(inputs, trials);

    test.skipIf(isMissing).each(Object.entries(properties))('%s', async (_, property) => {
      const end = Date.now() + SECONDS * 1000;
      // Interrupting fast-check would leave an attempt running beside the next test: it ends between rounds.
      for (let round = seed; round === seed || (Date.now() < end && !isReplay); round++)
        await fc.assert(property, attempts(round, ROUND));
    });

    const small = inputs.filter(({ bytes }) => bytes.length <= SMALL_BYTES);
    test.skipIf(isMissing).each(small)('$name cut at every byte', async ({ bytes, ledger }) => {
      for (let length = 0; length <= bytes.length; length++) {
        const broken = await compact({ bytes: bytes.subarray(0, length), ledger }, ['--allow-uncited']);
        expect([`cut at ${length}`, ...broken]).toStrictEqual([`cut at ${length}`]);
      }
    });

    test.skipIf(isMissing).each(inputs)('$name as it is', async (input) => {
      expect(await compact(input, ['--allow-uncited', '--recent', '0'])).toStrictEqual([]);
    });
  });
});
