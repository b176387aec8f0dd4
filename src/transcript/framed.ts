import { isObject } from './formats/values.js';
import { locate } from './splice.js';

/** A text that stands in JSON which is itself text, and what stands around it there. */
export interface FramedText {
  readonly text: string;
  readonly head: string;
  readonly tail: string;
}

/**
 * The output in a shell result like `{"output":"…","metadata":{"exit_code":0}}` (formats.md section 3.2); null for any
 * other text. The exit code outlives the output.
 */
export function framedText(value: unknown): FramedText | null {
  if (typeof value !== 'string' || !value.startsWith('{')) return null;
  const parsed = parsedObject(value);
  if (!isObject(parsed) || typeof parsed.output !== 'string' || !isObject(parsed.metadata)) return null;
  const [span] = locate(value, [['output']]);
  if (span === undefined) return null;
  return { text: parsed.output, head: value.slice(0, span.start), tail: value.slice(span.end) };
}

function parsedObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // text that only begins like JSON
  }
}

/** The same frame around another text. */
export function inFrame({ head, tail }: Pick<FramedText, 'head' | 'tail'>, text: string): string {
  return `${head}${JSON.stringify(text)}${tail}`;
}
