// How much of what a conversation needs next survives, at which size: real sessions cut at their questions, and what
// the continuation then uses. Every arm sees the same cuts in one run. usage: node bench/run.js retention [CORPUS]
import { existsSync } from 'node:fs';
import { ARMS, type Arm } from './arms.js';
import { countCited } from './cited.js';
import { evidenceBefore, measureTokens, type Needed, neededTokens } from './needed.js';
import { type Cut, readCuts } from './sessions.js';

interface Case {
  readonly cut: Cut;
  readonly needed: Needed;
}

interface Score {
  readonly kept: number;
  readonly all: number;
  readonly onlyEvidence: number;
}

const corpus = process.argv[3] ?? process.env.THREAD_CORPUS ?? '../shared/corpus';
if (!existsSync(corpus)) throw new Error(`no corpus at ${corpus}: name one, or set THREAD_CORPUS`);
const cases = readCuts(corpus)
  .map((cut) => ({ cut, needed: neededTokens(cut) }))
  .filter(({ needed }) => needed.all.size > 0);
const sizes = cases.map(({ needed }) => [needed.all.size, needed.onlyEvidence.size] as const);
print(
  `${cases.length} cuts of ${new Set(cases.map(({ cut }) => cut.name)).size} sessions; needed tokens: ${sum(sizes.map(([all]) => all))}, of evidence only: ${sum(sizes.map(([, only]) => only))}`,
);
print(row('arm', 'bytes kept', 'needed', 'only evidence'));
for (const arm of ARMS) {
  const score = await measure(arm, cases);
  print(row(arm.name, percent(score.kept), percent(score.all), percent(score.onlyEvidence)));
}

const { cited, whole, resolvable } = await countCited(corpus, 'fixtures');
print(
  `chunks that are cited by id, mark or annotation: ${cited}; whole: ${percent(whole / cited)}, found by id: ${percent(resolvable / cited)}`,
);

/** Shares over all cuts together: of evidence bytes that are still shown, and of needed tokens on whole shown lines. */
async function measure(arm: Arm, all: readonly Case[]): Promise<Score> {
  let [bytes, shownBytes, needed, kept, only, keptOnly] = [0, 0, 0, 0, 0, 0];
  for (const { cut, needed: tokens } of all) {
    const evidence = evidenceBefore(cut.before);
    const shown = await arm.show(cut);
    const original = new Set(evidence.flatMap((text) => text.split('\n')));
    const whole = measureTokens(
      shown.flatMap((text) => text.split('\n').filter((line) => original.has(line))).join('\n'),
    );
    bytes += sum(evidence.map((text) => Buffer.byteLength(text)));
    shownBytes += sum(shown.map((text) => Buffer.byteLength(text)));
    needed += tokens.all.size;
    kept += [...tokens.all].filter((token) => whole.has(token)).length;
    only += tokens.onlyEvidence.size;
    keptOnly += [...tokens.onlyEvidence].filter((token) => whole.has(token)).length;
  }
  return { kept: shownBytes / bytes, all: kept / needed, onlyEvidence: keptOnly / only };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function row(...cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(32) : cell.padStart(14))).join('');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
