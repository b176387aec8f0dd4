import type { ChalkInstance } from 'chalk';
import type { Resolved } from '../query/resolve.js';
import { isRun, standsWhole, wordKey, wordKeys } from '../query/tokens.js';
import type { HistoryRow } from '../query/window.js';
import { chalkFor } from './color.js';
import { fitEnd, oneLine } from './columns.js';
import type { Io } from './io.js';

const DEFAULT_WIDTH = 100;

/**
 * A resolution for people: what was made of the question, then the rows that the planner saw with ‹terms› and «focus
 * terms» marked, then the words that it weighed highest.
 */
export async function explainResolution(
  { resolution, rows, scores }: Resolved,
  question: number | undefined,
  io: Io,
): Promise<string> {
  const chalk = await chalkFor('stdout', io, undefined);
  const width = io.columns ?? DEFAULT_WIDTH;
  const { query, mode, time, terms, focusTerms, basis, planner, fallback } = resolution;
  const marks = wordMarks(terms, focusTerms);
  const by = fallback === null ? planner : `${planner}, which failed; ${fallback} instead`;
  const quotes = basis.map((one) => `  quote of ${one.position}: ${oneLine(JSON.stringify(one.quote))}`);
  const weighed = scores
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SHOWN_SCORES)
    .map(({ word, score }) => `  ${score.toFixed(3)} ${oneLine(word)}`);
  const lines = [
    fitted(question === undefined ? 'question' : `question ${question}`, query, marks, width),
    `${mode}, ${time} (${by})`,
    `  focus: ${oneLine(focusTerms.join(', ')) || '-'}`,
    `  terms: ${oneLine(terms.join(', ')) || '-'}`,
    ...quotes,
    ...(rows.length === 0 ? [] : ['', 'looked at', ...rows.map((row) => rowLine(row, marks, width))]),
    ...(weighed.length === 0 ? [] : ['', 'weights', ...weighed]),
  ];
  return lines.map((line) => `${painted(fitEnd(line, width).trimEnd(), chalk)}\n`).join('');
}

const SHOWN_SCORES = 12;

interface Marks {
  readonly terms: readonly string[];
  readonly termKeys: ReadonlySet<string>;
  readonly focusKeys: ReadonlySet<string>;
}

function wordMarks(terms: readonly string[], focusTerms: readonly string[]): Marks {
  return { terms, termKeys: wordKeys(terms), focusKeys: wordKeys(focusTerms) };
}

function rowLine({ position, role, text }: HistoryRow, marks: Marks, width: number): string {
  return fitted(`  ${String(position).padStart(4)} ${role}`, text, marks, width);
}

/** How much is shown before the first chosen word of a long text. */
const LEAD = 30;

function fitted(title: string, text: string, marks: Marks, width: number): string {
  const line = marked(oneLine(text), marks);
  const first = line.search(/[‹«]/);
  const room = width - title.length - 2;
  const isFar = first > LEAD && line.length > room;
  return `${title}: ${isFar ? `…${line.slice(first - LEAD).replace(/^[\udc00-\udfff]/, '')}` : line}`;
}

function marked(text: string, marks: Marks): string {
  return text.replace(/[\p{L}\p{N}_]+/gu, (word) => {
    const key = wordKey(word);
    if (marks.focusKeys.has(key)) return `«${word}»`;
    if (marks.termKeys.has(key)) return `‹${word}›`;
    if (!isRun(word)) return word;
    const piece = marks.terms.find((term) => standsWhole(term, word));
    if (piece === undefined) return word;
    const mark = marks.focusKeys.has(wordKey(piece)) ? `«${piece}»` : `‹${piece}›`;
    return word.replace(piece, () => mark);
  });
}

function painted(line: string, chalk: ChalkInstance): string {
  return line.replace(/[‹«][\p{L}\p{N}_]+[›»]/gu, (mark) => chalk.bold(mark));
}
