import { existsSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { glob } from 'tinyglobby';
import { CASE_SUFFIX, GOLDEN_SUFFIX } from '../golden/case-suffix.js';
import { type GoldenCase, readCase } from '../golden/cases.js';
import { compareCodePoints } from '../transcript/code-points.js';
import { InputError, ThreadError } from '../transcript/errors.js';
import { systemProblem } from './output.js';
import { isInside } from './sandbox.js';

/** A case that was found, with the places of its files. */
export interface FoundCase extends GoldenCase {
  /** Its absolute folder. */
  readonly folder: string;
  /** The golden's path as the case's name is spelled. */
  readonly golden: string;
}

export interface FoundCases {
  /** In the order of their names. */
  readonly cases: readonly FoundCase[];
  /** Goldens in searched folders that no case expects; none when only some cases were asked for. */
  readonly orphans: readonly string[];
}

/**
 * The cases that are named, and those below named folders. Links to folders and `node_modules` are not searched.
 * @param filter a glob for names; all cases when undefined
 * @throws InputError for a case file that cannot be read, or two that expect one golden
 */
export async function findCases(
  paths: readonly string[],
  filter: string | undefined,
  cwd: string,
): Promise<FoundCases> {
  const files = new Map<string, string>();
  const goldens = new Map<string, string>();
  for (const path of paths) {
    if (!pathStatus(path, cwd).isDirectory()) {
      for (const file of await namedCase(path, filter, cwd)) addOnce(file, files, cwd);
      continue;
    }
    for (const file of await filesBelow(path, CASE_SUFFIX, filter, cwd)) addOnce(file, files, cwd);
    for (const golden of await filesBelow(path, GOLDEN_SUFFIX, undefined, cwd)) addOnce(golden, goldens, cwd);
  }
  const cases = [...files.values()]
    .map((file) => openCase(file, cwd))
    .toSorted((a, b) => compareCodePoints(a.name, b.name));
  const expected = expectedGoldens(cases, cwd);
  const orphans =
    filter === undefined ? [...goldens.values()].filter((path) => !expected.has(key(path, cwd))) : [];
  return { cases, orphans };
}

/** The same file under two names is one case. */
function addOnce(path: string, found: Map<string, string>, cwd: string): void {
  const identity = key(path, cwd);
  if (!found.has(identity)) found.set(identity, path);
}

/** The name in its folder, links to the folder followed: what stands there need not be there yet. */
function key(path: string, cwd: string): string {
  const absolute = resolve(cwd, path);
  return join(realpathSync(dirname(absolute)), basename(absolute));
}

function pathStatus(path: string, cwd: string): Stats {
  try {
    return statSync(resolve(cwd, path));
  } catch (error) {
    throw new InputError({ file: path }, `cannot read: ${systemProblem(error)}`, { cause: error });
  }
}

async function namedCase(path: string, filter: string | undefined, cwd: string): Promise<string[]> {
  if (!path.endsWith(CASE_SUFFIX))
    throw new InputError({ file: path }, `not a case: the name of a case file ends in ${CASE_SUFFIX}`);
  if (filter === undefined) return [path];
  const folder = dirname(path);
  const matching = await filesBelow(folder, CASE_SUFFIX, filter, cwd);
  return matching.includes(join(folder, basename(path))) ? [path] : [];
}

/** A filter is matched against names from the working directory, and from any folder below the searched one. */
async function filesBelow(
  folder: string,
  suffix: string,
  filter: string | undefined,
  cwd: string,
): Promise<string[]> {
  const options = { ignore: '**/node_modules/**', followSymbolicLinks: false, expandDirectories: false };
  const root = resolve(cwd, folder);
  const below = await glob(`**/${filter ?? '*'}${suffix}`, { ...options, cwd: root });
  const found = new Set(below.map((name) => join(folder, name)));
  if (filter !== undefined) {
    const all = new Set(
      (await glob(`**/*${suffix}`, { ...options, cwd: root })).map((name) => join(folder, name)),
    );
    const named = await glob(`${filter}${suffix}`, { ...options, cwd });
    for (const name of named) if (all.has(name)) found.add(name);
  }
  return [...found].map((path) => path.replaceAll('\\', '/')).sort(compareCodePoints);
}

function openCase(file: string, cwd: string): FoundCase {
  const path = resolve(cwd, file);
  const folder = dirname(path);
  const one = readCase(file, readBytes(file, cwd));
  return { ...one, folder, golden: join(dirname(file), one.expect) };
}

/** Two cases that wrote one golden would undo each other. */
function expectedGoldens(cases: readonly FoundCase[], cwd: string): ReadonlySet<string> {
  const expected = new Map<string, string>();
  for (const { file, golden, folder, expect } of cases) {
    const identity = resolve(folder, expect);
    const other = expected.get(identity);
    if (other !== undefined) throw new InputError({ file }, `${other} expects the same golden: ${golden}`);
    expected.set(identity, file);
  }
  return new Set([...expected.keys()].map((path) => (existsSync(path) ? key(path, cwd) : path)));
}

/** Undefined when there is no golden. */
export function readGolden({ golden, folder, expect }: FoundCase, cwd: string): Uint8Array | undefined {
  const path = resolve(folder, expect);
  if (!isThere(path, golden)) return undefined;
  requireOwn(path, golden, folder);
  return readBytes(golden, cwd);
}

function isThere(path: string, shown: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new InputError({ file: shown }, `cannot read: ${systemProblem(error)}`, { cause: error });
  }
}

/** What a case has on its standard input; nothing unless it says so. */
export function readCaseInput({ stdin, folder, file }: FoundCase, cwd: string): Uint8Array {
  switch (stdin.kind) {
    case 'none':
      return new Uint8Array();
    case 'text':
      return Buffer.from(stdin.text, 'utf8');
    case 'file': {
      const shown = join(dirname(file), stdin.path);
      pathStatus(shown, cwd);
      requireOwn(resolve(folder, stdin.path), shown, folder);
      return readBytes(shown, cwd);
    }
  }
}

/** A link may lead to any file of the machine, which `--update` would then write. */
function requireOwn(path: string, shown: string, folder: string): void {
  if (!isInside(path, folder))
    throw new ThreadError(`${shown}: the link leads out of the folder of the case`);
}

/** Only of files: a pipe may never end. */
function readBytes(path: string, cwd: string): Uint8Array {
  if (!pathStatus(path, cwd).isFile()) throw new InputError({ file: path }, 'cannot read: it is no file');
  try {
    return readFileSync(resolve(cwd, path));
  } catch (error) {
    throw new InputError({ file: path }, `cannot read: ${systemProblem(error)}`, { cause: error });
  }
}

/** A path for people and reports, relative to the working directory. */
export function shownPath(path: string, cwd: string): string {
  return relative(cwd, resolve(cwd, path)).replaceAll('\\', '/') || '.';
}
