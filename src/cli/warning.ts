import { oneLine } from './columns.js';
import type { Io } from './io.js';

/** Says what the reader of the output should know, on the standard error. */
export function warn(io: Io, text: string): void {
  io.stderr.write(`thread: warning: ${oneLine(text)}\n`);
}

/** Warns of a cut last line, once although the input may be read several times. `became` is what happened to it. */
export function brokenTailWarning(io: Io, file: string, became: string): (line: number) => void {
  let said = false;
  return (line) => {
    if (!said) warn(io, `${file}:${line}: the last line is cut; ${became}`);
    said = true;
  };
}
