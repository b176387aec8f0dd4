import { describe, expect, test } from 'vitest';
import type { ChunkDraft } from '../../src/ledger/chunks.js';
import { Citable } from '../../src/ledger/citable.js';
import { declaredCitations, isCiteTool, markerCitations } from '../../src/ledger/citations.js';
import { retrieved } from './conversation.js';

const draft = (fields: Partial<ChunkDraft>): ChunkDraft => ({
  ownId: null,
  label: null,
  content: '',
  source: { documentId: '', uri: '', title: null },
  pictureRefs: [],
  ...fields,
});
const source = (uri: string, title: string | null = null) => ({ documentId: uri, uri, title });
const listing = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `    ${from + i}→line ${from + i} of it`);

/** Results 0 to 6: chunks with ids, a numbered list, files that were read, pages, a capsule's entry of a long id. */
const citable = new Citable();
citable.add(
  retrieved(['Tides.', 'Locks.', 'Gates.'], {
    items: [
      { draft: draft({ ownId: 'doc_12', source: source('kb/tides.md', 'Tide tables') }), first: 1, last: 1 },
      { draft: draft({ ownId: '7' }), first: 2, last: 2 },
      { draft: draft({ ownId: 'a, b', content: 'Gates.' }), first: 3, last: 3 },
    ],
  }),
  0,
);
citable.add(
  retrieved(['One.', 'Two.', 'Three.'], {
    items: [1, 2, 3].map((number) => ({
      draft: draft({ label: String(number), source: source(`https://e.org/${number}`, `Page ${number}`) }),
      first: number,
      last: number,
    })),
  }),
  1,
);
citable.add(retrieved(listing(40, 20), { source: source('/srv/app/src/reset.go') }), 2);
citable.add(retrieved(['Text of a page.', 'More of it.'], { source: source('https://e.org/whole') }), 3);
citable.add(retrieved(listing(1, 5), { source: source('C:\\app\\src\\lamp.ts') }), 4);
citable.add(retrieved(listing(55, 3), { source: source('src/reset.go') }), 5);
citable.add(retrieved(['src/door.ts:48:open()', 'src/door.ts-49-shut()'], { source: source('open') }), 6);

/** `0:1-1 [doc_12]`: what a text cites, the result and lines before the quote. */
function marks(text: string, annotations: readonly unknown[] = []): string[] {
  return markerCitations({ kind: 'text', text, at: [], annotations }, citable).map(
    ({ result, first, last, kind, quote }) => {
      expect(kind).toBe('marker');
      return `${result}:${first}-${last} ${quote}`;
    },
  );
}

