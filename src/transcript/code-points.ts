/**
 * Orders strings by Unicode code point, the only string order of this project. `<` compares UTF-16 units, which puts
 * characters above U+FFFF before U+E000..U+FFFF. A lone surrogate counts as its own code point.
 */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) {
      // A difference in the second half of a pair is decided by the whole character that both share the first half of.
      const start = i > 0 && isHighSurrogate(a.charCodeAt(i - 1)) ? i - 1 : i;
      return (
        (a.codePointAt(start) ?? 0) - (b.codePointAt(start) ?? 0) ||
        (a.codePointAt(i) ?? 0) - (b.codePointAt(i) ?? 0)
      );
    }
  }
  return a.length - b.length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
