import { type CommandLine, INPUT, LEDGER } from './trial.js';

/** The options that compactions are tried with. */
export const COMPACTIONS: readonly (readonly string[])[] = [
  [],
  ['--allow-uncited'],
  ['--recent', '0', '--allow-uncited'],
  ['--boundary', '9', '--recent', '0', '--allow-uncited', '--copies'],
  ['--boundary', '14', '--budget', '60', '--allow-uncited'],
];

const jsonl = (...args: string[]): CommandLine => ({ args, stdoutIs: 'jsonl' });
const json = (...args: string[]): CommandLine => ({ args, stdoutIs: 'json' });
const text = (...args: string[]): CommandLine => ({ args, stdoutIs: 'text' });

/** Every other command, in each of its ways to write. */
export const COMMANDS: readonly CommandLine[] = [
  jsonl('ledger', INPUT),
  json('ledger', INPUT, '--json'),
  text('ledger', INPUT, '--explain'),
  jsonl('ledger', INPUT, '--status'),
  text('show', INPUT, '3.0'),
  json('show', INPUT, '1', '--json'),
  text('show', INPUT, 'call_2'),
  jsonl('resolve', INPUT),
  jsonl('resolve', INPUT, '--all'),
  text('resolve', INPUT, '--explain'),
  json('resolve', INPUT, '--query', 'and how tight?', '--request'),
  jsonl('recall', INPUT, '--terms', 'clutch,bay,file', '--json'),
  text('recall', INPUT, '--query', 'what about the clutch?'),
  text('verify', '--pairs', INPUT),
  json('verify', '--pairs', '--json', INPUT),
  text('diff', INPUT, INPUT),
  json('diff', '--json', INPUT, INPUT),
  jsonl('anaphora', INPUT),
  text('anaphora', INPUT, '--table'),
  { args: ['anaphora', INPUT, '--apply'], stdoutIs: 'transcript' },
  json('formats', INPUT, '--json'),
  text('formats', INPUT),
  { args: ['convert', INPUT, '--to', 'openai-chat'], stdoutIs: 'transcript' },
  { args: ['convert', INPUT, '--to', 'anthropic-messages'], stdoutIs: 'transcript' },
  text('compact', INPUT, '--diff'),
  { args: ['compact', INPUT, '--ledger', LEDGER, '--strict'], stdoutIs: 'transcript' },
  jsonl('ledger', INPUT, '--ledger', LEDGER),
  jsonl('ledger', INPUT, '--status', '--ledger', LEDGER),
  jsonl('anaphora', INPUT, '--ledger', LEDGER),
  jsonl('resolve', INPUT, '--at', '5'),
];
