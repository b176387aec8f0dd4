import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatCopy, TextStore } from '../../src/ledger/kept-text.js';

/** Any UTF-16 units, halves of characters too. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

describe('a kept text', () => {
  test('is read as it was, and so are its lines as parts, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 1 }), { minLength: 1 }), (texts) => {
        const store = new TextStore();
        const wholes = texts.map((lines) => lines.join('\n'));
        const kept = wholes.map((whole) => store.keep(whole));
        const parts = wholes.map((whole, i) => {
          let start = 0;
          return whole.split('\n').map((line) => {
            start += line.length + 1;
            return kept[i]?.part(start - line.length - 1, start - 1);
          });
        });
        expect(parts.map((own) => own.toReversed().map((part) => part?.read()))).toStrictEqual(
          wholes.map((whole) => whole.split('\n').toReversed()),
        );
        expect(kept.map((one) => one.read())).toStrictEqual(wholes);
        expect(kept.map(({ length }) => length)).toStrictEqual(wholes.map(({ length }) => length));
      }),
    );
  });

  test('may be longer than what texts are put together in', () => {
    const store = new TextStore();
    const long = 'µ'.repeat(3 << 20);
    const [short, kept] = [store.keep('short'), store.keep(long)];
    expect([short.read(), kept.read() === long, kept.part(5, 7).read()]).toStrictEqual(['short', true, 'µµ']);
  });
});

test('a flat copy is the same text', () => {
  fc.assert(fc.property(text, (whole) => flatCopy(whole) === whole));
});
