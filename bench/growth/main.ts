// Whether a command's time grows with its input alone: CPU ms per MB at n, 2n and 4n of transcripts that are unusual in one way, beside a plain one as large.
// usage: node bench/run.js growth [--units=N] [--limit=SECONDS] [--shape=NAME] [--command=NAME] [SHARED]
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endedRun } from '../measured-run.js';
import { temporaryFolder } from '../temporary-folder.js';
import { textTable } from '../text-table.js';
import { COMMANDS, type Inputs } from './commands.js';
import { SHAPES, type Shape, writeShape } from './shapes.js';

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  options: {
    units: { type: 'string', default: '25000' },
    limit: { type: 'string', default: '120' },
    shape: { type: 'string' },
    command: { type: 'string' },
  },
  allowPositionals: true,
});
const generator = join(positionals[0] ?? '../shared', 'bench', 'generate-transcript.mjs');
const limit = Number(values.limit);
const MULTIPLES = [1, 2, 4];

if (existsSync(generator)) {
  const folder = temporaryFolder('growth');
  for (const shape of SHAPES.filter(({ name }) => name === (values.shape ?? name)))
    await measure(shape, folder);
} else {
  process.stderr.write(`bench: no generator at ${generator}: name the shared folder\n`);
  process.exitCode = 2;
}

async function measure(shape: Shape, folder: string): Promise<void> {
  const counts = MULTIPLES.map((multiple) => multiple * Number(values.units));
  const pairs = counts.map((units) => {
    const unusual = { ...inputsIn(folder, `${units}`), one: shape.one ?? [] };
    writeShape(shape, units, unusual.file, unusual.ledger);
    const plain = inputsIn(folder, `${units}.plain`);
    const bytes = String(statSync(unusual.file).size);
    const made = ['--bytes', bytes, '--out', plain.file, '--ledger', plain.ledger];
    execFileSync(process.execPath, [generator, ...made]);
    for (const inputs of [unusual, plain]) compactOnce(inputs);
    return { unusual, plain };
  });
  const rows = [headOf(shape, counts)];
  for (const [name, commandOn] of COMMANDS) {
    if (name !== (values.command ?? name)) continue;
    const cells: string[] = [];
    const perMegabyte: (number | undefined)[] = [];
    for (const { unusual, plain } of pairs) {
      const ofShape = await timed(commandOn(unusual), unusual.file);
      const ofPlain = await timed(commandOn(plain), plain.file);
      perMegabyte.push(ofShape.milliseconds);
      cells.push(ofShape.cell, ofPlain.cell, quotient(ofShape.milliseconds, ofPlain.milliseconds));
    }
    rows.push([name, ...cells, quotient(perMegabyte.at(-1), perMegabyte[0])]);
    process.stderr.write(`${shape.name}: ${name}\n`);
  }
  process.stdout.write(`${textTable(rows)}\n`);
  for (const { unusual, plain } of pairs) for (const path of [unusual, plain]) removeAll(path);
}

function headOf({ name, unit }: Shape, counts: readonly number[]): readonly string[] {
  return [`${name}, ms/MB`, ...counts.flatMap((units) => [`${units} ${unit}`, 'plain', ':']), '4n : n'];
}

function inputsIn(folder: string, name: string): Inputs {
  const at = (end: string) => join(folder, `${name}.${end}`);
  return { file: at('jsonl'), ledger: at('given'), compacted: at('compacted.jsonl'), one: [] };
}

/** For verify, with a time limit as every run has: where it ends without one, so does verify, and says so. */
function compactOnce({ file, ledger, compacted, one }: Inputs): void {
  try {
    const command = ['bin/thread.js', 'compact', '-q', file, '--ledger', ledger, '--allow-uncited', ...one];
    execFileSync(process.execPath, [...command, '-o', compacted], { timeout: limit * 1000 });
  } catch (error) {
    process.stderr.write(`bench: not compacted: ${error instanceof Error ? error.message : error}\n`);
  }
}

/** What a run took per MB of its file, start-up included; a run that fails or takes too long has no time. */
async function timed(
  command: readonly string[],
  file: string,
): Promise<{ readonly cell: string; readonly milliseconds: number | undefined }> {
  const { code, run } = await endedRun(command, limit);
  if (code < 0) return { cell: `over ${limit} s`, milliseconds: undefined };
  if (code > 1) return { cell: `exit ${code}`, milliseconds: undefined };
  const milliseconds = (1e9 * run.cpu) / statSync(file).size;
  return { cell: milliseconds.toFixed(0), milliseconds };
}

function quotient(value: number | undefined, by: number | undefined): string {
  return value === undefined || by === undefined ? '-' : (value / by).toFixed(1);
}

function removeAll({ file, ledger, compacted }: Inputs): void {
  for (const path of [file, ledger, compacted]) rmSync(path, { force: true });
}
