import { ThreadError } from '../../transcript/errors.js';

export type PlannerFailureKind =
  | 'not-running'
  | 'model-missing'
  | 'timeout'
  | 'cut'
  | 'http'
  | 'too-long'
  | 'cancelled';

/** The service behind a planner gave no plan. */
export class PlannerError extends ThreadError {
  readonly kind: PlannerFailureKind;

  constructor(kind: PlannerFailureKind, message: string, options: { hint: string; cause?: unknown }) {
    super(message, { ...options, exitCode: 3 });
    this.name = 'PlannerError';
    this.kind = kind;
  }
}
