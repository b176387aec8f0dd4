import fc from 'fast-check';
import type { Ledger, LedgerCapability } from '../../src/ledger/entry.js';

/** The objects that the code makes have the ordinary prototype; those of fast-check have it on request. */
const plain = { noNullPrototype: true } as const;

/** Strings of any UTF-16 units, lone surrogates and line separators too, and keys that objects treat specially. */
function anyText(): fc.Arbitrary<string> {
  const units = fc
    .array(fc.nat({ max: 0xffff }), { maxLength: 4 })
    .map((codes) => String.fromCharCode(...codes));
  return fc.oneof(units, fc.constantFrom('', '10', '9', '__proto__', 'toString', '\u2028', '\r\n', '\uFEFF'));
}

/** Ledgers with all that they may hold. */
export function anyLedger(): fc.Arbitrary<Ledger> {
  return fc
    .uniqueArray(anyText(), { maxLength: 3 })
    .chain((names) => fc.tuple(...names.map(anyCapability)))
    .map((capabilities) => ({ capabilities }));
}

function anyCapability(capability: string): fc.Arbitrary<LedgerCapability> {
  const record = fc.record(
    {
      question: fc.option(fc.integer()),
      inProgress: fc.boolean(),
      latestEvidenceEpoch: fc.maxSafeInteger(),
      declaration: fc.option(
        fc.record(
          {
            question: fc.integer(),
            epoch: fc.integer(),
            refs: fc.array(fc.record({ capability: anyText(), chunkId: anyText() }, plain), { maxLength: 3 }),
          },
          plain,
        ),
      ),
    },
    plain,
  );
  const chunks = fc.uniqueArray(anyChunk(capability), { selector: ({ chunkId }) => chunkId, maxLength: 5 });
  return fc
    .record({ record, chunks, toolNames: fc.array(anyText(), { maxLength: 2 }) }, plain)
    .map(({ record: state, chunks: all, toolNames }) => ({
      capability,
      toolNames,
      record: { ...state, occurrences: new Map(all.map(({ chunkId, occurrence }) => [chunkId, occurrence])) },
      stateCarried: state.question !== null,
      citations: new Map(all.flatMap(({ chunkId, citation }) => (citation ? [[chunkId, citation]] : []))),
      proofs: new Map(all.flatMap(({ chunkId, proofs }) => (proofs.length > 0 ? [[chunkId, proofs]] : []))),
      unknown: {
        own: { later: { x: [1] } },
        byChunk: new Map(all.map(({ chunkId }) => [chunkId, { ['__proto__']: null }])),
      },
    }));
}

function anyChunk(capability: string) {
  const questions = fc.array(fc.integer(), { maxLength: 3 });
  return anyText().chain((chunkId) =>
    fc.record(
      {
        chunkId: fc.constant(chunkId),
        occurrence: fc.record(
          {
            chunkId: fc.constant(chunkId),
            capability: fc.constant(capability),
            retrievedInQuestions: questions,
            citedInQuestions: questions,
          },
          plain,
        ),
        citation: fc.option(
          fc.record(
            {
              chunkId: fc.constant(chunkId),
              documentId: anyText(),
              documentUri: anyText(),
              documentTitle: fc.option(anyText()),
              content: anyText(),
              pictureRefs: fc.array(anyText(), { maxLength: 2 }),
            },
            plain,
          ),
        ),
        proofs: fc.array(
          fc.record(
            {
              question: fc.integer(),
              kind: fc.constantFrom(
                'declared' as const,
                'marker' as const,
                'quote' as const,
                'carried' as const,
              ),
              message: fc.nat(),
              quote: anyText(),
            },
            plain,
          ),
          { maxLength: 2 },
        ),
      },
      plain,
    ),
  );
}
