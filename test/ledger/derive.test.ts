import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildCapsule } from '../../src/compaction/capsule.js';
import { RECEIPT, readCapsule, SHORTENED, UNSHOWN } from '../../src/ledger/carried.js';
import { stringLeaves } from '../../src/ledger/derive.js';
import { type CitationProof, type Ledger, parseLedger, renderLedger } from '../../src/ledger/entry.js';
import { type Message, resultText } from '../../src/transcript/message.js';
import { questionOf, questionPositions } from '../../src/transcript/question.js';
import { ROOT } from '../cli/run.js';
import { CORPUS, corpusFiles, isCorpusMissing, readCorpusFile } from '../corpus-files.js';
import {
  answer,
  ask,
  call,
  type Derived,
  derive,
  deriveAll,
  found,
  line,
  PLAIN,
  proofForms,
  result,
} from './conversation.js';

/** A retrieval tool's blocks, and a file's lines. */
const BLOCKS = `[k-1] Source: "Tides" (kb/tides.md)\n${PLAIN}\n\n[k-2] Source: "Locks" (kb/locks.md)\n${PLAIN}`;
const NAMES = 'max_size min_size top_size';
const FILE = `${PLAIN}\n${NAMES}\n${PLAIN.slice(9)}`;
const SENTENCE = 'High water at the pier comes forty minutes after high water at the lock gate.';

test('where calls have no ids, results answer the open calls of their tool in order', () => {
  const named = (name: string, path: string) =>
    line({ role: 'assistant', content: null, function_call: { name, arguments: JSON.stringify({ path }) } });
  const returned = (name: string, content: string) => line({ role: 'function', name, content });
  const { results } = derive(
    named('read', 'never answered') +
      ask('q') +
      named('read', 'short') +
      named('find', 'a') +
      named('read', 'b') +
      returned('read', 'No.') +
      returned('read', PLAIN) +
      returned('find', PLAIN) +
      returned('find', PLAIN),
  );
  expect(results.map(({ source }) => source.uri)).toStrictEqual(['b', 'a', '']);
});

