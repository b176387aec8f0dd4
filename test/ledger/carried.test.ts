import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCapsule, type CapsuleEvidence } from '../../src/compaction/capsule.js';
import {
  CAPSULE_HEADER,
  type CarriedChunk,
  isReceipt,
  RECEIPT,
  readCapsule,
  SHORTENED,
  UNSHOWN,
} from '../../src/ledger/carried.js';
import type { CanonicalCitation } from '../../src/ledger/entry.js';
import type { Occurrence } from '../../src/ledger/record.js';

test('the texts of capsules and receipts are these', () => {
  expect({ CAPSULE_HEADER, RECEIPT, UNSHOWN, SHORTENED }).toStrictEqual({
    CAPSULE_HEADER:
      '[Evidence cited earlier in this conversation, kept so later questions can rely on it. Cite these chunk_ids directly when you use them.]',
    RECEIPT:
      '[Evidence retrieved for an earlier question, no longer shown. It does not count as cited for the current question.]',
    UNSHOWN: '[Earlier evidence, no longer shown; not cited now.]',
    SHORTENED: '[Earlier evidence, shortened to lines that name something; not cited now.]',
  });
});

test.each<[text: string, expected: boolean]>([
  [RECEIPT, true],
  [`${RECEIPT}\nthread show FILE 2.0`, true],
  [UNSHOWN, true],
  [`${UNSHOWN}\nthread show FILE 2.0`, true],
  [`${SHORTENED}\nconst maxSize = 4;\nthread show FILE 2.0`, true],
  [SHORTENED, true],
  [`${UNSHOWN}\nthread show FILE --conversation 3 2.0`, true],
  [`It said: ${UNSHOWN}`, false],
  [`${RECEIPT} But this does.`, false],
  [`${RECEIPT}\nHigh water comes late.`, false],
  [`${UNSHOWN}\nHigh water comes late.`, false],
  [`${UNSHOWN}\nthread show FILE 2.0\nHigh water comes late.`, false],
  [`${UNSHOWN}\nHigh water comes late.\nthread show FILE 2.0`, false],
  [`${UNSHOWN}\nthread show /etc/passwd`, false],
  [`${SHORTENED} High water comes late.`, false],
  [CAPSULE_HEADER, false],
  ['', false],
])('%j is a receipt: %s', (text, expected) => {
  expect(isReceipt(text)).toBe(expected);
});

/** `1.0 k-1 | uri | content`: group, series, id, source and content of each entry. */
function entryForms(entries: readonly CarriedChunk[] | undefined): string[] | undefined {
  return entries?.map(({ group, series, ownId, source, content }) => {
    const title = source.title === null ? '' : `"${source.title}" `;
    return `${group}.${series} ${ownId} | ${title}${source.uri} | ${content}`;
  });
}

const group = (number: number, ...entries: readonly string[]): string =>
  [`[Cited evidence group ${number}]`, ...entries].join('\n\n');
const capsule = (...groups: readonly string[]): string => [CAPSULE_HEADER, ...groups].join('\n\n');
const A = '[a] Source: u\ntext of a';
const B = '[b] Source: v\ntext of b';

