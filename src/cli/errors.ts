import { ThreadError } from '../transcript/errors.js';
import { Interrupted } from './interrupt.js';
import { ClosedPipe } from './output.js';
import { safeText } from './terminal.js';

/** What the user sees of a failure, and the exit code that goes with it. */
export interface Failure {
  readonly text: string;
  readonly exitCode: number;
}

const BUG_EXIT = 70;

/** Renders a failure: expected ones as one line and a hint, a fault of ours with its stack. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof ClosedPipe) return { text: '', exitCode: 0 };
  if (error instanceof Interrupted) return { text: '', exitCode: error.exitCode };
  if (error instanceof ThreadError) {
    const hint = error.hint === undefined ? '' : `  hint: ${safeText(error.hint)}\n`;
    return { text: `thread: ${safeText(error.message)}\n${hint}`, exitCode: error.exitCode };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    text: `thread: a fault of thread itself; please report it with these lines and the command you ran\n${safeText(stack)}\n`,
    exitCode: BUG_EXIT,
  };
}
