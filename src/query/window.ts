import type { Role, Speaker } from '../transcript/message.js';

/** A message as the window sees it. */
export interface WindowMessage {
  readonly position: number;
  readonly speaker: Speaker;
  /** Null for messages that say nothing themselves: calls, results, pictures. */
  readonly text: string | null;
}

/** What a planner sees of an earlier message. */
export interface HistoryRow {
  readonly position: number;
  readonly role: Role;
  readonly text: string;
  /** Some of the message is not in `text`. */
  readonly truncated: boolean;
  readonly source?: 'compaction-summary';
}

export interface WindowQuestion {
  readonly query: string;
  /**
   * The index of the message that asks, -1 when it is known to be none of them; without one, the newest operator message
   * that says exactly the query is taken for it.
   */
  readonly currentIndex?: number | undefined;
}

/** How many messages are looked at, to find the question and again to find what stood before it. */
const SCANNED = 64;
const SLOTS = 6;
/** UTF-16 units of one row. */
const ROW_LENGTH = 600;

/** The bounded window of a request: at most six rows of what was said before the question, oldest first. */
export function selectWindow(messages: readonly WindowMessage[], question: WindowQuestion): HistoryRow[] {
  const boundary = questionIndex(messages, question);
  const scanned = messages
    .slice(Math.max(0, boundary - SCANNED), boundary)
    .toReversed()
    .filter(hasWords);
  const summary = scanned.find(isSummary);
  const rows = newestRows(scanned.filter(isSaid));
  return inOrder(summary === undefined ? rows : [...withSlotFree(rows), summary], ROW_LENGTH);
}

/** How many messages stand before the question. */
function questionIndex(messages: readonly WindowMessage[], { query, currentIndex }: WindowQuestion): number {
  const found =
    currentIndex ?? messages.findLastIndex(({ speaker, text }) => speaker === 'operator' && text === query);
  return found >= Math.max(0, messages.length - SCANNED) ? found : messages.length;
}

type WithWords = WindowMessage & { readonly text: string };

function hasWords(message: WindowMessage): message is WithWords {
  return message.text !== null && message.text.trim() !== '';
}

function isSummary({ speaker }: WindowMessage): boolean {
  return speaker === 'summary';
}

function isOperator({ speaker }: WindowMessage): boolean {
  return speaker === 'operator';
}

function isSaid({ speaker }: WindowMessage): boolean {
  return speaker === 'operator' || speaker === 'assistant';
}

/** Newest first. A window of replies only gives its oldest place to the nearest operator message. */
function newestRows(said: readonly WithWords[]): WithWords[] {
  const rows = said.slice(0, SLOTS);
  const operator = said.find(isOperator);
  if (operator === undefined || rows.includes(operator)) return rows;
  return [...rows.slice(0, SLOTS - 1), operator];
}

/** A summary takes the oldest row's place, unless that is the only operator row: then the next oldest's. */
function withSlotFree(rows: readonly WithWords[]): WithWords[] {
  if (rows.length < SLOTS) return [...rows];
  const last = rows.length - 1;
  const isOnlyOperator = rows.findIndex(isOperator) === last;
  return rows.toSpliced(isOnlyOperator ? last - 1 : last, 1);
}

/** For a planner that has no request to fit into: whole messages, and more of them. */
const WIDE_ROWS = 40;

/** The newest rows, the conversation's first operator message and its newest summary, whole, oldest first. */
export function selectWideWindow(messages: readonly WindowMessage[], question: WindowQuestion): HistoryRow[] {
  const boundary = questionIndex(messages, question);
  const earlier = boundary === messages.length ? messages : messages.slice(0, boundary);
  const first = earlier.find((one) => isOperator(one) && hasWords(one));
  const summary = earlier.findLast((one) => isSummary(one) && hasWords(one));
  const rows = new Set([first, summary, ...newestSaid(earlier)].filter((row) => row !== undefined));
  return inOrder([...rows].filter(hasWords), Number.POSITIVE_INFINITY);
}

/** From the end, because a conversation is long and asked about again and again. */
function newestSaid(messages: readonly WindowMessage[]): WindowMessage[] {
  const rows: WindowMessage[] = [];
  for (let i = messages.length - 1; i >= 0 && rows.length < WIDE_ROWS; i -= 1) {
    const message = messages[i];
    if (message !== undefined && isSaid(message) && hasWords(message)) rows.push(message);
  }
  return rows;
}

function inOrder(rows: readonly WithWords[], length: number): HistoryRow[] {
  return rows
    .toSorted((a, b) => a.position - b.position)
    .map((row) => (isSummary(row) ? summaryRow(row, length) : saidRow(row, length)));
}

/** Of a summary the start counts: it is nobody's voice, so its role is the system's wherever its format keeps it. */
function summaryRow({ position, text }: WithWords, length: number): HistoryRow {
  const start = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
  return {
    position,
    role: 'system',
    source: 'compaction-summary',
    text: start,
    truncated: start !== text,
  };
}

/** Of everything else the end counts: what is referred to stands nearest to the question. */
function saidRow({ position, speaker, text }: WithWords, length: number): HistoryRow {
  const end = text.slice(-length).replace(/^[\udc00-\udfff]/, '');
  return {
    position,
    role: speaker === 'operator' ? 'user' : 'assistant',
    text: end,
    truncated: end !== text,
  };
}
