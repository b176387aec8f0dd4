import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CaseReport, type CheckReport, checkExit } from '../../golden/check.js';
import { REPORTERS, type ReporterName } from '../../golden/reporters/index.js';
import type { Page } from '../../golden/reporters/page.js';
import { compareCodePoints } from '../../transcript/code-points.js';
import { ThreadError } from '../../transcript/errors.js';
import { type FoundCase, findCases } from '../case-files.js';
import { type RanCase, runCases } from '../check-run.js';
import { shellQuoted, writeFirstCase } from '../check-start.js';
import { oneLine } from '../columns.js';
import { refuseInCase } from '../confinement.js';
import { diffScreen } from '../diff-output.js';
import type { Io } from '../io.js';
import { requireWritable, writeTo } from '../output.js';
import { withSpinner } from '../progress.js';
import { counted, safeJson } from '../terminal.js';

interface Options {
  readonly update?: true | string[];
  readonly twice?: true;
  readonly filter?: string;
  readonly list?: true;
  readonly bail?: true;
  readonly reporter: ReporterName;
  readonly timeout: number;
  readonly init?: string;
  readonly color?: boolean;
}

const DEFAULT_TIMEOUT = 30;

const EXAMPLES = `
Every case holds is exit code 0, one does not is 1, and 2 means that one could not be judged.

Examples:
  thread check fixtures
  thread check fixtures --filter 'compact-*' --reporter junit > results.xml
  thread check fixtures --update compact-support`;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  command
    .argument('[path...]', 'case files (NAME.case.json), and folders to search for them (default: .)')
    .option('--update [name...]', 'write today’s output as the golden of these cases, or of all')
    .option('--twice', 'run each case two times; both must give the same')
    .option('--filter <glob>', 'only the cases whose name it matches')
    .option('--list', 'print the names of the cases, and run none')
    .option('--bail', 'stop at the first case that does not hold')
    .addOption(
      new Option('--reporter <name>', 'how the result is printed')
        .choices(['pretty', 'json', 'github', 'junit'])
        .default('pretty'),
    )
    .option('--timeout <seconds>', 'how long one run of a case may take', seconds, DEFAULT_TIMEOUT)
    .option('--init <dir>', 'write a first case, its input and a workflow file, and run nothing')
    .option('--color', 'colour, although the output is no terminal')
    .option('--no-color', 'no colour, although it is one')
    .addHelpText('after', EXAMPLES)
    .action((paths: string[], options: Options) => run((io) => check(paths, options, io)));
}

function seconds(text: string): number {
  const value = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (value === 0) throw new InvalidArgumentError('a timeout is a number of seconds above 0.');
  return value;
}

async function check(paths: readonly string[], options: Options, io: Io): Promise<number> {
  refuseInCase('run thread check');
  if (options.init !== undefined) return init(options.init, io);
  requireUpdatable(options, io);
  const { cases, orphans } = await findCases(paths.length === 0 ? ['.'] : paths, options.filter, io.cwd);
  const chosen = chosenCases(cases, options);
  if (options.list === true) return list(chosen, io);
  const ran = await withSpinner(`running ${counted(chosen.length, 'case')}`, io, () =>
    runCases(chosen, {
      timeoutSeconds: options.timeout,
      twice: options.twice === true,
      bail: options.bail === true && options.update === undefined,
      cwd: io.cwd,
    }),
  );
  const updated = options.update === undefined ? ran.map(({ report }) => report) : await update(ran, io);
  const notRun = chosen.length - updated.length;
  const isFull = notRun === 0 && !Array.isArray(options.update);
  const report = { cases: inOrder([...updated, ...(isFull ? orphans.map(orphanReport) : [])]), notRun };
  io.stdout.write(REPORTERS[options.reporter](report, await page(options, io)));
  suggest(report, options, io);
  return checkExit(report);
}

async function init(folder: string, io: Io): Promise<number> {
  for (const path of await writeFirstCase(folder, io)) io.stdout.write(`wrote ${oneLine(path)}\n`);
  io.stderr.write(`thread: next: thread check ${shellWord(oneLine(folder))} --update\n`);
  return 0;
}

/** A plain path needs no quotes. */
function shellWord(path: string): string {
  return /^[\w./][\w./-]*$/.test(path) ? path : shellQuoted(path);
}

/** In CI nobody reads a golden before it counts. */
function requireUpdatable({ update }: Options, { env }: Io): void {
  if (update === undefined || env.CI === undefined || env.CI === '') return;
  throw new ThreadError('--update writes no goldens where CI is set', {
    hint: 'update on your own machine, and read the difference before you commit it',
  });
}

/** All cases, or those that `--update` names: by the whole name, its last part, or the path of the case file. */
function chosenCases(cases: readonly FoundCase[], { update, filter }: Options): readonly FoundCase[] {
  if (cases.length === 0)
    throw new ThreadError(filter === undefined ? 'no case found' : `no case matches ${filter}`, {
      hint: 'a case is a file NAME.case.json; thread check --init DIR writes a first one',
    });
  if (!Array.isArray(update)) return cases;
  const stranger = update.find((name) => !cases.some((one) => isNamed(one, name)));
  if (stranger !== undefined)
    throw new ThreadError(`--update ${stranger}: no case has this name`, {
      hint: 'thread check --list prints the names; paths to search go before --update',
    });
  return cases.filter((one) => update.some((name) => isNamed(one, name)));
}

function isNamed({ name, file }: FoundCase, wanted: string): boolean {
  return wanted === name || wanted === file || name.endsWith(`/${wanted}`);
}

function list(cases: readonly FoundCase[], io: Io): number {
  io.stdout.write(cases.map(({ name }) => `${oneLine(name)}\n`).join(''));
  return 0;
}

/** After all have run, so that no golden is written while a case might read it. */
async function update(ran: readonly RanCase[], io: Io): Promise<CaseReport[]> {
  const written = ran.filter(({ newGolden }) => newGolden !== null);
  for (const { report } of written) requireWritable(report.golden, io.cwd);
  const reports: CaseReport[] = [];
  for (const { report, newGolden } of ran) {
    if (newGolden !== null) await writeTo(report.golden, io.stdout, io.cwd, [newGolden]);
    if (newGolden !== null) io.stderr.write(`thread: wrote ${oneLine(report.golden)}\n`);
    reports.push(newGolden === null ? report : { ...report, verdict: { kind: 'ok' }, isUpdated: true });
  }
  return reports;
}

function orphanReport(golden: string): CaseReport {
  const name = golden.replace(/\.golden$/, '');
  return {
    name,
    file: null,
    golden,
    verdict: { kind: 'orphan' },
    ignored: [],
    fails: false,
    isUpdated: false,
  };
}

function inOrder(reports: readonly CaseReport[]): CaseReport[] {
  return reports.toSorted((a, b) => compareCodePoints(a.name, b.name));
}

/** Only the pretty report is for terminals. */
async function page({ reporter, color }: Options, io: Io): Promise<Page> {
  const screen = await diffScreen(io, { color: reporter === 'pretty' ? color : false });
  return { screen, json: safeJson };
}

/** The next command to type, for people only. */
function suggest({ cases }: CheckReport, { reporter, update }: Options, io: Io): void {
  const isStale = cases.some(({ verdict }) => verdict.kind === 'changed' || verdict.kind === 'missing');
  if (reporter === 'pretty' && update === undefined && isStale && !io.env.CI)
    io.stderr.write('thread: if today’s output is right: thread check PATH --update NAME\n');
}
