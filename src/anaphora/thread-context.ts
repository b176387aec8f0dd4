import { RuleError } from '../transcript/errors.js';

/** What is remembered of a turn, by structure alone: no text of the conversation but the subject is in it. */
export interface TurnSummary {
  /** Only printed: the newest turn is the one that was pushed last. */
  readonly turnIndex: number;
  readonly intent: string;
  readonly subject: string | null;
  /** The tier: `pack`, `teaching`, `partial`, `oov`, `none`, or a name of the host's own. */
  readonly groundingSource: string;
  readonly chainId: string | null;
}

/** The last turns of a conversation, the newest last. */
export interface ThreadContext<Turn extends TurnSummary = TurnSummary> {
  readonly maxTurns: number;
  readonly turns: readonly Turn[];
}

const DEFAULT_MAX_TURNS = 8;

/** A window without any turn in it. Throws a RuleError when it could not hold one. */
export function emptyContext<Turn extends TurnSummary>(maxTurns = DEFAULT_MAX_TURNS): ThreadContext<Turn> {
  if (maxTurns < 1) throw new RuleError('ValueError', `max_turns must be >= 1 (got ${maxTurns})`);
  return { maxTurns, turns: [] };
}

/** The window one turn later; turns without a subject take up places as well. */
export function pushTurn<Turn extends TurnSummary>(
  { maxTurns, turns }: ThreadContext<Turn>,
  turn: Turn,
): ThreadContext<Turn> {
  return { maxTurns, turns: [...turns, turn].slice(-maxTurns) };
}

const SKIPPED_TIERS: ReadonlySet<string> = new Set(['none', 'oov', 'partial']);

/**
 * The newest turn about a subject, those without any ground left out. It is the only candidate: nothing older is looked
 * at, whatever becomes of it. `subject` is normalised; stored ones are compared as they are.
 */
export function newestTurnAbout<Turn extends TurnSummary>(
  { turns }: ThreadContext<Turn>,
  subject: string,
): Turn | undefined {
  return turns.findLast((turn) => turn.subject === subject && !SKIPPED_TIERS.has(turn.groundingSource));
}

/** Trimmed and lower-cased by code point as Python does it: U+001C..U+001F and U+0085 go, U+FEFF stays. */
export function normaliseSubject(subject: string): string {
  return trimSubject(subject).toLowerCase();
}

/** Without the white space at its ends, as Python knows it. */
export function trimSubject(subject: string): string {
  let [start, end] = [0, subject.length];
  while (start < end && WHITE_SPACE.has(subject.charCodeAt(start))) start += 1;
  while (end > start && WHITE_SPACE.has(subject.charCodeAt(end - 1))) end -= 1;
  return subject.slice(start, end);
}

const WHITE_SPACE: ReadonlySet<number> = new Set([
  ...[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
]);
