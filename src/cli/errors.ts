import { ThreadError } from '../transcript/errors.js';
import { oneLine } from './columns.js';
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
    const { headline, details, hint, exitCode } = error;
    const lines = [
      `thread: ${oneLine(headline)}`,
      ...details.map((detail) => `  ${detail}`),
      ...(hint === undefined ? [] : [`  hint: ${oneLine(hint)}`]),
    ];
    return { text: lines.map((line) => `${line}\n`).join(''), exitCode };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    text: `thread: a fault of thread itself; please report it with these lines and the command you ran\n  ${safeText(stack).replaceAll('\n', '\n  ')}\n`,
    exitCode: BUG_EXIT,
  };
}

/** What is said of a command line that is wrong. A pattern of the shell may have put a file's name among the options. */
export function usageText(text: string): string {
  const [, problem = text, suggestion = ''] =
    /^(?:error: )?(.*?)(\n\(Did you mean [^\n]*\))?\n*$/s.exec(text) ?? [];
  return `thread: ${oneLine(problem)}${suggestion}\n`;
}
