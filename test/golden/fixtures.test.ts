import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCase } from '../../src/golden/cases.js';
import { FORMATS } from '../../src/transcript/formats/index.js';
import { ROOT, runCommand } from '../cli/run.js';
import { openShell } from '../cli/shell.js';

const cases = readdirSync(join(ROOT, 'fixtures'))
  .filter((name) => name.endsWith('.case.json'))
  .toSorted()
  .map((name) => readCase(name, readFileSync(join(ROOT, 'fixtures', name))));

interface Report {
  readonly cases: readonly { readonly name: string; readonly verdict: string }[];
}

describe('the cases of fixtures/, through the built command', () => {
  let report: Report;

  beforeAll(async () => {
    const shell = openShell('sh');
    const { stdout } = await shell.run('thread check fixtures --twice --reporter json', ROOT);
    shell.remove();
    report = JSON.parse(stdout);
  });

  test.each(cases)('$name', ({ name }) => {
    expect(report.cases.find((one) => one.name === `fixtures/${name}`)).toMatchObject({ verdict: 'ok' });
  });

  test('are all that there is: no golden is left over', () => {
    expect(report.cases).toHaveLength(cases.length);
  });
});

test('there is a case for every command', async () => {
  const { stdout } = await runCommand(['--help']);
  const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}(\w+) /gm)].map(
    ([, name]) => name,
  );
  const named = new Set(cases.map(({ args }) => args[0]));
  expect(commands.length).toBeGreaterThan(7);
  expect(commands.filter((name) => name !== 'check' && !named.has(name ?? ''))).toStrictEqual([]);
});

/** The transcript of each format in fixtures/. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'openai-chat': 'support.jsonl',
  'anthropic-messages': 'request.anthropic.json',
  'claude-code': 'session.claude.jsonl',
  'pydantic-ai': 'history.pydantic-ai.json',
  pi: 'session.pi.jsonl',
  codex: 'session.codex.jsonl',
  'openai-responses': 'session.openai-responses.json',
  'vercel-ai': 'session.vercel-ai.json',
  opencode: 'session.opencode.json',
  'gemini-cli': 'session.gemini-cli.json',
  'google-genai': 'session.google-genai.json',
  sharegpt: 'session.sharegpt.json',
  cohere: 'session.cohere.json',
  'swe-agent': 'session.mini-swe-agent.json',
  openhands: 'session.openhands-v0.json',
  langchain: 'session.langchain.json',
};

test.each(FORMATS.map(({ name }) => name))('there is a case for the format %s', (name) => {
  const compacting = cases.filter(({ args }) => args[0] === 'compact').flatMap(({ args }) => args);
  expect(compacting).toContain(EXAMPLES[name]);
});
