import type { Message } from '../transcript/message.js';

/** What is needed of a message to tell whether calls and results belong together. */
export interface PairedMessage {
  readonly position: number;
  readonly line: number;
  readonly isAssistant: boolean;
  /** A message that is a result and nothing else, in formats that have such. */
  readonly isToolRole: boolean;
  readonly pieces: readonly PairPiece[];
}

interface PairPiece {
  readonly kind: 'call' | 'result' | 'other';
  /** Null for calls of formats without ids. */
  readonly id: string | null;
  readonly part: number;
}

/** A call or a result that is not where its other half wants it. */
export interface PairFault {
  readonly position: number;
  readonly part: number;
  readonly line: number;
  readonly id: string | null;
  readonly message: string;
  /**
   * Whether the provider refuses the conversation for it. A call that nobody answered yet is none of these: it is still
   * running, or was interrupted and is answered by the tool that goes on with the session.
   */
  readonly isRefused: boolean;
}

export interface PairReport {
  readonly calls: number;
  readonly results: number;
  /** Calls with their result. */
  readonly pairs: number;
  readonly faults: readonly PairFault[];
}

/** Where a format wants the result of a call (formats.md section 0.4). */
type ResultPlace =
  /** Anywhere behind it: the tool that wrote the session sorts it out. */
  | 'behind'
  /** There, and before the next question: the provider refuses a call that nobody answered. */
  | 'before-question'
  /** In tool messages directly behind the message with the call. */
  | 'tool-messages'
  /** In the next message of the other side. */
  | 'next-message'
  /** There, and before anything else in it. */
  | 'next-message-first';

/** Formats that are not listed are sessions. */
const RESULT_PLACES: ReadonlyMap<string, ResultPlace> = new Map([
  ['openai-chat', 'tool-messages'],
  ['anthropic-messages', 'next-message-first'],
  ['pydantic-ai', 'next-message'],
  ['openai-responses', 'before-question'],
  ['vercel-ai', 'tool-messages'],
  ['google-genai', 'next-message'],
  ['langchain', 'tool-messages'],
  ['cohere', 'tool-messages'],
  ['sharegpt', 'next-message'],
]);

export function pairedMessage({ position, record, role, parts }: Message): PairedMessage {
  return {
    position,
    line: record.line,
    isAssistant: role === 'assistant',
    isToolRole: role === 'tool',
    pieces: parts.map((piece, part): PairPiece => {
      if (piece.kind === 'tool-call' && !piece.isAnswered) return { kind: 'call', id: piece.id, part };
      if (piece.kind === 'tool-result' && !piece.isInCall) return { kind: 'result', id: piece.callId, part };
      return { kind: 'other', id: null, part };
    }),
  };
}

/** Pairs the calls and results of a conversation's live messages, both ways, by the rules of its format. */
export function checkPairs(messages: readonly PairedMessage[], format: string): PairReport {
  const place = RESULT_PLACES.get(format) ?? 'behind';
  const pieces = messages.flatMap((message) => message.pieces);
  const faults =
    place === 'behind' || place === 'before-question'
      ? faultsBehind(messages, place === 'before-question' ? lastQuestion(messages) : -1)
      : faultsByTurn(turnsOf(messages, place), place);
  const results = pieces.filter(({ kind }) => kind === 'result').length;
  return {
    calls: pieces.filter(({ kind }) => kind === 'call').length,
    results,
    pairs: results - faults.filter(({ isResult }) => isResult).length,
    faults: faults.toSorted((a, b) => a.position - b.position || a.part - b.part),
  };
}

interface PlacedPiece extends PairPiece {
  readonly position: number;
  readonly line: number;
}

interface Fault extends PairFault {
  readonly isResult: boolean;
}

function piecesOf({ position, line, pieces }: PairedMessage): PlacedPiece[] {
  return pieces.map((piece) => ({ ...piece, position, line }));
}

function fault({ kind, id, position, part, line }: PlacedPiece, problem: string, isRefused: boolean): Fault {
  const what = `${kind} ${id ?? 'without an id'}`;
  return { position, part, line, id, message: `${what}: ${problem}`, isRefused, isResult: kind === 'result' };
}

