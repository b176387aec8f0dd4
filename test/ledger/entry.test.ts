import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Ledger, parseLedger, parseLedgerLines, renderLedger } from '../../src/ledger/entry.js';
import { isLedgerLine } from '../../src/ledger/ledger-line.js';
import { InputError } from '../../src/transcript/errors.js';
import { anyLedger } from './any-ledger.js';

const rag = '{"type":"capability","capability":"rag","tool_names":["rag_search"],"question":8}';
const bare = '{"type":"evidence","capability":"rag","chunk_id":"c1"}';

const fullText = [
  '{"type":"capability","capability":"rag","tool_names":["rag_search"],"question":8,"in_progress":true,"latest_evidence_epoch":9,"declaration":{"question":8,"epoch":10,"refs":[{"capability":"rag","chunk_id":"c1"}]}}',
  '{"type":"evidence","capability":"rag","chunk_id":"c1","document_id":"d1","document_uri":"kb://1","document_title":"One","content":"text","picture_refs":["#/p/0"],"retrieved_in_questions":[0],"cited_in_questions":[0,4],"citations":[{"question":4,"kind":"marker","message":7,"quote":"[c1]"}]}',
  '{"type":"evidence","capability":"rag","chunk_id":"c0","retrieved_in_questions":[0],"cited_in_questions":[],"citations":[]}',
  '{"type":"capability","capability":"notes","tool_names":[],"question":null,"in_progress":false,"latest_evidence_epoch":0,"declaration":null}',
  '',
].join('\n');

const full: Ledger = {
  capabilities: [
    {
      capability: 'rag',
      toolNames: ['rag_search'],
      record: {
        occurrences: new Map([
          ['c1', { chunkId: 'c1', capability: 'rag', retrievedInQuestions: [0], citedInQuestions: [0, 4] }],
          ['c0', { chunkId: 'c0', capability: 'rag', retrievedInQuestions: [0], citedInQuestions: [] }],
        ]),
        question: 8,
        inProgress: true,
        latestEvidenceEpoch: 9,
        declaration: { question: 8, epoch: 10, refs: [{ capability: 'rag', chunkId: 'c1' }] },
      },
      stateCarried: true,
      citations: new Map([
        [
          'c1',
          {
            chunkId: 'c1',
            documentId: 'd1',
            documentUri: 'kb://1',
            documentTitle: 'One',
            content: 'text',
            pictureRefs: ['#/p/0'],
          },
        ],
      ]),
      proofs: new Map([['c1', [{ question: 4, kind: 'marker', message: 7, quote: '[c1]' }]]]),
      unknown: { own: {}, byChunk: new Map() },
    },
    {
      capability: 'notes',
      toolNames: [],
      record: {
        occurrences: new Map(),
        question: null,
        inProgress: false,
        latestEvidenceEpoch: 0,
        declaration: null,
      },
      stateCarried: false,
      citations: new Map(),
      proofs: new Map(),
      unknown: { own: {}, byChunk: new Map() },
    },
  ],
};

const sameAsFull: readonly { name: string; text: string }[] = [
  { name: 'JSON Lines', text: fullText },
  {
    name: 'CRLF, a byte-order mark, blank lines',
    text: `\uFEFF\r\n${fullText.replaceAll('\n', '\r\n\r\n')}`,
  },
  { name: 'no newline at the end', text: fullText.trimEnd() },
  { name: 'evidence before its capability', text: inOrder(fullText, [1, 0, 2, 3]) },
];

function inOrder(text: string, order: readonly number[]): string {
  const lines = text.split('\n');
  return order.map((i) => `${lines[i]}\n`).join('');
}

/** Maps as lists: equality of maps takes no notice of their order. */
function ordered(ledger: Ledger) {
  return ledger.capabilities.map(({ record, citations, proofs, unknown, ...rest }) => ({
    ...rest,
    record: { ...record, occurrences: [...record.occurrences] },
    citations: [...citations],
    proofs: [...proofs],
    unknown: { own: Object.entries(unknown.own), byChunk: [...unknown.byChunk] },
  }));
}

