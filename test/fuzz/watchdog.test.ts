import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('watchdog.ts', import.meta.url));

const cases = [
  {
    name: 'a loop without an end',
    bounds: { seconds: 1, mebibytes: 4000 },
    work: 'for (;;);',
    said: 'hangs, compact input.jsonl\n',
  },
  {
    name: 'memory without an end',
    bounds: { seconds: 600, mebibytes: 400 },
    work: 'for (const held = []; ; ) held.push(Buffer.alloc(1 << 20, 1));',
    said: 'takes too much memory, compact input.jsonl\n',
  },
];

test.each(cases)('ends $name, and says of what', async ({ bounds, work, said }) => {
  const script = join(tmpdir(), `thread-watchdog-${process.pid}.mjs`);
  const code = `import { startWatchdog } from ${JSON.stringify(source)};
    const watchdog = startWatchdog(${JSON.stringify(bounds)});
    watchdog.begin('compact input.jsonl');
    // The thread that watches starts while this one still gives way.
    setTimeout(() => { ${work} }, 500);`;
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: tmpdir() },
    ...{ bundle: true, write: false, platform: 'node', format: 'esm' },
  });
  writeFileSync(script, outputFiles[0]?.contents ?? '');
  try {
    const { signal, stderr } = await execa(process.execPath, [script], {
      reject: false,
      stripFinalNewline: false,
    });
    expect({ signal, stderr }).toStrictEqual({ signal: 'SIGKILL', stderr: said });
  } finally {
    rmSync(script);
  }
});

test('leaves a process alone that has nothing to do', async () => {
  const { startWatchdog } = await import('./watchdog.js');
  const watchdog = startWatchdog({ seconds: 0, mebibytes: 1 });
  await new Promise((done) => setTimeout(done, 300));
  expect(await watchdog.stop()).toBe(1);
});
