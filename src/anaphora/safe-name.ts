/**
 * A subject or a chunk id as it may stand in a prefix: on one line, control characters and direction marks as visible
 * escapes. Null for one that is too long to be a name: whatever a tool returned would get into the answer with it.
 */
export function safeName(name: string): string | null {
  if (name.length > LONGEST_NAME) return null;
  return visibleName(name);
}

/** The same, of any length. */
export function visibleName(name: string): string {
  return name.replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** In UTF-16 units: long enough for paths. */
const LONGEST_NAME = 200;

/** C0, DEL, C1, line and paragraph separators, direction marks. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
