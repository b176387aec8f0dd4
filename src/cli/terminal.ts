export { counted, grouped } from '../transcript/counts.js';

/**
 * Text from a transcript, safe to print: every control character but LF and TAB, and every character that changes the
 * direction of text, becomes a visible escape. Nothing is removed: what was there stays to be seen.
 */
export function safeText(text: string): string {
  return text.replace(UNSAFE, visibleEscape);
}

const UNSAFE = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f', // C0 without LF and TAB, DEL, C1
    '\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]', // line and paragraph separators, direction marks
  ].join(''),
  'g',
);

function visibleEscape(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** One line of JSON that is safe to print as well: what `safeText` would change is escaped, and means the same. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
