import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { line } from '../chat-lines.js';
import { ROOT, runCommand } from './run.js';

const FIXTURE = 'fixtures/anaphora.jsonl';

const TABLE = `TURN  SUBJECT           INTENT        TIER      GOES BACK TO
0     -                 unknown       none      - (no-subject)
1     one-way clutch    definition    teaching  - (no-prior)
2     one-way clutch    cause         teaching  → 1
3     fan               definition    teaching  - (no-prior)
4     one-way clutch    procedure     teaching  → 2
5     one-way clutch    procedure     teaching  - (same-intent)
6     weight of the R3  definition    pack      - (no-prior)
7     weight of the R3  verification  pack      → 6
8     strap             cause         partial   - (weak-current)
9     strap             definition    teaching  - (no-prior)
10    fan               narrative     teaching  → 3
11    lighthouse lamp   definition    vault     - (weak-current)
12    lighthouse lamp   cause         pack      - (weak-prior)
`;

const PREFIXES = [
  [9, '(Recalling turn 1: chain clutch-1.) '],
  [17, '(Recalling turn 2: chain clutch-2.) '],
  [29, '(Recalling turn 6: weight of the r3 grounded pack.) '],
  [41, '(Recalling turn 3: chain fan-1.) '],
] as const;

const SEVENTH =
  '{"turn":7,"position":26,"intent":"verification","subject":"weight of the R3","grounding_source":"pack","chain_id":null,"prefix":"(Recalling turn 6: weight of the r3 grounded pack.) ","reason":null,"anchor":{"turn":6,"position":22}}';

/** A turn of which everything is given. */
function given(intent: string, subject: string, chainId: string | null): string {
  const turn = { intent, subject, grounding_source: 'teaching', chain_id: chainId };
  return line({ role: 'user', content: 'x', turn }) + line({ role: 'assistant', content: 'y' });
}

async function reasons(stdin: string, ...args: string[]): Promise<unknown[]> {
  const { stdout } = await runCommand(['anaphora', ...args], { stdin });
  return stdout
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one))
    .map(({ prefix, reason }) => prefix ?? reason);
}

describe('thread anaphora', () => {
  test('shows the fixture as a table', async () => {
    const args = ['anaphora', FIXTURE, '--pack', 'specs'];
    expect(await runCommand([...args, '--table'])).toMatchObject({ code: 0, stdout: TABLE, stderr: '' });
    expect(await runCommand(args, { columns: 80 })).toMatchObject({ code: 0, stdout: TABLE, stderr: '' });
  });

  test('prints a line for each turn', async () => {
    const { stdout } = await runCommand(['anaphora', FIXTURE, '--pack', 'specs']);
    expect(stdout.split('\n').length).toBe(14);
    expect(stdout.split('\n')[7]).toBe(SEVENTH);
  });

  test('--apply changes nothing but the answers, and nothing the second time', async () => {
    const args = ['--ledger', 'fixtures/anaphora.ledger.jsonl', '--pack', 'specs', '--apply'];
    const { stdout } = await runCommand(['anaphora', FIXTURE, ...args]);
    const expected = readFileSync(join(ROOT, FIXTURE), 'utf8').split('\n');
    for (const [i, prefix] of PREFIXES)
      expected[i] = expected[i]?.replace('"content":"', `"content":"${prefix}`) ?? '';
    expect(stdout).toBe(expected.join('\n'));
    expect((await runCommand(['anaphora', ...args], { stdin: stdout })).stdout).toBe(stdout);
  });

  test('--apply keeps how the rest of the text is spelled', async () => {
    const odd = '{"content": "\\u0061\\/b é" ,"role":"assistant"}\n';
    const stdin = given('cause', 'fan', 'c') + given('example', 'fan', 'd').split('\n')[0];
    const { stdout } = await runCommand(['anaphora', '--apply'], { stdin: `${stdin}\n${odd}` });
    expect(stdout).toContain(
      '{"content": "(Recalling turn 0: chain c.) \\u0061\\/b é" ,"role":"assistant"}\n',
    );
  });

  const cases = [
    {
      name: 'escapes control characters',
      stdin: given('cause', 'fan\nblade', 'c\u001b\n\u202e') + given('example', 'fan\nblade', null),
      expected: ['no-prior', '(Recalling turn 0: chain c\\u001b\\u000a\\u202e.) '],
    },
    {
      name: 'refuses a subject that is too long',
      stdin: given('cause', 'x'.repeat(201), 'c') + given('example', 'x'.repeat(201), 'c'),
      expected: ['no-subject', 'no-subject'],
    },
    {
      name: 'refuses a chunk id that is too long',
      stdin: given('cause', 'fan', 'x'.repeat(201)) + given('example', 'fan', 'c'),
      expected: ['no-prior', 'no-subject'],
    },
    {
      name: 'normalises the current subject only',
      stdin: given('cause', 'Fan', 'c') + given('cause', 'fan', 'd') + given('example', ' FAN ', 'e'),
      expected: ['no-prior', 'no-prior', '(Recalling turn 1: chain d.) '],
    },
    {
      name: 'forgets what is behind the window',
      args: ['--max-turns', '1'],
      stdin: given('cause', 'fan', 'c') + given('cause', 'lamp', 'd') + given('example', 'fan', 'e'),
      expected: ['no-prior', 'no-prior', 'no-prior'],
    },
    { name: 'has nothing to say of nothing', stdin: '', expected: [] },
  ];

  test.each(cases)('$name', async ({ stdin, args = [], expected }) => {
    expect(await reasons(stdin, ...args)).toStrictEqual(expected);
  });

  test.each([
    [['--max-turns', '0'], /turns are a whole number from 1/],
    [['--json', '--table'], /cannot be used with/],
    [['--apply', '--table'], /cannot be used with/],
  ])('refuses %s', async (args, problem) => {
    const { code, stderr } = await runCommand(['anaphora', FIXTURE, ...args]);
    expect({ code, stderr }).toStrictEqual({ code: 2, stderr: expect.stringMatching(problem) });
  });

  test.each([[], ['--explain']])('%s is as its schema says', async (...args) => {
    const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/anaphora.schema.json'), 'utf8'));
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
    for (const file of [FIXTURE, 'fixtures/support.jsonl', 'fixtures/session.claude.jsonl']) {
      const { stdout } = await runCommand(['anaphora', file, ...args]);
      for (const one of stdout.trimEnd().split('\n')) {
        validate(JSON.parse(one));
        expect(validate.errors).toBeNull();
      }
    }
  });
});
