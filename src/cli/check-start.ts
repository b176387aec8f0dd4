import { lstatSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { ThreadError } from '../transcript/errors.js';
import { shownPath } from './case-files.js';
import type { Io } from './io.js';
import { systemProblem, writeTo } from './output.js';

const CASE = `{
  "args": ["compact", "--quiet", "first.jsonl"],
  "exit": 0
}
`;

const TRANSCRIPT = [
  { role: 'user', content: 'When is the boat house open?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'search', arguments: '{"query":"boat house hours"}' },
      },
    ],
  },
  {
    role: 'tool',
    tool_call_id: 'call_1',
    content:
      '[hours] Source: "Boat house"\nOpen from April to October, 9:00 to 18:00, and on Sundays from 10:00.\n\n[price] Source: "Boat house"\nA rowing boat costs 12 euros an hour, a canoe 9 euros; children under six ride along for nothing.',
  },
  { role: 'assistant', content: 'From April to October, 9:00 to 18:00, on Sundays from 10:00 [hours].' },
  { role: 'user', content: 'And in November?' },
];

/** The files of a first case: the case, its input, and a workflow that runs the folder's cases. */
function firstFiles(folder: string): ReadonlyMap<string, string> {
  return new Map([
    ['first.case.json', CASE],
    ['first.jsonl', TRANSCRIPT.map((message) => `${JSON.stringify(message)}\n`).join('')],
    ['thread-check.yml', workflow(folder)],
  ]);
}

function workflow(folder: string): string {
  return `# To be pasted as .github/workflows/thread-check.yml
name: thread check
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      - run: |
          npx --yes ${packageJson.name}@${packageJson.version} check --reporter github -- ${shellQuoted(folder)}
`;
}

/** As one word of a POSIX shell, whatever it holds. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Writes a first case into a folder, which is made when it is not there.
 * @returns the paths of what was written, for people
 * @throws ThreadError when one of the files is there already; then nothing is written
 */
export async function writeFirstCase(folder: string, io: Io): Promise<string[]> {
  const shown = shownPath(folder, io.cwd);
  if (/\p{Cc}/u.test(shown))
    throw new ThreadError('the name of a folder for cases cannot hold control characters');
  const files = firstFiles(shown);
  for (const name of files.keys()) {
    const path = join(folder, name);
    if (isThere(path, io.cwd)) throw new ThreadError(`${path} is there already, and stays as it is`);
  }
  makeFolder(folder, io.cwd);
  for (const [name, content] of files) await writeTo(join(folder, name), io.stdout, io.cwd, [content]);
  return [...files.keys()].map((name) => join(folder, name));
}

function isThere(path: string, cwd: string): boolean {
  return making(path, () => lstatSync(resolve(cwd, path), { throwIfNoEntry: false }) !== undefined);
}

function makeFolder(folder: string, cwd: string): void {
  making(folder, () => mkdirSync(resolve(cwd, folder), { recursive: true }));
}

function making<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new ThreadError(`cannot make ${path}: ${systemProblem(error)}`, { cause: error });
  }
}