describe('reading JSON Lines', () => {
  test.each(sameAsFull)('$name', ({ text }) => {
    expect(ordered(parseLedger(text, 'x'))).toStrictEqual(ordered(full));
  });

  test.each(['', '\n', '\uFEFF', ' \r\n\n'])('%j is a ledger of no capabilities', (text) => {
    expect(parseLedger(text, 'x')).toStrictEqual({ capabilities: [] });
  });

  test('fills in what an evidence line leaves out, and has no citation without content', () => {
    const [owner] = parseLedger(
      [rag, bare, bare.replace('c1"', 'c2","content":""')].join('\n'),
      'x',
    ).capabilities;
    expect(owner?.record.occurrences.get('c1')).toStrictEqual({
      chunkId: 'c1',
      capability: 'rag',
      retrievedInQuestions: [],
      citedInQuestions: [],
    });
    expect([...(owner?.citations.values() ?? [])]).toStrictEqual([
      {
        chunkId: 'c2',
        documentId: '',
        documentUri: '',
        documentTitle: null,
        content: '',
        pictureRefs: [],
      },
    ]);
  });
});

const stateText = `{
  "rag": {
    "tool_names": ["rag_search"],
    "citation_index": {"10": {"content": "ten"}, "2": {"chunk_id": "2", "content": "two"}},
    "evidence": {
      "question": 6,
      "occurrences": {
        "b": {"capability": "rag", "chunk_id": "b", "cited_in_questions": [1]},
        "10": {"retrieved_in_questions": [1]},
        "__proto__": {},
        "2": {}
      }
    }
  },
  "7": {"evidence": {"question": null, "occurrences": [{"chunk_id": "z"}, {"chunk_id": "1"}]}, "other": 1},
  "__proto__": {"tool_names": []},
  "chat_id": "x",
  "session": {"turns": 3}
}`;

