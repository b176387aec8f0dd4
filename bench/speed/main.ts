// CPU seconds and peak memory of the commands, beside jq -c ., a bare read loop and cat in the same run, and the goals.
// usage: node bench/run.js speed [--max=SIZE] [SHARED]
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { interleavedRuns } from '../measured-run.js';
import { temporaryFolder } from '../temporary-folder.js';
import { textTable } from '../text-table.js';
import { goalRows } from './goals.js';
import { type Group, groupsOf, SIZES } from './groups.js';
import { type Measured, measuredRows } from './rows.js';

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  options: { max: { type: 'string', default: '1GB' } },
  allowPositionals: true,
});
const generator = join(positionals[0] ?? '../shared', 'bench', 'generate-transcript.mjs');
const most = bytesOf(values.max);
const sizes = SIZES.filter((size) => bytesOf(size) <= most);
if (!existsSync(generator)) {
  stop(`no generator at ${generator}: name the shared folder`);
} else if (sizes.length === 0) {
  stop(`--max=${values.max}: a size from ${SIZES[0]} on, such as 200MB`);
} else {
  await measureAll(temporaryFolder('speed'));
}

async function measureAll(folder: string): Promise<void> {
  const measured: Measured[] = [];
  for (const group of groupsOf(sizes, generator, folder)) measured.push(...(await measure(group)));
  process.stdout.write(`${textTable(measuredRows(measured))}\n${textTable(goalRows(measured))}`);
}

async function measure({ size, rounds, prepare }: Group): Promise<readonly Measured[]> {
  process.stderr.write(`${size}: ${rounds} rounds\n`);
  const commands = prepare();
  const runs = await interleavedRuns([...commands.values()], rounds);
  return [...commands.keys()].flatMap((name, i) => {
    const run = runs[i];
    return run === undefined ? [] : [{ size, name, megabytes: bytesOf(size) / 1e6, run }];
  });
}

/** NaN, less than no size, when it is not one. */
function bytesOf(size: string): number {
  const [, digits, unit] = /^(\d+)(MB|GB)$/i.exec(size) ?? [];
  return Number(digits) * (unit?.toUpperCase() === 'GB' ? 1e9 : 1e6);
}

function stop(problem: string): void {
  process.stderr.write(`bench: ${problem}\n`);
  process.exitCode = 2;
}
