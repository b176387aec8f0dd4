import type { ChalkInstance } from 'chalk';
import type { Io } from './io.js';

/** As chalk counts them: none, 16 colours, 256, all. */
export type ColorLevel = 0 | 1 | 2 | 3;

/**
 * Whether a stream gets colour, and how much: the flag decides, else `NO_COLOR`, else `FORCE_COLOR` (both count only
 * when they are not empty), else `TERM=dumb`, else whether the stream is a terminal.
 * @param flag `--color` or `--no-color`; undefined when neither was given
 */
export function colorLevel(stream: 'stdout' | 'stderr', io: Io, flag: boolean | undefined): ColorLevel {
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env;
  if (flag !== undefined) return flag ? terminalLevel(io) : 0;
  if (isSet(NO_COLOR)) return 0;
  if (isSet(FORCE_COLOR)) return forcedLevel(FORCE_COLOR);
  return TERM !== 'dumb' && io.isTerminal[stream] ? terminalLevel(io) : 0;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

function forcedLevel(value: string): ColorLevel {
  switch (value) {
    case '0':
    case 'false':
      return 0;
    case '2':
      return 2;
    case '3':
      return 3;
    default:
      return 1; // any value forces colour
  }
}

function terminalLevel({ env: { COLORTERM = '', TERM = '' } }: Io): ColorLevel {
  if (COLORTERM === 'truecolor' || COLORTERM === '24bit') return 3;
  return TERM.endsWith('-256color') ? 2 : 1;
}

/** The styles for one stream, by `colorLevel`. Loads chalk, so only what is really going to colour asks for them. */
export async function chalkFor(
  stream: 'stdout' | 'stderr',
  io: Io,
  flag: boolean | undefined,
): Promise<ChalkInstance> {
  const { Chalk } = await import('chalk');
  return new Chalk({ level: colorLevel(stream, io, flag) });
}
