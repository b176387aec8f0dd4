import type { Cut, SessionMessage } from './sessions.js';

/** How many of the assistant's messages after the cut say what was needed. */
const MESSAGES_AHEAD = 20;

/**
 * Distinctive tokens by the measure's own rule, which is not the ledger's: identifiers, paths, dotted and hyphenated
 * names and numbers, so that the tool is not measured by its own ruler.
 */
export function measureTokens(text: string): Set<string> {
  const tokens = new Set<string>();
  for (const [token] of text.matchAll(/[A-Za-z0-9_][A-Za-z0-9_./:@#-]*[A-Za-z0-9_]/g)) {
    const isName = /[a-z][A-Z]|_|\d{3,}|[A-Za-z]\d|\d[A-Za-z]|\/|[a-z]\.[a-z]|[A-Za-z]-[A-Za-z]/.test(token);
    if ((token.length >= 5 && isName) || /^\d{3,}$/.test(token)) tokens.add(token);
  }
  return tokens;
}

/** What the continuation of a cut needs of the evidence before it. */
export interface Needed {
  readonly all: ReadonlySet<string>;
  /** Those that no message before the cut had said. */
  readonly onlyEvidence: ReadonlySet<string>;
}

/**
 * The tokens that the next assistant messages use, that stood in evidence before the cut, and that nothing after the
 * cut brought back before their use.
 */
export function neededTokens({ before, after }: Cut): Needed {
  const evidence = tokensOf(before.flatMap((message) => (message.isEvidence ? message.results : [])));
  const said = tokensOf(before.map((message) => message.said));
  const broughtBack = new Set<string>();
  const all = new Set<string>();
  let ahead = 0;
  for (const message of after) {
    if (ahead >= MESSAGES_AHEAD) break;
    const tokens = tokensOf([message.said]);
    if (message.speaker === 'assistant') {
      ahead += 1;
      for (const token of tokens) if (evidence.has(token) && !broughtBack.has(token)) all.add(token);
    }
    for (const token of [...tokens, ...tokensOf(message.results)]) broughtBack.add(token);
  }
  return { all, onlyEvidence: new Set([...all].filter((token) => !said.has(token))) };
}

function tokensOf(texts: readonly string[]): Set<string> {
  return measureTokens(texts.join('\n'));
}

/** All evidence before a cut, and its size in UTF-16 units. */
export function evidenceBefore(before: readonly SessionMessage[]): string[] {
  return before.flatMap((message) => (message.isEvidence ? message.results : []));
}
