import { counted } from '../transcript/counts.js';
import type { Hunk, HunkLine, Sign } from './hunks.js';
import type { Piece } from './word-diff.js';

export type ShownLine =
  | { readonly kind: 'hunk'; readonly hunk: Hunk }
  | { readonly kind: 'line'; readonly sign: Sign; readonly pieces: readonly Piece[] }
  | { readonly kind: 'fold'; readonly text: string };

/** Of a longer run of lines with one sign, so many from its beginning and its end are shown. */
const SHOWN_FIRST = 6;
const SHOWN_LAST = 2;

/** Changed lines of one text; what goes beyond is counted. */
const SHOWN_CHANGES = 60;

/** The lines of hunks; unless all are wanted, long runs and long lines are folded and say how much they hold. */
export function* folded(hunks: Iterable<Hunk>, isFull: boolean): Generator<ShownLine> {
  let shown = 0;
  let left = 0;
  for (const hunk of hunks) {
    if (!isFull && shown >= SHOWN_CHANGES) {
      left += hunk.lines.filter(({ sign }) => sign !== ' ').length;
      continue;
    }
    yield { kind: 'hunk', hunk };
    if (isFull) for (const line of hunk.lines) yield { kind: 'line', ...line };
    else {
      for (const run of runsOfSign(hunk.lines)) yield* foldedRun(run);
      shown += hunk.lines.filter(({ sign }) => sign !== ' ').length;
    }
  }
  if (left > 0) yield { kind: 'fold', text: `${counted(left, 'more changed line')}` };
}

function runsOfSign(lines: readonly HunkLine[]): HunkLine[][] {
  const runs: HunkLine[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.[0]?.sign === line.sign) last.push(line);
    else runs.push([line]);
  }
  return runs;
}

function* foldedRun(run: readonly HunkLine[]): Generator<ShownLine> {
  const hidden = run.length - SHOWN_FIRST - SHOWN_LAST;
  const isFolded = hidden > 1 && run[0]?.sign !== ' ';
  const head = isFolded ? run.slice(0, SHOWN_FIRST) : run;
  for (const { sign, pieces } of head) yield { kind: 'line', sign, pieces: shortened(pieces) };
  if (!isFolded) return;
  yield {
    kind: 'fold',
    text: `${counted(hidden, 'more line')} ${run[0]?.sign === '-' ? 'removed' : 'added'}`,
  };
  for (const { sign, pieces } of run.slice(-SHOWN_LAST))
    yield { kind: 'line', sign, pieces: shortened(pieces) };
}

/** UTF-16 units of a piece that are shown at its beginning and at its end. */
const SHOWN_HEAD = 280;
const SHOWN_TAIL = 80;

/** How many pieces of one line are shown. */
const SHOWN_PIECES = 60;

function shortened(pieces: readonly Piece[]): readonly Piece[] {
  const shown = pieces.slice(0, SHOWN_PIECES).flatMap(shortenedPiece);
  const rest = pieces.slice(SHOWN_PIECES).reduce((sum, { text }) => sum + text.length, 0);
  return rest === 0 ? shown : [...shown, hiddenPiece(rest)];
}

function shortenedPiece(piece: Piece): Piece[] {
  const { text, isChanged } = piece;
  const [head, tail] = [wholeEnd(text, SHOWN_HEAD), wholeEnd(text, text.length - SHOWN_TAIL)];
  if (tail - head < SHOWN_TAIL) return [piece];
  return [
    { text: text.slice(0, head), isChanged },
    hiddenPiece(tail - head),
    { text: text.slice(tail), isChanged },
  ];
}

function hiddenPiece(characters: number): Piece {
  return { text: ` … ${counted(characters, 'more character')} … `, isChanged: false };
}

/** Moved down where it would stand inside a pair of surrogates. */
function wholeEnd(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at;
}
