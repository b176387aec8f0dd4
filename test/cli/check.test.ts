import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../chat-lines.js';
import { type Folder, makeFolder } from './folder.js';
import { type Outcome, ROOT, runCommand, type Surroundings } from './run.js';

let folder: Folder;

beforeEach(() => {
  folder = makeFolder();
});

afterEach(() => folder.remove());

function check(args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  return runCommand(['check', ...args], { cwd: folder.path, ...surroundings });
}

interface CaseFile {
  readonly args: readonly string[];
  readonly [key: string]: unknown;
}

const compact = (file: string): CaseFile => ({ args: ['compact', '-q', file] });

/** A case and what it expects, in `folder/`. */
function write(name: string, one: CaseFile, golden?: string | Uint8Array): void {
  folder.write(`folder/${name}.case.json`, JSON.stringify(one));
  if (golden !== undefined) folder.write(`folder/${name}.golden`, golden);
}

/** Two cases that hold. */
function writeTwo(): void {
  folder.write('folder/a.jsonl', ask('When?'));
  write('a', compact('a.jsonl'), ask('When?'));
  write('b', { args: ['compact', '-q'], stdin: { text: ask('Where?') } }, ask('Where?'));
}

interface Row {
  readonly name: string;
  readonly change: () => void;
  readonly args?: readonly string[];
  readonly code: number;
  readonly stdout: string | RegExp;
}

