import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { badLine, isDocument, isJson, isUtf8Json, linesOf } from './oracle.js';
import { type Compaction, INPUT, LEDGER, OUTPUT, REPORT, type Run } from './trial.js';

/** What must hold of every input, damaged however: `broken` says how it does not. */
export interface Invariant<Seen> {
  readonly name: string;
  readonly broken: (seen: Seen) => string | undefined;
}

/** A line feed ends a line of ours. */
const RAW_CONTROLS = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

/** Of every command line. */
export const RUN_INVARIANTS: readonly Invariant<Run>[] = [
  {
    name: 'it ends with an exit code of the README, and never by a fault of ours',
    broken: ({ code, stderr }) => {
      if (![0, 1, 2].includes(code)) return `exit code ${code}: ${stderr}`;
      return /a fault of thread itself|^\s+at .*:\d+:\d+\)?$/m.test(stderr) ? stderr : undefined;
    },
  },
  {
    name: 'bad input leaves nothing on the standard output',
    broken: ({ code, stdout }) =>
      code === 2 && stdout.length > 0 ? stdout.toString('utf8', 0, 200) : undefined,
  },
  {
    name: 'bad input is said in a line that names the file',
    broken: ({ code, stderr, isPiped }) => {
      if (code !== 2) return undefined;
      const names = isPiped ? ['<stdin>', LEDGER] : [INPUT, LEDGER, 'compacted.jsonl'];
      const said = stderr
        .split('\n')
        .some((line) => names.some((name) => line.startsWith(`thread: ${name}:`)));
      return said ? undefined : stderr;
    },
  },
  {
    name: 'an error about JSON names a line that is none',
    broken: ({ code, stderr, input }) => {
      const named = /^thread: (?:input\.jsonl|<stdin>):(\d+):\d+: not (?:JSON|UTF-8)/m.exec(stderr)?.[1];
      if (code !== 2 || named === undefined) return undefined;
      const lines = linesOf(input.bytes);
      const text = lines[Number(named) - 1];
      if (text === undefined) return `no line ${named} of the input: ${stderr}`;
      // In a document that is spread over lines each of them may be JSON, and the fault between them.
      if (!isUtf8Json(Buffer.from(lines.find((line) => line.trim() !== '') ?? '', 'latin1')))
        return undefined;
      return isUtf8Json(Buffer.from(text, 'latin1')) ? `line ${named} is JSON: ${stderr}` : undefined;
    },
  },
  {
    name: 'a record that is not JSON is refused',
    broken: ({ code, args, input }) => {
      // A ledger that is given leaves records that are not rewritten unparsed; a cut last line is told as damage.
      if (code === 2 || args.includes('--ledger')) return undefined;
      const line = badLine(input.bytes);
      if (args[0] === 'formats' && line === lastLine(input.bytes)) return undefined;
      return line === undefined ? undefined : `exit code ${code}, but line ${line} is not JSON`;
    },
  },
  {
    name: 'a ledger that is not UTF-8 is refused',
    broken: ({ code, args, input }) =>
      code === 2 || !args.includes('--ledger') || isUtf8(input.ledger ?? Buffer.alloc(0))
        ? undefined
        : `exit code ${code}`,
  },
  {
    name: 'the standard output is what the command says',
    broken: ({ code, stdout, stdoutIs }) => {
      if (code === 2 || stdoutIs === 'text' || stdoutIs === 'transcript') return undefined;
      const pieces = stdoutIs === 'json' ? [stdout.toString('utf8')] : stdout.toString('utf8').split('\n');
      const wrong = pieces.find((piece) => piece.trim() !== '' && !isJson(piece));
      return wrong === undefined ? undefined : `not JSON: ${wrong.slice(0, 200)}`;
    },
  },
  {
    name: 'no control character reaches the standard error',
    broken: ({ stderr }) => (RAW_CONTROLS.test(stderr) ? JSON.stringify(stderr) : undefined),
  },
  {
    name: 'no input is changed, and no file is left that was not asked for',
    broken: ({ input, args, files, code }) => {
      if (files.get(INPUT)?.equals(input.bytes) !== true) return 'the input is another';
      const asked = new Set([INPUT, LEDGER, ...(code === 0 ? args : [])]);
      const left = [...files.keys()].find((name) => !asked.has(name));
      return left === undefined ? undefined : `there is a file ${left}`;
    },
  },
];

/** The number of the last line that is not blank. */
function lastLine(bytes: Buffer): number {
  return linesOf(bytes).findLastIndex((line) => line.trim() !== '') + 1;
}

const reportShape = z.object({
  bytes: z.object({ before: z.number(), after: z.number() }),
  sha256: z.object({ before: z.string(), after: z.string() }),
  first_changed_byte: z.number().nullable(),
  conversations: z.array(
    z.object({
      messages: z.number(),
      returns: z.array(
        z.object({
          line: z.number(),
          outcome: z.enum(['capsule', 'receipt', 'kept']),
          bytes_before: z.number().nullable(),
          bytes_after: z.number().nullable(),
        }),
      ),
    }),
  ),
});

