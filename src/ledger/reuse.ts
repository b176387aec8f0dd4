import { flatCopy } from './kept-text.js';
import { distinctiveTokens, lineTokens } from './names.js';
import { NumberList } from './number-list.js';

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

/** Who brought a token into the conversation. */
const BY_EVIDENCE = 0;
const BY_OTHERS = 1;

/**
 * Follows distinctive tokens through a conversation: which came in through evidence, and which of those the assistant
 * used afterwards. What the operator had said, or the assistant itself had coined, is nobody's evidence. Tokens are
 * numbered and lines kept in columns: a long session has millions of both.
 */
export class TokenTrail {
  readonly #numbers = new Map<string, number>();
  /** By token number. */
  readonly #tokens: string[] = [];
  readonly #broughtBy = new NumberList();
  /** The assistant's messages that use a token after evidence brought it in, by token number. */
  readonly #uses = new Map<number, Use[]>();
  /** Of every line of a result that holds distinctive tokens: its result, its number, and where its tokens end. */
  readonly #lineResults = new NumberList();
  readonly #lineNumbers = new NumberList();
  readonly #lineEnds = new NumberList();
  /** Of every result, how many such lines came before it. */
  readonly #firstLines: number[] = [];
  /** The token numbers of all lines, one line behind the other. */
  readonly #lineTokens = new NumberList();
  readonly #positions: number[] = [];
  /** By token number. */
  readonly #lastSaid = new Map<number, number>();
  #newest = 0;

  /** The operator's words. */
  hear(text: string): void {
    for (const token of distinctiveTokens(text)) this.#bring(token, BY_OTHERS);
  }

  /** The assistant's words: an answer, or the arguments of a call. */
  say(text: string, position: number, kind: 'answer' | 'call'): void {
    this.#newest = position;
    const weight = kind === 'answer' ? ANSWER_WEIGHT : CALL_WEIGHT;
    for (const token of distinctiveTokens(text)) {
      const number = this.#bring(token, BY_OTHERS);
      this.#lastSaid.set(number, position);
      if (this.#broughtBy.at(number) === BY_EVIDENCE) this.#use(number, { position, weight });
    }
  }

  /** The lines of a result; `result` counts the results of the conversation. */
  retrieve(lines: readonly string[], result: number, position: number): void {
    this.#positions[result] = position;
    this.#firstLines[result] = this.#lineResults.length;
    lines.forEach((text, i) => {
      const tokens = lineTokens(text);
      if (tokens.size === 0) return;
      for (const token of tokens) this.#lineTokens.push(this.#bring(token, BY_EVIDENCE));
      this.#lineResults.push(result);
      this.#lineNumbers.push(i + 1);
      this.#lineEnds.push(this.#lineTokens.length);
    });
  }

  /** The distinctive tokens of a result's lines, by line number; lines without any are not in it. */
  tokensOf(result: number): ReadonlyMap<number, readonly string[]> {
    const byLine = new Map<number, readonly string[]>();
    const first = this.#firstLines[result] ?? this.#lineResults.length;
    for (let row = first; row < this.#lineResults.length && this.#lineResults.at(row) === result; row++) {
      const tokens: string[] = [];
      for (let i = row === 0 ? 0 : this.#lineEnds.at(row - 1); i < this.#lineEnds.at(row); i++)
        tokens.push(this.#tokens[this.#lineTokens.at(i)] ?? '');
      byLine.set(this.#lineNumbers.at(row), tokens);
    }
    return byLine;
  }

  /**
   * How many messages ago the assistant last said a token, counted back from its newest message; undefined when it
   * never did.
   */
  messagesSince(token: string): number | undefined {
    const number = this.#numbers.get(token);
    const said = number === undefined ? undefined : this.#lastSaid.get(number);
    return said === undefined ? undefined : this.#newest - said;
  }

  /**
   * The citations by reuse. Of several lines that hold a token the newest one that was retrieved before its last use
   * gets the credit: older copies are repeats of it. A line is cited when its credits weigh enough together.
   * `isLive` says which results count at all.
   */
  reuses(isLive: (result: number) => boolean): Reuse[] {
    const credited = new Set<number>();
    const found: Reuse[][] = [];
    for (let line = this.#lineResults.length - 1; line >= 0; line--) {
      if (!isLive(this.#lineResults.at(line))) continue;
      const credits = this.#credits(line, credited);
      if (credits.reduce((sum, { weight }) => sum + weight, 0) >= CITING_WEIGHT) found.push(credits);
    }
    return found.reverse().flat();
  }

  #credits(index: number, credited: Set<number>): (Reuse & Use)[] {
    const [result, line] = [this.#lineResults.at(index), this.#lineNumbers.at(index)];
    const credits: (Reuse & Use)[] = [];
    for (let i = index === 0 ? 0 : this.#lineEnds.at(index - 1); i < this.#lineEnds.at(index); i++) {
      const number = this.#lineTokens.at(i);
      const uses = credited.has(number) ? [] : this.#usesAfter(number, this.#positions[result] ?? 0);
      if (uses.length > 0) credited.add(number);
      for (const use of uses) credits.push({ result, line, token: this.#tokens[number] ?? '', ...use });
    }
    return credits;
  }

  #usesAfter(number: number, retrieved: number): readonly Use[] {
    return (this.#uses.get(number) ?? []).filter(({ position }) => position > retrieved);
  }

  #use(number: number, use: Use): void {
    const uses = this.#uses.get(number);
    if (uses === undefined) this.#uses.set(number, [use]);
    else if (uses.at(-1)?.position !== use.position) uses.push(use);
  }

  /** The token's number. Who brings it first has brought it. */
  #bring(said: string, broughtBy: typeof BY_EVIDENCE | typeof BY_OTHERS): number {
    const known = this.#numbers.get(said);
    if (known !== undefined) return known;
    const token = flatCopy(said);
    const number = this.#tokens.length;
    this.#numbers.set(token, number);
    this.#tokens.push(token);
    this.#broughtBy.push(broughtBy);
    return number;
  }
}
