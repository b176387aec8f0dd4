/** What a target format has no place for, by kind and how often. */
export class Losses {
  readonly #counts = new Map<Loss, number>();

  note(loss: Loss, times = 1): void {
    if (times > 0) this.#counts.set(loss, (this.#counts.get(loss) ?? 0) + times);
  }

  add(others: Losses): void {
    for (const [loss, times] of others.#counts) this.note(loss, times);
  }

  /** In the order of the list below. */
  list(): readonly (readonly [Loss, number])[] {
    return LOSSES.flatMap((loss) => {
      const times = this.#counts.get(loss);
      return times === undefined ? [] : [[loss, times] as const];
    });
  }
}

const LOSSES = [
  'message off the live path',
  'thinking block',
  'picture',
  'file',
  'citation',
  'other part',
  'call without a result',
  'result without a call',
  'call id',
  'error flag',
  'arguments that are no object',
  'order of text and calls',
  'system message behind the first one',
  'mark of a summary or of injected text',
  'empty message',
  'record with fields of its own',
] as const;

export type Loss = (typeof LOSSES)[number];
