import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Format, Skimmed } from '../../src/transcript/formats/format.js';
import { FORMATS } from '../../src/transcript/formats/index.js';
import type { Message } from '../../src/transcript/message.js';
import { outlineMessage } from '../../src/transcript/outline.js';
import { locate } from '../../src/transcript/splice.js';
import { messagesOf } from './read.js';

const skimming = FORMATS.filter(({ skim }) => skim !== undefined);

test('some formats are skimmed', () => {
  expect(skimming.map(({ name }) => name)).toStrictEqual(['openai-chat']);
});

/** Values that a member of a message may have, the usual ones more often. */
const texts = fc.oneof(
  fc.constantFrom(
    'What is it?',
    'Observation: 4',
    ' \t',
    '',
    '<output>x',
    'Of course',
    'obvious',
    '<returncode>0',
  ),
  fc.string({ unit: 'binary' }),
);
const contents = fc.oneof(
  { weight: 6, arbitrary: texts },
  fc.constant(null),
  fc.array(fc.record({ type: fc.constantFrom('text', 'image_url'), text: texts })),
  fc.jsonValue(),
);
const names = fc.oneof(fc.constantFrom('search', 'read', '', 'a"b', 'é'), fc.constant(null), fc.integer());
const calls = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.record({ id: names, function: fc.record({ name: names, arguments: texts }) })),
  },
  fc.constantFrom(null, 'x', 3, [null], [{ custom: { name: 'search' } }]),
);
/** Mostly not there: JSON.stringify leaves undefined away. */
const rarely = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, arbitrary);
const sometimes = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(fc.constant(undefined), arbitrary);
const messages = fc.record({
  role: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('system', 'user', 'assistant', 'tool') },
    fc.constantFrom('developer', 'function', 'other', 3),
  ),
  content: contents,
  name: sometimes(names),
  tool_call_id: sometimes(names),
  tool_calls: sometimes(calls),
  function_call: rarely(fc.constantFrom({ name: 'search', arguments: '{}' }, null)),
  source: rarely(fc.constantFrom(null, { type: 'compaction-summary' }, { type: 'runtime-context' })),
  type: rarely(fc.constantFrom('message', 'evidence')),
  turn: rarely(fc.jsonValue()),
  metadata: rarely(fc.jsonValue()),
});

/** Ways of writing the same message, and two that say something twice. */
const WRITINGS: readonly ((value: object) => string)[] = [
  JSON.stringify,
  (value) => JSON.stringify(value, null, 1).replaceAll('\n', ' '),
  (value) => JSON.stringify(Object.fromEntries(Object.entries(value).toReversed())),
  (value) =>
    JSON.stringify(value).replace(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  (value) => JSON.stringify(value).replace('"content"', '"c\\u006fntent"'),
  (value) => JSON.stringify(value).replace(/\}$/, ',"content":"again"}'),
  (value) => JSON.stringify(value).replace(/^\{/, '{"role":"user",'),
];

/** What a message says, in the terms of a skim. */
function saidBy(message: Message, line: string): Omit<Skimmed, 'callId'> {
  const { speaker, isBlank, results, lists } = outlineMessage(message);
  expect(lists).toStrictEqual([]);
  const [result] = results;
  const [place] = result === undefined ? [] : locate(Buffer.from(line).toString('latin1'), [result.at]);
  const isQuestion = speaker === 'operator' && !isBlank;
  expect(speaker === 'operator' && isBlank).toBe(false);
  return {
    kind: isQuestion ? 'question' : result === undefined ? 'speech' : 'result',
    calls: message.parts.flatMap((part) =>
      part.kind === 'tool-call' ? [{ id: part.id, tool: part.tool }] : [],
    ),
    tool: result?.tool ?? null,
    start: place?.start ?? 0,
    end: place?.end ?? 0,
  };
}

function skimmed(format: Format, line: string): Skimmed | null {
  // Something before and behind, which must not be looked at.
  const bytes = Buffer.from(`"${line}"`);
  const found = format.skim?.(bytes, 1, bytes.length - 1) ?? null;
  return found?.kind === 'result' ? { ...found, start: found.start - 1, end: found.end - 1 } : found;
}

describe.each(skimming)('$name', (format) => {
  test('a line that is skimmed says what it says when it is parsed', () => {
    let looked = 0;
    fc.assert(
      fc.property(messages, fc.constantFrom(...WRITINGS), (value, write) => {
        const line = write(value);
        const skim = skimmed(format, line);
        if (skim === null) return;
        looked += 1;
        const { callId, ...said } = skim;
        const [message, ...others] = messagesOf(`${line}\n`, format.name).flat();
        expect(others).toStrictEqual([]);
        expect(message).toBeDefined();
        if (message === undefined) return;
        expect(said).toStrictEqual(saidBy(message, line));
        expect(callId).toBe(outlineMessage(message).results[0]?.callId ?? null);
      }),
      { seed: 9, numRuns: 3000 },
    );
    expect(looked).toBeGreaterThan(300);
  });

  test.each([
    { line: '{"role":"user","content":"What is it?"}', kind: 'question' },
    { line: '{"role":"user","content":"Once more?"}', kind: 'question' },
    { line: '{"role":"user","content":"Observation: 4"}', kind: undefined },
    { line: '{"role":"user","content":"<output>4"}', kind: undefined },
    { line: '{"role":"user","content":" "}', kind: undefined },
    { line: '{"role":"user","content":[{"type":"text","text":"What?"}]}', kind: undefined },
    { line: '{"role":"user","content":"What?","source":{"type":"x"}}', kind: undefined },
    { line: '{"role":"assistant","content":"It is 4."}', kind: 'speech' },
    { line: '{"role":"tool","tool_call_id":"a","content":"4"}', kind: 'result' },
    { line: '{"role":"tool","tool_call_id":"a","content":["4"]}', kind: undefined },
    { line: '{"role":"tool","tool_call_id":"a","content":"4","content":"5"}', kind: undefined },
    { line: '{"r\\u006fle":"tool","role":"user","content":"What?"}', kind: undefined },
    { line: '{"type":"evidence","role":"user","content":"What?"}', kind: undefined },
    { line: '{"role":"tool","tool_call_id":"a","content":"4"', kind: undefined },
  ])('$line is skimmed as $kind', ({ line, kind }) => {
    expect(skimmed(format, line)?.kind).toBe(kind);
  });
});
