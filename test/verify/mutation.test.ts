import { describe, expect, test } from 'vitest';
import { CAPSULE_HEADER, RECEIPT, SHORTENED, UNSHOWN } from '../../src/ledger/carried.js';
import { locate } from '../../src/transcript/splice.js';
import { type Random, seeded } from '../seeded.js';
import { CORPUS_CASES, compact, FIXTURES, type Options, type VerifyCase, verify } from './cases.js';

const SEED = 20_261_130;
/** How often each mutation is made of each compacted file. */
const TIMES = 6;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a pattern's first group stands, or all of it without one. The text is latin1: offsets are bytes. */
function spansOf(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map((match) => {
    const found = match[1] ?? match[0];
    const start = match.index + match[0].indexOf(found);
    return { start, end: start + found.length };
  });
}

/** The records of a file of lines, or the messages of a document. */
function recordSpans(text: string): Span[] {
  const isDocument = !/\}\s*\n\s*\{"/.test(text);
  if (!isDocument) return spansOf(text, /^\{.*\}$/gm);
  const [list, whole] = locate(text, [['messages'], []]);
  return [...((list ?? whole)?.elements ?? [])];
}

const BEGINNINGS = [CAPSULE_HEADER, RECEIPT, UNSHOWN, SHORTENED];
const OURS = new RegExp(`(?:${BEGINNINGS.map(quoted).join('|')})`);
const A_RECEIPT = new RegExp(`(?:${BEGINNINGS.slice(1).map(quoted).join('|')})(?:[^"\\\\]|\\\\.)*`, 'g');

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** What a single byte is changed, inserted or deleted in. */
const REGIONS: Readonly<Record<string, (text: string) => Span[]>> = {
  'a kept chunk': (text) => spansOf(text, /\] Source: ((?:[^"\\]|\\.)+?)(?=\\n\\n\[|")/g),
  'a receipt': (text) => spansOf(text, A_RECEIPT),
  'the address of a receipt': (text) => spansOf(text, /thread show FILE ([^"]+)/g),
  'an id': (text) => spansOf(text, /"(?:tool_call_id|tool_use_id|toolCallId|id|uuid)" ?: ?"([^"]+)"/g),
  'an id in the capsule': (text) => spansOf(text, /\\n\\n\[([^\]"]+)\] Source: /g),
  'a record that holds nothing of ours': (text) =>
    recordSpans(text).filter(({ start, end }) => !OURS.test(text.slice(start, end))),
  'a line end': (text) => spansOf(text, /\r?\n/g),
  'a picture': (text) => spansOf(text, /"data": ?"([^"]+)"/g),
};

type Mutation = (text: string, random: Random) => string | undefined;

function inRegion(spans: (text: string) => Span[], edit: (byte: string) => string): Mutation {
  return (text, random) => {
    const found = spans(text);
    const span = found[random(found.length)];
    if (span === undefined) return undefined;
    const at = span.start + random(span.end - span.start);
    return text.slice(0, at) + edit(text.charAt(at)) + text.slice(at + 1);
  };
}

const EDITS: Readonly<Record<string, (byte: string) => string>> = {
  changed: (byte) => (byte === 'x' ? 'y' : 'x'),
  inserted: (byte) => `${byte}x`,
  deleted: () => '',
};

function inRecords(edit: (records: string[], random: Random) => string[]): Mutation {
  return (text, random) => {
    const spans = recordSpans(text);
    const records = spans.map(({ start, end }) => text.slice(start, end));
    const gap = text.slice(spans[0]?.end, spans[1]?.start);
    const [first, last] = [spans[0], spans.at(-1)];
    if (first === undefined || last === undefined || spans.length < 3) return undefined;
    return text.slice(0, first.start) + edit(records, random).join(gap) + text.slice(last.end);
  };
}

const MUTATIONS: readonly [name: string, mutate: Mutation][] = [
  ...Object.entries(REGIONS).flatMap(([region, spans]) =>
    Object.entries(EDITS).map(([edit, change]): [string, Mutation] => [
      `a byte ${edit} in ${region}`,
      inRegion(spans, change),
    ]),
  ),
  [
    'two records swapped',
    inRecords((records, random) => {
      const first = random(records.length - 1);
      const second = first + 1 + random(records.length - first - 1);
      return records.with(first, records[second] ?? '').with(second, records[first] ?? '');
    }),
  ],
  ['a record dropped', inRecords((records, random) => records.toSpliced(random(records.length), 1))],
  [
    'a record duplicated',
    inRecords((records, random) => {
      const at = random(records.length);
      return records.toSpliced(at, 0, records[at] ?? '');
    }),
  ],
];

const OPTION_SETS: readonly Options[] = [
  {},
  { recent: 0 },
  { recent: 1000 },
  { budget: 50 },
  { boundary: 9 },
  { copies: true },
  { addresses: true },
  { addresses: false },
  { boundary: 12, recent: 300, copies: true, addresses: false },
];

interface Mutant {
  readonly bytes: Buffer;
  /** For the message of a failing test. */
  readonly change: string;
}

const compactions = new Map<VerifyCase, Promise<readonly string[]>>();

/** A file compacted with each set of options. */
function compactionsOf(one: VerifyCase): Promise<readonly string[]> {
  const made =
    compactions.get(one) ??
    Promise.all(OPTION_SETS.map(async (options) => (await compact(one, options)).toString('latin1')));
  compactions.set(one, made);
  return made;
}

/** Of a mutation that changes nothing (two records that are alike) there is nothing to find. */
async function mutants(one: VerifyCase, mutate: Mutation, times: number): Promise<Mutant[]> {
  const random = seeded(SEED);
  const made: Mutant[] = [];
  for (let i = 0; i < times; i++) {
    const before = (await compactionsOf(one))[i % OPTION_SETS.length] ?? '';
    const after = mutate(before, random);
    if (after === undefined || after === before) continue;
    made.push({
      bytes: Buffer.from(after, 'latin1'),
      change: `seed ${SEED}, turn ${i}, ${difference(before, after)}`,
    });
  }
  return made;
}

/** What changes of a file are taken for a compaction. */
async function survivors(one: VerifyCase, mutate: Mutation, times: number): Promise<string[]> {
  const unseen: string[] = [];
  for (const { bytes, change } of await mutants(one, mutate, times))
    if ((await verify(one, bytes))?.findings.length === 0) unseen.push(change);
  return unseen;
}

function difference(before: string, after: string): string {
  let at = 0;
  while (before.charAt(at) === after.charAt(at)) at += 1;
  return `byte ${at}: ${JSON.stringify(before.slice(at - 20, at + 20))} became ${JSON.stringify(after.slice(at - 20, at + 20))}`;
}

test('at least 200 mutations are made of the files of five formats', async () => {
  const counts = await Promise.all(
    FIXTURES.flatMap((one) =>
      MUTATIONS.map(async ([, mutate]) => (await mutants(one, mutate, TIMES)).length),
    ),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(200);
});

describe.each(FIXTURES)('$name', (one) => {
  test.each(OPTION_SETS)('what compact makes with %j is proved', async (options) => {
    expect((await verify(one, await compact(one, options)))?.findings).toStrictEqual([]);
  });

  test.each(MUTATIONS)('%s is refuted', async (_, mutate) => {
    expect(await survivors(one, mutate, TIMES)).toStrictEqual([]);
  });
});

describe.each(CORPUS_CASES)('$name', (one) => {
  test.skipIf(one.isMissing).each(OPTION_SETS)('what compact makes with %j is proved', async (options) => {
    expect((await verify(one, await compact(one, options)))?.findings).toStrictEqual([]);
  });

  test.skipIf(one.isMissing).each(MUTATIONS)('%s is refuted', async (_, mutate) => {
    expect(await survivors(one, mutate, 2)).toStrictEqual([]);
  });
});
