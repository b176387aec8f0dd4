import type { MeasuredRun } from '../measured-run.js';
import { SMALL } from './groups.js';

/** A command on a size of input. */
export interface Measured {
  readonly size: string;
  readonly name: string;
  /** NaN for small inputs. */
  readonly megabytes: number;
  readonly run: MeasuredRun;
}

const HEAD = ['command', 'input', 'CPU s', 'ms/MB', 'peak MiB'];
const RATIOS = ['jq -c .', 'bare read loop', 'cat'];

/** The table; ratios are of CPU seconds, to the command that heads the column and ran in the same rounds. */
export function measuredRows(all: readonly Measured[]): readonly (readonly string[])[] {
  return [
    [...HEAD, 'jq : it', 'it : read', 'it : cat', 'ms over node -e 0'],
    ...all.map((one) => [
      ...[one.name, one.size, one.run.cpu.toFixed(3)],
      one.size === SMALL ? '-' : ((1000 * one.run.cpu) / one.megabytes).toFixed(2),
      one.run.peak.toFixed(0),
      ...RATIOS.map((other) => ratioCell(all, one, other)),
      cellOf(find(all, one.size, 'node -e 0'), (node) => (1000 * (one.run.cpu - node.cpu)).toFixed(0)),
    ]),
  ];
}

export function find(all: readonly Measured[], size: string, name: string): MeasuredRun | undefined {
  return all.find((one) => one.size === size && one.name === name)?.run;
}

function ratioCell(all: readonly Measured[], one: Measured, other: string): string {
  if (one.size === SMALL) return '-';
  const absent = other === 'jq -c .' ? 'no jq' : '-';
  const beside = find(all, one.size, other);
  const ratio = (run: MeasuredRun) => (other === 'jq -c .' ? run.cpu / one.run.cpu : one.run.cpu / run.cpu);
  return cellOf(beside, (run) => ratio(run).toFixed(1), absent);
}

function cellOf(run: MeasuredRun | undefined, cell: (run: MeasuredRun) => string, absent = '-'): string {
  return run === undefined ? absent : cell(run);
}
