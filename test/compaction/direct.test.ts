import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactTranscript } from '../../src/compaction/compact-transcript.js';
import { compactDirectly } from '../../src/compaction/direct.js';
import { parseLedger } from '../../src/ledger/entry.js';
import { editedPieces } from '../../src/transcript/edited.js';
import type { ByteSource } from '../../src/transcript/lines.js';
import { answer, ask, call, line, result } from '../chat-lines.js';
import { errorOf, shortReads, sourceOf } from '../transcript/read.js';

const ledger = parseLedger(
  [
    '{"type":"capability","capability":"rag","tool_names":["search","find"]}',
    '{"type":"evidence","capability":"rag","chunk_id":"c1","document_uri":"kb://1","content":"It is “4”.","retrieved_in_questions":[0],"cited_in_questions":[0]}',
    '{"type":"evidence","capability":"rag","chunk_id":"c2","content":"[c1] Source: x\\nmore","retrieved_in_questions":[3],"cited_in_questions":[3]}',
    '{"type":"capability","capability":"none","tool_names":["fetch"]}',
  ]
    .join('\n')
    .replace('"tool_names":["search"', '"question":0,"tool_names":["search"'),
  'l',
);

/** What a run ends in: what it writes and says, or the error that it ends with. */
interface Outcome {
  readonly output?: string;
  readonly counts?: readonly number[];
  readonly warnings?: readonly string[];
  readonly error?: string;
}

async function whole(source: ByteSource, boundary: number | undefined): Promise<Outcome> {
  try {
    const compacted = await compactTranscript(source, {
      ...{ ledger, boundary, allowUncited: false, copies: false, lenient: false },
    });
    // A piece is valid until the next one is asked for.
    const pieces: Buffer[] = [];
    for (const { bytes } of editedPieces(source, compacted.edits, compacted.style))
      pieces.push(Buffer.from(bytes));
    const [one] = compacted.conversations;
    return {
      output: text(pieces),
      counts: [one?.outline.length ?? 0, one?.compaction.returns.length ?? 0],
      warnings: one?.compaction.warnings ?? [],
    };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Null where it is not for the direct way. */
function direct(source: ByteSource, boundary: number | undefined, strict: boolean): Outcome | null {
  try {
    const planned = compactDirectly(source, { ledger, boundary, lenient: false, strict });
    if (planned === null) return null;
    const pieces: Buffer[] = [];
    for (const piece of planned.pieces()) pieces.push(Buffer.from(piece));
    return {
      output: text(pieces),
      counts: [planned.messages, planned.returns],
      warnings: planned.warnings,
    };
  } catch (error) {
    return { error: String(error) };
  }
}

function text(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString('latin1');
}

const ids = fc.constantFrom('a', 'b', 'c', 'é"');
const words = fc.oneof(
  fc.constantFrom('What is it?', 'It is 4 [c1].', 'x'.repeat(3000)),
  fc.string({ unit: 'binary' }),
);
const named = (name: string, id: string): string =>
  line({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
  });

const LINES: readonly fc.Arbitrary<string>[] = [
  words.map(ask),
  words.map(answer),
  ids.map(call),
  fc.tuple(fc.constantFrom('search', 'find', 'read'), ids).map(([name, id]) => named(name, id)),
  fc.tuple(ids, words).map(([id, content]) => result(id, content)),
  fc
    .tuple(ids, words, fc.constantFrom('search', 'other'))
    .map(([tool_call_id, content, name]) => line({ content, role: 'tool', name, tool_call_id })),
  words.map((content) => line({ role: 'system', content })),
  // What has to be parsed.
  words.map((content) => line({ role: 'user', content, source: { type: 'goal-round' } })),
  fc
    .tuple(ids, words)
    .map(([tool_call_id, content]) =>
      line({ role: 'tool', tool_call_id, content: [{ type: 'text', text: content }] }),
    ),
  ids.map((id) => line({ role: 'tool', tool_call_id: id, content: { rows: [1] } })),
  ids.map((id) => line({ role: 'tool', tool_call_id: id })),
  fc.tuple(ids, words).map(([id, content]) => result(id, content).replace('}\n', ',"content":"twice"}\n')),
  fc.tuple(ids, words).map(([id, content]) => result(id, content).replace('"content"', '"\\u0063ontent"')),
  fc.tuple(ids, words).map(([id, content]) => `${result(id, content).trimEnd()}${result(id, content)}`),
  fc.constantFrom('\n', ' \r\n', '{"type":"evidence","capability":"rag","chunk_id":"z"}\n'),
  words.map((content) => line({ role: 'user', content: [{ type: 'text', text: content }] })),
];

const transcripts = fc
  .record({
    lines: fc.array(fc.oneof(...LINES), { minLength: 1, maxLength: 12 }),
    isCrlf: fc.boolean(),
    isEscaped: fc.boolean(),
    hasBom: fc.boolean(),
    isOpen: fc.boolean(),
  })
  .map(({ lines, isCrlf, isEscaped, hasBom, isOpen }) => {
    // A question and a result at the start tell what format it is.
    let all = [ask('What?'), call('a'), result('a', 'It is “4”.'), ...lines].join('');
    if (isCrlf) all = all.replaceAll('\n', '\r\n');
    if (isEscaped)
      all = all.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    if (isOpen) all = all.replace(/\r?\n$/, '');
    return Buffer.from(`${hasBom ? '\ufeff' : ''}${all}`);
  });

const boundaries = fc.option(fc.nat({ max: 14 }), { nil: undefined });
const lengths = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 4 });

