import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

const FEATURES = ['compaction', 'query', 'recall', 'anaphora', 'diff', 'golden', 'verify', 'convert'];

/** What each folder of src/ may import, besides itself: `cli -> features -> ledger -> transcript`. */
const MAY_IMPORT: ReadonlyMap<string, readonly string[]> = new Map([
  ['transcript', []],
  ['ledger', ['transcript']],
  ...FEATURES.map((feature): [string, string[]] => [feature, ['ledger', 'transcript']]),
  // What is searched for is what a question was resolved to.
  ['recall', ['query', 'ledger', 'transcript']],
  // A golden that is a transcript is compared as one.
  ['golden', ['diff', 'ledger', 'transcript']],
  // Proving a compaction means knowing what one is.
  ['verify', ['compaction', 'ledger', 'transcript']],
  ['cli', [...FEATURES, 'ledger', 'transcript']],
  ['index.ts', [...FEATURES, 'ledger', 'transcript']],
]);

/** What nothing below src/cli may use: the outside world, and whatever is not the same on every machine. */
const EDGE_MODULES = /^(?:node:)?(?:fs|fs\/promises|child_process|os|process|readline|tty)$/;
const EDGE_GLOBALS = new Set(['process', 'console', 'performance']);
const EDGE_MEMBERS = /^(?:Date\.now|Math\.random|.*\.(?:localeCompare|toLocale\w+))$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

interface SourceFile {
  /** Relative to src/, with forward slashes. */
  readonly name: string;
  readonly text: string;
  readonly nodes: readonly Node[];
}

const files: readonly SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .toSorted()
  .map((name) => {
    const text = readFileSync(join(SRC, name), 'utf8');
    return { name: name.replaceAll('\\', '/'), text, nodes: nodesIn(parseAst(text, { lang: 'ts' })) };
  });

function nodesIn(tree: unknown): Node[] {
  const nodes: Node[] = [];
  const pending: unknown[] = [tree];
  while (pending.length > 0) {
    const value = pending.pop();
    if (isNode(value)) nodes.push(value);
    if (typeof value === 'object' && value !== null) pending.push(...Object.values(value));
  }
  return nodes.toSorted((a, b) => a.start - b.start);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The folder of src/ that a path belongs to, or the file itself when it stands in src/. */
function folderOf(path: string): string {
  return relative(SRC, path).split(/[\\/]/)[0] ?? '';
}

/** Static, dynamic and re-exporting imports alike. */
function importsOf({ nodes }: SourceFile): string[] {
  return nodes
    .filter(({ type }) => /^(?:Import|Export\w*)(?:Declaration|Expression)$/.test(type))
    .map(({ source }) => (isNode(source) ? source.value : undefined))
    .filter((source) => typeof source === 'string');
}

function placeOf({ name, text }: SourceFile, { start }: Node, what: string): string {
  return `src/${name}:${text.slice(0, start).split('\n').length}: ${what}`;
}

/** `Math.random` and the like; `*.name` when the object is no plain name. */
function memberName({ object, property, computed }: Node): string {
  if (!isNode(property) || computed === true) return '';
  return `${isNode(object) && object.type === 'Identifier' ? String(object.name) : '*'}.${String(property.name)}`;
}

function edgeUses(file: SourceFile): string[] {
  const modules = importsOf(file)
    .filter((source) => EDGE_MODULES.test(source))
    .map((source) => `src/${file.name}: imports ${source}`);
  const members = file.nodes.filter(({ type }) => type === 'MemberExpression');
  const uses = members
    .filter((node) => EDGE_MEMBERS.test(memberName(node)))
    .map((node) => placeOf(file, node, memberName(node)));
  const globals = file.nodes
    .filter(({ type, name }) => type === 'Identifier' && EDGE_GLOBALS.has(String(name)))
    .map((node) => placeOf(file, node, String(node.name)));
  const clocks = file.nodes
    .filter((node) => node.type === 'NewExpression' && isNode(node.callee) && node.callee.name === 'Date')
    .filter(({ arguments: given }) => Array.isArray(given) && given.length === 0)
    .map((node) => placeOf(file, node, 'new Date()'));
  return [...modules, ...uses, ...globals, ...clocks];
}

function isConst({ typeAnnotation }: Node): boolean {
  const name = isNode(typeAnnotation) ? typeAnnotation.typeName : undefined;
  return isNode(name) && name.name === 'const';
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['TSAnyKeyword', 'any'],
  ['TSAsExpression', 'a cast with as'],
  ['TSTypeAssertion', 'a cast'],
  ['TSNonNullExpression', 'a non-null !'],
]);

