// How long thread diff takes for two generated transcripts that differ in some messages, and its peak memory.
// usage: node bench/run.js diff [--megabytes=N] [--changes=N] [SHARED]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measuredRun } from '../measured-run.js';

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  options: { megabytes: { type: 'string', default: '50' }, changes: { type: 'string', default: '100' } },
  allowPositionals: true,
});
const generator = join(positionals[0] ?? '../shared', 'bench', 'generate-transcript.mjs');
if (!existsSync(generator)) throw new Error(`no generator at ${generator}: name the shared folder`);

const TEXT = /"content": ?"/;

const folder = mkdtempSync(join(tmpdir(), 'thread-diff-'));
try {
  const [before, after, compacted] = ['before', 'after', 'compacted'].map((name) =>
    join(folder, `${name}.jsonl`),
  );
  if (before === undefined || after === undefined || compacted === undefined) throw new Error('no names');
  execFileSync(process.execPath, [generator, '--bytes', `${values.megabytes}MB`, '--out', before]);
  writeFileSync(after, changed(readFileSync(before, 'utf8'), Number(values.changes)));
  execFileSync(process.execPath, [
    'bin/thread.js',
    'compact',
    '-q',
    '--allow-uncited',
    before,
    '-o',
    compacted,
  ]);
  const thread = [process.execPath, 'bin/thread.js', 'diff'];
  await measure(`two of ${values.megabytes} MB, ${values.changes} messages changed`, [
    ...thread,
    before,
    after,
  ]);
  await measure('the same, --stat', [...thread, '--stat', before, after]);
  await measure('the same, --json', [...thread, '--json', before, after]);
  await measure('one of them and its compaction', [...thread, before, compacted]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Every so many messages, one whose text has a word more. */
function changed(transcript: string, changes: number): string {
  const lines = transcript.split('\n');
  const step = Math.max(1, Math.floor(lines.length / (changes + 1)));
  let [done, due] = [0, step];
  const result = lines.map((line, i) => {
    if (done === changes || i < due || !TEXT.test(line)) return line;
    [done, due] = [done + 1, due + step];
    return line.replace(TEXT, (start) => `${start}Edited. `);
  });
  if (done < changes) throw new Error(`only ${done} messages could be changed`);
  return result.join('\n');
}

async function measure(name: string, command: readonly string[]): Promise<void> {
  const { seconds, peak } = await measuredRun(command);
  process.stdout.write(`${name}: ${seconds.toFixed(1)} s, peak ${peak.toFixed(0)} MiB\n`);
}