describe('a capsule', () => {
  test.each<[rule: string, text: string, entries: string[]]>([
    ['of one entry', capsule(group(1, A)), ['1.0 a | u | text of a']],
    ['of two groups', capsule(group(1, A), group(2, B)), ['1.0 a | u | text of a', '2.0 b | v | text of b']],
    ['of several entries', capsule(group(1, A, B)), ['1.0 a | u | text of a', '1.0 b | v | text of b']],
    [
      'whose ids go back begins another series',
      capsule(group(1, B, A, B)),
      ['1.0 b | v | text of b', '1.1 a | u | text of a', '1.1 b | v | text of b'],
    ],
    [
      'with an id twice is of two series',
      capsule(group(1, A, A)),
      ['1.0 a | u | text of a', '1.1 a | u | text of a'],
    ],
    [
      'begins its series again in each group',
      capsule(group(1, B, A), group(2, B)),
      ['1.0 b | v | text of b', '1.1 a | u | text of a', '2.0 b | v | text of b'],
    ],
    [
      'with empty contents',
      capsule(group(1, '[a] Source: u\n', '[b] Source: \n')),
      ['1.0 a | u | ', '1.0 b |  | '],
    ],
    [
      'with titles',
      capsule(group(1, '[a] Source: "T" (u)\nx', '[b] Source: "T"\nx')),
      ['1.0 a | "T" u | x', '1.0 b | "T"  | x'],
    ],
    [
      'with quotes and brackets in titles and ids',
      capsule(group(1, '[a]b[c] Source: "T" (v)" (u (w))\nx')),
      ['1.0 a]b[c | "T" (v)" u (w) | x'],
    ],
    [
      'with a source that only looks like a title',
      capsule(group(1, '[a] Source: "u" (u)\nx')),
      ['1.0 a | "u" (u) | x'],
    ],
    [
      'with a carriage return in a source',
      capsule(group(1, '[a] Source: ls\r\nx', B)),
      ['1.0 a | ls\r | x', '1.0 b | v | text of b'],
    ],
    [
      'with a line separator in an id and a source',
      capsule(group(1, '[a\u2028] Source: l\u2029s\nx')),
      ['1.0 a\u2028 | l\u2029s | x'],
    ],
    [
      'with blank lines in an entry',
      capsule(group(1, `${A}\n\nmore\n\n[b] of it`, B)),
      ['1.0 a | u | text of a\n\nmore\n\n[b] of it', '1.0 b | v | text of b'],
    ],
    [
      'with a line that looks like an entry has two of it',
      capsule(group(1, `${A}\n\n[x] Source: y\nz`)),
      ['1.0 a | u | text of a', '1.1 x | y | z'].map((form) => form.replace('1.1', '1.0')),
    ],
    [
      'with a line that looks like a group of none',
      capsule(group(1, `${A}\n\n[Cited evidence group 2]\n\nmore`, B)),
      ['1.0 a | u | text of a\n\n[Cited evidence group 2]\n\nmore', '1.0 b | v | text of b'],
    ],
    [
      'with a line that looks like a group of another number',
      capsule(group(1, `${A}\n\n[Cited evidence group 7]`, B)),
      ['1.0 a | u | text of a\n\n[Cited evidence group 7]', '1.0 b | v | text of b'],
    ],
    [
      'with a paragraph that looks like a receipt',
      capsule(group(1, `${A}\n\n${UNSHOWN}`, B)),
      [`1.0 a | u | text of a\n\n${UNSHOWN}`, '1.0 b | v | text of b'],
    ],
  ])('%s', (_, text, entries) => {
    expect(entryForms(readCapsule(text)?.entries)).toStrictEqual(entries);
    expect(readCapsule(text)?.receipt).toBe('');
  });

  test.each([
    UNSHOWN,
    SHORTENED,
    `${UNSHOWN}\nthread show FILE 2.0`,
    `${SHORTENED}\nmax_size\nmin_size\nthread show FILE 2.0`,
  ])('has a receipt behind it: %j', (receipt) => {
    const read = readCapsule(`${capsule(group(1, A))}\n\n${receipt}`);
    expect(read).toMatchObject({ receipt, entries: [{ content: 'text of a' }] });
  });

  test('counts its groups', () => {
    const read = readCapsule(capsule(group(1, A), group(2, B)));
    expect(read?.entries.map(({ groups }) => groups)).toStrictEqual([2, 2]);
  });
});

test.each<[rule: string, text: string]>([
  ['nothing', ''],
  ['a heading alone', CAPSULE_HEADER],
  ['a heading with something else behind it', `${CAPSULE_HEADER}\n\nis what it writes`],
  ['a heading with a group without entries', `${CAPSULE_HEADER}\n\n[Cited evidence group 1]\n\nnothing`],
  ['a heading with another group', capsule(group(2, A))],
  ['a text with a capsule in it', `See: ${capsule(group(1, A))}`],
])('%s is no capsule', (_, text) => {
  expect(readCapsule(text)).toBeUndefined();
});

interface Entry extends Pick<CanonicalCitation, 'chunkId' | 'documentUri' | 'documentTitle' | 'content'> {
  readonly capability: string;
  readonly question: number;
}

/** The evidence whose capsule has these entries. */
function evidenceOf(entries: readonly Entry[]): CapsuleEvidence[] {
  const names = [...new Set(entries.map(({ capability }) => capability))];
  return names.map((capability) => {
    const own = entries.filter((entry) => entry.capability === capability);
    return {
      capability,
      occurrences: new Map(own.map((entry): [string, Occurrence] => [entry.chunkId, occurrenceOf(entry)])),
      citations: new Map(own.map((entry) => [entry.chunkId, { ...entry, documentId: '', pictureRefs: [] }])),
    };
  });
}

