/** Words, with what is quoted as one word; a comma, colon, bracket or dash that ends a phrase is `,`. */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const [piece] of text.matchAll(TOKEN)) {
    const quoted = /^[`"“«]/.test(piece) ? piece.slice(1, -1) : null;
    if (quoted !== null) tokens.push(quoted);
    else if (/^[,:;()–—?!\]]|^-$/.test(piece)) tokens.push(',');
    else tokens.push(...ended(piece));
  }
  return tokens;
}

const TOKEN =
  /`[^`\n]{1,200}`|"[^"\n]{1,200}"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|[,:;()–—?!\]](?=\s|$)|\(|[^\s(]+?(?=[,:;)?!\]]*(?:\s|$))|\S/gu;

/** A full stop at the end of a word ends its phrase; `'s` of a contraction does too. */
function ended(piece: string): string[] {
  const word = piece.replace(/[.!?,;:]+$/, '').replace(/^['‘’]+|['‘’]+$/g, '');
  const tokens = word === '' ? [] : [word];
  return word.length < piece.replace(/['‘’]/g, '').length ? [...tokens, ','] : tokens;
}

/** Paths, identifiers and quoted names anywhere in the text, each once. */
export function markedNames(text: string): string[] {
  const found = text.slice(0, 2000).matchAll(MARKED);
  return [
    ...new Set([...found].map(([whole]) => whole.replace(/^[`"“«「]|[`"”»」]$/g, '').replace(/[.,;:]$/, ''))),
  ];
}

const MARKED =
  /`[^`\n]{1,100}`|"[^"\n]{1,100}"|“[^”\n]{1,100}”|«[^»\n]{1,100}»|「[^」\n]{1,100}」|(?<![\w/])(?:[\w.-]+\/)+[\w.-]*[\w-]\.[a-z]\w{0,4}\b|\b[\w-]+\.(?:ts|js|py|rs|go|java|md|json|jsonl|yaml|yml|toml|css|html|sh|c|h|cpp)\b/g;
