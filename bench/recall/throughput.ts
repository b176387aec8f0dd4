// Generated sessions, searched by the built program: rate and peak memory, beside rg -c (or grep -c) on the same files.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { measuredRun } from '../measured-run.js';

const SESSION = '2MB';
const WORD = 'turbinewise';
const ABSENT = 'xyzzyabsent';
const QUESTION = 'which turbine membrane lease was called off by the tribunal?';

/** `folder` holds sessions already; without one, as many as are wanted are generated and taken away again. */
export async function measureThroughput(
  generator: string,
  sessions: number,
  folder: string | undefined,
): Promise<void> {
  const made = folder === undefined ? mkdtempSync(join(tmpdir(), 'thread-sessions-')) : undefined;
  const place = resolve(folder ?? made ?? '');
  try {
    if (made !== undefined) generate(generator, sessions, made);
    await measureFolder(place);
  } finally {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
  }
}

function generate(generator: string, sessions: number, into: string): void {
  mkdirSync(into, { recursive: true });
  for (let seed = 1; seed <= sessions; seed += 1) {
    const out = join(into, `session-${String(seed).padStart(4, '0')}.jsonl`);
    execFileSync(process.execPath, [generator, '--bytes', SESSION, '--seed', String(seed), '--out', out]);
  }
}

async function measureFolder(folder: string): Promise<void> {
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  process.stdout.write(`${sizes.length} sessions, ${megabytes.toFixed(0)} MB\n`);
  const thread = [process.execPath, 'bin/thread.js', 'recall', folder, '--json'];
  const grep = spawnSync('rg', ['--version']).error === undefined ? ['rg', '-c'] : ['grep', '-rc'];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [`${grep.join(' ')} ${WORD}`, [...grep, WORD, folder]],
    [`recall --terms ${ABSENT}`, [...thread, '--terms', ABSENT]],
    [`recall --terms ${WORD}`, [...thread, '--terms', WORD]],
    [`recall --query "${QUESTION}"`, [...thread, '--query', QUESTION]],
  ];
  for (const [name, command] of rows) {
    const { seconds, peak } = await measuredRun(command);
    const rate = (megabytes / seconds).toFixed(0);
    process.stdout.write(`${name}: ${seconds.toFixed(1)} s, ${rate} MB/s, peak ${peak.toFixed(0)} MiB\n`);
  }
}
