// How fast each format is read and written: an identity run, and a compaction of everything, beside jq -c . on the same bytes.
// usage: node bench/run.js formats [--megabytes=N] [SHARED]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compactTranscript } from '../../src/compaction/compact-transcript.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { FORMATS } from '../../src/transcript/formats/index.js';
import { memorySource } from '../../src/transcript/lines.js';
import { outlineConversation } from '../../src/transcript/outline.js';
import { openTranscript, readConversations } from '../../src/transcript/transcript.js';

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  options: { megabytes: { type: 'string', default: '20' } },
  allowPositionals: true,
});
const corpus = join(positionals[0] ?? '../shared', 'corpus');
const wanted = Number(values.megabytes) * 1e6;
const RUNS = 3;

print('format', 'file', 'kB', 'identity', 'compaction', 'jq -c .', 'identity : jq');
for (const { name } of FORMATS) {
  const found = largest(name);
  if (found === undefined) {
    print(name, `none below ${corpus} or fixtures`);
    continue;
  }
  const { file, bytes } = found;
  const times = Math.max(1, Math.round(wanted / bytes.length));
  const identity = await rate(bytes, times, { boundary: 0 });
  const compaction = await rate(bytes, times, { boundary: lastPosition(bytes) + 1, recent: 0 });
  const jq = jqRate(bytes, times);
  print(
    ...[name, file.split(/[/\\]/).at(-1) ?? file, (bytes.length / 1e3).toFixed(0)],
    ...[identity, compaction, jq].map((speed) => `${speed.toFixed(0)} MB/s`),
    (identity / jq).toFixed(1),
  );
}

/** The largest transcript of the corpus, else the fixture: the same file again and again, so that its ids stay its own. */
function largest(format: string): { readonly file: string; readonly bytes: Buffer } | undefined {
  const folder = join(corpus, format);
  const below = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
    : [];
  const fixtures = readdirSync('fixtures')
    .filter((name) => name.startsWith(`session.${format}.`))
    .map((name) => join('fixtures', name));
  return [...below, ...fixtures]
    .filter((file) => /\.(?:jsonl?|traj)$/.test(file))
    .map((file) => ({ file, bytes: readFileSync(file) }))
    .filter(({ bytes }) => formatOf(bytes) === format)
    .toSorted((a, b) => b.bytes.length - a.bytes.length)[0];
}

function open(bytes: Buffer) {
  return openTranscript(memorySource('x', bytes), { lenient: true, isForeign: () => false });
}

function formatOf(bytes: Buffer): string | undefined {
  try {
    return open(bytes)?.format.name;
  } catch {
    return undefined; // a look-alike: no file of the format
  }
}

function lastPosition(bytes: Buffer): number {
  const transcript = open(bytes);
  const all =
    transcript === undefined ? [] : [...readConversations(transcript)].map((one) => outlineConversation(one));
  return Math.max(0, ...all.map((outline) => outline.length - 1));
}

/** Megabytes of input a CPU second: the median of several runs. */
async function rate(bytes: Buffer, times: number, options: object): Promise<number> {
  const rates: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const began = process.cpuUsage();
    for (let i = 0; i < times; i += 1) {
      const source = memorySource('x', bytes);
      const { edits, style } = await compactTranscript(source, {
        ...{ allowUncited: true, copies: false, lenient: true },
        ...options,
      });
      for (const _ of editedPieces(source, edits, style));
    }
    const { user, system } = process.cpuUsage(began);
    rates.push((bytes.length * times) / (user + system));
  }
  return median(rates);
}

/** The same bytes as often in one file: jq reads values one behind the other. Its CPU time is that of `times -p`. */
function jqRate(bytes: Buffer, times: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'thread-formats-'));
  try {
    const file = join(folder, 'all.json');
    const one = Buffer.from(bytes.toString('latin1').replace(/^(?:\/\/.*\n)+/, ''), 'latin1');
    writeFileSync(
      file,
      Buffer.concat(Array.from({ length: times }, () => Buffer.concat([one, Buffer.from('\n')]))),
    );
    const script = 'jq -c . "$1" >/dev/null; times';
    const rates = Array.from({ length: RUNS }, () => {
      const output = execFileSync('bash', ['-c', script, 'bash', file], { encoding: 'utf8' });
      return (bytes.length * times) / (1e6 * childSeconds(output));
    });
    return median(rates);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `times` prints the shell's own line, then that of its children: `0m1.250s 0m0.031s`. */
function childSeconds(output: string): number {
  const [, children = ''] = output.trim().split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function print(...cells: readonly string[]): void {
  const widths = [20, 46, 8, 12, 12, 12];
  process.stdout.write(
    `${cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join(' ')
      .trimEnd()}\n`,
  );
}
