import { distinctiveTokens, lineTokens } from './names.js';

/** A line of a result that holds distinctive tokens. */
export interface NamingLine {
  readonly result: number;
  /** 1-based, in the result. */
  readonly line: number;
  readonly tokens: ReadonlySet<string>;
}

/** A citation by reuse: the token that a message repeats, and the line it came in through. */
export interface Reuse {
  readonly result: number;
  readonly line: number;
  readonly token: string;
  readonly position: number;
}

interface Use {
  readonly position: number;
  readonly weight: number;
}

/**
 * How much a use proves: an answer that says a name rests on it, a call's arguments may hold it by chance. One name said
 * once is no citation yet; measured by bench/retention, which single uses do not help.
 */
const ANSWER_WEIGHT = 2;
const CALL_WEIGHT = 1;
const CITING_WEIGHT = 4;

interface TokenHistory {
  /** Who brought it into the conversation. */
  readonly broughtBy: 'evidence' | 'operator' | 'assistant';
  /** The assistant's messages that use it after evidence brought it in. */
  readonly uses: Use[];
}

/**
 * Follows distinctive tokens through a conversation: which came in through evidence, and which of those the assistant
 * used afterwards. What the operator had said, or the assistant itself had coined, is nobody's evidence.
 */
export class TokenTrail {
  readonly #histories = new Map<string, TokenHistory>();
  readonly #lines: NamingLine[] = [];
  readonly #positions: number[] = [];
  readonly #lastSaid = new Map<string, number>();
  #newest = 0;

  /** The operator's words. */
  hear(text: string): void {
    for (const token of distinctiveTokens(text)) this.#bring(token, 'operator');
  }

  /** The assistant's words: an answer, or the arguments of a call. */
  say(text: string, position: number, kind: 'answer' | 'call'): void {
    this.#newest = position;
    const weight = kind === 'answer' ? ANSWER_WEIGHT : CALL_WEIGHT;
    for (const token of distinctiveTokens(text)) {
      this.#lastSaid.set(token, position);
      const history = this.#bring(token, 'assistant');
      if (history.broughtBy === 'evidence' && history.uses.at(-1)?.position !== position)
        history.uses.push({ position, weight });
    }
  }

  /** The lines of a result; `result` counts the results of the conversation. */
  retrieve(lines: readonly string[], result: number, position: number): void {
    this.#positions[result] = position;
    lines.forEach((text, i) => {
      const tokens = lineTokens(text);
      if (tokens.size === 0) return;
      for (const token of tokens) this.#bring(token, 'evidence');
      this.#lines.push({ result, line: i + 1, tokens });
    });
  }

  /** All lines with distinctive tokens, in the order of their retrieval. */
  lines(): readonly NamingLine[] {
    return this.#lines;
  }

  /**
   * How many messages ago the assistant last said a token, counted back from its newest message; undefined when it
   * never did.
   */
  messagesSince(token: string): number | undefined {
    const said = this.#lastSaid.get(token);
    return said === undefined ? undefined : this.#newest - said;
  }

  /**
   * The citations by reuse. Of several lines that hold a token the newest one that was retrieved before its last use
   * gets the credit: older copies are repeats of it. A line is cited when its credits weigh enough together.
   * `isLive` says which results count at all.
   */
  reuses(isLive: (result: number) => boolean): Reuse[] {
    const credited = new Set<string>();
    return this.#lines
      .filter(({ result }) => isLive(result))
      .reverse()
      .map((line) => {
        const credits = this.#credits(line, credited);
        return credits.reduce((sum, { weight }) => sum + weight, 0) >= CITING_WEIGHT ? credits : [];
      })
      .reverse()
      .flat();
  }

  #credits({ result, line, tokens }: NamingLine, credited: Set<string>): (Reuse & Use)[] {
    return [...tokens].flatMap((token) => {
      const uses = credited.has(token) ? [] : this.#usesAfter(token, this.#positions[result] ?? 0);
      if (uses.length > 0) credited.add(token);
      return uses.map((use) => ({ result, line, token, ...use }));
    });
  }

  #usesAfter(token: string, retrieved: number): readonly Use[] {
    return (this.#histories.get(token)?.uses ?? []).filter(({ position }) => position > retrieved);
  }

  #bring(token: string, broughtBy: TokenHistory['broughtBy']): TokenHistory {
    const known = this.#histories.get(token);
    if (known !== undefined) return known;
    const history = { broughtBy, uses: [] };
    this.#histories.set(token, history);
    return history;
  }
}
