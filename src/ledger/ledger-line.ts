import { field, isObject } from '../transcript/formats/values.js';

/**
 * Whether a parsed line is one of a ledger, which may stand in the same stream as a transcript. Apart from entry.ts,
 * because every transcript line is asked and most runs never need the ledger's schema.
 */
export function isLedgerLine(value: unknown): boolean {
  const type = field(value, 'type');
  const isTyped = type === 'capability' || type === 'evidence';
  return isTyped ? typeof field(value, 'capability') === 'string' : isStateObject(value);
}

/** What every record of a transcript has one of, and a state object none. */
const RECORD_KEYS = ['type', 'role', 'kind', 'messages', 'choices'];

/** A whole ledger on one line: a state object as hosts dump it, with other state of theirs perhaps. */
export function isStateObject(value: unknown): boolean {
  if (!isObject(value) || RECORD_KEYS.some((key) => Object.hasOwn(value, key))) return false;
  return Object.values(value).some(isCapabilityState);
}

function isCapabilityState(value: unknown): boolean {
  const index = field(value, 'citation_index');
  return (
    Array.isArray(field(value, 'tool_names')) ||
    Array.isArray(index) ||
    isObject(index) ||
    field(field(value, 'evidence'), 'occurrences') !== undefined
  );
}
