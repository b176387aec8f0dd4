import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPrefilter } from '../../src/recall/prefilter.js';
import { compileTerms } from '../../src/recall/terms.js';
import { memorySource } from '../../src/transcript/lines.js';

const term = (text: string, isLiteral = false) => ({ text, weight: 1, isFocus: false, isLiteral });
const source = (line: string) => memorySource('x', Buffer.from(line));
const escaped = (text: string): string =>
  JSON.stringify(text).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

describe('createPrefilter', () => {
  test.each([
    { name: 'a line without the word', terms: [term('pump')], line: '{"a":"motor"}', isWorth: false },
    { name: 'the word in other case', terms: [term('pump')], line: '{"a":"PUMPS"}', isWorth: true },
    { name: 'a singular', terms: [term('batteries')], line: '{"a":"Battery"}', isWorth: true },
    { name: 'an escaped letter', terms: [term('pump')], line: '{"a":"\\u0070ump"}', isWorth: true },
    { name: 'an escape of a control', terms: [term('pump')], line: '{"a":"\\u001b[1m"}', isWorth: false },
    { name: 'a Kelvin sign', terms: [term('kit')], line: '{"a":"\u212ait"}', isWorth: true },
    { name: 'Chinese', terms: [term('电池')], line: '{"a":"换电池"}', isWorth: true },
    { name: 'escaped Chinese', terms: [term('电池')], line: '{"a":"\\u6362\\u7535\\u6C60"}', isWorth: true },
    { name: 'no Chinese', terms: [term('电池')], line: '{"a":"换钥匙"}', isWorth: false },
    { name: 'a number, however it is written', terms: [term('1000')], line: '{"a":1e3}', isWorth: true },
    { name: 'a line that is cut', terms: [term('pump')], line: '{"a":"mot', isWorth: true },
    { name: 'a literal of signs', terms: [term('=> {', true)], line: '{"a":"motor"}', isWorth: true },
    { name: 'one of several', terms: [term('x'), term('motor')], line: '{"a":"motor"}', isWorth: true },
  ])('$name', ({ terms, line, isWorth }) => {
    expect(createPrefilter(terms)(source(line))).toBe(isWorth);
  });

  test('never passes over what holds a term, however it is written', () => {
    const piece = fc.constantFrom(
      'pump',
      'Pümp',
      'CAFÉ',
      'cafe\u0301',
      'Ключ',
      '电池',
      'سعر',
      'a-b.ts',
      'ΣΊΣΥΦΟΣ',
      'straße',
      '\u212aelvin',
      'İstanbul',
      '😀',
      ' ',
      '"',
      '\n',
      '7',
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, fc.boolean(), (wanted, held, isLiteral) => {
        const terms = [term(wanted, isLiteral)];
        for (const spelled of [
          held,
          held.toUpperCase(),
          held.toLowerCase(),
          held.normalize('NFD'),
          `${held}s`,
        ]) {
          if (compileTerms(terms).hits(spelled).length === 0) continue;
          for (const line of [
            JSON.stringify([spelled]),
            `[${escaped(spelled)}]`,
            JSON.stringify([JSON.stringify(spelled)]),
          ])
            expect(createPrefilter(terms)(source(line))).toBe(true);
        }
      }),
      { seed: 5, numRuns: 1000 },
    );
  });
});
