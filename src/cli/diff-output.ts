import type { Screen, Style } from '../diff/screen.js';
import { chalkFor } from './color.js';
import { cellWidth, fitEnd, oneLine } from './columns.js';
import type { Io } from './io.js';
import { safeText } from './terminal.js';

const DEFAULT_WIDTH = 100;

/** The standard output as the renderer of differences wants it. */
export async function diffScreen(
  io: Io,
  { width, color }: { readonly width?: number | undefined; readonly color?: boolean | undefined },
): Promise<Screen> {
  const chalk = await chalkFor('stdout', io, color);
  const paints: Readonly<Record<Style, (text: string) => string>> = {
    heading: chalk.bold,
    removed: chalk.red,
    added: chalk.green,
    'removed-words': chalk.red.inverse,
    'added-words': chalk.green.inverse,
    dim: chalk.dim,
  };
  return {
    width: width ?? io.columns ?? DEFAULT_WIDTH,
    isColored: chalk.level > 0,
    safeText,
    oneLine,
    cellWidth,
    fitEnd,
    paint: (style, text) => paints[style](text),
  };
}
