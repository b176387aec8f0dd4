import { expect, test } from 'vitest';
import { callSource } from '../../src/ledger/call-source.js';

const LONG_PATH = '/srv/projects/greenhouse/packages/controller/src/valves/schedule.ts';

test.each<[rule: string, input: unknown, documentId: string, uri: string]>([
  ['a path', { file_path: 'src/a.ts', limit: 5 }, 'src/a.ts', 'src/a.ts'],
  ['a path before a query', { query: 'x', path: 'src' }, 'src', 'src'],
  ['file_path before path', { path: 'src', file_path: 'src/a.ts' }, 'src/a.ts', 'src/a.ts'],
  ['a path before a URL', { url: 'https://e.org', filename: 'a.ts' }, 'a.ts', 'a.ts'],
  ['a URL before a query', { query: 'x', url: 'https://e.org/a' }, 'https://e.org/a', 'https://e.org/a'],
  [
    'a URL is shown whole',
    { url: `https://e.org/${'a'.repeat(60)}` },
    `https://e.org/${'a'.repeat(60)}`,
    `https://e.org/${'a'.repeat(60)}`,
  ],
  ['a query', { query: 'tides at the pier' }, 'tides at the pier', 'tides at the pier'],
  ['a pattern', { pattern: 'max_.*' }, 'max_.*', 'max_.*'],
  ['a command before its description', { description: 'List', command: 'ls' }, 'ls', 'ls'],
  ['a command as words', { command: ['ls', '-l', 'src'] }, 'ls -l src', 'ls -l src'],
  ['the script of a shell', { command: ['bash', '-lc', 'rg clock'], workdir: '/x' }, 'rg clock', 'rg clock'],
  ['words that are none', { command: [1, null] }, '', ''],
  ['the first line of a text', { command: '\n ls -l\npwd' }, '\n ls -l\npwd', 'ls -l'],
  [
    'a long path by its last names',
    { file_path: LONG_PATH },
    LONG_PATH,
    '…/packages/controller/src/valves/schedule.ts',
  ],
  [
    'a long last name stays whole',
    { path: `a/${'b'.repeat(60)}` },
    `a/${'b'.repeat(60)}`,
    `…/${'b'.repeat(60)}`,
  ],
  ['a long Windows path', { path: `C:\\${'b'.repeat(60)}\\c.ts` }, `C:\\${'b'.repeat(60)}\\c.ts`, '…/c.ts'],
  ['a long text, cut', { query: 'q'.repeat(60) }, 'q'.repeat(60), `${'q'.repeat(48)}…`],
  ['no half of a character', { query: `${'q'.repeat(47)}😀q` }, `${'q'.repeat(47)}😀q`, `${'q'.repeat(47)}…`],
  ['arguments that are a text', 'make it so', 'make it so', 'make it so'],
  ['an empty path is none', { path: '', query: 'x' }, 'x', 'x'],
  ['a path that is no text is none', { path: 5, query: 'x' }, 'x', 'x'],
  ['nothing that tells', { depth: 3 }, '', ''],
  ['no arguments', undefined, '', ''],
  ['null', null, '', ''],
])('%s', (_, input, documentId, uri) => {
  expect(callSource(input)).toStrictEqual({ documentId, uri, title: null });
});