describe('reading a state object', () => {
  const { capabilities } = parseLedger(stateText, 'x');

  test('keeps the order of the file and takes any key for an ordinary one', () => {
    const ids = capabilities.map(({ capability, record }) => [capability, [...record.occurrences.keys()]]);
    expect(ids).toStrictEqual([
      ['rag', ['b', '10', '__proto__', '2']],
      ['7', ['z', '1']],
      ['__proto__', []],
    ]);
  });

  test('reads the same as lines', () => {
    const [owner] = capabilities;
    expect(owner?.toolNames).toStrictEqual(['rag_search']);
    expect(owner?.record.occurrences.get('b')).toStrictEqual({
      chunkId: 'b',
      capability: 'rag',
      retrievedInQuestions: [],
      citedInQuestions: [1],
    });
    expect(
      [...(owner?.citations.values() ?? [])].map(({ chunkId, content }) => [chunkId, content]),
    ).toStrictEqual([
      ['10', 'ten'],
      ['2', 'two'],
    ]);
    expect(capabilities.map(({ stateCarried }) => stateCarried)).toStrictEqual([true, false, false]);
  });

  test('takes arrays nested to any depth under unknown keys', () => {
    const deep = `{"rag":{"tool_names":[],"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    expect(parseLedger(deep, 'x').capabilities.map(({ capability }) => capability)).toStrictEqual(['rag']);
  });
});

const errors: readonly { name: string; text: string; message: string }[] = [
  {
    name: 'a wrong item of a list',
    text: `${rag}\n\n${bare.replace('}', ',"cited_in_questions":[1,"2"]}')}`,
    message: 'l:3: evidence.cited_in_questions[1]: expected a whole number, got a string',
  },
  {
    name: 'a fraction',
    text: rag.replace('8', '8.5'),
    message: 'l:1: capability.question: expected a whole number, got 8.5',
  },
  {
    name: 'a missing field',
    text: `${rag}\n{"type":"evidence","capability":"rag"}`,
    message: 'l:2: evidence.chunk_id: missing (expected a string)',
  },
  {
    name: 'a field inside a declaration',
    text: rag.replace('8', '8,"declaration":{"question":1,"epoch":2,"refs":[{"capability":"rag"}]}'),
    message: 'l:1: capability.declaration.refs[0].chunk_id: missing (expected a string)',
  },
  {
    name: 'null for content',
    text: `${rag}\n${bare.replace('}', ',"content":null}')}`,
    message: 'l:2: evidence.content: expected a string, got null',
  },
  {
    name: 'an unknown kind of citation',
    text: `${rag}\n${bare.replace('}', ',"citations":[{"question":1,"kind":"guess","message":1,"quote":""}]}')}`,
    message:
      'l:2: evidence.citations[0].kind: expected "declared", "marker", "quote" or "carried", got "guess"',
  },
  {
    name: 'a line of another kind',
    text: `${rag}\n{"role":"user","content":"hi"}`,
    message: 'l:2: type: missing (expected "capability" or "evidence")',
  },
  {
    name: 'a line that is no object',
    text: `${rag}\n3`,
    message: 'l:2: expected an object, got 3',
  },
  {
    name: 'a second line about a capability',
    text: `${rag}\n${bare}\n${rag}`,
    message: 'l:3: capability.capability: "rag" already stands on line 1',
  },
  {
    name: 'a second line about a chunk',
    text: `${rag}\n${bare}\n${bare}`,
    message: 'l:3: evidence.chunk_id: "c1" of "rag" already stands on line 2',
  },
  {
    name: 'evidence of a capability without a line',
    text: `${rag}\n${bare.replace('rag', 'notes')}`,
    message: 'l:2: evidence.capability: no capability line for "notes"',
  },
  {
    name: 'a broken line, at its column in UTF-16 units',
    text: `${rag}\n{"type":"evidence","capability":"é😀" "chunk_id":"c"}`,
    message: 'l:2:39: not JSON: a comma or } is missing',
  },
  { name: 'no JSON', text: 'rag', message: 'l:1:1: not JSON: not a JSON value' },
  {
    name: 'a broken state object, at its line',
    text: '{\n  "rag": {"tool_names": []\n  "evidence": {}}\n}',
    message: 'l:3:3: not JSON: a comma or } is missing',
  },
  {
    name: 'a state object that is not closed',
    text: '{"rag": {\n}\n',
    message: 'l:2:2: not JSON: an object is not closed',
  },
  {
    name: 'a document of another kind',
    text: '{"messages":[]}',
    message: 'l:1: not a ledger: no member has tool_names, citation_index or evidence',
  },
  {
    name: 'a field of a state object, on the line of its chunk',
    text: '{"rag": {"evidence": {"occurrences": {\n"a": {},\n"q-1#2": {"cited_in_questions": [true]}}}}}',
    message:
      'l:3: rag.evidence.occurrences["q-1#2"].cited_in_questions[0]: expected a whole number, got true',
  },
  {
    name: 'a state without content in a citation',
    text: '{"rag": {"citation_index": {"c1": {}}}}',
    message: 'l:1: rag.citation_index.c1.content: missing (expected a string)',
  },
  {
    name: 'a chunk id other than its key',
    text: '{"rag": {"citation_index": {"c1": {"chunk_id": "c2", "content": ""}}}}',
    message: 'l:1: rag.citation_index.c1.chunk_id: expected the key "c1", got "c2"',
  },
  {
    name: 'an item of a list without chunk id',
    text: '{"rag": {"evidence": {"occurrences": [{}]}}}',
    message: 'l:1: rag.evidence.occurrences[0].chunk_id: missing (expected a string)',
  },
  {
    name: 'occurrences that are neither object nor list',
    text: '{"rag": {"evidence": {"occurrences": 1}}}',
    message: 'l:1: rag.evidence.occurrences: expected an object or an array, got 1',
  },
  {
    name: 'a repeated capability of a state object',
    text: '{"rag": {},\n"rag": {}}',
    message: 'l:2: rag: stands here twice',
  },
  {
    name: 'a repeated chunk of a list',
    text: '{"rag": {"evidence": {"occurrences": [{"chunk_id": "a"},\n{"chunk_id": "a"}]}}}',
    message: 'l:2: rag.evidence.occurrences[1]: the chunk "a" stands here twice',
  },
];

describe('refused ledgers', () => {
  test.each(errors)('$name', ({ text, message }) => {
    let thrown: unknown;
    try {
      parseLedger(text, 'l');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InputError);
    expect(thrown).toHaveProperty('message', message);
  });
});

test('lines of a mixed stream keep their line numbers', () => {
  const lines = [
    { text: rag, line: 12 },
    { text: bare.replace('"c1"', '3'), line: 40 },
  ];
  expect(() => parseLedgerLines(lines, 'chat.jsonl')).toThrow(
    'chat.jsonl:40: evidence.chunk_id: expected a string, got 3',
  );
});

const lineKinds: readonly { value: unknown; is: boolean }[] = [
  { value: { type: 'capability', capability: 'rag' }, is: true },
  { value: { type: 'evidence', capability: '' }, is: true },
  { value: { type: 'evidence' }, is: false },
  { value: { type: 'evidence', capability: 1 }, is: false },
  { value: { type: 'user', capability: 'rag' }, is: false },
  { value: { capability: 'rag' }, is: false },
  { value: [{ type: 'evidence', capability: 'rag' }], is: false },
  { value: null, is: false },
  { value: 'evidence', is: false },
  { value: { rag: { tool_names: ['search'] } }, is: true },
  { value: { session: 's', rag: { evidence: { occurrences: {} } } }, is: true },
  { value: { rag: { citation_index: [] } }, is: true },
  { value: { rag: { evidence: 'strong' } }, is: false },
  { value: { rag: {} }, is: false },
  { value: { tool_names: ['search'] }, is: false },
  { value: { type: 'user', toolUseResult: { tool_names: [], evidence: { occurrences: [] } } }, is: false },
  { value: { role: 'user', content: 'x', rag: { tool_names: [] } }, is: false },
  { value: { messages: [], rag: { tool_names: [] } }, is: false },
];

test.each(lineKinds)('whether $value is a ledger line: $is', ({ value, is }) => {
  expect(isLedgerLine(value)).toBe(is);
});

describe('rendering', () => {
  test('writes keys in a fixed order, chunks in the order of their occurrences', () => {
    expect(renderLedger(full)).toBe(fullText);
  });

  test('keeps fields that have no name here', () => {
    const text = fullText.replaceAll(/\}$/gm, ',"later":{"x":[1]},"__proto__":2}');
    expect(renderLedger(parseLedger(text, 'x'))).toBe(text);
  });

  test('is empty for no capabilities', () => {
    expect(renderLedger({ capabilities: [] })).toBe('');
  });

  test('keeps a citation that has no occurrence', () => {
    expect(renderLedger(parseLedger('{"rag":{"citation_index":{"c1":{"content":"x"}}}}', 'x'))).toBe(
      '{"type":"capability","capability":"rag","tool_names":[],"question":null,"in_progress":false,"latest_evidence_epoch":0,"declaration":null}\n' +
        '{"type":"evidence","capability":"rag","chunk_id":"c1","document_id":"","document_uri":"","document_title":null,"content":"x","picture_refs":[],"retrieved_in_questions":[],"cited_in_questions":[],"citations":[]}\n',
    );
  });

  test('reads back as what was written', () => {
    fc.assert(
      fc.property(anyLedger(), (ledger) => {
        expect(ordered(parseLedger(renderLedger(ledger), 'x'))).toStrictEqual(ordered(ledger));
      }),
    );
  });
});
