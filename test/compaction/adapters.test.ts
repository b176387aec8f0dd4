import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ThreadError } from '../../src/transcript/errors.js';
import { field, isObject } from '../../src/transcript/formats/values.js';
import { memorySource } from '../../src/transcript/lines.js';
import { outlineConversation } from '../../src/transcript/outline.js';
import { questionPositions } from '../../src/transcript/question.js';
import { openTranscript, readConversations } from '../../src/transcript/transcript.js';
import { verifyCompaction } from '../../src/verify/verify.js';
import { ROOT } from '../cli/run.js';
import { type JsonValue, jsonPlaces, replaced } from '../json-places.js';
import { compactBytes } from './compacted.js';

interface Adapter {
  readonly file: string;
  readonly format: string;
  readonly questions: readonly number[];
  /** Keys whose values a compaction may change, wherever they stand. */
  readonly payloads: readonly string[];
  /** What has to stand in the compacted file as often as before. */
  readonly locked: readonly string[];
}

const ADAPTERS: readonly Adapter[] = [
  {
    file: 'session.codex.jsonl',
    format: 'codex',
    questions: [4, 6, 11, 19],
    payloads: ['output'],
    locked: ['gAAAAkeeper1==', 'gAAAAAferrylog==', '"used_percent":1.0', '\\"metadata\\":{\\"exit_code\\":0'],
  },
  {
    file: 'session.openai-responses.json',
    format: 'openai-responses',
    questions: [0, 5, 9],
    payloads: ['output', 'text'],
    locked: [
      'gAAAAAreef==',
      'gAAAAArules==',
      '"index": 33',
      '"end_index": 47',
      '"score": 0.9',
      '"temperature": 1.0',
      'The western buoy shows green every six seconds.',
    ],
  },
];

const WRONG: readonly JsonValue[] = [null, 7, {}, []];

function questionsOf(bytes: Uint8Array): { format: string | undefined; questions: number[] } {
  const transcript = openTranscript(memorySource('x', bytes), { lenient: false, isForeign: () => false });
  const conversations = transcript === undefined ? [] : [...readConversations(transcript)];
  return {
    format: transcript?.format.name,
    questions: conversations.flatMap((one) => questionPositions(outlineConversation(one))),
  };
}

function values(bytes: Uint8Array): JsonValue[] {
  const text = Buffer.from(bytes).toString('utf8');
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one));
  }
}

/** A value with everything under the given keys taken out. */
function without(value: unknown, keys: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, keys));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value).map((key) => [key, keys.includes(key) ? null : without(field(value, key), keys)]),
  );
}

function count(bytes: Uint8Array, text: string): number {
  return Buffer.from(bytes).toString('utf8').split(text).length - 1;
}

describe.each(ADAPTERS)('$file', ({ file, format, questions, payloads, locked }) => {
  const original = readFileSync(join(ROOT, 'fixtures', file));

  test('is read as its format, with its questions', () => {
    expect(questionsOf(original)).toStrictEqual({ format, questions });
  });

  test('comes out as it is when nothing is earlier', async () => {
    const { output } = await compactBytes(original, { boundary: 0 });
    expect(output.equals(original)).toBe(true);
  });

  test.each([0, 100, 5000])(
    'with --recent %i keeps pairs, locks and questions, and is proved',
    async (recent) => {
      const { output } = await compactBytes(original, { recent });
      expect(questionsOf(output)).toStrictEqual({ format, questions });
      expect(values(output).map((one) => without(one, payloads))).toStrictEqual(
        values(original).map((one) => without(one, payloads)),
      );
      for (const text of locked) {
        expect(count(original, text)).toBeGreaterThan(0);
        expect(count(output, text)).toBe(count(original, text));
      }
      const verified = await verifyCompaction(memorySource('o', original), memorySource('c', output), {
        lenient: false,
      });
      expect(verified.findings).toStrictEqual([]);
      expect(verified.pairs).toMatchObject([{ faults: [] }]);
    },
  );

  test('keeps the type of what it replaces', async () => {
    const { output, compacted } = await compactBytes(original, { recent: 0 });
    const kinds = (bytes: Uint8Array) =>
      jsonPlaces(values(bytes)).map(({ at, value }) =>
        payloads.includes(String(at.at(-1)))
          ? `${at.join('/')} ${Array.isArray(value) ? 'array' : typeof value}`
          : '',
      );
    expect(compacted.edits.length).toBeGreaterThan(0);
    expect(kinds(output).filter(Boolean)).toStrictEqual(kinds(original).filter(Boolean));
  });

  test('with any value replaced by another type is compacted or refused', async () => {
    const records = values(original);
    const write = (all: readonly JsonValue[]) =>
      file.endsWith('l') ? all.map((one) => `${JSON.stringify(one)}\n`).join('') : JSON.stringify(all[0]);
    for (const { at } of jsonPlaces(records).filter((place) => place.at.length > 0))
      for (const wrong of WRONG) {
        const broken = write(replaced(records, at, wrong));
        const outcome = await compactBytes(broken, { recent: 0, copies: true }).catch((error) => error);
        if (outcome instanceof Error) expect(outcome, `/${at.join('/')}`).toBeInstanceOf(ThreadError);
      }
  }, 60_000);
});