describe('derives', () => {
  test.each<[rule: string, transcript: string, proofs: string[]]>([
    [
      'what a cite tool declares',
      ask('q') + found('c1', BLOCKS) + call('c2', 'kb_cite', { chunk_ids: ['k-2'] }),
      ['k-2 declared 3 k-2'],
    ],
    [
      'what an answer marks',
      ask('q') + found('c1', BLOCKS) + answer('At four [k-1][k-2].'),
      ['k-1 marker 3 [k-1]', 'k-2 marker 3 [k-2]'],
    ],
    [
      'a line of a file by path and number',
      ask('q') +
        found('c1', `    1→${PLAIN}\n    2→${PLAIN}`, 'read', { file_path: 'src/lamp.ts' }) +
        answer('See src/lamp.ts:2.'),
      ['c1#2 marker 3 src/lamp.ts:2'],
    ],
    [
      'names that an answer repeats',
      ask('q') + found('c1', FILE) + answer('Set max_size, min_size and top_size.'),
      ['c1#2 quote 3 max_size'],
    ],
    [
      'words that an answer repeats',
      ask('q') + found('c1', `${PLAIN}\n${SENTENCE}`) + answer(`Well: ${SENTENCE}`),
      ['c1#2 quote 3 water at the pier comes'],
    ],
    [
      'names in the arguments of calls',
      ask('q') +
        found('c1', FILE) +
        call('c2', 'run', { command: NAMES }) +
        call('c3', 'run', { nested: [{ deep: NAMES }] }),
      ['c1#2 quote 3 max_size', 'c1#2 quote 4 max_size'],
    ],
    [
      'of each question and kind the first proof and the newest',
      ask('q') + found('c1', BLOCKS) + answer('[k-1]').repeat(4) + ask('r') + answer('[k-1] [k-1]'),
      ['k-1 marker 3 [k-1]', 'k-1 marker 6 [k-1]', 'k-1 marker 8 [k-1]'],
    ],
    [
      'nothing of what the operator repeats',
      ask('q') + found('c1', FILE + SENTENCE) + ask(`${NAMES} ${SENTENCE} [c1#1]`),
      [],
    ],
    [
      'nothing of what the operator had said before',
      ask(`${NAMES} ${SENTENCE}`) + found('c1', FILE + SENTENCE) + answer(`${NAMES} ${SENTENCE}`),
      [],
    ],
    ['nothing of results no longer than a receipt', ask('q') + found('c1', NAMES) + answer(NAMES), []],
    ['nothing of what a cite tool says', ask('q') + found('c1', FILE, 'kb_cite') + answer(NAMES), []],
    [
      'nothing of what the operator is asked',
      ask('q') + found('c1', FILE, 'AskUserQuestion') + answer(NAMES),
      [],
    ],
    [
      'nothing of what the operator had answered',
      ask('q') +
        found('c0', `${NAMES} ${SENTENCE}`, 'ask_user') +
        found('c1', FILE + SENTENCE) +
        answer(`${NAMES} ${SENTENCE}`),
      [],
    ],
    ['nothing of a receipt', ask('q') + found('c1', `${SHORTENED}\n${FILE}`) + answer(NAMES), []],
  ])('%s', (_, transcript, proofs) => {
    expect(proofForms(derive(transcript))).toStrictEqual(proofs);
  });

  test('what an answer cites of a search in the same message', () => {
    const search = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'tides' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's',
        content: [{ type: 'web_search_result', url: 'https://e.org/a', title: 'T', encrypted_content: 'e' }],
      },
    ];
    const citation = { type: 'web_search_result_location', url: 'https://e.org/a', cited_text: 'so' };
    const transcript =
      line({ role: 'user', content: [{ type: 'text', text: 'q' }] }) +
      line({ role: 'assistant', content: [...search, { type: 'text', text: 'So.', citations: [citation] }] });
    expect(proofForms(derive(transcript))).toStrictEqual(['s#1 marker 1 So.']);
  });

  test('where the chunk holds the words', () => {
    const { ledger } = derive(ask('q') + found('c1', FILE) + answer(NAMES));
    expect(ledger.capabilities[0]?.proofs.get('c1#2')).toStrictEqual([
      { question: 0, kind: 'quote', message: 3, quote: 'max_size', span: [0, 8] },
    ]);
  });

  test('a capability for each tool, with the chunks that its questions retrieved and cited', () => {
    const transcript =
      ask('q') +
      found('c1', FILE, 'read', { file_path: 'src/lamp.ts' }) +
      answer(NAMES) +
      ask('r') +
      found('c2', BLOCKS, 'grep') +
      answer('[k-2]');
    const lines = renderLedger(derive(transcript).ledger)
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(
      lines.map((one) => [
        one.capability,
        one.chunk_id,
        one.document_uri,
        one.retrieved_in_questions,
        one.cited_in_questions,
      ]),
    ).toStrictEqual([
      ['grep', undefined, undefined, undefined, undefined],
      ['grep', 'k-1', 'kb/tides.md', [4], []],
      ['grep', 'k-2', 'kb/locks.md', [4], [4]],
      ['read', undefined, undefined, undefined, undefined],
      ['read', 'c1#1', 'src/lamp.ts', [0], []],
      ['read', 'c1#2', 'src/lamp.ts', [0], [0]],
      ['read', 'c1#3', 'src/lamp.ts', [0], []],
    ]);
    expect(lines[0]).toStrictEqual({
      type: 'capability',
      capability: 'grep',
      tool_names: ['grep'],
      question: 4,
      in_progress: true,
      latest_evidence_epoch: 7,
      declaration: { question: 4, epoch: 8, refs: [{ capability: 'grep', chunk_id: 'k-2' }] },
    });
  });

  test('the entries of a capsule, carried in their groups for the questions before it', () => {
    const capsule = capsuleOf([8, 'k-2', 'Locks.'], [8, 'k-1', 'Tides.'], [0, 'k-3', 'Gates.']);
    const transcript = ask('q') + answer('x') + ask('r') + found('c1', `${capsule}\n\n${UNSHOWN}`) + ask('s');
    expect(proofForms(derive(transcript))).toStrictEqual([
      'k-1 carried 4 [k-1]',
      'k-2 carried 4 [k-2]',
      'k-3 carried 4 [k-3]',
    ]);
    const { occurrences } = derive(transcript).ledger.capabilities[0]?.record ?? {};
    expect(
      [...(occurrences ?? [])].map(([id, { citedInQuestions }]) => [id, citedInQuestions]),
    ).toStrictEqual([
      ['k-1', [2]],
      ['k-2', [2]],
      ['k-3', [0]],
    ]);
  });

  test('later questions for the groups that those before a capsule are too few for', () => {
    const capsule = capsuleOf([8, 'k-3', 'Gates.'], [4, 'k-2', 'Locks.'], [0, 'k-1', 'Tides.']);
    const transcript =
      ask('q') + found('c1', capsule) + ask('r') + answer('x') + ask('s') + answer('x') + ask('t');
    const { occurrences } = derive(transcript).ledger.capabilities[0]?.record ?? {};
    expect(
      [...(occurrences ?? [])].map(([id, { citedInQuestions }]) => [id, citedInQuestions]),
    ).toStrictEqual([
      ['k-3', [5]],
      ['k-2', [3]],
      ['k-1', [0]],
    ]);
  });
});