function typeEscapes(file: SourceFile): string[] {
  return file.nodes
    .filter((node) => !(node.type === 'TSAsExpression' && isConst(node)))
    .flatMap((node) => {
      const what = ESCAPES.get(node.type);
      return what === undefined ? [] : [placeOf(file, node, what)];
    });
}

describe('architecture', () => {
  test('imports run from cli to the features, to the ledger, to the transcript', () => {
    const wrong = files.flatMap((file) => {
      const from = join(SRC, file.name);
      const allowed = [folderOf(from), ...(MAY_IMPORT.get(folderOf(from)) ?? [])];
      return importsOf(file)
        .filter((source) => source.startsWith('.') && !source.endsWith('/package.json'))
        .filter((source) => !allowed.includes(folderOf(resolve(dirname(from), source))))
        .map((source) => `src/${file.name} imports ${source}`);
    });
    expect(wrong).toStrictEqual([]);
  });

  test('every folder of src/ has its place in that order', () => {
    expect(files.map(({ name }) => name)).toContain('cli/main.ts');
    const folders = new Set(files.map(({ name }) => folderOf(join(SRC, name))));
    expect([...folders].filter((folder) => !MAY_IMPORT.has(folder))).toStrictEqual([]);
  });

  test('nothing below src/cli touches the outside world, a clock, chance or a locale', () => {
    const below = files.filter(({ name }) => !name.startsWith('cli/'));
    expect(below.flatMap(edgeUses)).toStrictEqual([]);
  });

  test('no type is escaped from', () => {
    expect(files.flatMap(typeEscapes)).toStrictEqual([]);
  });
});

describe('the checks of this file', () => {
  const sample = (text: string): SourceFile => ({
    name: 'ledger/sample.ts',
    text,
    nodes: nodesIn(parseAst(text, { lang: 'ts' })),
  });

  test.each([
    ['import { readFileSync } from "node:fs";', 'src/ledger/sample.ts: imports node:fs'],
    ['export * from "fs/promises";', 'src/ledger/sample.ts: imports fs/promises'],
    ['await import("node:fs");', 'src/ledger/sample.ts: imports node:fs'],
    ['const a = 1;\nprocess.exit(a);', 'src/ledger/sample.ts:2: process'],
    ['const { env } = process;', 'src/ledger/sample.ts:1: process'],
    ['console.log(1);', 'src/ledger/sample.ts:1: console'],
    ['Date.now();', 'src/ledger/sample.ts:1: Date.now'],
    ['new Date();', 'src/ledger/sample.ts:1: new Date()'],
    ['[1].map(Math.random);', 'src/ledger/sample.ts:1: Math.random'],
    ['"a".localeCompare("b");', 'src/ledger/sample.ts:1: *.localeCompare'],
    ['n.toLocaleString();', 'src/ledger/sample.ts:1: n.toLocaleString'],
  ])('%s is found', (text, found) => {
    expect(edgeUses(sample(text))).toStrictEqual([found]);
  });

  test.each([
    ['const a = b as string;', 'a cast with as'],
    ['let a: any;', 'any'],
    ['a!.b;', 'a non-null !'],
  ])('%s is found', (text, what) => {
    expect(typeEscapes(sample(text))).toStrictEqual([`src/ledger/sample.ts:1: ${what}`]);
  });

  test('prose, strings and const are let through', () => {
    const text = `// console.log, any, x as y\nimport * as z from 'zod';\nconst a = ['process as any'] as const; new Date(0);`;
    expect([...edgeUses(sample(text)), ...typeEscapes(sample(text))]).toStrictEqual([]);
  });
});
