import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ThreadError } from '../../../src/transcript/errors.js';
import { isObject } from '../../../src/transcript/formats/values.js';
import { type OutlineMessage, outlineConversation } from '../../../src/transcript/outline.js';
import { questionPositions } from '../../../src/transcript/question.js';
import type { JsonPath } from '../../../src/transcript/splice.js';
import { readConversations } from '../../../src/transcript/transcript.js';
import { checkPairs, pairedMessage } from '../../../src/verify/pairs.js';
import { ROOT } from '../../cli/run.js';
import { compactBytes } from '../../compaction/compacted.js';
import { verify } from '../../verify/cases.js';
import { messagesOf, openText } from '../read.js';

/** What a fixture holds, beside what every format promises (../contract.test.ts). */
interface Fixture {
  readonly file: string;
  readonly format: string;
  readonly questions: readonly number[];
  /** Calls with their results in all conversations. */
  readonly pairs: number;
  /** How many payloads a compaction of everything earlier replaces. */
  readonly replaced: number;
  /** The chunks that its capsule carries, newest question first: what is cited and stays in view needs none. */
  readonly carried: readonly string[];
  /** What has to be in the file as often as before, whatever is replaced. */
  readonly locks: readonly string[];
  /** A run has one question only: everything below this position is compacted, as if another one came there. */
  readonly options?: { readonly boundary: number };
}

const fixtures: readonly Fixture[] = [
  {
    file: 'session.vercel-ai.json',
    format: 'vercel-ai',
    questions: [0, 2, 4],
    pairs: 6,
    replaced: 3,
    carried: ['call_a2#4', 'hive-07', 'hive-12'],
    locks: [
      '"toolCallId"',
      '"encryptedContent": "c3lydXA',
      '"signature"',
      '"itemId"',
      '"sourceId"',
      'ENOENT',
    ],
  },
  {
    file: 'session.vercel-ai.model.json',
    format: 'vercel-ai',
    questions: [1, 5, 9],
    pairs: 4,
    replaced: 3,
    carried: ['call_a2#4', 'hive-07', 'hive-12'],
    locks: ['"toolCallId"', '"signature"', '"cited_text"', '"type": "content"', '"type": "json"'],
  },
  {
    file: 'session.opencode.json',
    format: 'opencode',
    questions: [0, 3, 6],
    pairs: 6,
    replaced: 2,
    carried: ['call_a2#4', 'hive-07', 'hive-12'],
    locks: [
      '"callID"',
      '"compacted": 1760000500000',
      '"id": "prt_',
      '"cost": 0.0',
      'hives\\nstores.md',
      '00001| ',
    ],
  },
  {
    file: 'session.gemini-cli.json',
    format: 'gemini-cli',
    questions: [0, 4, 7],
    pairs: 4,
    replaced: 3,
    carried: ['read-1#4', 'hive-07', 'hive-12'],
    locks: ['"functionResponse"', '"id"', '"timestamp"', '"total": 12', 'Gemini CLI update', 'iVBORw0KGgo'],
  },
  {
    file: 'session.gemini-cli.jsonl',
    format: 'gemini-cli',
    questions: [0, 7, 10],
    pairs: 4,
    replaced: 3,
    carried: ['read-1#4', 'hive-07', 'hive-12'],
    locks: ['"functionResponse"', '"id"', '"$set"', '"$rewindTo":"u9"', 'hives are for sale', 'iVBORw0KGgo'],
  },
  {
    file: 'session.google-genai.json',
    format: 'google-genai',
    questions: [0, 4, 8],
    pairs: 4,
    replaced: 3,
    carried: ['@6.0#4', 'hive-07', 'hive-12'],
    locks: [
      '"thoughtSignature"',
      '"groundingSupports"',
      '"endIndex": 77',
      '"name"',
      '"id": "fc-1"',
      'iVBORw0KGgo',
    ],
  },
  {
    file: 'session.langchain.json',
    format: 'langchain',
    questions: [1, 5, 9],
    pairs: 3,
    replaced: 2,
    carried: ['space-02', 'plant-03'],
    locks: [],
  },
  {
    file: 'session.openhands.jsonl',
    format: 'openhands',
    questions: [1, 5, 9],
    pairs: 3,
    replaced: 2,
    carried: ['space-02', 'plant-03'],
    locks: [],
  },
  {
    file: 'session.openhands-v0.json',
    format: 'openhands',
    questions: [1, 5, 9],
    pairs: 3,
    replaced: 2,
    carried: ['space-02', 'plant-03'],
    locks: [],
  },
  {
    file: 'session.cohere.json',
    format: 'cohere',
    questions: [1, 5, 9],
    pairs: 3,
    replaced: 2,
    carried: ['space-02', 'plant-03'],
    locks: [],
  },
  {
    file: 'session.sharegpt.json',
    format: 'sharegpt',
    questions: [0, 4, 8],
    pairs: 3,
    replaced: 2,
    carried: ['space-02', 'plant-03'],
    locks: [],
  },
  {
    file: 'session.swe-agent.json',
    format: 'swe-agent',
    questions: [2],
    pairs: 4,
    replaced: 2,
    carried: ['call_rows_1#30', 'call_rows_2#14'],
    locks: [],
    options: { boundary: 8 },
  },
  {
    file: 'session.mini-swe-agent.json',
    format: 'swe-agent',
    questions: [1],
    pairs: 4,
    replaced: 2,
    carried: ['@3.0#32'],
    locks: [],
    options: { boundary: 6 },
  },
];