/** A capsule of entries: newest citing question, id, content. */
function capsuleOf(
  ...entries: readonly (readonly [question: number, id: string, content: string])[]
): string {
  const occurrences = new Map(
    entries.map(([question, chunkId]) => [
      chunkId,
      { chunkId, capability: 'kb', retrievedInQuestions: [], citedInQuestions: [question] },
    ]),
  );
  const citations = new Map(
    entries.map(([, chunkId, content]) => [
      chunkId,
      { chunkId, documentId: '', documentUri: 'kb', documentTitle: null, content, pictureRefs: [] },
    ]),
  );
  return buildCapsule([{ capability: 'kb', occurrences, citations }]).text;
}

describe('an answer is taken to say what it cites', () => {
  const other = found('c2', `${PLAIN}\none_flag two_flag six_flag`);

  test.each<[rule: string, transcript: string, isExplicit: boolean]>([
    ['where nothing is cited', ask('q') + found('c1', FILE) + answer('Yes.'), true],
    ['where it marks', ask('q') + found('c1', BLOCKS) + answer('[k-1]'), true],
    [
      'where it marks half of it',
      ask('q') + found('c1', BLOCKS) + other + answer('[k-1] one_flag two_flag six_flag'),
      true,
    ],
    [
      'not where it marks less',
      ask('q') +
        found('c1', BLOCKS) +
        other +
        found('c3', FILE) +
        answer(`[k-1] one_flag two_flag six_flag ${NAMES}`),
      false,
    ],
    ['not where it only repeats', ask('q') + found('c1', FILE) + answer(NAMES), false],
    [
      'not where an earlier compaction left lines',
      ask('q') + found('c1', `${SHORTENED}\nmax_size`) + ask('r') + found('c2', BLOCKS) + answer('[k-1]'),
      false,
    ],
    [
      'nor where it left them behind a capsule',
      ask('q') +
        found('c1', `${capsuleOf([0, 'k-9', 'x'])}\n\n${SHORTENED}`) +
        ask('r') +
        found('c2', BLOCKS) +
        answer('[k-1]'),
      false,
    ],
    [
      'where an earlier compaction left none',
      ask('q') + found('c1', UNSHOWN) + ask('r') + found('c2', BLOCKS) + answer('[k-1]'),
      true,
    ],
    [
      'where a result only talks of receipts',
      ask('q') +
        found('c1', `const text = '${SHORTENED}';\n${PLAIN}`) +
        found('c2', BLOCKS) +
        answer('[k-1]'),
      true,
    ],
  ])('%s', (_, transcript, isExplicit) => {
    expect(derive(transcript).isExplicit).toBe(isExplicit);
  });
});

test('evidence is what was retrieved, by its place', () => {
  const derived = derive(ask('q') + found('c1', FILE) + found('c2', 'ok') + found('c3', RECEIPT));
  expect([2, 4, 6].map((position) => derived.isEvidence(position, 0))).toStrictEqual([true, false, false]);
});

test('chunks keep apart where call ids repeat', () => {
  const transcript =
    ask('q') +
    found('c1', `one ${PLAIN}`) +
    answer('x') +
    found('c1', `two ${PLAIN}`) +
    found('c1', `one ${PLAIN}`);
  const chunks = derive(transcript).chunks.map(({ id, content, retrievals }) => [
    id,
    content.slice(0, 3),
    retrievals.map(({ position }) => position),
  ]);
  expect(chunks).toStrictEqual([
    ['c1#1', 'one', [2, 7]],
    ['c1@5#1', 'two', [5]],
  ]);
});

test('a result without a call id has its place for one', () => {
  const transcript = ask('q') + line({ role: 'tool', name: 'read', content: PLAIN });
  expect(derive(transcript).chunks.map(({ id }) => id)).toStrictEqual(['@1.0#1']);
});

test.each<[rule: string, value: unknown, leaves: string[]]>([
  ['texts', { a: 'x', b: ['y', { c: 'z' }] }, ['x', 'y', 'z']],
  ['numbers as JavaScript writes them', [1, 2.5, 1e21], ['1', '2.5', '1e+21']],
  ['nothing else', { a: null, b: true, c: [], d: {} }, []],
  ['a text alone', 'x', ['x']],
  ['null', null, []],
  ['nothing', undefined, []],
])('the leaves of arguments: %s', (_, value, leaves) => {
  expect(stringLeaves(value)).toStrictEqual(leaves);
});

test('arguments and results may be long', () => {
  const many = Array.from({ length: 300_000 }, (_, i) => i);
  const item = { id: 'k-1', text: `${PLAIN}\n`.repeat(1) + 'x\n'.repeat(300_000) };
  const transcript = ask('q') + call('c1', 'read', { many }) + result('c1', JSON.stringify([item]));
  expect(derive(transcript).chunks.map(({ id }) => id)).toStrictEqual(['k-1']);
});