describe('a mark in an answer', () => {
  test.each<[rule: string, text: string, cited: string[]]>([
    ['an id in brackets', 'At four [doc_12].', ['0:1-1 [doc_12]']],
    ['in two brackets', 'At four [[doc_12]].', ['0:1-1 [doc_12]']],
    ['with a word for what it is', 'At four [[chunk:doc_12]].', ['0:1-1 [chunk:doc_12]']],
    ['several ids', '[doc_12, 7; nope]', ['0:1-1 [doc_12, 7; nope]', '0:2-2 [doc_12, 7; nope]']],
    ['an id with a comma', '[a, b]', ['0:3-3 [a, b]']],
    ['an id in parentheses', 'At four (source: doc_12).', ['0:1-1 (source: doc_12)']],
    ['an id in a tag', '<cite id="doc_12">At four</cite>', ['0:1-1 <cite id="doc_12"']],
    ['a number of a numbered list', 'It is so [2][3].', ['1:2-2 [2]', '1:3-3 [3]']],
    ['a list of numbers', '[1, 3]', ['1:1-1 [1, 3]', '1:3-3 [1, 3]']],
    ['a range of numbers', '[1-3]', ['1:1-1 [1-3]', '1:2-2 [1-3]', '1:3-3 [1-3]']],
    ['an id before a number', '[7]', ['0:2-2 [7]']],
    ['a range that goes back', '[3-1]', []],
    ['an id that was not retrieved', '[doc_13]', []],
    ['a number in code', 'use `[2]string` or\n```\nx [3]\n```', []],
    ['a number behind a word', 'items[2]', []],
    ['an id in code', 'see `[doc_12]`', ['0:1-1 [doc_12]']],
    ['the text of a link', '[2](https://e.org/other)', []],
    ['a dagger with an id', '【doc_12†source】', ['0:1-1 【doc_12†source】']],
    ['a dagger with a title', '【4:0†Tide tables】', ['0:1-1 【4:0†Tide tables】']],
    ['a dagger with an address', '【4:0†kb/tides.md】', ['0:1-1 【4:0†kb/tides.md】']],
    ['a dagger with a file and lines', '【F:src/reset.go†L41-L43】', ['2:2-4 【F:src/reset.go†L41-L43】']],
    [
      'a place in a memory file',
      '<oai-mem-citation>\n<citation_entries>\nsrc/reset.go:48-52|note=[used]\n</citation_entries>\n</oai-mem-citation>',
      ['2:9-13 src/reset.go:48-52|note=[used]'],
    ],
    [
      'places in memory that go back, or name no lines',
      '<oai-mem-citation>\nreset.go:52-48|note=[]\nreset.go|note=[]\n</oai-mem-citation>',
      [],
    ],
    ['a memory citation that is not closed', '<oai-mem-citation> reset.go:48', ['2:9-9 reset.go:48']],
    ['a path with a line', 'See reset.go:48.', ['2:9-9 reset.go:48']],
    ['a path with lines', 'See src/reset.go:48-52.', ['2:9-13 src/reset.go:48-52']],
    ['an absolute path', 'See /srv/app/src/reset.go:48', ['2:9-9 /srv/app/src/reset.go:48']],
    ['a path from here', 'See ./src/reset.go:48', ['2:9-9 ./src/reset.go:48']],
    ['a path with an anchor', 'a/reset.go#L48, reset.go#L48-L50', ['2:9-11 reset.go#L48-L50']],
    ['a path with lines in words', '`reset.go` (lines 48-51)', ['2:9-12 reset.go` (lines 48-51']],
    ['lines up to another one', 'reset.go (lines 48 to 51)', ['2:9-12 reset.go (lines 48 to 51']],
    ['lines that go back', 'reset.go:52-48', []],
    ['lines that were not shown', 'reset.go:400', []],
    ['lines that were shown in part', 'reset.go:30-41', ['2:1-2 reset.go:30-41']],
    ['lines of the newest result that shows them', 'reset.go:56', ['5:2-2 reset.go:56']],
    ['another file of the same name', 'lib/reset.go:48', []],
    ['a file whose name only ends so', 'preset.go:48', []],
    [
      'a line that a search found',
      'src/door.ts:48, and door.ts:49',
      ['6:1-1 src/door.ts:48', '6:2-2 door.ts:49'],
    ],
    ['a file of a Windows path', 'lamp.ts:2 src/lamp.ts:3', ['4:2-2 lamp.ts:2', '4:3-3 src/lamp.ts:3']],
    ['a link', 'See [this](https://e.org/2).', ['1:2-2 https://e.org/2']],
    ['an address at the end of a sentence', 'See https://e.org/whole.', ['3:1-2 https://e.org/whole']],
    ['an address that was not found', 'https://e.org/4', []],
    ['plain words', 'Nothing here is cited.', []],
  ])('%s: %j', (_, text, cited) => {
    expect(marks(text)).toStrictEqual(cited);
  });

  test('is explicit, but for a path or a link, which may be said for its own sake', () => {
    const text = '[doc_12] reset.go:48 https://e.org/2';
    const found = markerCitations({ kind: 'text', text, at: [], annotations: [] }, citable);
    expect(found.map(({ quote, isExplicit }) => [quote, isExplicit])).toStrictEqual([
      ['[doc_12]', true],
      ['reset.go:48', false],
      ['https://e.org/2', false],
    ]);
  });
});

