import type { Piece } from './word-diff.js';

export type Style = 'heading' | 'removed' | 'added' | 'removed-words' | 'added-words' | 'dim';

/** How text gets to where it is read. What a transcript holds goes through `safeText` before anything else. */
export interface Screen {
  /** In cells. */
  readonly width: number;
  /** Without colour, changed words stand in `[-` `-]` and `{+` `+}`. */
  readonly isColored: boolean;
  /** Turns control characters into visible escapes; leaves LF and TAB. */
  safeText(text: string): string;
  /** The same, with LF and TAB too. */
  oneLine(text: string): string;
  cellWidth(text: string): number;
  /** The text in exactly `width` cells. */
  fitEnd(text: string, width: number): string;
  paint(style: Style, text: string): string;
}

const MARKS: Readonly<
  Record<'-' | '+' | ' ', readonly [open: string, close: string, line: Style, words: Style]>
> = {
  '-': ['[-', '-]', 'removed', 'removed-words'],
  '+': ['{+', '+}', 'added', 'added-words'],
  ' ': ['', '', 'dim', 'dim'],
};

/** The least that a row holds behind its sign, however narrow the screen is. */
const LEAST_ROOM = 10;

/** A line of text as rows that fit the screen: the sign in front of the first, and `:` behind it on further ones. */
export function* textRows(
  sign: '-' | '+' | ' ',
  pieces: readonly Piece[],
  screen: Screen,
): Generator<string> {
  const [open, close, lineStyle, wordStyle] = MARKS[sign];
  const room = Math.max(LEAST_ROOM, screen.width - 2);
  const styled = pieces.map(({ text, isChanged }) => ({
    text: isChanged && !screen.isColored ? `${open}${screen.safeText(text)}${close}` : screen.safeText(text),
    style: isChanged ? wordStyle : lineStyle,
  }));
  let isFirst = true;
  for (const row of wrapped(styled, room, screen)) {
    const lead = sign === ' ' ? sign : screen.paint(lineStyle, sign);
    const body = row.map(({ text, style }) => (style === 'dim' ? text : screen.paint(style, text))).join('');
    yield `${lead}${isFirst ? ' ' : ':'}${body}`.trimEnd();
    isFirst = false;
  }
}

interface Styled {
  readonly text: string;
  readonly style: Style;
}

/** Breaks at a space where one stands in the last third of a row, else between characters. */
function* wrapped(pieces: readonly Styled[], room: number, screen: Screen): Generator<Styled[]> {
  let row: { text: string; style: Style; width: number }[] = [];
  let width = 0;
  for (const { text, style } of pieces) {
    for (const character of characters(expandable(text), screen)) {
      const shown = character === '\t' ? ' '.repeat(TAB_STOP - (width % TAB_STOP)) : character;
      const cells = character === '\t' ? shown.length : screen.cellWidth(shown);
      if (width + cells > room && row.length > 0) {
        const rest = afterLastSpace(row, width, room);
        yield joined(row.slice(0, row.length - rest.length));
        row = rest;
        width = rest.reduce((sum, one) => sum + one.width, 0);
      }
      row.push({ text: shown, style, width: cells });
      width += cells;
    }
  }
  yield joined(row);
}

const TAB_STOP = 4;

function expandable(text: string): string {
  return text.replaceAll('\n', '\\n');
}

function afterLastSpace<Cell extends { readonly text: string; readonly width: number }>(
  row: readonly Cell[],
  width: number,
  room: number,
): Cell[] {
  let at = row.length;
  let left = width;
  while (at > 0 && left > (room * 2) / 3) {
    if (row[at - 1]?.text === ' ') return row.slice(at);
    at -= 1;
    left -= row[at]?.width ?? 0;
  }
  return [];
}

function joined(row: readonly Styled[]): Styled[] {
  const runs: { text: string; style: Style }[] = [];
  for (const { text, style } of row) {
    const last = runs.at(-1);
    if (last?.style === style) last.text += text;
    else runs.push({ text, style });
  }
  return runs;
}

const JOINER = '\u200d';
/** More marks than that on one character are no writing. */
const LONGEST_CLUSTER = 32;

/** Marks stay with the character that they stand on, and what joiners join stays together. */
function* characters(text: string, screen: Screen): Generator<string> {
  let cluster = '';
  for (const character of text) {
    const isPart =
      cluster !== '' &&
      cluster.length < LONGEST_CLUSTER &&
      (screen.cellWidth(character) === 0 || cluster.endsWith(JOINER));
    if (!isPart && cluster !== '') {
      yield cluster;
      cluster = '';
    }
    cluster += character;
  }
  if (cluster !== '') yield cluster;
}

/** A line of our own, which may name things of the transcript, in rows that fit the screen. */
export function* plainRows(text: string, style: Style, screen: Screen): Generator<string> {
  for (const row of wrapped(
    [{ text: screen.oneLine(text), style }],
    Math.max(LEAST_ROOM, screen.width),
    screen,
  ))
    yield row.map((piece) => screen.paint(style, piece.text.trimEnd())).join('');
}