/** What a proof's quote has to be a part of. */
function provingTexts(message: Message, kind: CitationProof['kind']): string[] {
  return message.parts.flatMap((part) => {
    switch (part.kind) {
      case 'text':
        return kind === 'marker' || kind === 'quote' ? [part.text] : [];
      case 'tool-call':
        return kind === 'declared' || kind === 'quote' ? stringLeaves(part.input) : [];
      case 'tool-result':
        return kind === 'carried' ? [resultText(part)].filter((text) => readCapsule(text) !== undefined) : [];
      default:
        return [];
    }
  });
}

/** The proofs that do not prove: the quote is not in the message, or not where the span says. */
function wrongProofs({ ledger, messages }: Derived): unknown[] {
  return ledger.capabilities.flatMap(({ proofs, citations }) =>
    [...proofs].flatMap(([id, ofChunk]) =>
      ofChunk.filter(({ kind, message, quote, span }) => {
        const said = messages[message];
        const isSaid = said !== undefined && provingTexts(said, kind).some((text) => text.includes(quote));
        const isThere = span === undefined || citations.get(id)?.content.slice(...span) === quote;
        return quote === '' || !isSaid || !isThere;
      }),
    ),
  );
}

/** Proofs of messages off the path, or of another question than theirs; a capsule's groups have their own. */
function misplacedProofs({ ledger, outline }: Derived): unknown[] {
  const questions = questionPositions(outline);
  return ledger.capabilities
    .flatMap(({ proofs }) => [...proofs.values()].flat())
    .filter(({ kind, question, message }) => {
      const isOf = kind === 'carried' || question === (questionOf(message, questions) ?? 0);
      return !isOf || question < 0 || outline[message]?.isOnPath !== true;
    });
}

/** Lines of evidence on the path that no chunk holds which was retrieved there; only blank ones may be. */
function lostLines({ results, chunks, outline }: Derived): unknown[] {
  return results
    .filter(({ position }) => outline[position]?.isOnPath === true)
    .flatMap(({ position, part, lines }) => {
      const here = chunks.filter(({ retrievals }) =>
        retrievals.some((one) => one.position === position && one.part === part),
      );
      const held = new Set(here.flatMap(({ content }) => content.split('\n')));
      return lines.filter((text) => text.trim() !== '' && !held.has(text));
    });
}

/** Chunks that are not the lines of the result which brought them first. */
function misplacedChunks({ results, chunks }: Derived): unknown[] {
  const resultAt = new Map(results.map((one) => [`${one.position}.${one.part}`, one]));
  return chunks.filter(({ lines, retrievals: [first], content }) => {
    if (lines === null || first === undefined) return false;
    const shown = resultAt.get(`${first.position}.${first.part}`)?.lines;
    return shown?.slice(lines.first - 1, lines.last).join('\n') !== content;
  });
}

function repeatedIds({ ledger, chunks }: Derived): string[] {
  const ids = [...chunks.map(({ id }) => id)];
  const inLedger = ledger.capabilities.flatMap(({ record }) => [...record.occurrences.keys()]);
  expect(inLedger.toSorted()).toStrictEqual(ids.toSorted());
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}

/** The ledger with its texts read: a derived one holds them packed until they are asked for. */
function withTexts({ capabilities }: Ledger): Ledger {
  return {
    capabilities: capabilities.map((one) => ({
      ...one,
      citations: new Map([...one.citations].map(([id, cited]) => [id, { ...cited, content: cited.content }])),
    })),
  };
}

function checkDerivation(bytes: Uint8Array): void {
  const [derived, again] = [deriveAll(bytes), deriveAll(bytes)];
  for (const [i, one] of derived.entries()) {
    expect(wrongProofs(one)).toStrictEqual([]);
    expect(misplacedProofs(one)).toStrictEqual([]);
    expect(repeatedIds(one)).toStrictEqual([]);
    expect(misplacedChunks(one)).toStrictEqual([]);
    expect(lostLines(one)).toStrictEqual([]);
    const text = renderLedger(one.ledger);
    expect(renderLedger(again[i]?.ledger ?? { capabilities: [] })).toBe(text);
    expect(parseLedger(text, 'ledger')).toStrictEqual(withTexts(one.ledger));
  }
}

const fixtures = readdirSync(join(ROOT, 'fixtures'))
  .filter((name) => /\.jsonl?$/.test(name) && !/\.(?:ledger|case)\./.test(name))
  .toSorted();

describe('what is derived proves itself, and is the same every time', () => {
  test.each(fixtures)('fixtures/%s', (name) => {
    checkDerivation(readFileSync(join(ROOT, 'fixtures', name)));
  });

  describe.skipIf(isCorpusMissing)(CORPUS, () => {
    test.each(corpusFiles())('%s', (file) => {
      checkDerivation(readCorpusFile(file));
    });
  });
});
