import type { ChalkInstance } from 'chalk';
import type { Basis } from '../query/plan.js';
import { formatAddress } from '../recall/address.js';
import type { Source } from '../recall/passages.js';
import type { Ranked } from '../recall/rank.js';
import type { Passage, Recalled } from '../recall/recall.js';
import type { Matcher } from '../recall/terms.js';
import { oneLine } from './columns.js';
import { imitations, safeSlice } from './imitations.js';
import { counted, grouped } from './terminal.js';

/** Lines around a passage, for who asked for them. */
export interface Surroundings {
  readonly before: string;
  readonly behind: string;
}

/** Up to `count` whole lines on either side of the UTF-16 units from `start` to `end`. */
export function linesAround(text: string, start: number, end: number, count: number): Surroundings {
  let [from, to] = [start, end];
  for (let i = 0; i < count && from > 0; i += 1) from = from < 2 ? 0 : text.lastIndexOf('\n', from - 2) + 1;
  for (let i = 0; i < count && to < text.length; i += 1) {
    const next = text.indexOf('\n', to);
    to = next < 0 ? text.length : next + 1;
  }
  return { before: text.slice(from, start), behind: text.slice(end, to) };
}

/** A passage for people: where it stands, then its text with the words that were searched for set off. */
export function passageText(
  ranked: Ranked<Passage>,
  around: Surroundings | undefined,
  matcher: Matcher,
  chalk: ChalkInstance,
): string {
  const { passage, count } = ranked;
  const others = otherPlaces(ranked);
  const also =
    others.length === 0
      ? ''
      : ` (and at ${addressList(others)}${count > LISTED ? `: ${grouped(count)} in all` : ''})`;
  const heading = `${chalk.bold(addressOf(passage))} ${oneLine(sourceTitle(passage.source))}${also}`;
  const [before, behind] = [around?.before ?? '', around?.behind ?? ''];
  const text = whole(before, passage.text, behind, matcher, chalk);
  return `${heading}\n${text}${(passage.text + behind).endsWith('\n') ? '' : '\n'}`;
}

/** `file#position.part`, as `thread show` takes it. */
function addressOf({ file, conversation, position, part }: Passage): string {
  const address = formatAddress({ kind: 'part', position, part });
  const where = conversation === null ? '' : ` --conversation ${conversation}`;
  return oneLine(`${file}#${address}${where}`);
}

const SHOWN_ADDRESSES = 8;

function addressList(passages: readonly Passage[]): string {
  const distinct = [...new Set(passages.map(addressOf))];
  const more = distinct.length > SHOWN_ADDRESSES ? ', …' : '';
  return distinct.slice(0, SHOWN_ADDRESSES).join(', ') + more;
}

function sourceTitle(source: Source): string {
  switch (source.kind) {
    case 'tool':
      return `${source.isError ? 'error' : 'result'} of ${source.tool ?? 'an unknown tool'}`;
    case 'summary':
      return 'summary (derived)';
    case 'operator':
    case 'assistant':
    case 'context':
      return source.kind;
  }
}

/** A line may begin in one of the texts and go on in the next. */
function whole(
  before: string,
  passage: string,
  behind: string,
  matcher: Matcher,
  chalk: ChalkInstance,
): string {
  const text = before + passage + behind;
  const imitated = imitations(text);
  const [start, end] = [before.length, before.length + passage.length];
  return [
    chalk.dim(safeSlice(text, 0, start, imitated)),
    highlighted(text, { start, end }, matcher.spans(passage), imitated, chalk),
    chalk.dim(safeSlice(text, end, text.length, imitated)),
  ].join('');
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** @param spans what is set off, from the start of the range */
function highlighted(
  text: string,
  range: Range,
  spans: readonly Range[],
  imitated: ReadonlySet<number>,
  chalk: ChalkInstance,
): string {
  let [shown, at] = ['', range.start];
  for (const { start, end } of spans) {
    const [from, to] = [range.start + start, range.start + end];
    shown += safeSlice(text, at, from, imitated) + chalk.bold.yellow(safeSlice(text, from, to, imitated));
    at = to;
  }
  return shown + safeSlice(text, at, range.end, imitated);
}

/** What else there is to know of a search, a line each. */
export function remarks({ passages, visible, leftOut, dropped }: Recalled, isIncomplete: boolean): string[] {
  const firsts = (ranked: readonly Ranked<Passage>[]): Passage[] => ranked.map(({ passage }) => passage);
  return [
    ...(visible.length === 0 ? [] : [`already in view: ${addressList(firsts(visible))}`]),
    ...(leftOut.length === 0
      ? []
      : [`left out: ${counted(leftOut.length + dropped, 'passage')}, at ${addressList(firsts(leftOut))}`]),
    ...(passages.length + visible.length + leftOut.length === 0
      ? [isIncomplete ? 'nothing found in what was searched' : 'nothing found']
      : []),
  ];
}

/** Described by docs/schemas/recall.schema.json. */
export function passageFields(
  ranked: Ranked<Passage>,
  around: Surroundings | undefined,
  matcher: Matcher,
): object {
  const { passage, count, score } = ranked;
  const { source, text, isComplete } = passage;
  return {
    schema: 'thread/recall',
    version: 1,
    type: 'passage',
    ...placeFields(passage),
    source: source.kind === 'summary' ? 'derived' : source.kind,
    ...(source.kind === 'tool' ? { tool: source.tool, is_error: source.isError } : {}),
    complete: isComplete,
    score: Number(score.toFixed(6)),
    text,
    matches: matcher.spans(text).map(({ start, end }) => [start, end]),
    ...(around === undefined ? {} : { before: around.before, behind: around.behind }),
    repeats: otherPlaces(ranked).map(placeFields),
    repeat_count: count - 1,
  };
}

/** Where else the text stands: the first of the places. */
function otherPlaces({ passage, repeats }: Ranked<Passage>): readonly Passage[] {
  return repeats.filter((one) => !isSamePlace(one, passage)).slice(0, LISTED);
}

function isSamePlace(a: Passage, b: Passage): boolean {
  return addressOf(a) === addressOf(b) && a.offset === b.offset;
}

function placeFields(passage: Passage): object {
  const { file, conversation, position, part, offset } = passage;
  return {
    file,
    ...(conversation === null ? {} : { conversation }),
    address: formatAddress({ kind: 'part', position, part }),
    position,
    part,
    offset,
  };
}

/** Described by the same schema: instead of passages and the rest. */
export function ambiguousFields(basis: readonly Basis[]): object {
  return {
    schema: 'thread/recall',
    version: 1,
    type: 'ambiguous',
    quotes: basis.map(({ position, quote }) => ({ position, quote })),
  };
}

const LISTED = 24;

/** The last line of the output: what was found besides the passages, the first of them with their places. */
export function restFields({ visible, leftOut, dropped }: Recalled, isIncomplete: boolean): object {
  const places = (ranked: readonly Ranked<Passage>[]): object[] =>
    ranked.slice(0, LISTED).map(({ passage }) => placeFields(passage));
  return {
    schema: 'thread/recall',
    version: 1,
    type: 'rest',
    incomplete: isIncomplete,
    visible: { count: visible.length, places: places(visible) },
    left_out: { count: leftOut.length + dropped, places: places(leftOut) },
  };
}
