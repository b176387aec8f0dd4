import { RECEIPT, SHORTENED, UNSHOWN } from '../ledger/carried.js';
import type { DerivedChunk } from '../ledger/chunk-store.js';
import type { DerivedLedger } from '../ledger/derive.js';
import { carriedQuestion } from '../ledger/derived-ledger.js';
import type { Ledger, LedgerCapability } from '../ledger/entry.js';
import { flatCopy } from '../ledger/kept-text.js';
import { distinctiveTokens } from '../ledger/names.js';
import type { Occurrence } from '../ledger/record.js';
import type { RetrievedResult } from '../ledger/results.js';
import { resultText } from '../transcript/message.js';
import type { OutlineMessage, OutlineResult } from '../transcript/outline.js';
import { questionPositions } from '../transcript/question.js';
import { type Conversation, readMessages } from '../transcript/transcript.js';
import { type DroppedReturn, excerptLines } from './excerpt.js';
import type { HistoryPlan, ReturnPlan } from './history.js';

/** What differs between a ledger that was given and one that was derived. */
export interface CompactRules {
  readonly ledger: Ledger;
  readonly isDerived: boolean;
  /** About how many tokens of the newest earlier evidence stay in place when nobody says. */
  readonly recent: number;
  isEvidence(result: OutlineResult, message: OutlineMessage): boolean;
  /** The occurrences that a capsule has to carry when everything from `keepFrom` on stays in place. */
  earlierOccurrences(capability: LedgerCapability, keepFrom: number): ReadonlyMap<string, Occurrence>;
  textOf(message: OutlineMessage, result: OutlineResult): string;
  /** What the returns of a plan get. `boundary` is the current question; from `keepFrom` on everything stays. */
  texts(plan: HistoryPlan, capsule: string, keepFrom: number, boundary: number): (one: ReturnPlan) => string;
}

/** In tokens: the best point by bench/retention, where answers do not say what they cite. */
const DERIVED_RECENT = 10_000;

/** How the addresses in receipts are written; null for receipts without them. */
export type AddressForm = { readonly conversation: number | null } | null;

/**
 * How a reader gets a dropped return back: FILE stands for the original transcript. A conversation is named where the
 * file holds several.
 */
function addressLine({ message, result }: ReturnPlan, form: AddressForm): string {
  if (form === null) return '';
  const which = form.conversation === null ? '' : ` --conversation ${form.conversation}`;
  return `\nthread show FILE${which} ${message.position}.${result.part}`;
}

/** A given ledger is the authority: evidence is what its tools returned. */
export function givenRules(ledger: Ledger, conversation: Conversation, addresses: AddressForm): CompactRules {
  const tools = new Set(ledger.capabilities.flatMap(({ toolNames }) => toolNames));
  let texts: Map<string, string> | undefined;
  return {
    ledger,
    isDerived: false,
    recent: 0,
    isEvidence: ({ tool }) => tool !== null && tools.has(tool),
    earlierOccurrences,
    textOf(message, result) {
      texts ??= returnTexts(conversation);
      return texts.get(`${message.position}.${result.part}`) ?? '';
    },
    texts: (_, capsule) => (one) =>
      one.outcome === 'capsule' ? capsule : RECEIPT + addressLine(one, addresses),
  };
}

/** The occurrences of a given ledger that a capsule has to carry when everything from `keepFrom` on stays in place. */
export function earlierOccurrences(
  { record }: LedgerCapability,
  keepFrom: number,
): ReadonlyMap<string, Occurrence> {
  return new Map(
    [...record.occurrences].filter(([, { retrievedInQuestions }]) =>
      isEarlier(retrievedInQuestions, keepFrom),
    ),
  );
}

/** What only the current question retrieved still stands in its returns. */
function isEarlier(questions: readonly number[], keepFrom: number): boolean {
  return questions.length === 0 || questions.some((question) => question < keepFrom);
}

function returnTexts(conversation: Conversation): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { position, parts } of readMessages(conversation)) {
    parts.forEach((part, i) => {
      if (part.kind === 'tool-result') texts.set(`${position}.${i}`, resultText(part));
    });
  }
  return texts;
}

