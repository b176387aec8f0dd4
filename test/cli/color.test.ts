import { describe, expect, test } from 'vitest';
import { type ColorLevel, chalkFor, colorLevel } from '../../src/cli/color.js';
import type { Io } from '../../src/cli/io.js';

function ioWith(
  env: Io['env'],
  isTerminal: { readonly stdout?: boolean; readonly stderr?: boolean } = {},
): Io {
  const sink = { write: () => {} };
  return {
    stdin: (async function* () {})(),
    stdout: sink,
    stderr: sink,
    env,
    cwd: '/',
    isTerminal: { stdin: false, stdout: false, stderr: false, ...isTerminal },
  };
}

interface Row {
  readonly rule: string;
  readonly env?: Io['env'];
  readonly isTerminal?: boolean;
  readonly flag?: boolean;
  readonly level: ColorLevel;
}

const rows: readonly Row[] = [
  { rule: 'nothing said, no terminal', level: 0 },
  { rule: 'nothing said, a terminal', isTerminal: true, level: 1 },
  { rule: 'a terminal of 256 colours', env: { TERM: 'xterm-256color' }, isTerminal: true, level: 2 },
  { rule: 'a terminal of all colours', env: { COLORTERM: 'truecolor' }, isTerminal: true, level: 3 },
  {
    rule: 'a terminal of all colours, by its other name',
    env: { COLORTERM: '24bit' },
    isTerminal: true,
    level: 3,
  },
  { rule: 'what a terminal could, but there is none', env: { COLORTERM: 'truecolor' }, level: 0 },
  { rule: 'TERM=dumb before the terminal', env: { TERM: 'dumb' }, isTerminal: true, level: 0 },
  {
    rule: 'TERM=dumb before COLORTERM',
    env: { TERM: 'dumb', COLORTERM: 'truecolor' },
    isTerminal: true,
    level: 0,
  },
  { rule: 'FORCE_COLOR without a terminal', env: { FORCE_COLOR: '1' }, level: 1 },
  { rule: 'FORCE_COLOR=true', env: { FORCE_COLOR: 'true' }, level: 1 },
  { rule: 'FORCE_COLOR=yes', env: { FORCE_COLOR: 'yes' }, level: 1 },
  { rule: 'FORCE_COLOR=2', env: { FORCE_COLOR: '2' }, level: 2 },
  { rule: 'FORCE_COLOR=3', env: { FORCE_COLOR: '3' }, level: 3 },
  { rule: 'FORCE_COLOR=0 on a terminal', env: { FORCE_COLOR: '0' }, isTerminal: true, level: 0 },
  { rule: 'FORCE_COLOR=false on a terminal', env: { FORCE_COLOR: 'false' }, isTerminal: true, level: 0 },
  { rule: 'an empty FORCE_COLOR is none', env: { FORCE_COLOR: '' }, level: 0 },
  { rule: 'FORCE_COLOR before TERM=dumb', env: { FORCE_COLOR: '1', TERM: 'dumb' }, level: 1 },
  { rule: 'NO_COLOR on a terminal', env: { NO_COLOR: '1' }, isTerminal: true, level: 0 },
  { rule: 'NO_COLOR of any value', env: { NO_COLOR: '0' }, isTerminal: true, level: 0 },
  { rule: 'an empty NO_COLOR is none', env: { NO_COLOR: '' }, isTerminal: true, level: 1 },
  {
    rule: 'NO_COLOR before FORCE_COLOR',
    env: { NO_COLOR: '1', FORCE_COLOR: '3' },
    isTerminal: true,
    level: 0,
  },
  { rule: '--color without a terminal', flag: true, level: 1 },
  { rule: '--color before NO_COLOR', env: { NO_COLOR: '1' }, flag: true, level: 1 },
  { rule: '--color before FORCE_COLOR=0', env: { FORCE_COLOR: '0' }, flag: true, level: 1 },
  { rule: '--color before TERM=dumb', env: { TERM: 'dumb' }, flag: true, level: 1 },
  { rule: '--color of a terminal of 256 colours', env: { TERM: 'screen-256color' }, flag: true, level: 2 },
  { rule: '--no-color on a terminal', isTerminal: true, flag: false, level: 0 },
  { rule: '--no-color before FORCE_COLOR', env: { FORCE_COLOR: '3' }, flag: false, level: 0 },
  { rule: 'CI says nothing about colour', env: { CI: 'true' }, isTerminal: true, level: 1 },
];

test.each(rows)('$rule: $level', ({ env = {}, isTerminal = false, flag, level }) => {
  expect(colorLevel('stdout', ioWith(env, { stdout: isTerminal }), flag)).toBe(level);
  expect(colorLevel('stderr', ioWith(env, { stderr: isTerminal }), flag)).toBe(level);
});

describe('each stream for itself', () => {
  test.each([
    { isTerminal: { stdout: true }, stdout: '\u001b[31mx\u001b[39m', stderr: 'x' },
    { isTerminal: { stderr: true }, stdout: 'x', stderr: '\u001b[31mx\u001b[39m' },
  ])('$isTerminal', async ({ isTerminal, stdout, stderr }) => {
    const io = ioWith({}, isTerminal);
    expect((await chalkFor('stdout', io, undefined)).red('x')).toBe(stdout);
    expect((await chalkFor('stderr', io, undefined)).red('x')).toBe(stderr);
  });
});