/** Calls that wait for their results, in order; a message may hold thousands of them. */
interface OpenCalls {
  add(call: PlacedPiece): void;
  /** Takes the newest call with the result's id out; false when there is none. */
  take(result: PairPiece): boolean;
  /** Takes all of them out. */
  rest(): PlacedPiece[];
}

function openCalls(): OpenCalls {
  const open = new Set<PlacedPiece>();
  const byId = new Map<string | null, PlacedPiece[]>();
  return {
    add(call) {
      open.add(call);
      const known = byId.get(call.id);
      if (known === undefined) byId.set(call.id, [call]);
      else known.push(call);
    },
    take({ id }) {
      const call = byId.get(id)?.pop();
      return call !== undefined && open.delete(call);
    },
    rest() {
      const calls = [...open];
      open.clear();
      byId.clear();
      return calls;
    },
  };
}

const UNANSWERED = 'no result';

/** The position of the last message that answers nothing; -1 without one. */
function lastQuestion(messages: readonly PairedMessage[]): number {
  return messages.findLast(({ isAssistant, isToolRole }) => !isAssistant && !isToolRole)?.position ?? -1;
}

/** A call before `answeredBefore` has to have its result. */
function faultsBehind(messages: readonly PairedMessage[], answeredBefore: number): Fault[] {
  const open = openCalls();
  const seen = new Set<string | null>();
  const faults: Fault[] = [];
  for (const piece of messages.flatMap(piecesOf)) {
    if (piece.kind === 'call') {
      open.add(piece);
      seen.add(piece.id);
    }
    if (piece.kind !== 'result' || open.take(piece)) continue;
    faults.push(
      seen.has(piece.id) ? fault(piece, 'the call has another result', false) : fault(piece, 'no call', true),
    );
  }
  return [...faults, ...open.rest().map((call) => fault(call, UNANSWERED, call.position < answeredBefore))];
}

/** What one side says at once. */
interface Turn {
  readonly isAssistant: boolean;
  readonly isToolRole: boolean;
  readonly pieces: PlacedPiece[];
}

/** Providers read several messages of one side as one; Chat Completions only its tool messages. */
function turnsOf(messages: readonly PairedMessage[], place: ResultPlace): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const { isAssistant, isToolRole } = message;
    const last = turns.at(-1);
    const goesOn =
      last !== undefined &&
      (place === 'tool-messages' ? last.isToolRole && isToolRole : last.isAssistant === isAssistant);
    if (goesOn) for (const piece of piecesOf(message)) last.pieces.push(piece);
    else turns.push({ isAssistant, isToolRole, pieces: piecesOf(message) });
  }
  return turns;
}

function faultsByTurn(turns: readonly Turn[], place: ResultPlace): Fault[] {
  const open = openCalls();
  const faults: Fault[] = [];
  for (const { isAssistant, pieces } of turns) {
    // The calls of the turn before are answered here or not at all; the calls here are answered in the next turn, or
    // here behind them: those are the provider's own tools.
    const before = isAssistant ? open.rest() : [];
    for (const call of before) faults.push(fault(call, `${UNANSWERED} in the next message`, true));
    let isLate = false;
    for (const piece of pieces) {
      if (piece.kind === 'call') open.add(piece);
      else if (piece.kind === 'other') isLate ||= place === 'next-message-first' && !isAssistant;
      else if (!open.take(piece))
        faults.push(fault(piece, 'no call in the message before, or another result of it', true));
      else if (isLate) faults.push(fault(piece, 'results come first in their message', true));
    }
    if (isAssistant) continue;
    for (const call of open.rest()) faults.push(fault(call, `${UNANSWERED} in the next message`, true));
  }
  return [...faults, ...open.rest().map((call) => fault(call, UNANSWERED, false))];
}

/** The faults of a rewritten conversation that its original does not have, whatever their positions. */
export function newFaults(before: PairReport | undefined, after: PairReport): PairFault[] {
  const known = new Map<string, number>();
  for (const one of before?.faults ?? []) known.set(keyOf(one), (known.get(keyOf(one)) ?? 0) + 1);
  return after.faults.filter((one) => {
    const count = known.get(keyOf(one)) ?? 0;
    known.set(keyOf(one), count - 1);
    return count <= 0;
  });
}

function keyOf({ id, message }: PairFault): string {
  return JSON.stringify([id, message]);
}
