import { type Part, resultText } from '../transcript/message.js';
import type { JsonPath } from '../transcript/splice.js';
import { writeJson } from '../transcript/splice.js';

/** A part's text as a model reads it; '' for a picture and for whatever else has none. */
export function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return part.text;
    case 'tool-call':
      return argumentsText(part.input);
    case 'tool-result':
      return resultText(part);
    case 'image':
    case 'file':
    case 'raw':
      return '';
  }
}

function argumentsText(input: unknown): string {
  if (input === undefined) return '';
  return typeof input === 'string' ? input : writeJson(input, { escapesNonAscii: false, spaced: false });
}

/** What a part is, in a few words, such as `result of search (call_1)`. */
export function partTitle(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'thinking':
    case 'image':
      return part.kind;
    case 'tool-call':
      return `call of ${part.tool}${inBrackets(part.id)}`;
    case 'tool-result':
      return `result of ${part.tool ?? 'an unknown tool'}${inBrackets(part.callId)}`;
    case 'file':
      return part.name === null ? 'file' : `file ${part.name}`;
    case 'raw':
      return part.type;
  }
}

function inBrackets(id: string | null): string {
  return id === null ? '' : ` (${id})`;
}

/** Where the record holds the value that the text is read from; null for parts that are put together from several. */
export function partPath(part: Part): JsonPath | null {
  return part.kind === 'text' || part.kind === 'tool-result' ? part.at : null;
}
