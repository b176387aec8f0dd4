/**
 * Whether a parsed line is one of a ledger, which may stand in the same stream as a transcript. Apart from entry.ts,
 * because every transcript line is asked and most runs never need the ledger's schema.
 */
export function isLedgerLine(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    (value.type === 'capability' || value.type === 'evidence') &&
    'capability' in value &&
    typeof value.capability === 'string'
  );
}
