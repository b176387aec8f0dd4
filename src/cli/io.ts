/** Everything of the outside world that a command may touch, so that a test runs a whole command in-process. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The file that the standard input is, as `fileIdentity` says it; undefined when it is none. */
  readonly stdinFile?: string | undefined;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** How many cells wide the terminal on stdout is; undefined when it is none. */
  readonly columns?: number | undefined;
}

/** Where bytes go. A write is complete when it returns, so there is nothing to drain. */
export interface Sink {
  write(bytes: Uint8Array | string): void;
}
