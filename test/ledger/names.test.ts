import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distinctiveTokens, lineTokens } from '../../src/ledger/names.js';

describe('distinctive tokens', () => {
  test.each<[rule: string, text: string, tokens: string[]]>([
    ['plain words are none', 'Nobody says anything else here, HTTP or not.', []],
    ['a capital behind a small letter', 'call readFile now', ['readFile']],
    ['an underscore', 'the max_size, and __init__', ['max_size', '__init__']],
    ['a digit behind a letter', 'use utf8mb4', ['utf8mb4']],
    ['a letter behind a digit', 'in 3f9ab2', ['3f9ab2']],
    ['a slash, and not the last name when it is a plain word', 'see docs/guide', ['docs/guide']],
    ['a path and its last name', 'see src/lib/reader.ts.', ['src/lib/reader.ts', 'reader.ts']],
    ['an absolute path without its first slash', '/etc/hosts', ['etc/hosts']],
    ['a dot between letters', 'open config.json', ['config.json']],
    ['a hyphen between letters', 'the well-known one', ['well-known']],
    ['no dot at the end of a sentence', 'It ends.', []],
    ['five characters at least', 'aB_1 aB_12', ['aB_12']],
    ['numbers of three digits at least', '7, 42, 443 and 65536', ['443', '65536']],
    ['three digits, not three characters', '1.0, 1-2, 3/4, 2.50', ['2.50']],
    [
      'marks around a name are not part of it',
      '(`max_size`), "min_size" --dry_run',
      ['max_size', 'min_size', 'dry_run'],
    ],
    [
      'quotes of other scripts too',
      '“max_size” 《min_size》 „top_size“',
      ['max_size', 'min_size', 'top_size'],
    ],
    ['letters of other scripts are letters', 'größe_max 日本_tokyo', ['größe_max', '日本_tokyo']],
    ['each once, in order of first appearance', 'bFirst aSecond bFirst', ['bFirst', 'aSecond']],
    ['nothing', '', []],
  ])('%s: %j', (_, text, tokens) => {
    expect([...distinctiveTokens(text)]).toStrictEqual(tokens);
  });

  test('stand in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect([...distinctiveTokens(text)].filter((token) => !text.includes(token))).toStrictEqual([]);
      }),
    );
  });
});

describe('the tokens of a line of a result', () => {
  test.each<[rule: string, line: string, tokens: string[]]>([
    ['without its number in a listing', '  1048→  const maxSize = 4;', ['maxSize']],
    ['nor behind a tab, a bar, a colon and a space', '1048\tmaxSize', ['maxSize']],
    ['nor behind a bar', '1048|maxSize', ['maxSize']],
    ['nor behind a colon and a space', '1048: maxSize', ['maxSize']],
    ['a number that is none of a listing', '1048 bytes', ['1048']],
    ['a search hit without its number', 'src/app.ts:1048: maxSize', ['maxSize', 'src/app.ts', 'app.ts']],
    ['a line beside a search hit', 'src/app.ts-1049- minSize', ['minSize', 'src/app.ts', 'app.ts']],
  ])('%s: %j', (_, line, tokens) => {
    expect([...lineTokens(line)]).toStrictEqual(tokens);
  });
});
