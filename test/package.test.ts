import { execFileSync, type StdioOptions } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './cli/run.js';

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = readJson('package-lock.json');
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

/** Packages of which `npm ci` would run a script: each one is for development, and is named in docs/security.md. */
const WITH_INSTALL_SCRIPT = ['node_modules/esbuild'];

describe('package-lock.json', () => {
  test('names no address, so that every package comes from the registry that is configured', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toStrictEqual([]);
  });

  test('has the digest of every package', () => {
    expect(locked.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toStrictEqual([]);
  });

  test('has no package that runs a script when it is installed, but for tools of development', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(WITH_INSTALL_SCRIPT).toEqual(expect.arrayContaining(scripted.map(([path]) => path)));
    expect(scripted.filter(([, { dev }]) => dev !== true)).toStrictEqual([]);
  });
});

describe('package.json', () => {
  const manifest: Readonly<Record<string, Readonly<Record<string, string>>>> = readJson('package.json');

  test('installs nothing besides the package itself', () => {
    const kinds = ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies'];
    expect(kinds.filter((kind) => kind in manifest)).toStrictEqual([]);
  });

  test('runs nothing when the package is installed', () => {
    const scripts = ['preinstall', 'install', 'postinstall'];
    expect(scripts.filter((name) => name in (manifest.scripts ?? {}))).toStrictEqual([]);
  });

  test('names one version of each tool', () => {
    const versions = Object.values(manifest.devDependencies ?? {});
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toStrictEqual([]);
  });
});

describe('dist/THIRD-PARTY-LICENCES.txt', () => {
  const [, ...notices] = readFileSync(join(ROOT, 'dist/THIRD-PARTY-LICENCES.txt'), 'utf8').split(
    `\n\n${'-'.repeat(80)}\n\n`,
  );

  test.each(notices)('%#: has the name and the whole text of a licence that allows it', (notice) => {
    const [heading = '', ...text] = notice.split('\n\n');
    expect(heading).toMatch(/^[@a-z0-9/-]+ \d+\.\d+\.\d+ \((?:MIT|ISC|BSD-3-Clause)\)$/);
    expect(text.join('\n\n').replaceAll(/\s+/g, ' ')).toMatch(
      /Copyright.*(?:Permission (?:is hereby granted|to use)|Redistribution and use).*.AS IS./i,
    );
  });

  test('has every package whose code stands in dist/', () => {
    const named = new Set(notices.map((notice) => notice.split(' ', 1)[0]));
    const bundled = filesIn('dist')
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => [
        ...readFileSync(join(ROOT, 'dist', name), 'utf8').matchAll(
          /^\s*(?:\/\/ |")node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm,
        ),
      ])
      .map(([, name]) => name);
    expect(bundled).toContain('zod');
    expect(new Set(bundled)).toStrictEqual(named);
  });
});

const PIPED: { encoding: 'utf8'; stdio: StdioOptions } = {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
};

/** Everything that is published; a hash in a name is written as HASH. */
const PACKED = [
  'LICENSE',
  'README.md',
  'bin/thread.js',
  'dist/THIRD-PARTY-LICENCES.txt',
  'dist/case-worker.js',
  'dist/chunks/NAME-HASH.js',
  'dist/cli.js',
  'dist/index.js',
  'dist/types/FOLDER/NAME.d.ts',
  'dist/types/index.d.ts',
  'package.json',
];

describe('the packed tarball', () => {
  let folder: string;
  let packed: readonly string[];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'thread-package-'));
    const [{ filename, files }] = packedFiles();
    packed = files.map(({ path }) => path);
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test('holds what is needed and nothing else', () => {
    const kinds = packed.map((path) =>
      path
        .replace(/^(dist\/chunks\/)[a-z-]+-[A-Z0-9]{8}\.js$/, '$1NAME-HASH.js')
        .replace(/^(dist\/types\/).*\/[a-z0-9-]+\.d\.ts$/, '$1FOLDER/NAME.d.ts'),
    );
    expect([...new Set(kinds)].toSorted()).toStrictEqual(PACKED);
  });

  test('holds every chunk, and declares no command’s inside', () => {
    const chunks = readdirSync(join(ROOT, 'dist/chunks')).map((name) => `dist/chunks/${name}`);
    expect(packed.filter((path) => path.startsWith('dist/chunks/')).toSorted()).toStrictEqual(
      chunks.toSorted(),
    );
    expect(packed.filter((path) => path.startsWith('dist/types/cli/'))).toStrictEqual([]);
  });

  test('installs without a network, and nothing besides itself', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(installed).toStrictEqual(['thread-cli']);
  });

  test.each<[command: string, args: readonly string[]]>([
    ['compact', ['compact', 'fixtures/support.jsonl']],
    ['compact with a ledger', ['compact', 'fixtures/rag.jsonl']],
    ['compact --diff', ['compact', '--diff', 'fixtures/support.jsonl']],
    ['ledger', ['ledger', 'fixtures/support.jsonl']],
    ['resolve', ['resolve', 'fixtures/support.jsonl']],
    ['recall', ['recall', 'fixtures/support.jsonl', '--query', 'delivery']],
    ['anaphora', ['anaphora', 'fixtures/support.jsonl']],
    ['formats', ['formats', 'fixtures/support.jsonl']],
    ['check', ['check', 'fixtures']],
    ['--version', ['--version']],
  ])('installed in an empty folder, it runs thread %s', (_, args) => {
    const inFolder = args.map((arg) => (arg.startsWith('fixtures') ? join(ROOT, arg) : arg));
    const inRepository = execFileSync(process.execPath, [join(ROOT, 'bin/thread.js'), ...inFolder], PIPED);
    expect(inRepository).not.toBe('');
    expect(execFileSync(join(folder, 'node_modules/.bin/thread'), inFolder, { ...PIPED, cwd: folder })).toBe(
      inRepository,
    );
  });

  test('its library compacts', () => {
    const script = `import { compactTranscript, memorySource } from 'thread-cli';
      const read = await compactTranscript(memorySource('x', Buffer.from('{"role":"user","content":"Hi?"}')), {
        allowUncited: true, lenient: false, copies: false });
      process.stdout.write(String(read.conversations.length));`;
    expect(
      execFileSync('node', ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' }),
    ).toBe('1');
  });

  function packedFiles(): [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ] {
    return JSON.parse(npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  }
});

/** What npm has to say of itself goes to its standard error. */
function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { ...PIPED, cwd });
}

function readJson<Value>(name: string): Value {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}

function filesIn(name: string): string[] {
  return readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' });
}
