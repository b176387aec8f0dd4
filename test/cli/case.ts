/** A command line and what it must write. */
export interface Case {
  readonly name: string;
  /** Behind the command's name. */
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly isTerminal?: boolean;
  readonly columns?: number;
  /** Default: 0. */
  readonly code?: number;
  /** Default: nothing. */
  readonly stdout?: string | RegExp;
  /** Default: nothing. */
  readonly stderr?: string | RegExp;
}
