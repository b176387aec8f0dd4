import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './cli/run.js';
import { openShell, type Shell } from './cli/shell.js';

/** A fenced block, and the block of expected output that follows it, if one does. */
interface Example {
  readonly language: string;
  readonly code: string;
  readonly output: string | undefined;
}

const examples = examplesIn(readFileSync(join(ROOT, 'README.md'), 'utf8'));
const commands = examples.filter(({ language, output }) => language === 'sh' && output !== undefined);
const setUps = examples.filter(({ language, output }) => language === 'sh' && output === undefined);
const programs = examples.filter(({ language }) => language === 'js');

function examplesIn(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => ({
    language: match[1] ?? '',
    code: match[2] ?? '',
    start: match.index,
    end: match.index + match[0].length,
  }));
  return blocks
    .filter(({ language }) => language === 'sh' || language === 'js')
    .map(({ language, code, end }) => {
      const next = blocks.find(({ start }) => start > end);
      const isOutput = next !== undefined && markdown.slice(end, next.start).trim() === '';
      const output =
        isOutput && (next.language === 'text' || next.language === 'json') ? next.code : undefined;
      return { language, code, output };
    });
}

let shell: Shell;

beforeAll(() => {
  shell = openShell('sh');
});

afterAll(() => shell.remove());

describe('the README', () => {
  test('has examples of every kind', () => {
    expect([commands.length, setUps.length, programs.length].every((count) => count > 0)).toBe(true);
  });

  test.each(setUps)('names set-up commands that exist: $code', async ({ code }) => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const [install, second = ''] = code.trim().split(' && ');
    expect(install).toBe('npm ci');
    expect(scripts).toHaveProperty('prepare');
    if (second.startsWith('npx ')) expect(await shell.run(second, ROOT)).toMatchObject({ code: 0 });
    else expect(Object.keys(scripts).map((name) => `npm ${name}`)).toContain(second);
  });

  test.each(programs)('shows a program that gives its output: $code', async ({ code, output }) => {
    const { stdout } = await execa(process.execPath, ['--input-type=module'], {
      input: code,
      cwd: ROOT,
      stripFinalNewline: false,
    });
    expect(stdout).toBe(output);
  });
});

const hasJq = spawnSync('jq', ['--version']).status === 0;

describe.skipIf(!hasJq)(`the README's commands${hasJq ? '' : ' (skipped: no jq here)'}`, () => {
  test.each(commands)('give what it shows: $code', async ({ code, output }) => {
    expect((await shell.run(code, ROOT)).stdout).toBe(output);
  });
});
