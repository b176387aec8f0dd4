const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Says without any code of ours what is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The same of bytes, which have to be UTF-8. */
export function isUtf8Json(bytes: Uint8Array): boolean {
  try {
    return isJson(strict.decode(bytes));
  } catch {
    return false;
  }
}

/**
 * The first line (1-based) that is neither blank nor a comment above the records nor JSON, of a file that is no JSON as
 * a whole either; undefined when there is none. Records glued on a line pass: where one ends is for the reader to say.
 */
export function badLine(bytes: Buffer): number | undefined {
  if (isDocument(bytes)) return undefined;
  let hasRecord = false;
  for (const [i, line] of linesOf(bytes).entries()) {
    if (/^[ \t\r]*$/.test(line) || (!hasRecord && line.startsWith('//'))) continue;
    hasRecord = true;
    if (!isUtf8Json(Buffer.from(line, 'latin1')) && !/\}\s*\{/.test(line)) return i + 1;
  }
  return undefined;
}

/** Whether all of it is one JSON value. */
export function isDocument(bytes: Buffer): boolean {
  return isUtf8Json(Buffer.from(linesOf(bytes).join('\n'), 'latin1'));
}

/** The lines in latin1, without the byte-order mark that may stand in front of the first. */
export function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n');
}
