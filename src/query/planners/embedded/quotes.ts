// The shortest exact pieces of the messages that hold the chosen words.
import type { Message } from './conversation.js';
import { largest } from './extremes.js';

/** A chosen piece of a message: a word, or a name of several words. */
export interface Piece {
  readonly message: Message;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

export interface Quote {
  readonly position: number;
  readonly quote: string;
}

const LONGEST = 200;
const WIDEST_GAP = 24;
const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const;

/** Quotes that together hold every key of the pieces once; pieces close together share one. */
export function quotePieces(pieces: readonly Piece[]): {
  quotes: readonly Quote[];
  terms: ReadonlyMap<string, string>;
} {
  const terms = new Map<string, string>();
  const quotes: (Quote & { readonly start: number })[] = [];
  const open = new Set(pieces.map(({ key }) => key));
  const runs = findRuns(pieces);
  while (open.size > 0) {
    const best = runs
      .map((run) => shrink(run, open))
      .reduce<readonly Piece[]>((a, b) => (covers(b, open) > covers(a, open) ? b : a), []);
    const [first, last] = [best[0], best.at(-1)];
    if (first === undefined || last === undefined) break;
    const { message, start } = first;
    const end = withBracket(message.text, start, largest(best.map((piece) => piece.end)));
    quotes.push({ position: message.position, quote: message.text.slice(start, end), start });
    for (const piece of best) {
      if (!terms.has(piece.key)) terms.set(piece.key, piece.text);
      open.delete(piece.key);
    }
  }
  const sorted = quotes.toSorted((a, b) => a.position - b.position || a.start - b.start);
  return { quotes: sorted.map(({ position, quote }) => ({ position, quote })), terms };
}

/** A bracket that the quote opens and that closes right behind it belongs to it. */
function withBracket(text: string, start: number, end: number): number {
  const pair = BRACKETS.find(([, close]) => text.startsWith(close, end));
  if (pair === undefined) return end;
  const [open, close] = pair;
  const quote = text.slice(start, end);
  return quote.lastIndexOf(open) > quote.lastIndexOf(close) ? end + 1 : end;
}

/** A quote for each piece: what competes is not one thing, however close together it stands. */
export function quoteEach(pieces: readonly Piece[]): readonly Quote[] {
  return pieces.map(({ message, text }) => ({ position: message.position, quote: text }));
}

/** Pieces of a message in a row, newest message first so that it wins among equals. */
function findRuns(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const ordered = pieces.toSorted(
    (a, b) => b.message.position - a.message.position || a.start - b.start || a.end - b.end,
  );
  const runs: Piece[][] = [];
  for (const piece of ordered) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNext =
      last?.message === piece.message &&
      piece.start - last.end <= WIDEST_GAP &&
      piece.end - (run?.[0]?.start ?? 0) <= LONGEST &&
      !/[.!?。！？;\n]\s/u.test(piece.message.text.slice(last.end, piece.start));
    if (isNext) run?.push(piece);
    else runs.push([piece]);
  }
  return runs;
}

/** Without the pieces at both ends that are held elsewhere already, or again further in. */
function shrink(run: readonly Piece[], open: ReadonlySet<string>): readonly Piece[] {
  let [from, to] = [0, run.length];
  const isSpare = (at: number) => {
    const key = run[at]?.key ?? '';
    return !open.has(key) || run.slice(from, to).filter((piece) => piece.key === key).length > 1;
  };
  while (from < to && isSpare(to - 1)) to -= 1;
  while (from < to && isSpare(from)) from += 1;
  return run.slice(from, to);
}

function covers(run: readonly Piece[], open: ReadonlySet<string>): number {
  return new Set(run.map(({ key }) => key).filter((key) => open.has(key))).size;
}
