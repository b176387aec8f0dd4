import type { DerivedChunk } from '../ledger/chunk-store.js';
import { type DerivedLedger, startDerivation } from '../ledger/derive.js';
import type { ReturnPlace } from '../ledger/results.js';
import { type OutlineMessage, outlineConversation } from '../transcript/outline.js';
import type { Conversation } from '../transcript/transcript.js';
import { formatAddress } from './address.js';

/** The result that an id stands for, or the chunk in it. */
export interface FoundById {
  readonly kind: 'found';
  readonly place: ReturnPlace;
  /** Null for the whole result. */
  readonly chunk: DerivedChunk | null;
  readonly note: string | null;
}

export type IdFailure =
  /** A call that was never answered. */
  | { readonly kind: 'unanswered'; readonly position: number }
  /** Nothing has the id; with an example of each kind that there is. */
  | {
      readonly kind: 'unknown';
      readonly messages: number;
      readonly part: ReturnPlace | null;
      readonly callId: string | null;
      readonly chunkId: string | null;
    };

/**
 * What an id names: a chunk of the derived ledger, or else the result of a call. A passage `call#line` that is none
 * today, because what was asked since has moved the seams, stands for the whole result: nothing of it is lost.
 */
export function findById(conversation: Conversation, id: string): FoundById | IdFailure {
  const derivation = startDerivation();
  const outline = outlineConversation(conversation, (message) => derivation.see(message));
  const derived = derivation.finish(outline);
  return (
    findChunk(derived, id) ??
    findResult(derived, outline, id) ??
    findMovedPassage(derived, id) ??
    findUnanswered(outline, id) ??
    unknownId(derived, outline)
  );
}

function findChunk({ chunks }: DerivedLedger, id: string): FoundById | undefined {
  const chunk = chunks.find((one) => one.id === id);
  const [place] = chunk?.retrievals ?? [];
  return chunk === undefined || place === undefined ? undefined : { kind: 'found', place, chunk, note: null };
}

/** By its call's id, of any tool; or by what chunk ids call it, which tells results of one call id apart. */
function findResult(
  { results }: DerivedLedger,
  outline: readonly OutlineMessage[],
  id: string,
): FoundById | undefined {
  const places = resultPlaces(outline, id);
  const place = places[0] ?? results.find(({ base }) => base === id);
  if (place === undefined) return undefined;
  const addresses = places.map((one) => formatAddress({ kind: 'part', ...one })).join(', ');
  const note =
    places.length > 1 ? `several results have this call id (${addresses}): this is the first` : null;
  return { kind: 'found', place, chunk: null, note };
}

function resultPlaces(outline: readonly OutlineMessage[], callId: string): ReturnPlace[] {
  return outline.flatMap(({ position, results }) =>
    results.filter((result) => result.callId === callId).map(({ part }) => ({ position, part })),
  );
}

function findMovedPassage({ results }: DerivedLedger, id: string): FoundById | undefined {
  const [, base = '', number = ''] = /^(.+)#(\d{1,9})$/.exec(id) ?? [];
  const result = results.find((one) => one.base === base && one.items === null);
  const line = Number(number);
  if (result === undefined || line < 1 || line > result.lines.length) return undefined;
  const note = `no passage begins at line ${line} now: this is the whole result`;
  return { kind: 'found', place: result, chunk: null, note };
}

function findUnanswered(outline: readonly OutlineMessage[], id: string): IdFailure | undefined {
  const caller = outline.find(({ calls }) => calls.includes(id));
  return caller === undefined ? undefined : { kind: 'unanswered', position: caller.position };
}

function unknownId({ chunks }: DerivedLedger, outline: readonly OutlineMessage[]): IdFailure {
  const answered = outline.find(({ results }) => results.length > 0);
  const [result] = answered?.results ?? [];
  const part =
    result === undefined || answered === undefined
      ? null
      : { position: answered.position, part: result.part };
  return {
    kind: 'unknown',
    messages: outline.length,
    part,
    callId: result?.callId ?? null,
    chunkId: chunks[0]?.id ?? null,
  };
}
