import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCases } from '../../src/cli/case-files.js';
import { runCases } from '../../src/cli/check-run.js';
import { type Folder, makeFolder } from './folder.js';

const worker = new URL('../golden/misbehaving-worker.js', import.meta.url);
let folder: Folder;

beforeAll(() => {
  folder = makeFolder();
  for (const word of ['exit', 'fine', 'hang', 'hang-too', 'random', 'throw']) {
    folder.write(`folder/${word}.case.json`, JSON.stringify({ args: [word.replace('-too', '')] }));
    folder.write(`folder/${word}.golden`, 'fine\n');
  }
});

afterAll(() => folder.remove());

async function verdicts(bail: boolean) {
  const { cases } = await findCases(['folder'], undefined, folder.path);
  const options = { timeoutSeconds: 0.5, twice: true, bail, cwd: folder.path, worker };
  const ran = await runCases(cases, options);
  return ran.map(({ report: { name, verdict } }) => [
    name,
    verdict.kind === 'error' ? verdict.problem : verdict.kind,
  ]);
}

const late = 'it did not end within 0.5 s; --timeout gives cases longer';
const expected = [
  ['folder/exit', 'a fault of thread itself: its thread ended'],
  ['folder/fine', 'ok'],
  ['folder/hang', late],
  ['folder/hang-too', late],
  ['folder/random', 'changed'],
  ['folder/throw', 'a fault of thread itself: Error: thrown'],
];

describe('a case that takes its worker with it', () => {
  test('is an error, and the other cases are judged', async () => {
    expect(await verdicts(false)).toStrictEqual(expected);
  });

  test('is the last with --bail', async () => {
    expect(await verdicts(true)).toStrictEqual(expected.slice(0, 1));
  });
});