/** A derived ledger knows every return by its place, and what each chunk was. */
export function derivedRules(
  derived: DerivedLedger,
  outline: readonly OutlineMessage[],
  addresses: AddressForm,
): CompactRules {
  const chunks = new Map(derived.chunks.map((chunk) => [chunk.id, chunk]));
  const questions = questionPositions(outline);
  const onPath = new Set(outline.filter(({ isOnPath }) => isOnPath).map(({ position }) => position));
  const results = derived.results.filter(({ position }) => onPath.has(position));
  const resultAt = new Map(results.map((result) => [`${result.position}.${result.part}`, result]));
  const indexOf = new Map(derived.results.map((result, i) => [result, i]));
  const excerptsOf = (
    plan: HistoryPlan,
    capsule: string,
    keepFrom: number,
    boundary: number,
  ): Map<string, string[]> => {
    const shown = new Set(distinctiveTokens(capsule));
    for (const { position, text } of results)
      if (position >= keepFrom)
        for (const token of distinctiveTokens(text.read())) shown.add(flatCopy(token));
    const distances = distancesOf(results.filter(({ position }) => position < boundary));
    const dropped = plan.returns.map(keyOf).map((key): DroppedReturn => {
      const result = resultAt.get(key);
      return {
        key,
        // All lines of all returns at once would be several times their bytes.
        get lines() {
          return result?.receipt === null ? result.text.read().split('\n') : [];
        },
        // The lines of a structured result are not those of its text.
        get tokens() {
          const isText = result?.receipt === null && result.items === null;
          return isText ? derived.trail.tokensOf(indexOf.get(result) ?? -1) : undefined;
        },
        distance: distances.get(key) ?? 0,
      };
    });
    return excerptLines(dropped, shown, derived.trail, FRAME);
  };
  return {
    ledger: derived.ledger,
    isDerived: true,
    recent: derived.isExplicit ? 0 : DERIVED_RECENT,
    isEvidence: ({ part }, { position }) => derived.isEvidence(position, part),
    earlierOccurrences({ record }, keepFrom) {
      const carried = [...record.occurrences].filter(([id, occurrence]) =>
        isNeeded(chunks.get(id), occurrence, derived.ledger, keepFrom),
      );
      return new Map(
        carried.map(([id, occurrence]) => [id, inItsGroup(occurrence, chunks.get(id), questions)]),
      );
    },
    textOf: (message, result) => resultAt.get(`${message.position}.${result.part}`)?.text.read() ?? '',
    texts(plan, capsule, keepFrom, boundary) {
      const excerpts = derived.isExplicit ? undefined : excerptsOf(plan, capsule, keepFrom, boundary);
      const newest = plan.returns.at(-1);
      return (one) => {
        const key = keyOf(one);
        const lines = excerpts?.get(key) ?? [];
        // The newest one says so without lines too: a later compaction learns from it how this one was done.
        const isShortened = lines.length > 0 || (excerpts !== undefined && one === newest);
        const body = isShortened ? [SHORTENED, ...lines].join('\n') : UNSHOWN;
        // The receipt that an earlier capsule had behind it is of the return that it replaced: it stays.
        const receipt = resultAt.get(key)?.receipt || body + addressLine(one, addresses);
        return one.outcome === 'capsule' ? `${capsule}\n\n${receipt}` : receipt;
      };
    },
  };
}

/**
 * A chunk needs no capsule when its text stays in view: in a return that stays, from which a later derivation finds it
 * cited again. Entries of an earlier capsule are always carried on.
 */
function isNeeded(
  chunk: DerivedChunk | undefined,
  { chunkId, capability }: Occurrence,
  ledger: Ledger,
  keepFrom: number,
): boolean {
  if (chunk === undefined || chunk.carried !== null) return true;
  const proofs = ledger.capabilities.find((one) => one.capability === capability)?.proofs.get(chunkId) ?? [];
  const staying = chunk.retrievals.filter(({ position, isEditable }) => position >= keepFrom || !isEditable);
  // In formats that hold call, result and answer in one message, an answer stands behind the first return of what it cites.
  const [first] = chunk.retrievals;
  return !staying.some((one) =>
    proofs.some(({ message }) => message > one.position || (message === one.position && one === first)),
  );
}

/** Carried entries keep to their groups, so that compacting again gives the same order. */
function inItsGroup(
  occurrence: Occurrence,
  chunk: DerivedChunk | undefined,
  questions: readonly number[],
): Occurrence {
  if (chunk === undefined || chunk.carried === null) return occurrence;
  return { ...occurrence, citedInQuestions: [carriedQuestion(chunk.carried, questions)] };
}

/** UTF-16 units of the returns behind each one; given oldest first. */
function distancesOf(results: readonly RetrievedResult[]): Map<string, number> {
  const distances = new Map<string, number>();
  let distance = 0;
  for (const { position, part, text } of results.toReversed()) {
    distances.set(`${position}.${part}`, distance);
    distance += text.length;
  }
  return distances;
}

function keyOf({ message, result }: ReturnPlan): string {
  return `${message.position}.${result.part}`;
}

/** About what a receipt needs besides the lines that it keeps. */
const FRAME = SHORTENED.length + '\nthread show FILE 1234567.12'.length;
