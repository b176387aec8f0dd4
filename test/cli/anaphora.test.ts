import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { ask, line } from '../chat-lines.js';
import { makeFolder } from './folder.js';
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

const NARROW = `TURN  SUBJECT                   INTENT            TIER          GOES BACK TO
0     灯台灯台灯台灯台灯台灯…   iiiiiiiiiiiiiii…  ttttttttttt…  - (weak-current)
`;

const EXPLAINED = [
  '1     one-way clutch    definition    teaching  - (no-prior)',
  '  intent: "what is"',
  '  subject: noun phrase behind "what is"',
  '  tier: cites clutch-1 of manual',
  '  chain: the first chunk that the answer cites',
];

const PREFIXES = [
  [9, '(Recalling turn 1: chain clutch-1.) '],
  [17, '(Recalling turn 2: chain clutch-2.) '],
  [29, '(Recalling turn 6: weight of the r3 grounded pack.) '],
  [41, '(Recalling turn 3: chain fan-1.) '],
] as const;

const SEVENTH =
  '{"turn":7,"position":26,"intent":"verification","subject":"weight of the R3","grounding_source":"pack","chain_id":null,"prefix":"(Recalling turn 6: weight of the r3 grounded pack.) ","reason":null,"anchor":{"turn":6,"position":22}}';

/** A turn of which everything is given. */
function given(intent: string, subject: string, chainId: string | null, more: object = {}): string {
  const turn = { intent, subject, grounding_source: 'teaching', chain_id: chainId, ...more };
  return line({ role: 'user', content: 'x', turn }) + line({ role: 'assistant', content: 'y' });
}

function pack(intent: string, subject: string): string {
  return given(intent, subject, null, { grounding_source: 'pack' });
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
    {
      name: 'escapes colours and directions in a subject',
      stdin: pack('cause', '\u001b[31mfan\u202e') + pack('example', '\u001b[31mfan\u202e'),
      expected: ['no-prior', '(Recalling turn 0: \\u001b[31mfan\\u202e grounded pack.) '],
    },
    {
      name: 'has no subject in a prompt of 1 MB',
      stdin: ask(`${'x'.repeat(1 << 20)}?`),
      expected: ['no-subject'],
    },
    {
      name: 'refuses a subject of 1 MB',
      stdin: given('cause', 'x'.repeat(1 << 20), 'c') + given('example', 'x'.repeat(1 << 20), 'c'),
      expected: ['no-subject', 'no-subject'],
    },
    {
      name: 'a tier of any length is another tier',
      stdin: given('cause', 'fan', 'c', { grounding_source: 't'.repeat(5000) }),
      expected: ['weak-current'],
    },
    {
      name: 'an intent of any length is compared whole',
      stdin: given('i'.repeat(5000), 'fan', 'c') + given('i'.repeat(5000), 'fan', 'c'),
      expected: ['no-prior', 'same-intent'],
    },
    ...[
      [-5, -5],
      [1e99, 0],
      [null, 0],
      ['7', 0],
      [0.5, 0],
    ].map(([index, said]) => ({
      name: `takes ${JSON.stringify(index)} for turn ${said}`,
      stdin: given('cause', 'fan', 'c', { turn_index: index }) + given('example', 'fan', 'd'),
      expected: ['no-prior', `(Recalling turn ${said}: chain c.) `],
    })),
    {
      name: 'a value of another type says nothing',
      stdin: line({ role: 'user', content: 'x', turn: { intent: 7, subject: ['fan'], chain_id: {} } }),
      expected: ['no-subject'],
    },
    {
      name: 'a turn that is no object says nothing',
      stdin: line({ role: 'user', content: 'x', turn: [1] }),
      expected: ['no-subject'],
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

  test('passes long names of the host through, the arrow stays in sight', async () => {
    const stdin = given('i'.repeat(500), '灯台'.repeat(40), 'c'.repeat(500), {
      grounding_source: 't'.repeat(500),
    });
    const { stdout } = await runCommand(['anaphora', '--json'], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({
      intent: 'i'.repeat(500),
      chain_id: 'c'.repeat(500),
      grounding_source: 't'.repeat(500),
    });
    const table = await runCommand(['anaphora', '--table'], { stdin, columns: 80, env: { NO_COLOR: '1' } });
    expect(table.stdout).toBe(NARROW);
  });

  test('a ledger in the stream counts as the one beside the file does', async () => {
    const [transcript, ledger] = ['anaphora.jsonl', 'anaphora.ledger.jsonl'].map((name) =>
      readFileSync(join(ROOT, 'fixtures', name), 'utf8'),
    );
    const args = ['anaphora', '--pack', 'specs', '--table'];
    const streamed = await runCommand(args, { stdin: `${ledger}${transcript}` });
    expect(streamed).toMatchObject({ stdout: TABLE, stderr: '' });
  });

  test('a ledger that cites what is not there grounds nothing', async () => {
    const ledger = readFileSync(join(ROOT, 'fixtures/anaphora.ledger.jsonl'), 'utf8');
    const folder = makeFolder({ 'a.jsonl': ask('What is a fan?'), 'l.jsonl': ledger });
    const { code, stdout } = await runCommand(['anaphora', 'a.jsonl', '--ledger', 'l.jsonl'], {
      cwd: folder.path,
    });
    folder.remove();
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      prefix: null,
      grounding_source: 'none',
    });
  });

  test('says where a line is broken', async () => {
    const { code, stderr } = await runCommand(['anaphora'], { stdin: `${ask('x')}{"role":\n` });
    expect({ code, stderr }).toStrictEqual({
      code: 2,
      stderr: expect.stringMatching(/^thread: <stdin>:2:\d+: not JSON/),
    });
  });

  test('warns of a pack that nothing is from', async () => {
    const { code, stderr } = await runCommand(['anaphora', FIXTURE, '--pack', 'spex']);
    expect({ code, stderr }).toStrictEqual({
      code: 0,
      stderr: 'thread: warning: --pack spex: no evidence of that name; there is manual, specs\n',
    });
  });

  test('--explain has a reason for each field, a line each', async () => {
    const { stdout } = await runCommand(['anaphora', FIXTURE, '--table', '--explain'], { columns: 80 });
    expect(stdout.split('\n').slice(6, 11)).toStrictEqual(EXPLAINED);
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
