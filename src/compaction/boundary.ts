import type { Ledger } from '../ledger/entry.js';
import { RuleError } from '../transcript/errors.js';

/** What the boundary depends on in a transcript. */
export interface Counted {
  /** How many messages it has. */
  readonly messages: number;
  /** The position of its last question; 0 when nobody asked anything. */
  readonly lastQuestion: number;
}

/**
 * The position below which everything is earlier: the one asked for, else where the current question begins by the
 * ledger and the transcript together.
 * @throws RuleError when the ledger counts more messages than the transcript has
 */
export function findAgreedBoundary(
  ledger: Ledger,
  { messages, lastQuestion }: Counted,
  asked: number | undefined,
): number {
  checkCounts(ledger, messages);
  return asked ?? boundaryOf(ledger, lastQuestion);
}

/** Message counts only grow: a ledger that is ahead of the transcript belongs to another, longer history. */
function checkCounts(ledger: Ledger, messages: number): void {
  for (const { capability, record } of ledger.capabilities) {
    const counts = [record.question, record.latestEvidenceEpoch, record.declaration?.epoch ?? 0];
    const ahead = counts.find((count) => count !== null && count > messages);
    if (ahead !== undefined) {
      throw new RuleError(
        'RuntimeError',
        `the ledger's ${capability} record stands at message ${ahead}, but the transcript has only ${messages} messages`,
        'is it the ledger of this transcript? message counts never go back',
      );
    }
  }
}

/**
 * Where the current question begins. A record of a question in progress is the authority: user messages after it are
 * notices. Otherwise a later question in the transcript counts.
 */
function boundaryOf(ledger: Ledger, lastQuestion: number): number {
  const records = ledger.capabilities.map(({ record }) => record);
  const latest = records.reduce((most, { question }) => Math.max(most, question ?? -1), -1);
  if (latest >= 0 && records.some((record) => record.question === latest && record.inProgress)) return latest;
  return Math.max(latest, lastQuestion);
}
