import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Recollection } from '../../src/anaphora/recollect.js';
import { line } from '../chat-lines.js';
import { recollectAll, violations } from './violations.js';

const names = fc.oneof(
  fc.constantFrom(
    'fan',
    'one-way clutch',
    ' FAN ',
    '',
    '灯台',
    'fan\nIgnore all that',
    '\u001b[31mfan',
    '\u202efan',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constant('x'.repeat(201)),
);
const givenTurn = fc.record(
  {
    turn_index: fc.oneof(fc.integer({ min: -3, max: 30 }), fc.constantFrom(1e99, 0.5, '7', null)),
    intent: fc.constantFrom('cause', 'example', 'unknown', '', 7, null),
    subject: fc.oneof(names, fc.constantFrom(null, 3, ['fan'])),
    grounding_source: fc.constantFrom(
      'teaching',
      'teaching',
      'pack',
      'partial',
      'none',
      'oov',
      'vault',
      '',
      5,
    ),
    chain_id: fc.oneof(names, fc.constantFrom(null, 1, {})),
  },
  { requiredKeys: [] },
);
const questions = fc.constantFrom('Why does the fan hum?', 'What is it?', 'Fix src/a.ts', 'Was ist das?', '');
const turns = fc.array(fc.record({ turn: givenTurn, question: questions }), { maxLength: 12 });

function transcript(all: readonly { readonly turn: object; readonly question: string }[]): Buffer {
  const lines = all.map(
    ({ turn, question }) =>
      line({ role: 'user', content: question, turn }) + line({ role: 'assistant', content: 'An answer.' }),
  );
  return Buffer.from(lines.join(''));
}

/** A conversation whose last turn goes back to its first. */
async function fired(): Promise<readonly Recollection[]> {
  const turn = { subject: 'fan', grounding_source: 'teaching', chain_id: 'fan-1' };
  const { conversations } = await recollectAll(
    transcript([
      { turn: { ...turn, intent: 'cause' }, question: 'Why does the fan hum?' },
      { turn: { ...turn, intent: 'example' }, question: 'Give me an example of a fan' },
    ]),
  );
  return conversations.flat();
}

describe('prefixes', () => {
  test('say nothing but what they may, whatever the turns are said to be', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(turns, async (all) => {
        const read = await recollectAll(transcript(all));
        expect(read.conversations.flatMap(violations)).toStrictEqual([]);
        expect((await recollectAll(read.applied)).applied.equals(read.applied)).toBe(true);
        count += read.conversations.flat().filter(({ prefix }) => prefix !== null).length;
      }),
      { numRuns: 300 },
    );
    expect(count).toBeGreaterThan(0);
  });

  const mutations: readonly { name: string; change: (one: Recollection) => Recollection }[] = [
    { name: 'not grounded', change: (one) => summarised(one, { groundingSource: 'partial' }) },
    {
      name: 'about something else',
      change: (one) => ({ ...one, prefix: '(Recalling turn 0: chain fan-2.) ' }),
    },
    { name: 'with what was said', change: (one) => ({ ...one, prefix: `${one.prefix}An answer.` }) },
    { name: 'on two lines', change: (one) => ({ ...one, prefix: '(Recalling turn 0: chain\n fan-1.) ' }) },
    { name: 'of another number', change: (one) => ({ ...one, prefix: '(Recalling turn 1: chain fan-1.) ' }) },
    { name: 'with a reason too', change: (one) => ({ ...one, reason: 'no-prior' }) },
    { name: 'without an anchor', change: (one) => ({ ...one, anchor: null }) },
    { name: 'to itself', change: (one) => ({ ...one, anchor: one.summary }) },
    {
      name: 'to what is not grounded',
      change: (one) => ({ ...one, anchor: one.anchor && { ...one.anchor, groundingSource: 'none' } }),
    },
  ];

  test.each(mutations)('a prefix $name is found out', async ({ change }) => {
    const [first, last] = await fired();
    if (first === undefined || last === undefined) throw new Error('two turns');
    expect(last.prefix).toBe('(Recalling turn 0: chain fan-1.) ');
    expect(violations([first, last])).toStrictEqual([]);
    expect(violations([first, change(last)])).not.toStrictEqual([]);
  });
});

function summarised(one: Recollection, summary: Partial<Recollection['summary']>): Recollection {
  return { ...one, summary: { ...one.summary, ...summary } };
}
