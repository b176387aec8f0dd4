import * as z from 'zod';
import { InputError, type Place } from '../transcript/errors.js';
import { findFault } from '../transcript/json-text.js';
import { locate } from '../transcript/splice.js';
import { findBadKey } from './case-keys.js';
import { CASE_SUFFIX, GOLDEN_SUFFIX } from './case-suffix.js';

/** A value that may differ, and why. */
export interface Ignored {
  /** A JSON pointer into the output, or into each line of it when it is JSON Lines. */
  readonly pointer: string;
  readonly reason: string;
}

/** What a command line must print. */
export interface GoldenCase {
  /** The case file's path without `.case.json`. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly stdin: CaseInput;
  /** The golden file, relative to the case's folder. */
  readonly expect: string;
  readonly exit: number;
  /** Regular expressions, each of which must be found in what the command writes on the standard error. */
  readonly stderr: readonly string[];
  readonly ignore: readonly Ignored[];
  /** The golden is how it should be, and it is known that it is not so yet. */
  readonly fails: boolean;
}

export type CaseInput =
  | { readonly kind: 'none' }
  /** Relative to the case's folder. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string };

const MAX_NUMBERS = 6;

/** Of its own folder: the same file on every machine, and never one that the repository does not hold. */
const ownFile = z
  .string()
  .min(1)
  .refine((path) => !/^[/\\]|^[A-Za-z]:|\\|\0/.test(path) && !path.split('/').includes('..'), {
    error: 'a path inside the folder of the case expected, with forward slashes',
  });

const pointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, { error: 'a JSON pointer expected, such as /report/sha256' })
  // A number is an index or a key, and each is looked for.
  .refine((text) => text.split('/').filter((key) => /^\d+$/.test(key)).length <= MAX_NUMBERS, {
    error: `a JSON pointer has at most ${MAX_NUMBERS} numbers`,
  });

const pattern = z.string().min(1).refine(isPattern, { error: 'not a regular expression' });

const caseSchema = z.strictObject({
  $schema: z.string().optional(),
  args: z.array(z.string()).min(1),
  stdin: z.union([ownFile, z.strictObject({ text: z.string() })]).optional(),
  expect: ownFile
    .refine((path) => !path.endsWith(CASE_SUFFIX), { error: 'a golden cannot be a case file' })
    .optional(),
  exit: z.int().min(0).max(255).default(0),
  stderr: z.array(pattern).default([]),
  ignore: z.array(z.strictObject({ pointer, reason: z.string().min(1) })).default([]),
  fails: z.boolean().default(false),
});

/** The expression that a `stderr` pattern is: `^` and `$` are the ends of a line. */
export function stderrPattern(source: string): RegExp {
  return new RegExp(source, 'mu');
}

function isPattern(source: string): boolean {
  try {
    stderrPattern(source);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/**
 * Reads a case file.
 * @param file its path as messages name it; ends in `.case.json`
 * @throws InputError with line and column
 */
export function readCase(file: string, bytes: Uint8Array): GoldenCase {
  const latin1 = Buffer.from(bytes)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '   ');
  const value = parsed(file, latin1);
  const badKey = findBadKey(latin1);
  if (badKey !== undefined) throw new InputError(placeOf(file, latin1, badKey.offset), badKey.problem);
  const read = caseSchema.safeParse(value);
  if (!read.success) throw schemaError(file, latin1, read.error);
  const { args, stdin, expect, exit, stderr, ignore, fails } = read.data;
  const name = file.slice(0, -CASE_SUFFIX.length);
  return {
    name,
    file,
    args,
    stdin: caseInput(stdin),
    expect: expect ?? `${name.slice(name.lastIndexOf('/') + 1)}${GOLDEN_SUFFIX}`,
    exit,
    stderr,
    ignore,
    fails,
  };
}

function caseInput(stdin: z.output<typeof caseSchema>['stdin']): CaseInput {
  if (stdin === undefined) return { kind: 'none' };
  return typeof stdin === 'string' ? { kind: 'file', path: stdin } : { kind: 'text', text: stdin.text };
}

function parsed(file: string, latin1: string): unknown {
  const bytes = Buffer.from(latin1, 'latin1');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw new InputError({ file }, 'not UTF-8', { cause });
    const { offset, problem } = findFault(latin1);
    throw new InputError(placeOf(file, latin1, offset), `not JSON: ${problem}`, { cause });
  }
}

/** The first thing that is wrong, by its place in the file; the schema's order means nothing to the reader. */
function schemaError(file: string, latin1: string, { issues }: z.ZodError): InputError {
  const problems = issues.map((issue) => {
    const keys = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    const foreign = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    return {
      offset: offsetOf(latin1, [...keys, ...foreign]),
      problem: problemText([...keys, ...foreign], issue),
    };
  });
  const [first = { offset: 0, problem: 'not a case' }] = problems.toSorted((a, b) => a.offset - b.offset);
  return new InputError(placeOf(file, latin1, first.offset), first.problem, { hint: SCHEMA_HINT });
}

/** Of a value that is not there, the place of what should hold it. */
function offsetOf(latin1: string, path: readonly (string | number)[]): number {
  const paths = Array.from({ length: path.length + 1 }, (_, i) => path.slice(0, path.length - i));
  return locate(latin1, paths).find((span) => span !== undefined)?.start ?? 0;
}

const SCHEMA_HINT = 'what a case holds is described by docs/schemas/case.schema.json, and in the README';

function problemText(keys: readonly (string | number)[], issue: z.core.$ZodIssue): string {
  const path = keys.join('.');
  if (issue.code === 'unrecognized_keys') return `unknown key: ${JSON.stringify(path)}`;
  const message = issue.code === 'invalid_union' ? STDIN_PROBLEM : issue.message;
  return path === '' ? message : `${path}: ${message}`;
}

const STDIN_PROBLEM =
  'the path of a file inside the folder of the case expected, or an object with the key "text"';

/** Line and column of a byte offset; the column counts UTF-16 units. */
function placeOf(file: string, latin1: string, offset: number): Place {
  const start = latin1.lastIndexOf('\n', offset - 1) + 1;
  const line = latin1.slice(0, start).split('\n').length;
  const column = Buffer.from(latin1.slice(start, offset), 'latin1').toString('utf8').length + 1;
  return { file, line, column };
}
