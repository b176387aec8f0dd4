/** Where in the input something was found: 1-based line and column; the column counts UTF-16 units, as editors do. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** What a command exits with when it ends on an error: see the exit code table of the README. */
export type ExitCode = 1 | 2 | 3;

/** An expected failure: what the user sees is the message and at most one hint, never a stack. */
export class ThreadError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  /** What happened, without the details. It may name things of the input, line ends included. */
  readonly headline: string;
  /** Lines of our own that the message ends with: nothing of the input stands in them. */
  readonly details: readonly string[];

  constructor(
    headline: string,
    options: {
      details?: readonly string[];
      hint?: string | undefined;
      exitCode?: ExitCode;
      cause?: unknown;
    } = {},
  ) {
    const { details = [], cause } = options;
    super([headline, ...details].join('\n  '), cause === undefined ? undefined : { cause });
    this.headline = headline;
    this.details = details;
    this.name = 'ThreadError';
    this.exitCode = options.exitCode ?? 2;
    this.hint = options.hint;
  }
}

/** Bad input, at a place that an editor can jump to (`file:line:column: problem`). */
export class InputError extends ThreadError {
  readonly place: Place;

  constructor(
    place: Place,
    problem: string,
    options: { details?: readonly string[]; hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(`${formatPlace(place)}: ${problem}`, options);
    this.name = 'InputError';
    this.place = place;
  }
}

/** `file`, `file:line` or `file:line:column`. */
function formatPlace({ file, line, column }: Place): string {
  return [file, line, column].filter((piece) => piece !== undefined).join(':');
}

/**
 * A rule of the ledger or of compaction that the input breaks. `kind` names the class of refusal that the recorded
 * reference behaviour uses (`ValueError`: a wrong argument; `RuntimeError`: a missing record).
 */
export class RuleError extends ThreadError {
  readonly kind: 'ValueError' | 'RuntimeError';

  constructor(kind: 'ValueError' | 'RuntimeError', message: string, hint?: string) {
    super(message, { hint });
    this.name = 'RuleError';
    this.kind = kind;
  }
}

/** Runs `work`; the errors of its rules then say which file they are about. */
export function aboutFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    throw new RuleError(error.kind, `${file}: ${error.message}`, error.hint);
  }
}
