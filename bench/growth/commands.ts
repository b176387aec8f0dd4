/** Files that a command may name. */
export interface Inputs {
  readonly file: string;
  /** What `--ledger` takes. */
  readonly ledger: string;
  /** What a compaction by that ledger made of the file. */
  readonly compacted: string;
  /** For commands that are about one conversation: which, of a file of several. */
  readonly one: readonly string[];
}

const thread = (...args: readonly string[]): readonly string[] => [
  process.execPath,
  'bin/thread.js',
  ...args,
];

export const COMMANDS: ReadonlyMap<string, (inputs: Inputs) => readonly string[]> = new Map([
  ['compact, derived', ({ file }) => thread('compact', '-q', '--allow-uncited', file)],
  [
    'compact, given',
    ({ file, ledger, one }) => thread('compact', '-q', '--allow-uncited', file, '--ledger', ledger, ...one),
  ],
  ['ledger', ({ file }) => thread('ledger', file)],
  ['show', ({ file, one }) => thread('show', file, '2', ...one)],
  [
    'verify',
    ({ file, ledger, compacted, one }) => thread('verify', file, compacted, '--ledger', ledger, ...one),
  ],
  ['resolve', ({ file }) => thread('resolve', file)],
  ['recall', ({ file }) => thread('recall', file, '--query', 'when does the valve of the basin close?')],
  ['diff with itself', ({ file }) => thread('diff', file, file)],
  ['anaphora', ({ file }) => thread('anaphora', file)],
  ['formats', ({ file }) => thread('formats', file)],
  ['convert', ({ file }) => thread('convert', '--to', 'anthropic-messages', '--lossy', '-q', file)],
]);
