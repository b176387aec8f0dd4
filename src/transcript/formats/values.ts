import type { JsonPath } from '../splice.js';
import type { ConversationSlot } from './format.js';

export type JsonObject = { readonly [key: string]: unknown };

/** Narrows a parsed JSON value to an object that is no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own field of a parsed JSON object; undefined for other values and for inherited names. */
export function field(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** What a path step leads to: an own field of an object, or an element of an array. */
export function memberOf(value: unknown, step: string | number): unknown {
  return Array.isArray(value) ? value[Number(step)] : field(value, String(step));
}

/** The value when it is a string, else null. */
export function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The value when it is an array, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Call arguments: parsed when they are JSON text, else as they stand. */
export function parsedArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // free text arguments, or a call that was cut: the text itself is what we know
  }
}

/** One conversation whose entries are the elements of an array at `at`. */
export function arraySlot(items: readonly unknown[], at: JsonPath, id: string | null): ConversationSlot {
  return { id, entries: items.map((value, i) => ({ at: [...at, i], value })) };
}
