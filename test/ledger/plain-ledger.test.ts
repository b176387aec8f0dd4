import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Ledger, parseLedger, renderLedger } from '../../src/ledger/entry.js';
import { parsePlainLedger } from '../../src/ledger/plain-ledger.js';
import { anyLedger } from './any-ledger.js';

/** A reading, or the message of the error that it ends in. */
function outcome(read: () => Ledger | null): Ledger | string | null {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

/** Null is left to the schemas; anything else has to be what they say. */
function expectSame(text: string): boolean {
  const plain = outcome(() => parsePlainLedger(text, 'l'));
  if (plain === null) return false;
  expect(plain).toStrictEqual(outcome(() => parseLedger(text, 'l')));
  return true;
}

test('a well-formed ledger is read without its schemas', () => {
  fc.assert(
    fc.property(anyLedger(), (ledger) => {
      fc.pre(ledger.capabilities.length > 0);
      expect(expectSame(renderLedger(ledger))).toBe(true);
    }),
    { seed: 9 },
  );
});

const KEYS = [
  ...['type', 'capability', 'tool_names', 'question', 'in_progress', 'latest_evidence_epoch', 'declaration'],
  ...['chunk_id', 'document_id', 'document_uri', 'document_title', 'content', 'picture_refs'],
  ...['retrieved_in_questions', 'cited_in_questions', 'citations', 'other'],
];

const VALUES: readonly unknown[] = [
  ...[undefined, null, true, 0, -1, 1.5, 1e300, '', 'rag', [], [1], ['a'], [null], [1.5], {}],
  ...[
    { question: 1, epoch: 2 },
    { question: 1, epoch: 2, refs: [{ capability: 'rag', chunk_id: 'c' }] },
  ],
  ...[{ question: 1, epoch: 2, refs: [{ capability: 'rag' }] }, { question: 1 }, { question: 1, epoch: '2' }],
  [{ question: 1, kind: 'quote', message: 2, quote: 'x', span: [0, 1], more: 3 }],
  ...[[{ question: 1, kind: 'quote', message: 2, quote: 'x', span: [0, 1, 2] }]],
  ...[[{ question: 1, kind: 'quote', message: 2, quote: 'x', span: null }]],
  ...[[{ question: 1, kind: 'other', message: 2, quote: 'x' }], [{ question: 1, kind: 'quote', message: 2 }]],
];

test('a ledger with a field changed is read as the schemas read it, or left to them', () => {
  fc.assert(
    fc.property(
      anyLedger(),
      fc.nat(),
      fc.constantFrom(...KEYS),
      fc.constantFrom(...VALUES),
      (ledger, at, key, value) => {
        const lines = renderLedger(ledger).split('\n').slice(0, -1);
        fc.pre(lines.length > 0);
        const place = at % lines.length;
        const changed = { ...JSON.parse(lines[place] ?? ''), [key]: value };
        expectSame(lines.map((line, i) => (i === place ? JSON.stringify(changed) : line)).join('\n'));
      },
    ),
    { seed: 9, numRuns: 2000 },
  );
});

test.each([
  { name: 'nothing', text: ' \n' },
  { name: 'a state object', text: '{"rag":{"tool_names":["search"]}}' },
  { name: 'what is no JSON', text: '{"type":"capability"' },
  { name: 'a line of another kind', text: '{"role":"user","content":"x"}' },
  { name: 'a byte-order mark', text: '\ufeff{"type":"capability","capability":"rag"}' },
])('$name is left to the schemas', ({ text }) => {
  expect(parsePlainLedger(text, 'l')).toBeNull();
});
