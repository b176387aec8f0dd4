export { counted, grouped } from '../transcript/counts.js';

/**
 * Text from a transcript, safe to print: every control character but LF and TAB, every character that changes the
 * direction of text or takes no place (but for joiners, which scripts and emoji need) and every half of a surrogate pair
 * becomes a visible escape. Nothing is removed: what was there stays to be seen.
 */
export function safeText(text: string): string {
  return text.replace(UNSAFE, visibleEscape);
}

const UNSAFE = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f', // C0 without LF and TAB, DEL, C1
    '\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069', // line and paragraph separators, direction marks
    '\\u00ad\\u180e\\u200b\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb]', // of no width
    '|\\udb40[\\udc00-\\udc7f]', // tags
    '|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]', // halves of pairs
  ].join(''),
  'g',
);

function visibleEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * JSON that is safe to print as well: what `safeText` would change is escaped, and means the same.
 * @param indent spaces a level; on one line without
 */
export function safeJson(value: unknown, indent?: number): string {
  return safeEscapes(JSON.stringify(value, null, indent));
}

/** The same of JSON that is there already; a line may end in CR and LF. */
export function safeEscapes(json: string): string {
  return json.replace(UNSAFE, (character, at: number) =>
    character === '\r' && json[at + 1] === '\n' ? character : character.split('').map(unitEscape).join(''),
  );
}

function unitEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