function outlineOf(text: string): OutlineMessage[] {
  const transcript = openText(text);
  return transcript === undefined
    ? []
    : [...readConversations(transcript)].flatMap((one) => outlineConversation(one));
}

/** What stays of a message whatever happens to the payloads of its results. */
function skeleton(text: string) {
  return outlineOf(text).map(({ position, role, speaker, isOnPath, calls, results }) => ({
    ...{ position, role, speaker, isOnPath, calls },
    results: results.map(({ part, callId, tool, isError, isEditable }) => {
      return { part, callId, tool, isError, isEditable };
    }),
  }));
}

/** The values of a file: its lines, or the whole document. */
function valuesOf(text: string): unknown[] {
  const isDocument = /^[[{]\n/.test(text);
  return isDocument
    ? [JSON.parse(text)]
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
}

function count(text: string, word: string): number {
  return text.split(word).length - 1;
}

const AMOUNTS = [{ recent: 0 }, { recent: 60 }, { recent: 5000 }, { recent: 0, copies: true }];

describe.each(fixtures)('$file', ({ file, format, questions, pairs, replaced, carried, locks, options }) => {
  const bytes = readFileSync(join(ROOT, 'fixtures', file));
  const text = bytes.toString('utf8');

  test('is detected, and no other format fits as well', () => {
    const transcript = openText(text);
    expect(transcript).toMatchObject({ format: { name: format } });
    expect(transcript?.confidence).toBeGreaterThan(0.6);
  });

  test('has its questions and its pairs', () => {
    expect(questionPositions(outlineOf(text))).toStrictEqual(questions);
    expect(messagesOf(text).map((one) => checkPairs(one.map(pairedMessage), format))).toMatchObject([
      { pairs, faults: [] },
    ]);
  });

  test('what is replaced, and what the capsule carries', async () => {
    const { compacted } = await compactBytes(bytes, { recent: 0, ...options });
    const compactions = compacted.conversations.map(({ compaction }) => compaction);
    const groups = compactions.flatMap(({ capsule }) => capsule.groups);
    expect(compactions.map(({ returns }) => returns.length)).toStrictEqual([replaced]);
    expect(groups.flatMap(({ entries }) => entries.map(({ chunkId }) => chunkId))).toStrictEqual(carried);
  });

  test.each(AMOUNTS)('keeps its locks and is proved when it is compacted with %j', async (amount) => {
    const { output } = await compactBytes(bytes, { ...amount, ...options });
    const after = output.toString('utf8');
    expect(skeleton(after)).toStrictEqual(skeleton(text));
    expect(locks.map((lock) => count(after, lock))).toStrictEqual(locks.map((lock) => count(text, lock)));
    expect(locks.filter((lock) => count(text, lock) === 0)).toStrictEqual([]);
    expect(await verify({ name: file, original: bytes, ledger: undefined }, output)).toMatchObject({
      findings: [],
    });
  });

  test('is compacted or refused, whatever stands in place of any value', async () => {
    const values = valuesOf(text);
    for (const at of pathsIn(values))
      for (const other of OTHERS) {
        const broken = values.map((value, i) =>
          i === at[0] ? replacedIn(value, at.slice(1), other) : value,
        );
        await expectHandled(broken.map((value) => JSON.stringify(value)).join('\n'), at, { ...options });
      }
  });
});

const OTHERS: readonly unknown[] = [null, 7, {}, [null], 'x', { text: [] }, undefined];

/** The paths of all values in the records, the records among them. */
function pathsIn(values: readonly unknown[]): JsonPath[] {
  const below = (value: unknown, at: JsonPath): JsonPath[] => {
    const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const key = (name: string): string | number => (Array.isArray(value) ? Number(name) : name);
    return [at, ...inner.flatMap(([name, item]) => below(item, [...at, key(name)]))];
  };
  return values.flatMap((value, i) => below(value, [i]));
}

/** A copy with another value at the path, or with none for undefined. */
function replacedIn(value: unknown, [key, ...rest]: JsonPath, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? replacedIn(item, rest, other) : item));
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(
    entries.map(([name, item]) => [name, name === key ? replacedIn(item, rest, other) : item]),
  );
}

/** Whatever is wrong with a file, it is compacted or refused as bad input. */
async function expectHandled(text: string, at: JsonPath, options: object): Promise<void> {
  try {
    const { output } = await compactBytes(text, options);
    expect(await verify({ name: 'x', original: Buffer.from(text), ledger: undefined }, output)).toMatchObject(
      {
        findings: [],
      },
    );
  } catch (error) {
    if (!(error instanceof ThreadError)) throw new Error(`/${at.join('/')}`, { cause: error });
    expect(error.exitCode).toBe(2);
  }
}