function occurrenceOf({ chunkId, capability, question }: Entry): Occurrence {
  return { chunkId, capability, retrievedInQuestions: [0], citedInQuestions: [question] };
}

/** What a capsule's entries say: their own groups and series are their questions and capabilities. */
function entriesOf(entries: readonly CarriedChunk[]): Entry[] {
  return entries.map(({ ownId, group: number, series, source, content }) => ({
    capability: `${number}.${String(series).padStart(6, '0')}`,
    question: -number,
    chunkId: ownId,
    documentUri: source.uri,
    documentTitle: source.title,
    content,
  }));
}

/** Texts that are hard to tell from a capsule's own; ids and sources stand in one line. */
const hard = fc.constantFrom(
  '[',
  ']',
  '"',
  '" (',
  ')',
  ' ',
  'a',
  '\r',
  '\u2028',
  '] Source: ',
  '[a] Source: b',
  '[Cited evidence group 1]',
  '[Cited evidence group 2]',
  CAPSULE_HEADER,
  RECEIPT,
);
const oneLine = fc
  .array(fc.oneof(hard, fc.string({ maxLength: 3 })), { maxLength: 4 })
  .map((parts) => parts.join('').replaceAll('\n', ''));
const manyLines = fc
  .array(fc.oneof(hard, fc.constantFrom('\n', '\n\n', UNSHOWN, SHORTENED), fc.string({ maxLength: 3 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const anyEntries = (content: fc.Arbitrary<string>): fc.Arbitrary<Entry[]> =>
  fc.uniqueArray(
    fc.record({
      capability: fc.constantFrom('read', 'grep'),
      question: fc.nat({ max: 3 }),
      chunkId: oneLine.filter((id) => id !== ''),
      documentUri: oneLine,
      documentTitle: fc.option(oneLine),
      content,
    }),
    {
      selector: ({ capability, chunkId }) => JSON.stringify([capability, chunkId]),
      minLength: 1,
      maxLength: 6,
    },
  );

/** Headings are looked for behind blank lines and end at the first `] Source: `: these entries cannot be misread. */
const clearEntries = anyEntries(manyLines.map((text) => `.${text.replaceAll(/\n+/g, '\n')}.`)).filter(
  (entries) => entries.every(({ chunkId }) => !`${chunkId}] Source: `.slice(0, -1).includes('] Source: ')),
);

describe('reading a capsule and building it again', () => {
  test('gives the same text, whatever its contents imitate', () => {
    fc.assert(
      fc.property(anyEntries(manyLines), (entries) => {
        const { text } = buildCapsule(evidenceOf(entries));
        const read = readCapsule(text);
        expect(read).toBeDefined();
        const again = buildCapsule(evidenceOf(entriesOf(read?.entries ?? []))).text;
        expect(read?.receipt === '' ? again : `${again}\n\n${read?.receipt}`).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  test('gives the entries, in order and whole', () => {
    fc.assert(
      fc.property(clearEntries, (entries) => {
        const { text, groups } = buildCapsule(evidenceOf(entries));
        const expected = groups.flatMap((one, i) =>
          one.entries.map(({ capability, chunkId }) => {
            const entry = entries.find((e) => e.capability === capability && e.chunkId === chunkId);
            return [i + 1, chunkId, entry?.content];
          }),
        );
        const read = readCapsule(text)?.entries ?? [];
        expect(read.map(({ group: number, ownId, content }) => [number, ownId, content])).toStrictEqual(
          expected,
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('gives the receipt behind it', () => {
    const receipts = fc.constantFrom(UNSHOWN, `${SHORTENED}\nx\nthread show FILE 2.0`);
    fc.assert(
      fc.property(anyEntries(manyLines), receipts, (entries, receipt) => {
        const { text } = buildCapsule(evidenceOf(entries));
        // A last line like an entry's heading takes the blank line: then the receipt is its text, and is not lost.
        fc.pre(!/\] Source: [^\n]*$/.test(text));
        const read = readCapsule(`${text}\n\n${receipt}`);
        expect(read?.receipt).toBe(receipt);
        expect(buildCapsule(evidenceOf(entriesOf(read?.entries ?? []))).text).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});
