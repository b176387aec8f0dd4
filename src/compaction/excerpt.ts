import { flatCopy } from '../ledger/kept-text.js';
import { lineTokens } from '../ledger/names.js';
import type { TokenTrail } from '../ledger/reuse.js';

/** A return that is not shown any more, with what it said. */
export interface DroppedReturn {
  readonly key: string;
  readonly lines: readonly string[];
  /** The distinctive tokens of its lines by their 1-based numbers, where they are known already. */
  readonly tokens?: ReadonlyMap<number, readonly string[]> | undefined;
  /** UTF-16 units of evidence that were retrieved after it, below the current question. */
  readonly distance: number;
}

/** A line has to name this many new things in a thousand units, weighted, to be worth its place. */
const WORTH = 6;
/** Every so many units of later evidence halve what a name is worth that nobody has used: the newest is needed next. */
const HALVING_DISTANCE = 30_000;
/** What a name is worth that the assistant used just now; it halves when it was used 20, 60, 140, … messages ago. */
const USED_NAME = 14;
const HALVING_MESSAGES = 20;
const LEAST_USED_NAME = 1;
/** Longer lines are data, not names. */
const LONGEST_LINE = 300;

/** Weights by what bench/retention measured: numbers are rarely needed again, lines that define a name often are. */
const PLAIN_NAME = 0.35;
const DEFINED_NAME = 0.7;
const NUMBER_SHARE = 0.3;

/** A line that introduces names: a declaration, an import, a heading, a hunk's file. */
const DEFINITION =
  /^\s*(?:\d+\s*[→|:\t-]\s*)?(?:export|public|private|protected|static|async|function|func|class|interface|type|const|let|var|def|import|from|use|struct|enum|impl|fn|#+ |diff |\+\+\+ )/;

/**
 * For every dropped return the whole lines of it that name something which is shown nowhere else, in their order: the
 * newest returns first, because a name is taken from the newest line that has it.
 * @param shown the distinctive tokens of what stays in view; the tokens of the chosen lines are added to a copy
 */
export function excerptLines(
  dropped: readonly DroppedReturn[],
  shown: ReadonlySet<string>,
  trail: TokenTrail,
  frameUnits: number,
): Map<string, string[]> {
  const seen = new Set(shown);
  const excerpts = new Map<string, string[]>();
  for (const one of dropped.toSorted((a, b) => a.distance - b.distance)) {
    const { key, lines, tokens: known, distance } = one;
    const share = 1 / 2 ** Math.floor(distance / HALVING_DISTANCE);
    let room = lines.reduce((sum, line) => sum + line.length + 1, 0) - frameUnits;
    const chosen = lines.filter((line, i) => {
      if (line.length > LONGEST_LINE) return false;
      const all = known === undefined ? lineTokens(line) : (known.get(i + 1) ?? []);
      const tokens = [...all].filter((token) => !seen.has(token));
      if (lineWorth(line, tokens, trail, share) * 1000 < WORTH || line.length + 1 >= room) return false;
      room -= line.length + 1;
      for (const token of tokens) seen.add(flatCopy(token));
      return true;
    });
    excerpts.set(key, chosen.map(flatCopy));
  }
  return excerpts;
}

/** What a line's new tokens are worth in a unit of its length; `share` is what distance leaves of unused names. */
function lineWorth(line: string, tokens: readonly string[], trail: TokenTrail, share: number): number {
  if (tokens.length === 0) return 0;
  const unused = (DEFINITION.test(line) ? DEFINED_NAME : PLAIN_NAME) * share;
  const worths = tokens.map(
    (token) => Math.max(unused, usedWorth(trail.messagesSince(token))) * (isNumber(token) ? NUMBER_SHARE : 1),
  );
  return worths.reduce((sum, worth) => sum + worth, 0) / (line.length + 1);
}

function usedWorth(messagesSince: number | undefined): number {
  if (messagesSince === undefined) return 0;
  const halvings = Math.floor(Math.log2(1 + messagesSince / HALVING_MESSAGES));
  return Math.max(LEAST_USED_NAME, USED_NAME / 2 ** halvings);
}

function isNumber(token: string): boolean {
  return /^\d+$/.test(token);
}
