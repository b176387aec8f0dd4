import { RuleError } from '../../src/transcript/errors.js';

export interface Refusal {
  readonly error: { readonly kind: string; readonly message: string };
}

/** What a call returns, or its refusal as the vectors write it. Any other error is a fault and passes through. */
export function outcome<Result>(call: () => Result): Result | Refusal {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return { error: { kind: error.kind, message: error.message } };
  }
}
