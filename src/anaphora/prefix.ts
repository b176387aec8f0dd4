import { newestTurnAbout, normaliseSubject, type ThreadContext, type TurnSummary } from './thread-context.js';

export type CurrentTurn = Pick<TurnSummary, 'subject' | 'intent' | 'groundingSource'>;

/** Why a turn goes back to none: the first condition that failed, in this order. */
export type Silence = 'no-subject' | 'weak-current' | 'no-prior' | 'weak-prior' | 'same-intent';

/** Every turn has one: the turn it goes back to and the words that say so, or why there is none. */
export type Decision<Turn extends TurnSummary> =
  | { readonly kind: 'fired'; readonly anchor: Turn; readonly prefix: string }
  | { readonly kind: 'silent'; readonly reason: Silence };

/** Whether the current turn returns to what an earlier one of the window was about, both of them grounded. */
export function decidePrefix<Turn extends TurnSummary>(
  context: ThreadContext<Turn>,
  current: CurrentTurn,
): Decision<Turn> {
  const subject = normaliseSubject(current.subject ?? '');
  if (subject === '') return silent('no-subject');
  if (!isStrong(current)) return silent('weak-current');
  const anchor = newestTurnAbout(context, subject);
  if (anchor === undefined) return silent('no-prior');
  if (!isStrong(anchor)) return silent('weak-prior');
  if (anchor.intent !== '' && anchor.intent === current.intent) return silent('same-intent');
  return { kind: 'fired', anchor, prefix: prefixText(anchor, subject) };
}

function silent(reason: Silence): { readonly kind: 'silent'; readonly reason: Silence } {
  return { kind: 'silent', reason };
}

/** Compared as they stand: tiers of another spelling are other tiers. */
function isStrong({ groundingSource }: Pick<TurnSummary, 'groundingSource'>): boolean {
  return groundingSource === 'pack' || groundingSource === 'teaching';
}

function prefixText({ turnIndex, groundingSource, chainId }: TurnSummary, subject: string): string {
  const isChain = groundingSource === 'teaching' && chainId !== null && chainId !== '';
  return `${OPENING}${turnIndex}: ${isChain ? `chain ${chainId}` : `${subject} grounded ${groundingSource}`}${CLOSING}`;
}

const OPENING = '(Recalling turn ';
const CLOSING = '.) ';

/** How many UTF-16 units of a text are a prefix at its start; 0 when there is none. */
export function prefixLength(text: string): number {
  const numbered = /^\(Recalling turn -?\d+: /.exec(text.slice(0, 60));
  if (numbered === null) return 0;
  const line = text.split('\n', 1)[0] ?? '';
  const end = line.indexOf(CLOSING, numbered[0].length);
  return end < 0 ? 0 : end + CLOSING.length;
}
