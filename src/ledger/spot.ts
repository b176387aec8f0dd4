import { InputError } from '../transcript/errors.js';
import { findFault } from '../transcript/json-text.js';

/** Where a value stands. */
export interface Spot {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** The steps that lead to the value from the line's own: see `pathStep`. Empty for a whole line. */
  readonly path: string;
}

/** An `InputError` about the field at a spot. */
export function fieldError({ file, line, path }: Spot, problem: string, hint?: string): InputError {
  const field = path.startsWith('.') ? path.slice(1) : path;
  return new InputError({ file, line }, field === '' ? problem : `${field}: ${problem}`, { hint });
}

/** A key or an index as it stands in a field path: `.name`, `["other name"]` or `[0]`. */
export function pathStep(key: PropertyKey): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_][\w-]*$/.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(String(key))}]`;
}

/**
 * The value of a JSON text that starts on the given line of the file. Throws an `InputError` with line and column for a
 * text that is not JSON.
 */
export function parseJson(text: string, { file, line }: Omit<Spot, 'path'>): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // Offsets in decoded text are UTF-16 units, which is what columns count.
    const { offset, problem } = findFault(text.trimEnd());
    const linesBefore = text.slice(0, offset).split('\n');
    const column = (linesBefore.at(-1) ?? '').length + 1;
    throw new InputError({ file, line: line + linesBefore.length - 1, column }, `not JSON: ${problem}`, {
      cause,
    });
  }
}