type Report = z.infer<typeof reportShape>;

function reportOf({ written }: Compaction): Report {
  return reportShape.parse(JSON.parse(written.files.get(REPORT)?.toString('utf8') ?? 'null'));
}

/** What was rewritten; with --copies more is than the report's returns. */
function rewritten(report: Report): Report['conversations'][number]['returns'] {
  return report.conversations.flatMap(({ returns }) => returns).filter(({ outcome }) => outcome !== 'kept');
}

const shrinksCopies = ({ run }: Compaction): boolean => run.args.includes('--copies');
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Of every compaction that is made; of one that is refused the command line's own invariants say enough. */
export const COMPACTION_INVARIANTS: readonly Invariant<Compaction>[] = [
  {
    name: 'a file, the standard input and -o give the same bytes and exit code',
    broken: ({ run, piped, written }) => {
      if (piped.code !== run.code || written.code !== run.code)
        return `exit codes ${run.code}, ${piped.code}, ${written.code}: ${run.stderr}${piped.stderr}${written.stderr}`;
      if (!piped.stdout.equals(run.stdout)) return 'the standard input gives other bytes';
      const output = written.files.get(OUTPUT);
      if (run.code !== 0) return output === undefined ? undefined : 'refused, but -o has written';
      return output?.equals(run.stdout) ? undefined : '-o gives other bytes';
    },
  },
  ofMade('the report tells sizes, digests and the first byte that changed', (made) => {
    const { bytes, sha256, first_changed_byte } = reportOf(made);
    const [before, after] = [made.input.bytes, made.run.stdout];
    if (bytes.before !== before.length || bytes.after !== after.length) return JSON.stringify(bytes);
    if (sha256.before !== digest(before) || sha256.after !== digest(after)) return JSON.stringify(sha256);
    const first = firstDifference(before, after);
    return first === first_changed_byte ? undefined : `${first_changed_byte}, not ${first}`;
  }),
  ofMade('only lines with rewritten returns are not the input’s own bytes', (made) => {
    if (shrinksCopies(made) || isDocument(made.input.bytes)) return undefined;
    const lines = new Set(rewritten(reportOf(made)).map(({ line }) => line));
    const [before, after] = [linesOf(made.input.bytes), linesOf(made.run.stdout)];
    if (before.length !== after.length) return `${before.length} lines became ${after.length}`;
    const changed = before.findIndex((line, i) => line !== after[i] && !lines.has(i + 1));
    return changed < 0 ? undefined : `line ${changed + 1} changed`;
  }),
  ofMade('as many bytes as before stand around the rewritten payloads', (made) => {
    if (shrinksCopies(made)) return undefined;
    const report = reportOf(made);
    const less = rewritten(report).map(
      ({ bytes_before, bytes_after }) => (bytes_before ?? 0) - (bytes_after ?? 0),
    );
    const expected = report.bytes.before - less.reduce((sum, one) => sum + one, 0);
    return expected === report.bytes.after ? undefined : `${report.bytes.after} bytes, not ${expected}`;
  }),
  ofMade('what is JSON of the input is JSON in the output', ({ input, run }) => {
    if (isDocument(input.bytes)) return isDocument(run.stdout) ? undefined : 'the document is none any more';
    const after = linesOf(run.stdout);
    const bad = linesOf(input.bytes).findIndex(
      (line, i) =>
        isUtf8Json(Buffer.from(line, 'latin1')) && !isUtf8Json(Buffer.from(after[i] ?? '', 'latin1')),
    );
    return bad < 0 ? undefined : `line ${bad + 1} became ${after[bad]?.slice(0, 200)}`;
  }),
  ofMade('every pair of a call and its result stays', ({ pairs }) =>
    pairs.code === 0 ? undefined : `${pairs.stdout}${pairs.stderr}`,
  ),
  ofMade('compacting the compacted changes nothing', ({ run, again }) => {
    if (again.code !== 0) return `exit code ${again.code}: ${again.stderr}`;
    const at = firstDifference(run.stdout, again.stdout);
    return at === null
      ? undefined
      : `byte ${at}: ${JSON.stringify(run.stdout.toString('utf8', at - 60, at + 60))} became ${JSON.stringify(again.stdout.toString('utf8', at - 60, at + 60))}`;
  }),
  ofMade('verify proves it', ({ verified }) =>
    verified.code === 0 ? undefined : `${verified.stdout}${verified.stderr}`,
  ),
];

function ofMade(name: string, broken: (made: Compaction) => string | undefined): Invariant<Compaction> {
  return {
    name,
    broken: (seen) => (seen.run.code === 0 && seen.written.code === 0 ? broken(seen) : undefined),
  };
}

function firstDifference(before: Buffer, after: Buffer): number | null {
  if (before.equals(after)) return null;
  const shorter = Math.min(before.length, after.length);
  for (let at = 0; at < shorter; at++) if (before[at] !== after[at]) return at;
  return shorter;
}
