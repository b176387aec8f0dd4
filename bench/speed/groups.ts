import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SIZES: readonly string[] = ['10MB', '200MB', '1GB'];
/** Not a size of input: what stands in its column for the commands on small files. */
export const SMALL = 'small';
/** The largest that a ledger is derived of: beyond, one run takes minutes. */
const LARGEST_DERIVED = '200MB';
const CASES = 100;
const ROUNDS = new Map([
  ['10MB', 5],
  ['200MB', 3],
  ['1GB', 3],
]);
const THREAD = [process.execPath, 'bin/thread.js'];
const READ_LOOP = `const fs = require('node:fs');
const input = fs.openSync(process.argv[1]);
const buffer = Buffer.allocUnsafe(1 << 20);
while (fs.readSync(input, buffer, 0, buffer.length, null) > 0);`;

/** Commands that are measured in turn, by name; `prepare` writes what they read. */
export interface Group {
  readonly size: string;
  readonly rounds: number;
  readonly prepare: () => ReadonlyMap<string, readonly string[]>;
}

export function groupsOf(sizes: readonly string[], generator: string, folder: string): readonly Group[] {
  const ofSizes = sizes.map((size) => ({
    ...{ size, rounds: ROUNDS.get(size) ?? 1 },
    prepare: () => commandsOn(size, generator, folder),
  }));
  return [{ size: SMALL, rounds: 11, prepare: () => smallCommands(folder) }, ...ofSizes];
}

function smallCommands(folder: string): ReadonlyMap<string, readonly string[]> {
  const small = join(folder, 'small.jsonl');
  const compacted = join(folder, 'small.compacted.jsonl');
  copyFileSync('fixtures/support.jsonl', small);
  execFileSync(process.execPath, ['bin/thread.js', 'compact', '-q', small, '-o', compacted]);
  return new Map([
    ['node -e 0', [process.execPath, '-e', '0']],
    ['--version', [...THREAD, '--version']],
    ['--help', [...THREAD, '--help']],
    ['compact', [...THREAD, 'compact', small]],
    ['resolve', [...THREAD, 'resolve', small]],
    ['recall', [...THREAD, 'recall', small]],
    ['diff', [...THREAD, 'diff', small, compacted]],
    [`check, ${CASES} cases`, [...THREAD, 'check', casesIn(join(folder, 'cases'))]],
  ]);
}

function casesIn(folder: string): string {
  mkdirSync(folder);
  copyFileSync('fixtures/support.jsonl', join(folder, 'support.jsonl'));
  for (let i = 1; i <= CASES; i += 1) {
    for (const end of ['case.json', 'golden'])
      copyFileSync(`fixtures/compact-support.${end}`, join(folder, `compact-${i}.${end}`));
  }
  return folder;
}

function commandsOn(size: string, generator: string, folder: string): ReadonlyMap<string, readonly string[]> {
  const file = join(folder, `${size}.jsonl`);
  const [ledger, none] = [join(folder, `${size}.given`), join(folder, 'none.given')];
  execFileSync(process.execPath, [generator, '--bytes', size, '--out', file, '--ledger', ledger]);
  writeFileSync(none, '');
  const compact = [...THREAD, 'compact', '-q', file];
  return new Map([
    ['node -e 0', [process.execPath, '-e', '0']],
    ...(hasJq() ? ([['jq -c .', ['jq', '-c', '.', file]]] as const) : []),
    ['bare read loop', [process.execPath, '-e', READ_LOOP, file]],
    ['cat', ['cat', file]],
    ['compact, given ledger', [...compact, '--ledger', ledger]],
    ['compact, given ledger, --strict', [...compact, '--ledger', ledger, '--strict']],
    ['compact, ledger of nothing', [...compact, '--ledger', none]],
    ...(SIZES.indexOf(size) <= SIZES.indexOf(LARGEST_DERIVED)
      ? ([['compact, derived ledger', compact]] as const)
      : []),
    ...(size === SIZES[0] ? searches(file, ledger, folder) : []),
  ]);
}

function searches(
  file: string,
  ledger: string,
  folder: string,
): readonly (readonly [string, readonly string[]])[] {
  const compacted = join(folder, 'compacted.jsonl');
  const made = ['compact', '-q', file, '--ledger', ledger, '-o', compacted];
  execFileSync(process.execPath, ['bin/thread.js', ...made]);
  return [
    ['resolve', [...THREAD, 'resolve', file]],
    ['recall', [...THREAD, 'recall', file]],
    ['diff with the compaction', [...THREAD, 'diff', file, compacted]],
  ];
}

function hasJq(): boolean {
  return spawnSync('jq', ['--version']).error === undefined;
}
