import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/transcript/formats/index.js';
import { ROOT } from '../cli/run.js';
import {
  againProblems,
  type Compacted,
  compacted,
  detectionProblems,
  evidenceProblems,
  formatProblems,
  identityProblems,
  ODD_TEXT,
  pairProblems,
  proofProblems,
  questionProblems,
  spliceProblems,
  valuesOf,
  withOddText,
} from './contract.js';

/** Fixtures that are not named `session.FORMAT.jsonl` or `session.FORMAT.json`. */
const FIXTURES: ReadonlyMap<string, string> = new Map([
  ['openai-chat', 'support.jsonl'],
  ['anthropic-messages', 'request.anthropic.json'],
  ['claude-code', 'session.claude.jsonl'],
  ['pydantic-ai', 'history.pydantic-ai.json'],
]);

/** Formats whose conversations have no results of tools, so that nothing is ever compacted. */
const WITHOUT_RESULTS: ReadonlySet<string> = new Set([]);

/** A run has one question only: everything below this position is compacted, as if another one came there. */
const BOUNDARIES: ReadonlyMap<string, number> = new Map([['swe-agent', 8]]);

function fixtureOf(format: string): string | undefined {
  const names = [FIXTURES.get(format), `session.${format}.jsonl`, `session.${format}.json`];
  return names.find((name) => name !== undefined && existsSync(join(ROOT, 'fixtures', name)));
}

/** How the same transcript may be stored. */
const VARIANTS: readonly { readonly variant: string; readonly make: (bytes: Buffer) => Buffer }[] = [
  { variant: 'as it is', make: (bytes) => bytes },
  {
    variant: 'CRLF',
    make: (bytes) => Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1'),
  },
  { variant: 'a byte-order mark', make: (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]) },
  {
    variant: 'no final newline',
    make: (bytes) => Buffer.from(bytes.toString('latin1').replace(/\r?\n$/, ''), 'latin1'),
  },
  { variant: 'odd text', make: withOddText },
];

interface Rule {
  readonly rule: string;
  readonly problems: (compacted: Compacted) => readonly string[] | Promise<readonly string[]>;
}

const RULES: readonly Rule[] = [
  { rule: 'detection', problems: ({ after, format }) => detectionProblems(valuesOf(after), format) },
  { rule: 'identity', problems: ({ before }) => identityProblems(before) },
  {
    rule: 'evidence',
    problems: (one) => (WITHOUT_RESULTS.has(one.format) ? [] : evidenceProblems(one)),
  },
  { rule: 'splice safety', problems: spliceProblems },
  { rule: 'pairs', problems: pairProblems },
  { rule: 'questions', problems: questionProblems },
  { rule: 'compacting again', problems: againProblems },
  { rule: 'proof', problems: proofProblems },
  { rule: 'format', problems: formatProblems },
];

async function compactedFixture(format: string, make: (bytes: Buffer) => Buffer): Promise<Compacted> {
  const fixture = fixtureOf(format);
  if (fixture === undefined)
    throw new Error(`${format}: no fixture fixtures/session.${format}.jsonl (or .json)`);
  const before = make(readFileSync(join(ROOT, 'fixtures', fixture)));
  const boundary = BOUNDARIES.get(format);
  const options = boundary === undefined ? undefined : { boundary };
  return { before, after: await compacted(before, options), format, options };
}

test('a format without a fixture fails', async () => {
  await expect(compactedFixture('nowhere', (bytes) => bytes)).rejects.toThrow(/^nowhere: no fixture/);
});

describe.each(FORMATS)('the contract of $name', ({ name }) => {
  describe.each(VARIANTS)('$variant', ({ make, variant }) => {
    test.each(RULES)('$rule', async ({ rule, problems }) => {
      const one = await compactedFixture(name, make);
      const found = await problems(one);
      expect(found.map((problem) => `${name}, ${variant}: ${rule}: ${problem}`)).toStrictEqual([]);
    });
  });

  test('odd text is spelled as before where nothing is replaced', async () => {
    const { before, after } = await compactedFixture(name, withOddText);
    expect(before.includes(ODD_TEXT), `${name}: no text to make odd`).toBe(true);
    expect(after.includes(ODD_TEXT), `${name}: odd text is lost`).toBe(true);
  });
});

/** What a broken adapter or rewrite would write, and the rule that has to see it. */
const MUTATIONS: readonly {
  readonly name: string;
  readonly format: string;
  readonly rule: string;
  readonly find: string;
  readonly put: string;
}[] = [
  {
    name: 'a number that is spelled anew',
    format: 'pi',
    rule: 'splice safety',
    find: '1772438400000',
    put: '1.7724384e12',
  },
  {
    name: 'a key in another place',
    format: 'pi',
    rule: 'splice safety',
    find: '"version":3,"id":"harbour"',
    put: '"id":"harbour","version":3',
  },
  {
    name: 'an id of a result that no call has',
    format: 'pi',
    rule: 'pairs',
    find: '"toolCallId":"call_1"',
    put: '"toolCallId":"call_9"',
  },
  {
    name: 'another question',
    format: 'pi',
    rule: 'questions',
    find: 'And in November?',
    put: 'And in December?',
  },
  {
    name: 'a result of the current question',
    format: 'openai-chat',
    rule: 'splice safety',
    find: 'CK-31 clutch kit for R2',
    put: 'CK-31 clutch kit for R9',
  },
  {
    name: 'text that no compaction writes',
    format: 'pi',
    rule: 'proof',
    find: 'shortened to lines',
    put: 'cut to lines',
  },
  { name: 'lines of no format any more', format: 'pi', rule: 'detection', find: '"type":"', put: '"kind":"' },
];

describe('the rules see', () => {
  test.each(MUTATIONS)('$name ($rule)', async ({ format, rule, find, put }) => {
    const one = await compactedFixture(format, (bytes) => bytes);
    const text = one.after.toString('utf8');
    expect(text).toContain(find);
    const broken = { ...one, after: Buffer.from(text.replaceAll(find, put)) };
    const check = RULES.find((candidate) => candidate.rule === rule);
    const problems = async () => check?.problems(broken);
    const found = await problems().catch((error: Error) => [error.message]);
    expect(found).not.toStrictEqual([]);
  });

  test('text alone, which two formats write alike (detection)', () => {
    const found = detectionProblems([{ role: 'user', content: 'x' }], 'openai-chat');
    expect(found).toStrictEqual(['another format fits as well']);
  });
});
