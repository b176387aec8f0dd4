import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT } from '../cli/run.js';
import { COMPACTION_INVARIANTS, type Invariant, RUN_INVARIANTS } from './invariants.js';
import { type Compaction, INPUT, OUTPUT, REPORT, type Run, startTrials } from './trial.js';

/** A run or a compaction that was right, with a fault planted in it that only the named invariant is there to see. */
interface Planted<Seen> {
  readonly invariant: string;
  readonly fault: string;
  readonly plant: (seen: Seen) => Seen;
}

const trials = startTrials({ begin: () => undefined, end: () => undefined });
afterAll(() => trials.remove());

const bytes = readFileSync(join(ROOT, 'fixtures/support.jsonl'));
const run = await trials.run({ bytes }, { args: ['ledger', INPUT], stdoutIs: 'jsonl' });
const cut = await trials.run(
  { bytes: bytes.subarray(0, 900) },
  { args: ['ledger', INPUT], stdoutIs: 'jsonl' },
);
const compaction = await trials.compact({ bytes }, []);

const refused = (change: Partial<Run>) => (): Run => ({ ...cut, ...change });
const ended = (change: Partial<Run>) => (): Run => ({ ...run, ...change });

const RUN_FAULTS: readonly Planted<Run>[] = [
  { invariant: 'exit code of the README', fault: 'exit code 70', plant: ended({ code: 70 }) },
  { invariant: 'exit code of the README', fault: 'exit code 130', plant: ended({ code: 130 }) },
  {
    invariant: 'exit code of the README',
    fault: 'a stack',
    plant: refused({ stderr: `${cut.stderr}    at parse (src/transcript/records.ts:1:2)\n` }),
  },
  {
    invariant: 'nothing on the standard output',
    fault: 'half a line',
    plant: refused({ stdout: Buffer.from('{"a"') }),
  },
  { invariant: 'names the file', fault: 'no file', plant: refused({ stderr: 'thread: not JSON\n' }) },
  { invariant: 'names the file', fault: 'nothing said', plant: refused({ stderr: '' }) },
  {
    invariant: 'names a line that is none',
    fault: 'the line before',
    plant: refused({ stderr: cut.stderr.replace(/:(\d+):/, (_, line) => `:${Number(line) - 1}:`) }),
  },
  {
    invariant: 'names a line that is none',
    fault: 'a line behind the end',
    plant: refused({ stderr: cut.stderr.replace(/:\d+:/, ':99:') }),
  },
  {
    invariant: 'not JSON is refused',
    fault: 'a cut line taken for a record',
    plant: refused({ code: 0 }),
  },
  {
    invariant: 'a ledger that is not UTF-8',
    fault: 'other characters kept',
    plant: ended({ args: ['ledger', '--ledger'], input: { bytes, ledger: Buffer.from([0xff]) } }),
  },
  {
    invariant: 'what the command says',
    fault: 'a cut line',
    plant: ended({ stdout: run.stdout.subarray(0, run.stdout.length - 4) }),
  },
  {
    invariant: 'no control character',
    fault: 'an escape sequence',
    plant: ended({ stderr: 'thread: \u001b[2J\n' }),
  },
  {
    invariant: 'no control character',
    fault: 'a bidi override',
    plant: ended({ stderr: 'thread: \u202e\n' }),
  },
  {
    invariant: 'no input is changed',
    fault: 'a byte more',
    plant: ended({ files: new Map([[INPUT, Buffer.concat([bytes, Buffer.from('\n')])]]) }),
  },
  {
    invariant: 'no file is left',
    fault: 'a temporary file',
    plant: ended({ files: new Map([...run.files, ['.output.jsonl.thread-1.tmp', bytes]]) }),
  },
];

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Another output, said of it what is right about it: each invariant is alone with its fault. */
function remade(change: (text: string) => string): (seen: Compaction) => Compaction {
  return (seen) => ({
    ...seen,
    run: { ...seen.run, stdout: latin1(change(seen.run.stdout.toString('latin1'))) },
  });
}

function reported(change: (text: string) => string): (seen: Compaction) => Compaction {
  return (seen) => {
    const report = Buffer.from(change(seen.written.files.get(REPORT)?.toString('utf8') ?? ''));
    return {
      ...seen,
      written: { ...seen.written, files: new Map([...seen.written.files, [REPORT, report]]) },
    };
  };
}

