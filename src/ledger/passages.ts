/** Lines of a result, by 1-based number: `first` to `last`, both included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** A passage is at most this many lines, and at most this many UTF-16 units unless one line is longer. */
const MOST_LINES = 40;
const MOST_UNITS = 4000;
/** A seam ends a passage only when it is at least this long, so that lists do not fall apart. */
const FEWEST_LINES = 8;

/** A heading: of a file, a hunk, a section, a log record with its time, a listed file of a search. */
const HEADING =
  /^(?:diff --git |@@ |--- |\+\+\+ |#{1,6} |={3,}|-{3,}|\[?\d{4}-\d\d-\d\d[T ]\d\d:|(?:File|Path): |<\/?[a-z][\w-]*>\s*$)/;

/** A blank line, also in a listing that numbers its lines. */
const BLANK = /^\s*(?:\d+\s*[→|:\t-])?\s*$/;

/**
 * Splits the lines of a long result at natural seams: before headings (of files, hunks, sections, log records), behind
 * blank lines, and behind the items of pretty-printed lists. The passages tile the lines; `cuts` are 1-based line
 * numbers at which a passage has to begin besides.
 */
export function splitPassages(lines: readonly string[], cuts: ReadonlySet<number>): LineSpan[] {
  const spans: LineSpan[] = [];
  let first = 1;
  let units = 0;
  for (let number = 1; number <= lines.length; number++) {
    const line = lines[number - 1] ?? '';
    const size = number - first;
    if (size > 0 && (cuts.has(number) || isFull(size, units + line.length) || isSeam(lines, number, size))) {
      spans.push({ first, last: number - 1 });
      first = number;
      units = 0;
    }
    units += line.length + 1;
  }
  if (lines.length >= first) spans.push({ first, last: lines.length });
  return spans;
}

function isFull(size: number, units: number): boolean {
  return size >= MOST_LINES || units > MOST_UNITS;
}

function isSeam(lines: readonly string[], number: number, size: number): boolean {
  if (size < FEWEST_LINES) return false;
  const [before, line] = [lines[number - 2] ?? '', lines[number - 1] ?? ''];
  return HEADING.test(line) || BLANK.test(before) || /^\s{0,4}[}\]],?\s*$/.test(before);
}
