import type { MeasuredRun } from '../measured-run.js';
import { SMALL } from './groups.js';
import { find, type Measured } from './rows.js';

const GIVEN = 'compact, given ledger';
const STRICT = 'compact, given ledger, --strict';
const DERIVED = 'compact, derived ledger';
const JQ = 'jq -c .';

type Place = readonly [size: string, name: string];

interface Goal {
  readonly name: string;
  /** Whose runs `value` takes, in this order. */
  readonly of: readonly [Place] | readonly [Place, Place];
  readonly value: (first: MeasuredRun, second: MeasuredRun) => number;
  readonly bound: { readonly least: number } | { readonly most: number };
  readonly unit: string;
  readonly digits: number;
}

const cpuRatio = (first: MeasuredRun, second: MeasuredRun): number => first.cpu / second.cpu;
const milliseconds = (first: MeasuredRun, second: MeasuredRun): number => 1000 * (first.cpu - second.cpu);
const times = { value: cpuRatio, unit: 'times', digits: 1 };
const over = { value: milliseconds, unit: 'ms', digits: 0 };
const peak = { value: (run: MeasuredRun) => run.peak, unit: 'MiB', digits: 0 };

const GOALS: readonly Goal[] = [
  {
    ...times,
    name: 'given ledger, 200 MB: jq -c . takes (reach for 20)',
    of: [
      ['200MB', JQ],
      ['200MB', GIVEN],
    ],
    bound: { least: 10 },
  },
  {
    ...times,
    name: 'given ledger, 200 MB: takes, of the bare read loop',
    of: [
      ['200MB', GIVEN],
      ['200MB', 'bare read loop'],
    ],
    bound: { most: 6 },
  },
  {
    ...times,
    name: '--strict, 200 MB: jq -c . takes',
    of: [
      ['200MB', JQ],
      ['200MB', STRICT],
    ],
    bound: { least: 5 },
  },
  {
    ...times,
    name: 'given ledger, 1 GB: jq -c . takes',
    of: [
      ['1GB', JQ],
      ['1GB', GIVEN],
    ],
    bound: { least: 12 },
  },
  { ...peak, name: 'given ledger, 200 MB: peak memory', of: [['200MB', GIVEN]], bound: { most: 120 } },
  { ...peak, name: 'given ledger, 1 GB: peak memory', of: [['1GB', GIVEN]], bound: { most: 120 } },
  { ...peak, name: '--strict, 1 GB: peak memory', of: [['1GB', STRICT]], bound: { most: 120 } },
  {
    ...peak,
    name: 'given ledger: growth of peak memory, 200 MB to 1 GB',
    of: [
      ['1GB', GIVEN],
      ['200MB', GIVEN],
    ],
    value: (large, small) => large.peak - small.peak,
    bound: { most: 16 },
  },
  {
    ...times,
    name: 'derived ledger, 200 MB: jq -c . takes (reach for 3)',
    of: [
      ['200MB', JQ],
      ['200MB', DERIVED],
    ],
    bound: { least: 1.5 },
  },
  { ...peak, name: 'derived ledger, 200 MB: peak memory', of: [['200MB', DERIVED]], bound: { most: 400 } },
  {
    name: 'derived ledger, 10 MB: CPU in all',
    of: [['10MB', DERIVED]],
    value: (run) => run.cpu,
    bound: { most: 0.6 },
    unit: 's',
    digits: 2,
  },
  {
    ...over,
    name: '--version over node -e 0',
    of: [
      [SMALL, '--version'],
      [SMALL, 'node -e 0'],
    ],
    bound: { most: 15 },
  },
  {
    ...over,
    name: 'compact of a small file over node -e 0',
    of: [
      [SMALL, 'compact'],
      [SMALL, 'node -e 0'],
    ],
    bound: { most: 60 },
  },
  {
    name: 'given ledger: time per MB at 1 GB, of that at 200 MB',
    of: [
      ['1GB', GIVEN],
      ['200MB', GIVEN],
    ],
    value: (large, small) => cpuRatio(large, small) / 5,
    bound: { most: 1.2 },
    unit: 'times',
    digits: 2,
  },
];

/** Each goal, what was measured, and whether that meets it. */
export function goalRows(all: readonly Measured[]): readonly (readonly string[])[] {
  return [
    ['goal', 'bound', 'measured', 'met'],
    ...GOALS.map((goal) => [goal.name, boundOf(goal), ...result(all, goal)]),
  ];
}

function boundOf({ bound, unit }: Goal): string {
  return 'least' in bound ? `at least ${bound.least} ${unit}` : `at most ${bound.most} ${unit}`;
}

function result(all: readonly Measured[], goal: Goal): readonly [string, string] {
  const [first, second] = goal.of.map(([size, name]) => find(all, size, name));
  if (first === undefined || (goal.of.length === 2 && second === undefined)) return ['not measured', '-'];
  const value = goal.value(first, second ?? first);
  const met = 'least' in goal.bound ? value >= goal.bound.least : value <= goal.bound.most;
  return [`${value.toFixed(goal.digits)} ${goal.unit}`, met ? 'yes' : 'no'];
}
