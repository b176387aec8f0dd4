import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeNonAscii } from './escape-non-ascii.js';
import { TELLERS, type ToldTurn } from './told-formats.js';
import { type ReadAloud, recollectAll } from './violations.js';

// Results no longer than a receipt are no evidence.
const FOUND = `[clutch-1] [rank 1 of 1]
Source: "Drive" (kb/drive.md)
The one-way clutch locks the flywheel in one direction only. Its four rollers need a drop of drive oil once a year; dust
makes them slip under load, which is felt as an empty pull.`;
const FAN = `[fan-1] [rank 1 of 1]
Source: "Brake" (kb/brake.md)
The fan cools the brake with air from the front. Its blades gather dust, which a dry brush takes off; never wash them
with water, which would find its way into the bearing.`;

const SEARCHED: readonly ToldTurn[] = [
  { question: 'What is the one-way clutch?', found: FOUND, answer: 'It locks one way [clutch-1].' },
  { question: 'What is the fan?', found: FAN, answer: 'It cools the brake [fan-1].' },
  { question: 'Why does the one-way clutch slip?', answer: 'It only locks one way [clutch-1].' },
];

const chain = (chainId: string): object => ({
  subject: 'fan',
  grounding_source: 'teaching',
  chain_id: chainId,
});
const returning = (chainId: string, answer: string): ToldTurn[] => [
  { question: 'One?', turn: { ...chain(chainId), intent: 'cause', turn_index: 7 }, answer: 'Ünd 1.' },
  { question: 'Two?', turn: { ...chain('b'), intent: 'example' }, found: 'x', answer },
];

interface Spelling {
  readonly eol: string;
  readonly isEscaped: boolean;
  readonly hasBom: boolean;
}

function spelled(values: readonly object[], { eol, isEscaped, hasBom }: Spelling): Buffer {
  const json = values.map((value) => JSON.stringify(value) + eol).join('');
  return Buffer.from((hasBom ? '\ufeff' : '') + (isEscaped ? escapeNonAscii(json) : json));
}

const spellings = fc.record({
  eol: fc.constantFrom('\n', '\r\n'),
  isEscaped: fc.boolean(),
  hasBom: fc.boolean(),
});

function prefixes({ conversations }: ReadAloud): (string | null)[] {
  return conversations.flat().map(({ prefix }) => prefix);
}

function questions({ conversations }: ReadAloud): string[] {
  return conversations.flat().map(({ turn }) => turn.question);
}

/** The file with the prefix in front of the answer as it is spelled there. */
function expected(bytes: Buffer, answer: string, prefix: string, isEscaped: boolean): string {
  const spell = (text: string): string => {
    const json = JSON.stringify(text).slice(1, -1);
    return isEscaped ? escapeNonAscii(json) : json;
  };
  const [before = '', behind = '', ...more] = bytes.toString('utf8').split(`"${spell(answer)}"`);
  expect(more).toStrictEqual([]);
  return `${before}"${spell(prefix + answer)}"${behind}`;
}

describe.each(TELLERS)('$format', ({ format, tell }) => {
  test('a prefix fires from the rules alone', async () => {
    const read = await recollectAll(spelled(tell(SEARCHED), { eol: '\n', isEscaped: false, hasBom: false }), {
      format,
    });
    expect(prefixes(read)).toStrictEqual([null, null, '(Recalling turn 0: chain clutch-1.) ']);
  });

  test('a prefix stands in front of the first text, every other byte stays', async () => {
    const answers = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => `Answer: ${text} é`);
    const chains = fc.constantFrom('fan-1', 'lüfter', '灯台 "1"', 'a\\b');
    await fc.assert(
      fc.asyncProperty(answers, chains, spellings, async (answer, chainId, spelling) => {
        const bytes = spelled(tell(returning(chainId, answer)), spelling);
        const read = await recollectAll(bytes, { format });
        const prefix = `(Recalling turn 7: chain ${chainId}.) `;
        expect(prefixes(read)).toStrictEqual([null, prefix]);
        expect(read.applied.toString('utf8')).toBe(expected(bytes, answer, prefix, spelling.isEscaped));
        const again = await recollectAll(read.applied);
        expect(again.applied.equals(read.applied)).toBe(true);
        expect(questions(again)).toStrictEqual(questions(await recollectAll(bytes)));
      }),
      { numRuns: 60 },
    );
  });
});

const oneDocument = TELLERS.filter(({ format }) => !['claude-code', 'pi', 'pydantic-ai'].includes(format));

test.each(oneDocument)('$format: documents and conversations on lines', async ({ format, tell }) => {
  const messages = tell(returning('fan-1', 'Back.'));
  const document = Buffer.from(JSON.stringify({ messages }, null, 2));
  const lines = Buffer.from(`${JSON.stringify({ messages })}\n${JSON.stringify({ messages })}\n`);
  for (const bytes of [document, lines]) {
    const { applied } = await recollectAll(bytes, { format });
    expect(applied.toString()).toBe(
      bytes.toString().replaceAll('"Back."', '"(Recalling turn 7: chain fan-1.) Back."'),
    );
  }
});

const places = [
  {
    name: 'claude-code line',
    value: { type: 'user', sessionId: 's', uuid: 'u', parentUuid: null, turn: { intent: 'line' } },
    message: { role: 'user', content: 'Why?' },
    intent: 'line',
  },
  {
    name: 'claude-code message before its line',
    value: { type: 'user', sessionId: 's', uuid: 'u', parentUuid: null, turn: { intent: 'line' } },
    message: { role: 'user', content: 'Why?', turn: { intent: 'message' } },
    intent: 'message',
  },
  {
    name: 'pi entry',
    value: { type: 'message', id: 'e', parentId: null, turn: { intent: 'line' } },
    message: { role: 'user', content: 'Why?' },
    intent: 'line',
  },
  {
    name: 'pi message before its entry',
    value: { type: 'message', id: 'e', parentId: null, turn: { intent: 'line' } },
    message: { role: 'user', content: 'Why?', turn: { intent: 'message' } },
    intent: 'message',
  },
];

test.each(places)('a turn object counts on: $name', async ({ value, message, intent }) => {
  const { conversations } = await recollectAll(Buffer.from(JSON.stringify({ ...value, message })));
  expect(conversations.flat().map(({ summary }) => summary.intent)).toStrictEqual([intent]);
});