const rows: readonly Row[] = [
  {
    name: 'nothing changed',
    change: () => {},
    code: 0,
    stdout: 'ok       folder/a\nok       folder/b\n2 cases: 2 ok\n',
  },
  {
    name: 'a changed byte in a golden',
    change: () => folder.write('folder/a.golden', ask('When!')),
    code: 1,
    stdout:
      /^changed {2}folder\/a\n {2}folder\/a\.golden:1:\d+: the output differs\n(?:.|\n)*When.*!.*\n(?:.|\n)*ok {7}folder\/b\n2 cases: 1 ok, 1 changed\n$/,
  },
  {
    name: 'an extra file',
    change: () => folder.write('folder/c.golden', ''),
    code: 1,
    stdout: /\norphan {3}folder\/c\n {2}no case expects folder\/c\.golden\n3 cases: 2 ok, 1 orphan\n$/,
  },
  {
    name: 'an extra file that is no golden',
    change: () => folder.write('folder/c.jsonl', ''),
    code: 0,
    stdout: /\n2 cases: 2 ok\n$/,
  },
  {
    name: 'a missing golden',
    change: () => rmSync(join(folder.path, 'folder/b.golden')),
    code: 1,
    stdout: /\nmissing {2}folder\/b\n {2}no golden: folder\/b\.golden\n2 cases: 1 ok, 1 missing\n$/,
  },
  {
    name: 'a missing input',
    change: () => rmSync(join(folder.path, 'folder/a.jsonl')),
    code: 1,
    stdout:
      /^changed {2}folder\/a\n {2}exit code 2, expected 0\n.*\n {2}stderr: thread: a\.jsonl: cannot read: no such file or directory\n/,
  },
  {
    name: 'a missing standard input',
    change: () => write('b', { args: ['compact'], stdin: 'b.jsonl' }, ''),
    code: 2,
    stdout: /error {4}folder\/b\n {2}folder\/b\.jsonl: cannot read: no such file or directory\n/,
  },
  {
    name: 'CRLF instead of LF',
    change: () => folder.write('folder/a.golden', ask('When?').replace('\n', '\r\n')),
    code: 1,
    stdout:
      /^changed {2}folder\/a\n {2}folder\/a\.golden:1:\d+: only line ends differ: LF, expected CRLF\nok/,
  },
  {
    name: 'a golden that is no UTF-8',
    change: () => folder.write('folder/a.golden', Buffer.from('\xff', 'latin1')),
    code: 1,
    stdout: /^changed {2}folder\/a\n {2}folder\/a\.golden:1:1: byte 0 is 0x7b, expected 0xff\nok/,
  },
  {
    name: 'a case that writes outside its directory',
    change: () => write('b', { args: ['compact', '-q', 'a.jsonl', '-o', '../out.jsonl'], exit: 2 }, ''),
    code: 2,
    stdout:
      /error {4}folder\/b\n {2}a case cannot write outside of its folder: \.\.\/out\.jsonl\n2 cases: 1 ok, 1 error\n$/,
  },
  {
    name: 'a case that writes to an absolute path',
    change: () => write('b', { args: ['compact', 'a.jsonl', '--report', '/dev/null'] }, ''),
    code: 2,
    stdout: /error {4}folder\/b\n {2}a case cannot write outside of its folder: \/dev\/null\n/,
  },
  {
    name: 'a case that reads a device',
    change: () => write('b', { args: ['ledger', '/dev/stdin'] }, ''),
    code: 2,
    stdout: /error {4}folder\/b\n {2}a case cannot read outside of its folder: \/dev\/stdin\n/,
  },
  {
    name: 'a case that searches the folder above',
    change: () => write('b', { args: ['recall', '..', '--terms', 'a'] }, ''),
    code: 2,
    stdout: /error {4}folder\/b\n {2}a case cannot read outside of its folder: \.\.\n/,
  },
  {
    name: 'a case that writes inside, which the next case does not see',
    change: () => {
      write('b', { args: ['compact', '-q', 'a.jsonl', '-o', 'a.jsonl'] }, '');
      write('c', { args: ['compact', '-q', 'a.jsonl', '-o', 'c.jsonl'] }, '');
      write('d', { args: ['compact', '-q', 'c.jsonl'], exit: 2 }, '');
    },
    code: 0,
    stdout: /\n4 cases: 4 ok\n$/,
  },
  {
    name: 'a case of a case',
    change: () => write('b', { args: ['check', '.'], exit: 2 }, ''),
    code: 2,
    stdout: /error {4}folder\/b\n {2}a case cannot run thread check\n/,
  },
  {
    name: 'a case that asks a model',
    change: () =>
      write('b', { args: ['resolve', 'a.jsonl', '--planner', 'ollama', '--model', 'm'], exit: 3 }, ''),
    code: 2,
    stdout: /error {4}folder\/b\n {2}a case cannot ask a service/,
  },
  {
    name: 'a link out of the folder',
    change: () => {
      symlinkSync('../fixtures/support.jsonl', join(folder.path, 'folder/link.jsonl'));
      write('b', compact('link.jsonl'), '');
    },
    code: 1,
    stdout: /stderr: \(not in the copy of the folder, because it is no file of it: link\.jsonl\)\n/,
  },
  {
    name: 'a link that leads to itself',
    change: () => symlinkSync('loop', join(folder.path, 'folder/loop')),
    code: 0,
    stdout: /\n2 cases: 2 ok\n$/,
  },
  {
    name: 'a golden below a file',
    change: () => write('b', { ...compact('a.jsonl'), expect: 'a.jsonl/x.golden' }),
    args: ['--filter', '*'],
    code: 2,
    stdout:
      /error {4}folder\/b\n {2}folder\/a\.jsonl\/x\.golden: cannot read: a part of the path is not a directory\n/,
  },
  {
    name: 'a golden that is a link to itself',
    change: () => {
      rmSync(join(folder.path, 'folder/b.golden'));
      symlinkSync('b.golden', join(folder.path, 'folder/b.golden'));
    },
    code: 2,
    stdout: /error {4}folder\/b\n {2}folder\/b\.golden: cannot read: .+\n/,
  },
  {
    name: 'a golden that is a link out of the folder',
    change: () => {
      rmSync(join(folder.path, 'folder/b.golden'));
      symlinkSync('../fixtures/support.jsonl', join(folder.path, 'folder/b.golden'));
    },
    args: ['--update'],
    code: 2,
    stdout: /error {4}folder\/b\n {2}folder\/b\.golden: the link leads out of the folder of the case\n/,
  },
  {
    name: 'an exit code that is not the expected one',
    change: () => write('b', { args: ['compact', '-q', 'a.jsonl'], exit: 2 }, ask('When?')),
    code: 1,
    stdout: /changed {2}folder\/b\n {2}exit code 0, expected 2\n/,
  },
  {
    name: 'a pattern that is not found on the standard error',
    change: () =>
      write('b', { args: ['compact', 'a.jsonl'], stderr: ['^thread: 1 message,', 'tw.'] }, ask('When?')),
    code: 1,
    stdout: /changed {2}folder\/b\n {2}not found on the standard error: tw\.\n {2}stderr: thread: 1 message,/,
  },
  {
    name: 'a value that is ignored',
    change: () => {
      const ignore = [{ pointer: '/content', reason: 'a clock' }];
      write('b', { ...compact('a.jsonl'), ignore }, ask('Now?'));
    },
    code: 0,
    stdout: /ok {7}folder\/b \(ignores \/content: a clock\)\n/,
  },
  {
    name: 'nothing to ignore',
    change: () => {
      const ignore = [{ pointer: '/contents', reason: 'a clock' }];
      write('b', { ...compact('a.jsonl'), ignore }, ask('When?'));
    },
    code: 2,
    stdout: /error {4}folder\/b \(ignores \/contents: a clock\)\n {2}nothing to ignore at \/contents\n/,
  },
  {
    name: 'a case that is known to fail',
    change: () => write('b', { ...compact('a.jsonl'), fails: true }, ask('Now?')),
    code: 0,
    stdout: /ok {7}folder\/b \(fails, as it is known to\)\n/,
  },
  {
    name: 'a case that was known to fail',
    change: () => write('b', { ...compact('a.jsonl'), fails: true }, ask('When?')),
    code: 1,
    stdout: /changed {2}folder\/b\n {2}the case says "fails", and it does not fail any more\n/,
  },
  {
    name: 'control characters in names and outputs',
    change: () => write('\u001b[31m b', { args: ['show', 'a.jsonl', '0'] }, 'x \u001b[2J\u202e\u0085\n'),
    code: 1,
    stdout: /changed {2}folder\/\\x1b\[31m b\n(?:.|\n)* -x \\x1b\[2J\\u202e\\x85\n/,
  },
  {
    name: 'names with spaces and CJK',
    change: () => {
      folder.write('folder/渡し 船.jsonl', ask('When?'));
      write('渡し 船', compact('渡し 船.jsonl'), ask('When?'));
    },
    code: 0,
    stdout: /ok {7}folder\/渡し 船\n/,
  },
  {
    name: 'a case that does not end in time',
    change: () => folder.write('folder/a.jsonl', ask('When?').repeat(400_000)),
    args: ['--timeout', '0.05', '--filter', 'a'],
    code: 2,
    stdout:
      'error    folder/a\n  it did not end within 0.05 s; --timeout gives cases longer\n1 case: 1 error\n',
  },
  { name: '--twice', change: () => {}, args: ['--twice'], code: 0, stdout: /\n2 cases: 2 ok\n$/ },
  { name: '--list', change: () => {}, args: ['--list'], code: 0, stdout: 'folder/a\nfolder/b\n' },
  {
    name: '--filter',
    change: () => {},
    args: ['--filter', 'b*'],
    code: 0,
    stdout: 'ok       folder/b\n1 case: 1 ok\n',
  },
  {
    name: '--filter with the folder',
    change: () => {},
    args: ['--filter', 'f*/{a,c}'],
    code: 0,
    stdout: /^ok {7}folder\/a\n1 case/,
  },
  {
    name: '--filter, which says nothing of orphans',
    change: () => folder.write('folder/c.golden', ''),
    args: ['--filter', '*'],
    code: 0,
    stdout: /\n2 cases: 2 ok\n$/,
  },
  {
    name: '--bail',
    change: () => folder.write('folder/a.golden', 'x'),
    args: ['--bail', '--color'],
    code: 1,
    stdout: /^.\[31mchanged .\[39m folder\/a\n(?:.|\n)*\n1 case: 1 changed, 1 not run\n$/,
  },
  {
    name: 'the same case under several names',
    change: () => symlinkSync('folder', join(folder.path, 'other')),
    args: ['folder/a.case.json', 'other', './folder/b.case.json'],
    code: 0,
    stdout: 'ok       folder/a\nok       folder/b\n2 cases: 2 ok\n',
  },
];

describe('says what became of each case:', () => {
  test.each(rows)('$name', async ({ change, args = [], code, stdout }) => {
    writeTwo();
    change();
    const outcome = await check(['folder', ...args]);
    if (typeof stdout === 'string') expect(outcome.stdout).toBe(stdout);
    else expect(outcome.stdout).toMatch(stdout);
    expect(outcome.code).toBe(code);
    if (!args.includes('--color')) expect(outcome.stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });

  test('500 cases at once, in the order of their names', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `case-${String(i).padStart(3, '0')}`);
    for (const name of names)
      write(name, { args: ['compact', '-q', '-'], stdin: { text: ask(name) } }, ask(name));
    folder.write('folder/case-250.golden', ask('another'));
    const { code, stdout } = await check(['folder']);
    expect(code).toBe(1);
    expect(stdout.match(/^(?:ok|changed) +folder\/(.*)$/gm)).toStrictEqual(
      names.map((name) => `${name === 'case-250' ? 'changed ' : 'ok      '} folder/${name}`),
    );
    expect(stdout).toMatch(/\n500 cases: 499 ok, 1 changed\n$/);
  });

  test('from another folder as well', async () => {
    writeTwo();
    expect(await check(['.'], { cwd: join(folder.path, 'folder') })).toMatchObject({
      code: 0,
      stdout: 'ok       a\nok       b\n2 cases: 2 ok\n',
    });
  });

  test('leaves nothing behind', async () => {
    writeTwo();
    const [before, left] = [folder.contents(), sandboxes()];
    await check(['folder']);
    expect(folder.contents()).toStrictEqual(before);
    expect(sandboxes().filter((name) => !left.includes(name))).toStrictEqual([]);
  });
});

function sandboxes(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('thread-check-'));
}

const refused: readonly {
  name: string;
  change?: () => void;
  args: readonly string[];
  env?: Record<string, string>;
  stderr: string;
}[] = [
  {
    name: 'an empty run',
    args: ['fixtures/plans'],
    stderr:
      'no case found\n  hint: a case is a file NAME.case.json; thread check --init DIR writes a first one',
  },
  {
    name: 'a filter that matches nothing',
    args: ['folder', '--filter', 'x'],
    stderr:
      'no case matches x\n  hint: a case is a file NAME.case.json; thread check --init DIR writes a first one',
  },
  {
    name: 'a golden in a folder that is not there',
    change: () => write('c', { ...compact('a.jsonl'), expect: 'no/c.golden' }),
    args: ['folder', '--update'],
    stderr: 'cannot write folder/no/c.golden: no such file or directory',
  },
  {
    name: 'a folder that is not there',
    args: ['nope'],
    stderr: 'nope: cannot read: no such file or directory',
  },
  {
    name: 'a file that is no case',
    args: ['folder/a.jsonl'],
    stderr: 'folder/a.jsonl: not a case: the name of a case file ends in .case.json',
  },
  {
    name: 'a case file that is no JSON',
    change: () => folder.write('folder/c.case.json', '{\n  "args": ["ledger",]\n}'),
    args: ['folder', '--update'],
    stderr: 'folder/c.case.json:2:21: not JSON: a value is missing',
  },
  {
    name: 'two cases with one golden',
    change: () => write('c', { args: ['ledger'], expect: 'a.golden' }),
    args: ['folder', '--update'],
    stderr: 'folder/c.case.json: folder/a.case.json expects the same golden: folder/a.golden',
  },
  {
    name: '--update in CI',
    args: ['folder', '--update'],
    env: { CI: 'true' },
    stderr:
      '--update writes no goldens where CI is set\n  hint: update on your own machine, and read the difference before you commit it',
  },
  {
    name: '--update of another name',
    args: ['--update', 'c', '--', 'folder'],
    stderr:
      '--update c: no case has this name\n  hint: thread check --list prints the names; paths to search go before --update',
  },
  {
    name: '--init onto files',
    change: () => folder.write('folder/first.jsonl', 'mine'),
    args: ['--init', 'folder'],
    stderr: 'folder/first.jsonl is there already, and stays as it is',
  },
  {
    name: '--init into a file',
    args: ['--init', 'folder/a.jsonl'],
    stderr: 'cannot make folder/a.jsonl/first.case.json: a part of the path is not a directory',
  },
];

describe('refuses before anything is run or written:', () => {
  test.each(refused)('$name', async ({ change, args, env = {}, stderr }) => {
    writeTwo();
    folder.write('folder/a.golden', 'stale');
    change?.();
    const before = folder.contents();
    expect(await check(args, { env })).toMatchObject({ code: 2, stdout: '', stderr: `thread: ${stderr}\n` });
    expect(folder.contents()).toStrictEqual(before);
  });
});

describe('--update', () => {
  test('writes the goldens of all cases that have nothing else wrong, and says which', async () => {
    writeTwo();
    folder.write('folder/a.golden', 'stale');
    rmSync(join(folder.path, 'folder/b.golden'));
    write('c', { ...compact('a.jsonl'), exit: 1 }, 'stale');
    write('d', { ...compact('a.jsonl'), fails: true }, 'as it should be');
    folder.write('folder/e.jsonl', ask('When?').trim());
    write('e', { args: ['ledger', 'e.jsonl'], expect: 'e.jsonl' });
    const { code, stdout, stderr } = await check(['folder', '--update']);
    expect(stdout).toMatch(
      /^ok {7}folder\/a \(updated\)\nok {7}folder\/b \(updated\)\nchanged {2}folder\/c\n/,
    );
    expect({ code, stderr }).toStrictEqual({
      code: 1,
      stderr: 'thread: wrote folder/a.golden\nthread: wrote folder/b.golden\n',
    });
    expect(folder.read('folder/a.golden')).toBe(ask('When?'));
    expect(folder.read('folder/b.golden')).toBe(ask('Where?'));
    expect(folder.read('folder/c.golden')).toBe('stale');
    expect(folder.read('folder/d.golden')).toBe('as it should be');
    expect(folder.read('folder/e.jsonl')).toBe(ask('When?').trim());
  });

  test.each(['b', 'folder/b', 'folder/b.case.json'])('of %s writes no other', async (name) => {
    writeTwo();
    for (const one of ['a', 'b']) folder.write(`folder/${one}.golden`, 'stale');
    expect(await check(['folder', '--update', name])).toMatchObject({
      code: 0,
      stdout: 'ok       folder/b (updated)\n1 case: 1 ok\n',
    });
    expect(folder.read('folder/a.golden')).toBe('stale');
  });
});

test('--init writes a case that can be run, and a workflow with the folder as one word', async () => {
  const { code, stdout, stderr } = await check(['--init', "my 'cases'"]);
  expect({ code, stdout, stderr }).toStrictEqual({
    code: 0,
    stdout: ['first.case.json', 'first.jsonl', 'thread-check.yml']
      .map((name) => `wrote my 'cases'/${name}\n`)
      .join(''),
    stderr: "thread: next: thread check 'my '\\''cases'\\''' --update\n",
  });
  expect(folder.read("my 'cases'/thread-check.yml")).toContain(
    " check --reporter github -- 'my '\\''cases'\\'''\n",
  );
  expect(await check(["my 'cases'"])).toMatchObject({ code: 1, stderr: expect.stringContaining('--update') });
  expect(await check(["my 'cases'", '--update'])).toMatchObject({ code: 0 });
  expect(await check(["my 'cases'", '--twice'])).toMatchObject({ code: 0 });
  expect(existsSync(join(folder.path, "my 'cases'/first.golden"))).toBe(true);
});

/** A case for each thing that a report can say. */
function writeAllKinds(): void {
  writeTwo();
  folder.write('folder/a.golden', ask('Now?'));
  write('crlf', compact('a.jsonl'), `${ask('When?').trim()}\r\n`);
  write('bytes', compact('a.jsonl'), Buffer.from('\xff', 'latin1'));
  write('json', { args: ['verify', '--pairs', '--json', 'a.jsonl'] }, '{"schema":1}\n');
  write('text, 100%: a <&"> \u0001\ufffe', { args: ['show', 'a.jsonl', '0'] }, 'text ]]> <&">\n');
  write('exit', { args: ['show', 'a.jsonl', '9'], stderr: ['x'] }, '');
  write('missing', { args: ['show', 'a.jsonl', '9'], ignore: [{ pointer: '/a', reason: 'b' }] });
  write('holds', { ...compact('a.jsonl'), fails: true }, ask('When?'));
  write('outside', compact('../a.jsonl'), '');
  folder.write('folder/orphan.golden', '');
}

const KINDS = { ok: 1, changed: 7, missing: 1, orphan: 1, error: 1 };

describe('--reporter', () => {
  test('json is by its schema', async () => {
    writeAllKinds();
    const { code, stdout } = await check(['folder', '--reporter', 'json']);
    const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/check.schema.json'), 'utf8'));
    const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile(schema);
    const report = JSON.parse(stdout);
    expect([code, validate(report), validate.errors]).toStrictEqual([2, true, null]);
    expect(report).toMatchObject({ version: 1, exit: 2, counts: KINDS, not_run: 0 });
    expect(stdout.split('\n')).toHaveLength(2);
  });

  test('github escapes what would end a message, and stops at ten', async () => {
    writeAllKinds();
    const { code, stdout } = await check(['folder', '--reporter', 'github']);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(2);
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('thread check: 11 cases: 1 ok, 7 changed, 1 missing, 1 orphan, 1 error');
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^::error file=folder\/text%2C 100%25%3A a <&"> \\x01\ufffe\.golden,line=1,title=changed%3A folder\/text%2C 100%25%3A a <&"> \\x01\ufffe::folder\/text, 100%25: .*: the output differs%0A@line 1%0A-text \]\]> <&">%0A\+--- 0\.0 text%0A\+When\?/,
      ),
    );
    for (let i = 0; i < 5; i++) write(`more-${i}`, compact('../a.jsonl'), '');
    expect((await check(['folder', '--reporter', 'github'])).stdout).toMatch(
      /(?:^::error .*\n){10}^thread check: 16 cases: .*; 5 more without an annotation\n$/m,
    );
  });

  test('junit is by its schema', async () => {
    writeAllKinds();
    const { code, stdout } = await check(['folder', '--reporter', 'junit']);
    const root = parseXml(stdout);
    expect([code, invalidities(root, 'testsuites')]).toStrictEqual([2, []]);
    const suite = root.children[0];
    expect(root.attributes).toStrictEqual({ name: 'thread check', tests: '11', failures: '9', errors: '1' });
    expect(
      suite?.children.map(({ children }) => children[0]?.attributes.type ?? 'ok').toSorted(),
    ).toStrictEqual(
      Object.entries(KINDS)
        .flatMap(([kind, count]) => Array.from({ length: count }, () => kind))
        .toSorted(),
    );
    expect(suite?.children.map(({ attributes }) => attributes.name)).toContain(
      'text, 100%: a <&"> \\x01\ufffd',
    );
  });
});

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