const COMPACTION_FAULTS: readonly Planted<Compaction>[] = [
  {
    invariant: 'the same bytes and exit code',
    fault: 'the standard input gives a byte less',
    plant: (seen) => ({ ...seen, piped: { ...seen.piped, stdout: seen.piped.stdout.subarray(1) } }),
  },
  {
    invariant: 'the same bytes and exit code',
    fault: 'the standard input is refused',
    plant: (seen) => ({ ...seen, piped: { ...seen.piped, code: 2 } }),
  },
  {
    invariant: 'the same bytes and exit code',
    fault: '-o writes nothing',
    plant: ({ written, ...seen }) => ({
      ...seen,
      written: { ...written, files: new Map([...written.files].filter(([name]) => name !== OUTPUT)) },
    }),
  },
  {
    invariant: 'sizes, digests and the first byte',
    fault: 'another size',
    plant: reported((text) => text.replace('"after": 5', '"after": 6')),
  },
  {
    invariant: 'sizes, digests and the first byte',
    fault: 'another digest',
    plant: reported((text) => text.replace(/"before": "./, '"before": "x')),
  },
  {
    invariant: 'sizes, digests and the first byte',
    fault: 'another first byte',
    plant: reported((text) => text.replace(/"first_changed_byte": \d+/, '"first_changed_byte": 3')),
  },
  {
    invariant: 'only lines with rewritten returns',
    fault: 'a space in another record',
    plant: remade((text) => text.replace('{"role":"user",', '{"role": "user",')),
  },
  {
    invariant: 'only lines with rewritten returns',
    fault: 'a line end that is gone',
    plant: remade((text) => text.replace('\n', '')),
  },
  {
    invariant: 'around the rewritten payloads',
    fault: 'a payload that is longer than it is said to be',
    plant: reported((text) => text.replace(/"bytes_after": 75/, '"bytes_after": 74')),
  },
  {
    invariant: 'JSON in the output',
    fault: 'a quote that is not escaped',
    plant: remade((text) => text.replace('[Earlier evidence', '[Earlier "evidence')),
  },
  {
    invariant: 'JSON in the output',
    fault: 'a cut character',
    plant: remade((text) => text.replace('[Earlier evidence', '[Earlier \xf0\x9f')),
  },
  {
    invariant: 'every pair',
    fault: 'a result that is gone',
    plant: (seen) => ({ ...seen, pairs: { ...seen.pairs, code: 1 } }),
  },
  {
    invariant: 'compacting the compacted',
    fault: 'a space more each time',
    plant: (seen) => ({
      ...seen,
      again: { ...seen.again, stdout: latin1(seen.again.stdout.toString('latin1').replace(' ', '  ')) },
    }),
  },
  {
    invariant: 'compacting the compacted',
    fault: 'refused the second time',
    plant: (seen) => ({ ...seen, again: { ...seen.again, code: 2 } }),
  },
  {
    invariant: 'verify proves it',
    fault: 'refuted',
    plant: (seen) => ({ ...seen, verified: { ...seen.verified, code: 1 } }),
  },
];

function breaks<Seen>(invariants: readonly Invariant<Seen>[], seen: Seen): string[] {
  return invariants.filter(({ broken }) => broken(seen) !== undefined).map(({ name }) => name);
}

describe.each([
  { of: 'a command line', seen: breaks(RUN_INVARIANTS, run) },
  { of: 'a command line that is refused', seen: breaks(RUN_INVARIANTS, cut) },
  { of: 'a compaction', seen: breaks(COMPACTION_INVARIANTS, compaction) },
])('the invariants of $of', ({ seen }) => {
  test('hold where nothing is planted', () => expect(seen).toStrictEqual([]));
});

test.each(RUN_FAULTS)('$invariant: sees $fault', ({ invariant, plant }) => {
  expect(breaks(RUN_INVARIANTS, plant(run))).toContainEqual(expect.stringContaining(invariant));
});

test.each(COMPACTION_FAULTS)('$invariant: sees $fault', ({ invariant, plant }) => {
  expect(breaks(COMPACTION_INVARIANTS, plant(compaction))).toContainEqual(expect.stringContaining(invariant));
});

test.each([
  ...RUN_INVARIANTS.map(({ name }) => ({ name, faults: RUN_FAULTS.map(({ invariant }) => invariant) })),
  ...COMPACTION_INVARIANTS.map(({ name }) => ({
    name,
    faults: COMPACTION_FAULTS.map(({ invariant }) => invariant),
  })),
])('a fault is planted for: $name', ({ name, faults }) => {
  expect(faults.filter((invariant) => name.includes(invariant))).not.toStrictEqual([]);
});
