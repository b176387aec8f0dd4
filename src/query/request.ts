import { distinctWords } from './tokens.js';
import type { HistoryRow } from './window.js';

export interface RequestInput {
  readonly current: string;
  readonly history: readonly HistoryRow[];
  /** UTF-16 units of the system text that goes with the prompt: it counts against the total. */
  readonly systemLength: number;
}

/** What a model is asked, and the words that its plan may choose from: a word's id is its index. */
export interface PlanRequest {
  /** The JSON text; its key order is part of the contract. */
  readonly prompt: string;
  readonly tokens: readonly string[];
  /** Words that did not fit. */
  readonly omittedTokens: number;
}

/** All in UTF-16 units, but for the rows and the words. */
const LIMITS = { current: 1000, rows: 6, row: 600, total: 12_000, words: 256, word: 256 } as const;

/** The bounded request for a plan; undefined for a question or a history beyond its limits. */
export function planRequest({ current, history, systemLength }: RequestInput): PlanRequest | undefined {
  if (current.length > LIMITS.current || history.length > LIMITS.rows) return undefined;
  if (history.some(({ text }) => text.length > LIMITS.row)) return undefined;
  const words = distinctWords([current, ...inOrderOfUse(history)].map((row) => textOf(row)));
  const bare = renderPrompt({ current, history, tokens: [], omittedTokens: words.length });
  const room = LIMITS.total - systemLength - bare.length;
  if (room < 0) return undefined;
  const tokens = fittingWords(words, room);
  const omittedTokens = words.length - tokens.length;
  return { prompt: renderPrompt({ current, history, tokens, omittedTokens }), tokens, omittedTokens };
}

function textOf(row: string | HistoryRow): string {
  return typeof row === 'string' ? row : row.text;
}

/** The operator's rows, then summaries, then the rest, each newest first: what is cut last matters least. */
function inOrderOfUse(history: readonly HistoryRow[]): HistoryRow[] {
  const newest = history.toReversed();
  const rank = ({ role, source }: HistoryRow): number => (role === 'user' ? 0 : source === undefined ? 2 : 1);
  return newest.toSorted((a, b) => rank(a) - rank(b));
}

/** The words that fit into `room` beside the prompt without any; one that does not fit is passed over. */
function fittingWords(words: readonly string[], room: number): string[] {
  const tokens: string[] = [];
  let left = room;
  for (const word of words) {
    if (tokens.length === LIMITS.words) break;
    if (word.length > LIMITS.word) continue;
    const omitted = words.length - tokens.length;
    // Every word taken makes the counter smaller, which may save a digit.
    const saved = String(omitted).length - String(omitted - 1).length;
    const cost = JSON.stringify([tokens.length, word]).length + (tokens.length === 0 ? 0 : 1) - saved;
    if (cost > left) continue;
    left -= cost;
    tokens.push(word);
  }
  return tokens;
}

interface PromptFields {
  readonly current: string;
  readonly history: readonly HistoryRow[];
  readonly tokens: readonly string[];
  readonly omittedTokens: number;
}

function renderPrompt({ current, history, tokens, omittedTokens }: PromptFields): string {
  return JSON.stringify({
    current,
    history: history.map(({ role, text, truncated, source }, message) => ({
      message,
      role,
      text,
      truncated,
      ...(source === undefined ? {} : { source }),
    })),
    tokens: tokens.map((token, id) => [id, token]),
    omittedTokens,
  });
}