/** Well-formed XML of elements and text only; throws for anything else. */
function parseXml(xml: string): Element {
  const open: Element[] = [{ name: '', attributes: {}, children: [], text: '' }];
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  expect(body.length).toBeLessThan(xml.length);
  expect(xml).not.toMatch(/[^\P{Cc}\n]|[\ufffe\uffff]/u);
  const token = /<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  let end = 0;
  for (const match of body.matchAll(token)) {
    const [all, closed, opened, attributes = '', isEmpty, text] = match;
    const parent = open.at(-1);
    end = match.index + all.length;
    if (text !== undefined && parent) parent.text += unescaped(text);
    if (closed !== undefined) expect(open.pop()?.name).toBe(closed);
    if (opened === undefined) continue;
    const pairs = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
      key,
      unescaped(value),
    ]);
    const element = { name: opened, attributes: Object.fromEntries(pairs), children: [], text: '' };
    expect(Object.keys(element.attributes)).toHaveLength(pairs.length);
    parent?.children.push(element);
    if (isEmpty === '') open.push(element);
  }
  expect([end, open.length, open[0]?.children.length]).toStrictEqual([body.length, 1, 1]);
  return open[0]?.children[0] ?? { name: '', attributes: {}, children: [], text: '' };
}

function unescaped(text: string): string {
  expect(text.replace(/&(?:amp|lt|gt|quot);/g, '')).not.toContain('&');
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** The schema of JUnit results that test servers publish, as far as elements, attributes and order go. */
const JUNIT: Readonly<
  Record<
    string,
    { required: readonly string[]; optional: readonly string[]; children: RegExp; hasText?: true }
  >
> = {
  testsuites: {
    required: [],
    optional: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'],
    children: /^(?:testsuite )*$/,
  },
  testsuite: {
    required: ['name', 'tests'],
    optional: ['failures', 'errors', 'time', 'disabled', 'skipped', 'timestamp', 'hostname', 'id', 'package'],
    children: /^(?:properties |testcase |system-out |system-err )*$/,
  },
  testcase: {
    required: ['name'],
    optional: ['assertions', 'time', 'classname', 'status'],
    children: /^(?:skipped |error |failure |system-out |system-err )*$/,
  },
  failure: { required: [], optional: ['type', 'message'], children: /^$/, hasText: true },
  error: { required: [], optional: ['type', 'message'], children: /^$/, hasText: true },
};

function invalidities({ name, attributes, children, text }: Element, expected: string): string[] {
  const rule = JUNIT[name];
  if (rule === undefined) return [`unknown element ${name}`];
  const keys = Object.keys(attributes);
  return [
    ...(name === expected ? [] : [`${name} instead of ${expected}`]),
    ...rule.required.filter((key) => !keys.includes(key)).map((key) => `${name} without ${key}`),
    ...keys
      .filter((key) => ![...rule.required, ...rule.optional].includes(key))
      .map((key) => `${name} with ${key}`),
    ...(rule.children.test(children.map((child) => `${child.name} `).join(''))
      ? []
      : [`wrong children of ${name}`]),
    ...(rule.hasText || text.trim() === '' ? [] : [`text in ${name}`]),
    ...['tests', 'failures', 'errors', 'skipped']
      .filter((key) => key in attributes && !/^\d+$/.test(attributes[key] ?? ''))
      .map((key) => `${name}: ${key} is no number`),
    ...children.flatMap((child) => invalidities(child, child.name)),
  ];
}

test.each([
  ['an unknown element', '<testsuites><case/></testsuites>', 'wrong children of testsuites'],
  [
    'an attribute that it does not know',
    '<testsuites><testsuite name="a" tests="1" size="2"/></testsuites>',
    'testsuite with size',
  ],
  [
    'an attribute that is missing',
    '<testsuites><testsuite name="a"/></testsuites>',
    'testsuite without tests',
  ],
  ['text where none may be', '<testsuites>a</testsuites>', 'text in testsuites'],
])('the check of junit finds %s', (_, xml, problem) => {
  expect(invalidities(parseXml(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`), 'testsuites')).toContain(
    problem,
  );
});
