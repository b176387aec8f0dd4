// Names that carry their own spelling: identifiers, file names, codes, versions, paths, addresses. A name is one term.

export interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

// Scripts without spaces run on behind a name: they are no part of it.
const RUN =
  /(?:(?<![\p{L}\p{N}.])\.)?(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー])[\p{L}\p{N}\p{M}_#/~](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー])[\p{L}\p{N}\p{M}_.:/@#+\\-])*/gu;
const LONGEST = 120;

const SHAPES: readonly RegExp[] = [
  // ORD-1234, v1.2.3, E204, db-07, 2024-03-17, 10.20.4.17: letters or separators together with digits
  /^(?=.*\p{N})(?=.*[\p{L}_./:@#-])[\p{L}\p{N}_.:/@#+\\-]+$/u,
  // ERR_CONN_RESET, net_sales
  /^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$/u,
  // parseHeader, LRUCache, PyYAML
  /^\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*$/u,
  /^\p{Lu}{2,}\p{Ll}\p{L}+$/u,
  // LRUCache.set, tsconfig.json, src/http/head.ts, /etc/hosts, name@host
  /^[~/]?[\p{L}\p{N}_-]+(?:[./@:\\][\p{L}\p{N}_-]+)+$/u,
  /^\/[\p{L}\p{N}_./-]+$/u,
  // .github/workflows/ci.yml, .env.local
  /^\.\p{L}[\p{L}\p{N}_-]*(?:[./][\p{L}\p{N}_-]+)+$/u,
  // ERR-RATE-HI, Kessel-A, 71-K
  /^\p{Lu}{2,}(?:-\p{Lu}{2,})+$/u,
  /^\p{Lu}\p{L}{2,}-\p{Lu}$/u,
  // nightly-prune, mail-gateway
  /^\p{Ll}+(?:-\p{Ll}+)+$/u,
  // a number that is nothing else: five digits, or four that are no year
  /^(?:\p{N}{5,}|(?!19|20)\p{N}{4})$/u,
];

const ORDINARY =
  /^(?:\p{N}+(?:st|nd|rd|th|s|k|m|am|pm|x)|\p{N}{1,3}|\p{N}{1,3}[.:/,-]\p{N}{1,3}|\p{Lu}(?:\.\p{L})+|e\.g|i\.e|a\.m|p\.m|u\.s|and\/or|he\/she|(?:well|so|non|co|pre|re|self|long|short|high|low|old|new|full|part|semi|all)-[\p{L}-]+|[\p{L}-]+-(?:ce|il|ils|elle|elles|on|je|tu|moi|là|ci|vous|nous|les?|la|me|te|se|lo|no|da)|[\p{L}]+-(?:based|up|in|to|of|made|known|old|like|style|free|time|term|year|day|born|out|off|on|friendly|related))$/iu;

// snake_case, paths, letters with digits, camelCase, a file's ending or a host, pool-b, a long number.
const UNMISTAKABLE =
  /[_/@]|\p{L}{2}.*\p{N}|\p{Lu}-?\p{N}{2}|^\p{Ll}{3,}\p{Lu}|\p{Lu}{2}\p{Ll}{3}|\p{L}\.\p{L}{2,5}$|\p{L}\.\p{L}+\.\p{L}|\p{N}-\p{Lu}$|\p{Lu}{2}-\p{Lu}{2}|\p{L}{3}-\p{Lu}$|^\p{Ll}{2,}-(?:.*-)?(?:\p{Ll}{1,2}|api|app|job|log|lag|svc)$|^\p{N}{5}$|^\p{N}[\p{N}.-]+\p{N}$/u;

/** Whether it cannot be an ordinary word, the name of a person or an amount. */
export function isUnmistakable(name: string): boolean {
  return UNMISTAKABLE.test(name);
}

/** The names of a text, in order, with UTF-16 offsets. */
export function findNames(text: string): readonly Name[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    if (run.length > LONGEST) return [];
    const trimmed = run.replace(/[.:/@#+\\-]+$/u, '').replace(/^#+/, '');
    const start = index + run.indexOf(trimmed);
    return isName(trimmed) ? [{ text: trimmed, start, end: start + trimmed.length }] : [];
  });
}

function isName(text: string): boolean {
  return text.length > 1 && !ORDINARY.test(text) && SHAPES.some((shape) => shape.test(text));
}
