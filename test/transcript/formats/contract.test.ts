import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseLedger } from '../../../src/ledger/entry.js';
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

/** What each format's fixture holds. */
interface Contract {
  readonly file: string;
  readonly format: string;
  readonly questions: readonly number[];
  /** Calls with their results in all conversations. */
  readonly pairs: number;
  /** Places of the payloads that a compaction replaces, by default. */
  readonly replaced: readonly string[];
  /** Ids of the chunks that the answers to earlier questions cite, newest question first. */
  readonly cited: readonly string[];
  /** A run has one question only: everything below this position is compacted, as if another one came there. */
  readonly options?: { readonly boundary: number; readonly recent: number };
}

const contracts: readonly Contract[] = [
  {
    file: 'session.langchain.json',
    format: 'langchain',
    questions: [1, 5, 9],
    pairs: 3,
    replaced: ['3.0', '7.0'],
    cited: ['space-02', 'plant-03'],
  },
  {
    file: 'session.openhands.jsonl',
    format: 'openhands',
    questions: [1, 5, 9],
    pairs: 3,
    replaced: ['3.0', '7.0'],
    cited: ['space-02', 'plant-03'],
  },
  {
    file: 'session.openhands-v0.json',
    format: 'openhands',
    questions: [1, 5, 9],
    pairs: 3,
    replaced: ['3.0', '7.0'],
    cited: ['space-02', 'plant-03'],
  },
  {
    file: 'session.cohere.json',
    format: 'cohere',
    questions: [1, 5, 9],
    pairs: 3,
    replaced: ['3.0', '7.0'],
    cited: ['space-02', 'plant-03'],
  },
  {
    file: 'session.sharegpt.json',
    format: 'sharegpt',
    questions: [0, 4, 8],
    pairs: 3,
    replaced: ['2.0', '6.0'],
    cited: ['space-02', 'plant-03'],
  },
  {
    file: 'session.swe-agent.json',
    format: 'swe-agent',
    questions: [2],
    pairs: 4,
    replaced: ['4.0', '6.0'],
    cited: ['call_rows_1#30', 'call_rows_2#14'],
    options: { boundary: 8, recent: 0 },
  },
  {
    file: 'session.mini-swe-agent.json',
    format: 'swe-agent',
    questions: [1],
    pairs: 4,
    replaced: ['3.0', '5.0'],
    cited: ['@3.0#32'],
    options: { boundary: 6, recent: 0 },
  },
];

function outlineOf(text: string): OutlineMessage[] {
  const transcript = openText(text);
  return transcript === undefined
    ? []
    : [...readConversations(transcript)].flatMap((one) => outlineConversation(one));
}

/** Every value of the file with the payloads at the places left out. */
function unreplaced(text: string, payloads: readonly JsonPath[]): unknown {
  const values = valuesOf(text);
  const hidden = new Set(payloads.map((at) => JSON.stringify(at)));
  const copy = (value: unknown, at: JsonPath): unknown => {
    if (hidden.has(JSON.stringify(at))) return Array.isArray(value) ? 'blocks' : typeof value;
    if (Array.isArray(value)) return value.map((item, i) => copy(item, [...at, i]));
    if (!isObject(value)) return value;
    return Object.entries(value).map(([key, item]) => [key, copy(item, [...at, key])]);
  };
  return values.map((value, record) => copy(value, [record]));
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

describe.each(contracts)('$file', ({ file, format, questions, pairs, replaced, cited, options = {} }) => {
  const bytes = readFileSync(join(ROOT, 'fixtures', file));
  const text = bytes.toString('utf8');

  test('is detected as its format, and no other fits as well', () => {
    const transcript = openText(text);
    expect(transcript).toMatchObject({ format: { name: format } });
    expect(transcript?.confidence).toBeGreaterThan(0.6);
  });

  test('has its questions and its pairs', () => {
    expect(questionPositions(outlineOf(text))).toStrictEqual(questions);
    expect(messagesOf(text).map((one) => checkPairs(one.map(pairedMessage), format))).toStrictEqual([
      { calls: pairs, results: pairs, pairs, faults: [] },
    ]);
  });

  test('is the same bytes when nothing is below the boundary', async () => {
    const tools = outlineOf(text).flatMap(({ results }) => results.map(({ tool }) => tool ?? ''));
    const record = {
      type: 'capability',
      capability: 'all',
      tool_names: tools,
      question: 0,
      in_progress: true,
    };
    const { output } = await compactBytes(bytes, { ledger: parseLedger(JSON.stringify(record), 'l') });
    expect(output.equals(bytes)).toBe(true);
  });

  test('says what its answers cite', async () => {
    const { compacted } = await compactBytes(bytes, options);
    const entries = compacted.conversations.flatMap(({ compaction }) => compaction.capsule.groups);
    const kept = entries.flatMap((group) => group.entries.map(({ chunkId }) => chunkId));
    expect(kept).toStrictEqual(cited);
  });

  test('changes nothing but payloads, which keep their type', async () => {
    const { output } = await compactBytes(bytes, options);
    const results = outlineOf(text).flatMap(({ position, record, results: all }) =>
      all.map(({ part, at }) => ({ place: `${position}.${part}`, at: [record.index, ...at] })),
    );
    const changed = results.filter(({ place }) => replaced.includes(place));
    expect(changed.map(({ place }) => place)).toStrictEqual(replaced);
    const payloads = changed.map(({ at }) => at);
    expect(unreplaced(output.toString('utf8'), payloads)).toStrictEqual(unreplaced(text, payloads));
    expect(output.length).toBeLessThan(bytes.length);
  });

  test.each([{}, { recent: 0 }, { copies: true }])('is proved when it is compacted with %j', async (more) => {
    const { output } = await compactBytes(bytes, { ...options, ...more });
    const again = output.toString('utf8');
    expect(openText(again)?.format.name).toBe(format);
    expect(questionPositions(outlineOf(again))).toStrictEqual(questions);
    expect(await verify({ name: file, original: bytes, ledger: undefined }, output)).toMatchObject({
      findings: [],
    });
    expect((await compactBytes(output, { ...options, ...more })).output.equals(output)).toBe(true);
  });

  test('is compacted or refused, whatever stands in place of any value', async () => {
    const values = valuesOf(text);
    for (const at of pathsIn(values))
      for (const other of OTHERS) {
        const broken = values.map((value, i) =>
          i === at[0] ? replacedIn(value, at.slice(1), other) : value,
        );
        await expectHandled(broken.map((value) => JSON.stringify(value)).join('\n'), at, options);
      }
  });
});

const OTHERS: readonly unknown[] = [null, 7, {}, [null], undefined];

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
