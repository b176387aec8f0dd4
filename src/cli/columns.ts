import { safeText } from './terminal.js';

/** Takes two cells of a terminal: East Asian wide and full-width characters, and emoji. */
const WIDE = new RegExp(
  [
    '[\\u1100-\\u115f\\u231a\\u231b\\u2329\\u232a\\u23e9-\\u23ec\\u23f0\\u23f3\\u25fd\\u25fe\\u2614\\u2615\\u2648-\\u2653\\u267f',
    '\\u2693\\u26a1\\u26aa\\u26ab\\u26bd\\u26be\\u26c4\\u26c5\\u26ce\\u26d4\\u26ea\\u26f2\\u26f3\\u26f5\\u26fa\\u26fd\\u2705\\u270a\\u270b',
    '\\u2728\\u274c\\u274e\\u2753-\\u2755\\u2757\\u2795-\\u2797\\u27b0\\u27bf\\u2b1b\\u2b1c\\u2b50\\u2b55\\u2e80-\\u303e\\u3041-\\ua4cf',
    '\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{1f18e}\\u{1f191}-\\u{1f19a}\\u{1f200}-\\u{1f265}',
    '\\u{1f300}-\\u{1faff}\\u{20000}-\\u{3fffd}]',
  ].join(''),
  'u',
);

/** Takes none: marks of any script that stand on another character, joiners, variation selectors, parts of a Hangul syllable. */
const ZERO = /[\p{Mn}\p{Me}\u1160-\u11ff\u200b-\u200d\u2060\ufeff]/u;

/** How many cells of a terminal a text takes. */
export function cellWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Text from a transcript on one line, safe to print: line ends and tabs are escapes too. */
export function oneLine(text: string): string {
  return safeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** The text in exactly `width` cells: padded, or cut with an ellipsis at its end. */
export function fitEnd(text: string, width: number): string {
  return padded(cellWidth(text) <= width ? text : `${prefix(text, width - 1)}…`, width);
}

/** The same, but cut in the middle: of an id, the last characters tell it from its neighbours. */
export function fitMiddle(text: string, width: number): string {
  if (cellWidth(text) <= width) return padded(text, width);
  const tail = Math.floor((width - 1) / 2);
  const end = [...prefix([...text].reverse().join(''), tail)].reverse().join('');
  return padded(`${prefix(text, width - 1 - cellWidth(end))}…${end}`, width);
}

/** As many whole characters from the start as fit. */
function prefix(text: string, width: number): string {
  let taken = '';
  let left = width;
  for (const character of text) {
    left -= characterWidth(character);
    if (left < 0) break;
    taken += character;
  }
  return taken;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - cellWidth(text)));
}