describe('an annotation of an answer', () => {
  test.each<[rule: string, annotation: unknown, cited: string[]]>([
    [
      'with the text that it cites',
      { type: 'char_location', cited_text: 'More of it.', document_title: 'Tide tables' },
      ['3:2-2 It is so.'],
    ],
    ['with lines of it', { cited_text: ' Text of a page.\nMore of it. ' }, ['3:1-2 It is so.']],
    ['with an item that holds it', { cited_text: 'Gates' }, ['0:3-3 It is so.']],
    [
      'with an address',
      { type: 'web_search_result_location', url: 'https://e.org/2', cited_text: 'nowhere' },
      ['1:2-2 It is so.'],
    ],
    ['with a source', { type: 'search_result_location', source: 'kb/tides.md' }, ['0:1-1 It is so.']],
    ['with a title', { document_title: 'Page 3' }, ['1:3-3 It is so.']],
    [
      'with an address inside and a span',
      { type: 'url_citation', url_citation: { url: 'https://e.org/2', start_index: 0, end_index: 5 } },
      ['1:2-2 It is'],
    ],
    [
      'with a span that is empty',
      { url: 'https://e.org/2', start_index: 5, end_index: 5 },
      ['1:2-2 It is so.'],
    ],
    [
      'with several sources and a span',
      {
        start: 0,
        end: 5,
        sources: [
          { type: 'document', id: 'doc_12' },
          { type: 'tool', id: 'call:0', tool_output: { text: 'Gates.' } },
          { type: 'document', id: 'x', document: { url: 'https://e.org/2' } },
          null,
        ],
      },
      ['0:1-1 It is', '0:3-3 It is', '1:2-2 It is'],
    ],
    ['with ids of documents', { document_ids: ['doc_12', 'doc_13', 7] }, ['0:1-1 It is so.']],
    ['with blank text and nothing else', { cited_text: ' ' }, []],
    ['of something that was not retrieved', { url: 'https://e.org/9' }, []],
    ['that is no object', 'https://e.org/2', []],
  ])('%s', (_, annotation, cited) => {
    expect(marks('It is so.', [annotation])).toStrictEqual(cited);
  });
});

describe('a call', () => {
  test.each<[tool: string | null, expected: boolean]>([
    ['rag_cite', true],
    ['cite', true],
    ['mcp__kb__cite', true],
    ['kb.cite', true],
    ['register_citation', true],
    ['register_citations', true],
    ['recite', false],
    ['cite_check', false],
    ['search', false],
    [null, false],
  ])('of %s declares citations: %s', (tool, expected) => {
    expect(isCiteTool(tool)).toBe(expected);
  });

  test.each<[rule: string, tool: string, input: unknown, cited: string[]]>([
    ['its ids', 'rag_cite', { chunk_ids: ['doc_12', 'a, b', 'nope', 5] }, ['0:1-1 doc_12', '0:3-3 a, b']],
    ['a single id', 'rag_cite', { id: 'doc_12' }, ['0:1-1 doc_12']],
    ['under any of its keys', 'cite', { ids: ['7'], sources: ['doc_12'] }, ['0:2-2 7', '0:1-1 doc_12']],
    ['none of another tool', 'search', { ids: ['doc_12'] }, []],
    ['none without arguments', 'cite', null, []],
  ])('declares %s', (_, tool, input, cited) => {
    const found = declaredCitations({ kind: 'tool-call', id: 'c', tool, input }, citable);
    expect(
      found.map(({ result, first, last, quote }) => `${result}:${first}-${last} ${quote}`),
    ).toStrictEqual(cited);
    expect(found.every(({ kind, isExplicit }) => kind === 'declared' && isExplicit)).toBe(true);
  });
});
