import type { MessageDraft } from '../message.js';
import type { ConversationEvent } from '../path.js';
import type { JsonPath } from '../splice.js';
import type { ConversationSlot, Entry, Format } from './format.js';
import { readSdkEvent } from './openhands-sdk.js';
import { readServerEvent } from './openhands-server.js';
import { field, isObject, listOf, stringOrNull } from './values.js';

const SOURCES: ReadonlySet<unknown> = new Set(['user', 'agent', 'environment', 'hook']);

/** Where the events stand in a value that holds them: alone, in an evaluation's row, in a server's answer. */
const PLACES: readonly JsonPath[] = [[], ['history'], ['trajectory'], ['events']];

/** OpenHands events (formats.md section 13): of the server (V0), and of the software agent SDK (V1). */
export const openhands: Format = {
  name: 'openhands',
  title: 'OpenHands events',
  marks:
    'events with `action` and `args` or `observation` and `extras`, or with `source` and a `kind` like ActionEvent',
  pictures: 'in-result',
  weigh(entry) {
    return generationOf(entry) === undefined ? 0 : 5;
  },
  conversations(value): ConversationSlot[] | null {
    for (const at of PLACES) {
      const items = at.reduce<unknown>((found, key) => field(found, String(key)), value);
      if (!Array.isArray(items)) continue;
      // Old evaluations kept each action and its observation as a pair.
      const entries = items.flatMap((item, i): Entry[] =>
        Array.isArray(item)
          ? item.map((inner, k) => ({ at: [...at, i, k], value: inner }))
          : [{ at: [...at, i], value: item }],
      );
      if (entries.some((entry) => generationOf(entry.value) !== undefined))
        return [{ id: stringOrNull(field(value, 'instance_id') ?? field(value, 'id')), entries }];
    }
    return null;
  },
  event(value): ConversationEvent {
    const forgotten = field(field(value, 'args') ?? value, 'forgotten_event_ids');
    return { id: eventId(field(value, 'id')), forgets: forgottenIds(value, listOf(forgotten)) };
  },
  read({ value, at }): MessageDraft[] {
    switch (generationOf(value)) {
      case 'server':
        return readServerEvent(value, at);
      case 'sdk':
        return readSdkEvent(value, at);
      case undefined:
        return [];
    }
  },
};

function generationOf(value: unknown): 'server' | 'sdk' | undefined {
  if (!isObject(value)) return undefined;
  const { kind, source, action, observation, args, extras } = value;
  if (SOURCES.has(source) && isSdkKind(kind)) return 'sdk';
  const isAction = typeof action === 'string' && isObject(args);
  const isObservation = typeof observation === 'string' && (isObject(extras) || SOURCES.has(source));
  return isAction || isObservation ? 'server' : undefined;
}

function isSdkKind(kind: unknown): boolean {
  return typeof kind === 'string' && /(?:Event|^Condensation\w*|^UserRejectObservation)$/.test(kind);
}

function eventId(id: unknown): string | null {
  return typeof id === 'number' || typeof id === 'string' ? String(id) : null;
}

/** Condensations name the events that they forget, or the first and the last one of a range of numbers. */
function forgottenIds(value: unknown, listed: readonly unknown[]): readonly string[] {
  if (listed.length > 0) return listed.flatMap((id) => eventId(id) ?? []);
  const start = field(field(value, 'args'), 'forgotten_events_start_id');
  const end = field(field(value, 'args'), 'forgotten_events_end_id');
  if (typeof start !== 'number' || typeof end !== 'number' || !(end - start < MOST_FORGOTTEN)) return [];
  return Array.from({ length: Math.max(0, Math.floor(end - start) + 1) }, (_, i) => String(start + i));
}

/** Numbers of events count up; a larger range is no conversation's. */
const MOST_FORGOTTEN = 1e6;
