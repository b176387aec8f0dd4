import fc from 'fast-check';
import { COMMANDS, COMPACTIONS } from './commands.js';
import { type Damage, damaged } from './damage.js';
import type { NamedInput } from './inputs.js';
import { COMPACTION_INVARIANTS, type Invariant, RUN_INVARIANTS } from './invariants.js';
import { LEDGER_MUTATORS, MUTATORS } from './mutators.js';
import { chunked } from './readers.js';
import type { CommandLine, Input, Trials } from './trial.js';

/** An input and what is done to it: small enough to be printed, whole enough to be done again. */
interface Attempt {
  readonly input: string;
  readonly damages: readonly Damage[];
  readonly ledgerDamages: readonly Damage[];
}

/** A property of which fast-check prints the attempt that broke it, made as small as it can be. */
export type Property = fc.IAsyncProperty<readonly unknown[]>;

const MOST_DAMAGES = 4;

function damagesOf(mutators: Readonly<Record<string, unknown>>, maxLength: number): fc.Arbitrary<Damage[]> {
  const one = fc.record({ mutator: fc.constantFrom(...Object.keys(mutators)), seed: fc.nat() });
  return fc.array(one, { maxLength });
}

function attempts(inputs: readonly NamedInput[]): fc.Arbitrary<Attempt> {
  return fc.record({
    input: fc.constantFrom(...inputs.map(({ name }) => name)),
    damages: damagesOf(MUTATORS, MOST_DAMAGES),
    ledgerDamages: damagesOf(LEDGER_MUTATORS, 1),
  });
}

/** What was broken, each with the name of its invariant: nothing, or the test fails with it. */
export type Broken = readonly string[];

function brokenOf<Seen>(invariants: readonly Invariant<Seen>[], seen: Seen): Broken {
  return invariants.flatMap(({ name, broken }) => {
    const how = broken(seen);
    return how === undefined ? [] : [`${name}: ${how.slice(0, 2000)}`];
  });
}

/** Tries inputs in a folder. */
export interface Attempts {
  readonly properties: Readonly<Record<string, Property>>;
  run(input: Input, command: CommandLine, isPiped: boolean): Promise<Broken>;
  compact(input: Input, options: readonly string[]): Promise<Broken>;
}

export function attemptsOn(inputs: readonly NamedInput[], trials: Trials): Attempts {
  const known = new Map(inputs.map((input) => [input.name, input]));

  function made({ input, damages, ledgerDamages }: Attempt): Input {
    const { bytes, ledger } = known.get(input) ?? { bytes: Buffer.alloc(0), ledger: undefined };
    return {
      bytes: damaged(bytes, damages, MUTATORS),
      ledger: ledger === undefined ? undefined : damaged(ledger, ledgerDamages, LEDGER_MUTATORS),
    };
  }

  async function run(input: Input, command: CommandLine, isPiped: boolean): Promise<Broken> {
    return brokenOf(RUN_INVARIANTS, await trials.run(input, command, isPiped));
  }

  async function compact(input: Input, options: readonly string[]): Promise<Broken> {
    const seen = await trials.compact(input, options);
    const runs = [seen.run, seen.piped, seen.written].flatMap((one) => brokenOf(RUN_INVARIANTS, one));
    return [...runs, ...brokenOf(COMPACTION_INVARIANTS, seen)];
  }

  return {
    run,
    compact,
    properties: {
      'every command line keeps the invariants': fc.asyncProperty(
        attempts(inputs),
        fc.constantFrom(...COMMANDS),
        fc.boolean(),
        async (attempt, command, isPiped) => none(await run(made(attempt), command, isPiped)),
      ),
      'every compaction keeps the invariants': fc.asyncProperty(
        attempts(inputs),
        fc.constantFrom(...COMPACTIONS),
        async (attempt, options) => none(await compact(made(attempt), options)),
      ),
      'by a given ledger the bytes are the same however they arrive': fc.asyncProperty(
        attempts(inputs),
        fc.integer({ min: 1, max: 5000 }),
        async (attempt, size) => none(await chunked(made(attempt), known.get(attempt.input), size, trials)),
      ),
    },
  };
}

function none(broken: Broken): void {
  if (broken.length > 0) throw new Error(broken.join('\n'));
}