describe('the direct way of compacting', () => {
  test('writes and says what the whole way does, however the file is read', async () => {
    let done = 0;
    await fc.assert(
      fc.asyncProperty(
        transcripts,
        boundaries,
        lengths,
        fc.boolean(),
        async (bytes, boundary, reads, strict) => {
          const found = direct(shortReads(bytes, reads), boundary, strict);
          if (found === null) return;
          done += 1;
          expect(found).toStrictEqual(await whole(sourceOf(bytes), boundary));
        },
      ),
      { seed: 9, numRuns: 1500 },
    );
    expect(done).toBeGreaterThan(1000);
  });

  test('refuses every file that is cut, as the whole way does', async () => {
    await fc.assert(
      fc.asyncProperty(transcripts, fc.nat(), async (bytes, cut) => {
        const kept = bytes.subarray(0, cut % bytes.length);
        const found = direct(sourceOf(kept), undefined, false);
        if (found !== null) expect(found).toStrictEqual(await whole(sourceOf(kept), undefined));
      }),
      { seed: 9, numRuns: 600 },
    );
  });

  test('with --strict refuses whatever the whole way refuses', async () => {
    await fc.assert(
      fc.asyncProperty(transcripts, fc.nat(), fc.nat({ max: 255 }), async (bytes, place, byte) => {
        const broken = Buffer.from(bytes);
        broken[place % bytes.length] = byte;
        const found = direct(sourceOf(broken), undefined, true);
        if (found !== null) expect(found).toStrictEqual(await whole(sourceOf(broken), undefined));
      }),
      { seed: 9, numRuns: 1500 },
    );
  });

  test('leaves a transcript with retrieved pictures to the whole way', () => {
    const picture = line({
      role: 'user',
      content: [
        { type: 'text', text: '[haiku.rag/retrieved-image] c1' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    });
    const bytes = Buffer.from([ask('What?'), call('a'), result('a', '4'), picture, ask('And?')].join(''));
    expect(direct(sourceOf(bytes), undefined, false)).toBeNull();
  });

  test.each([
    { name: 'a document', input: `[${ask('What?')},${result('a', '4')}]` },
    { name: 'conversations', input: line({ messages: [{ role: 'user', content: 'What?' }] }).repeat(2) },
    { name: 'nothing', input: '' },
    {
      name: 'another format',
      input: line({
        type: 'user',
        uuid: 'u',
        parentUuid: null,
        sessionId: 's',
        message: { role: 'user', content: 'x' },
      }),
    },
  ])('leaves $name to the whole way', ({ input }) => {
    expect(direct(sourceOf(input), undefined, false)).toBeNull();
  });

  test.each([
    { name: 'a word that is none', input: 'tru', isStrictOnly: true },
    { name: 'an escape that is none', input: '"\\x"', isStrictOnly: true },
    { name: 'a bracket that is not closed', input: '[', isStrictOnly: false },
    { name: 'a string that is not closed', input: '"', isStrictOnly: false },
  ])('$name inside a record that is not rewritten', ({ input, isStrictOnly }) => {
    const broken = `{"role":"assistant","content":"It is 4.","extra":[${input}]}\n`;
    const bytes = `${ask('What?')}${call('a')}${result('a', '4')}${broken}`;
    const run = (strict: boolean) => () =>
      compactDirectly(sourceOf(bytes), { ledger, boundary: 0, lenient: false, strict });
    // The first records are parsed in any case, to find the format.
    const many = `${ask('What?').repeat(60)}${bytes}`;
    const runMany = (strict: boolean) => () =>
      compactDirectly(sourceOf(many), { ledger, boundary: 0, lenient: false, strict });
    expect(errorOf(run(false)).message).toMatch(/^t\.jsonl:4:\d+: not JSON/);
    expect(errorOf(runMany(true)).message).toMatch(/^t\.jsonl:64:\d+: not JSON/);
    if (isStrictOnly) expect(runMany(false)).not.toThrow();
    else expect(errorOf(runMany(false)).message).toMatch(/^t\.jsonl:64:\d+: not JSON/);
  });
});
