// How fast thread is and how much memory it takes, beside jq, cat and a bare read loop on the same files in the same run.
// usage: node bench/run.js speed [--max=SIZE] [--rounds=N] [SHARED]   (SIZE: 10MB, 200MB or 1GB, the largest file)
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Measured, measuredRun } from '../measured-run.js';

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  options: { max: { type: 'string', default: '1GB' }, rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});

const SIZES = ['10MB', '200MB', '1GB'] as const;
type Size = (typeof SIZES)[number];
const MEGABYTES: Readonly<Record<Size, number>> = { '10MB': 10, '200MB': 200, '1GB': 1000 };

const generator = resolve(positionals[0] ?? '../shared', 'bench/generate-transcript.mjs');
const last = SIZES.map(String).indexOf(values.max);
if (last < 0) throw new Error(`--max is one of ${SIZES.join(', ')}`);
if (!existsSync(generator)) throw new Error(`the transcripts are made by ${generator}, which is not there`);
const sizes = SIZES.slice(0, last + 1);
const rounds = Number(values.rounds);
const hasJq = spawnSync('jq', ['--version']).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'thread-speed-'));
const thread = [process.execPath, resolve('bin/thread.js')];

interface Row {
  readonly what: string;
  readonly size: Size | '';
  readonly command: readonly string[];
  /** Large files are measured less often. */
  readonly rounds: number;
}

interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly value: () => number;
  readonly isMet: (value: number) => boolean;
}

