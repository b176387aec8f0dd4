import { setFlagsFromString } from 'node:v8';

/**
 * For commands that read large files line by line: what a line is read into is dead at the next line, and without this
 * the engine lets the space for such values grow to 50 MB, for no more speed.
 */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * For commands that hold much of what they read: the engine collects what is dead when a fifth more is in use, not twice
 * as much. Takes about a tenth longer, in four fifths of the memory.
 */
export function keepOldSpaceSmall(): void {
  setFlagsFromString('--heap-growing-percent=20');
}
