import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ThreadError } from '../../../src/transcript/errors.js';
import { field } from '../../../src/transcript/formats/values.js';
import { memorySource } from '../../../src/transcript/lines.js';
import { type OutlineMessage, outlineConversation } from '../../../src/transcript/outline.js';
import { questionPositions } from '../../../src/transcript/question.js';
import type { JsonPath } from '../../../src/transcript/splice.js';
import { openTranscript, readConversations } from '../../../src/transcript/transcript.js';
import { verifyCompaction } from '../../../src/verify/verify.js';
import { ROOT } from '../../cli/run.js';
import { compactBytes } from '../../compaction/compacted.js';

interface Contract {
  readonly file: string;
  readonly format: string;
  readonly questions: readonly number[];
  /** How many calls have their result. */
  readonly pairs: number;
  /** How many payloads a compaction of everything earlier replaces. */
  readonly replaced: number;
  /** The chunks that its capsule carries: what is cited and stays in view needs none. */
  readonly carried: readonly string[];
  /** What has to be in the file as often as before, whatever is replaced. */
  readonly locks: readonly string[];
}

const contracts: readonly Contract[] = [
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
];

function read(file: string): Buffer {
  return readFileSync(join(ROOT, 'fixtures', file));
}

function outline(bytes: Uint8Array): OutlineMessage[] {
  const transcript = openTranscript(memorySource('x', Buffer.from(bytes)), {
    lenient: false,
    isForeign: () => false,
  });
  return transcript === undefined
    ? []
    : [...readConversations(transcript)].flatMap((one) => outlineConversation(one));
}

/** What stays of a message whatever happens to the payloads of its results. */
function skeleton(bytes: Uint8Array) {
  return outline(bytes).map(({ position, role, speaker, isOnPath, calls, results }) => ({
    ...{ position, role, speaker, isOnPath, calls },
    results: results.map(({ part, callId, tool, isError, isEditable }) => {
      return { part, callId, tool, isError, isEditable };
    }),
  }));
}

function count(text: string, word: string): number {
  return text.split(word).length - 1;
}

const OPTIONS = [{ recent: 0 }, { recent: 60 }, { recent: 5000 }, { recent: 0, copies: true }];

describe.each(contracts)('$file', ({ file, format, questions, pairs, replaced, locks }) => {
  test('is detected, with its questions', () => {
    const transcript = openTranscript(memorySource('x', read(file)), {
      lenient: false,
      isForeign: () => false,
    });
    expect(transcript?.format.name).toBe(format);
    expect(questionPositions(outline(read(file)))).toStrictEqual(questions);
  });

  test('comes out as it is where nothing is to be done', async () => {
    const { output } = await compactBytes(read(file), { recent: 100_000 });
    expect(output.equals(read(file))).toBe(true);
  });

  test('all earlier evidence is replaced', async () => {
    const { compacted } = await compactBytes(read(file), { recent: 0 });
    expect(compacted.conversations.map(({ compaction }) => compaction.returns.length)).toStrictEqual([
      replaced,
    ]);
  });

  test.each(OPTIONS)('keeps pairs and locks, and is proved: %j', async (options) => {
    const { output } = await compactBytes(read(file), options);
    expect(skeleton(output)).toStrictEqual(skeleton(read(file)));
    const [before, after] = [read(file).toString(), output.toString()];
    expect(locks.map((lock) => count(after, lock))).toStrictEqual(locks.map((lock) => count(before, lock)));
    expect(locks.filter((lock) => count(before, lock) === 0)).toStrictEqual([]);
    const verification = await verifyCompaction(memorySource('a', read(file)), memorySource('b', output), {
      lenient: false,
    });
    expect(verification.findings).toStrictEqual([]);
    expect(verification.pairs.map((report) => report.pairs)).toStrictEqual([pairs]);
  });

  test('a value of another type anywhere never breaks it', async () => {
    for (const broken of brokenVariants(read(file).toString())) await expectHandled(broken);
  });
});

const STRANGERS: readonly unknown[] = [null, 7, {}, [], 'x', [[]], { text: [] }];

/** The file with each of its values replaced by one of another type. */
function* brokenVariants(text: string): Generator<string> {
  const isLines = text.split('\n').length > 2 && !text.startsWith('{\n') && !text.startsWith('[\n');
  const records: readonly unknown[] = isLines
    ? text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [JSON.parse(text)];
  for (const [i, record] of records.entries()) {
    for (const [n, path] of [...paths(record, [])].entries()) {
      const stranger = STRANGERS[n % STRANGERS.length];
      const changed = records.map((one, j) => (i === j ? replaced(one, path, stranger) : one));
      yield changed.map((one) => `${JSON.stringify(one)}\n`).join('');
      yield records
        .map((one, j) => `${JSON.stringify(i === j ? replaced(one, path, null) : one)}\n`)
        .join('');
    }
  }
}

function* paths(value: unknown, at: JsonPath): Generator<JsonPath> {
  yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    yield* paths(Array.isArray(value) ? value[Number(key)] : field(value, key), [...at, step]);
  }
}

function replaced(value: unknown, [step, ...rest]: JsonPath, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((one, i) => (i === step ? replaced(one, rest, by) : one));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, one]) => [key, key === step ? replaced(one, rest, by) : one]),
  );
}

/** Compacted into something that reads back alike, or refused as bad input. */
async function expectHandled(text: string): Promise<void> {
  try {
    const { output } = await compactBytes(text, { recent: 0 });
    expect(skeleton(output)).toStrictEqual(skeleton(Buffer.from(text)));
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    expect(error.exitCode).toBe(2);
  }
}