try {
  for (const size of sizes) makeTranscript(size);
  makeSmallFiles();
  const rows = [...sizes.flatMap(sizeRows), ...commandRows()];
  const medians = await measure(rows);
  printRows(rows, medians);
  printGoals(medians);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function at(name: string): string {
  return join(folder, name);
}

function makeTranscript(size: Size): void {
  execFileSync(process.execPath, [
    ...[generator, '--bytes', size, '--out', at(`${size}.jsonl`)],
    ...['--ledger', at(`${size}.given`)],
  ]);
}

/** A ledger of nobody's tools, the read loop, and a folder of a hundred golden cases. */
function makeSmallFiles(): void {
  writeFileSync(
    at('nobody.given'),
    '{"type":"capability","capability":"none","tool_names":[],"question":0}\n',
  );
  writeFileSync(
    at('read.mjs'),
    `import { openSync, readSync } from 'node:fs';
const descriptor = openSync(process.argv[2]);
const buffer = Buffer.allocUnsafe(1 << 20);
while (readSync(descriptor, buffer, 0, buffer.length, null) > 0);
`,
  );
  mkdirSync(at('cases'));
  cpSync('fixtures/support.jsonl', at('cases/support.jsonl'));
  const golden = execFileSync(thread[0] ?? '', [...thread.slice(1), 'compact', 'support.jsonl'], {
    cwd: at('cases'),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for (let i = 0; i < 100; i += 1) {
    writeFileSync(at(`cases/case-${i}.case.json`), '{"args":["compact","support.jsonl"]}\n');
    writeFileSync(at(`cases/case-${i}.golden`), golden);
  }
}

function sizeRows(size: Size): Row[] {
  const file = at(`${size}.jsonl`);
  const given = ['compact', '-q', file, '--ledger', at(`${size}.given`)];
  const commands: readonly (readonly [string, readonly string[]])[] = [
    ['cat', ['cat', file]],
    ['read loop', [process.execPath, at('read.mjs'), file]],
    ...(hasJq ? [['jq -c .', ['jq', '-c', '.', file]] as const] : []),
    ['compact, given ledger', [...thread, ...given]],
    ['compact, given ledger, --strict', [...thread, ...given, '--strict']],
    ['compact, nothing to do', [...thread, 'compact', '-q', file, '--ledger', at('nobody.given')]],
    ...(size === '1GB' ? [] : [['compact, derived ledger', [...thread, 'compact', '-q', file]] as const]),
  ];
  const times = { '10MB': rounds, '200MB': Math.min(rounds, 3), '1GB': 1 }[size];
  return commands.map(([what, command]) => ({ what, size, command, rounds: times }));
}

function commandRows(): Row[] {
  const small = resolve('fixtures/support.jsonl');
  const large = at('10MB.jsonl');
  const commands: readonly (readonly [string, Size | '', readonly string[]])[] = [
    ['node -e 0', '', [process.execPath, '-e', '0']],
    ['--version', '', [...thread, '--version']],
    ['--help', '', [...thread, '--help']],
    ['compact', '', [...thread, 'compact', '-q', small]],
    ['resolve', '', [...thread, 'resolve', small, '--query', 'And what was its code?']],
    ['recall', '', [...thread, 'recall', small, '--query', 'What was the code?']],
    ['diff', '', [...thread, 'diff', small, small]],
    ['check, 100 cases', '', [...thread, 'check', at('cases')]],
    ['recall', '10MB', [...thread, 'recall', large, '--terms', 'glacier,isotope']],
    ['diff', '10MB', [...thread, 'diff', large, large]],
  ];
  return commands.map(([what, size, command]) => ({ what, size, command, rounds }));
}

type Medians = ReadonlyMap<string, Measured>;

function keyOf(what: string, size: Size | ''): string {
  return `${what}|${size}`;
}

/** One round after the other, so that a busy moment falls on all of them. */
async function measure(rows: readonly Row[]): Promise<Medians> {
  const runs = new Map<string, Measured[]>();
  for (let round = 0; round < Math.max(...rows.map((row) => row.rounds)); round += 1)
    for (const row of rows.filter((one) => one.rounds > round)) {
      process.stderr.write(`\r\u001b[Kround ${round + 1}: ${row.what} ${row.size}`);
      const key = keyOf(row.what, row.size);
      runs.set(key, [...(runs.get(key) ?? []), await measuredRun(row.command)]);
    }
  process.stderr.write('\r\u001b[K');
  return new Map([...runs].map(([key, all]) => [key, medianOf(all)]));
}

/** The median of the CPU seconds, with the highest peak. */
function medianOf(runs: readonly Measured[]): Measured {
  const sorted = runs.toSorted((a, b) => a.cpu - b.cpu);
  const [median] = sorted.slice((sorted.length - 1) >> 1);
  if (median === undefined) throw new Error('nothing was run');
  return { ...median, peak: Math.max(...runs.map(({ peak }) => peak ?? 0)) };
}

function printRows(rows: readonly Row[], medians: Medians): void {
  print('what', 'size', 'CPU s', 'peak MiB', 'jq -c . :', ': read loop', 'over node -e 0');
  const node = medians.get(keyOf('node -e 0', ''))?.cpu ?? 0;
  for (const { what, size } of rows) {
    const found = medians.get(keyOf(what, size));
    if (found === undefined) continue;
    const [jq, loop] = ['jq -c .', 'read loop'].map((other) => medians.get(keyOf(other, size))?.cpu);
    print(
      ...[what, size, found.cpu.toFixed(2), (found.peak ?? 0).toFixed(0)],
      jq === undefined ? (hasJq ? '' : 'no jq here') : `${(jq / found.cpu).toFixed(1)} x`,
      loop === undefined ? '' : `${(found.cpu / loop).toFixed(1)} x`,
      size === '' ? `${((found.cpu - node) * 1000).toFixed(0)} ms` : '',
    );
  }
}

function printGoals(medians: Medians): void {
  const cpu = (what: string, size: Size | ''): number => medians.get(keyOf(what, size))?.cpu ?? Number.NaN;
  const peak = (what: string, size: Size): number => medians.get(keyOf(what, size))?.peak ?? Number.NaN;
  const given = 'compact, given ledger';
  const derived = 'compact, derived ledger';
  const over = (what: string): number => (cpu(what, '') - cpu('node -e 0', '')) * 1000;
  const perMegabyte = (size: Size): number => cpu(given, size) / MEGABYTES[size];
  const atLeast = (least: number) => (value: number) => value >= least;
  const atMost = (most: number) => (value: number) => value <= most;
  const goals: readonly Goal[] = [
    {
      what: '200 MB, given: jq / thread',
      goal: '>= 10',
      value: () => cpu('jq -c .', '200MB') / cpu(given, '200MB'),
      isMet: atLeast(10),
    },
    {
      what: '200 MB, given: thread / read loop',
      goal: '<= 6',
      value: () => cpu(given, '200MB') / cpu('read loop', '200MB'),
      isMet: atMost(6),
    },
    {
      what: '200 MB, --strict: jq / thread',
      goal: '>= 5',
      value: () => cpu('jq -c .', '200MB') / cpu(`${given}, --strict`, '200MB'),
      isMet: atLeast(5),
    },
    {
      what: '1 GB, given: jq / thread',
      goal: '>= 12',
      value: () => cpu('jq -c .', '1GB') / cpu(given, '1GB'),
      isMet: atLeast(12),
    },
    { what: '1 GB, given: peak MiB', goal: '<= 120', value: () => peak(given, '1GB'), isMet: atMost(120) },
    {
      what: '200 MB to 1 GB: more MiB',
      goal: '<= 16',
      value: () => peak(given, '1GB') - peak(given, '200MB'),
      isMet: atMost(16),
    },
    {
      what: '200 MB to 1 GB: CPU per MB',
      goal: '<= 1.2',
      value: () => perMegabyte('1GB') / perMegabyte('200MB'),
      isMet: atMost(1.2),
    },
    {
      what: '200 MB, derived: jq / thread',
      goal: '>= 1.5',
      value: () => cpu('jq -c .', '200MB') / cpu(derived, '200MB'),
      isMet: atLeast(1.5),
    },
    {
      what: '200 MB, derived: peak MiB',
      goal: '<= 400',
      value: () => peak(derived, '200MB'),
      isMet: atMost(400),
    },
    { what: '10 MB, derived: CPU s', goal: '<= 0.6', value: () => cpu(derived, '10MB'), isMet: atMost(0.6) },
    {
      what: '--version: ms over node -e 0',
      goal: '<= 15',
      value: () => over('--version'),
      isMet: atMost(15),
    },
    {
      what: 'compact of a small file: ms over node -e 0',
      goal: '<= 60',
      value: () => over('compact'),
      isMet: atMost(60),
    },
    {
      what: 'resolve: CPU of node -e 0',
      goal: '< 1.6',
      value: () => cpu('resolve', '') / cpu('node -e 0', ''),
      isMet: (value) => value < 1.6,
    },
  ];
  process.stdout.write('\n');
  print('goal', '', 'wanted', 'measured', '');
  for (const { what, goal, value, isMet } of goals) {
    const measured = value();
    if (!Number.isNaN(measured))
      print(what, '', goal, measured.toFixed(2), isMet(measured) ? 'met' : 'NOT met');
  }
}

function print(what: string, ...cells: readonly string[]): void {
  const line = `${what.padEnd(44)}${cells.map((cell) => cell.padStart(12)).join('')}`;
  process.stdout.write(`${line.trimEnd()}\n`);
}
