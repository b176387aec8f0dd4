import { describe, expect, test } from 'vitest';
import { type Reuse, TokenTrail } from '../../src/ledger/reuse.js';

/** What happens at a position: who speaks, or the lines of a result. */
type Event =
  | { readonly hear: string }
  | { readonly answer: string }
  | { readonly call: string }
  | { readonly result: readonly string[] };

function trailOf(events: readonly Event[]): TokenTrail {
  const trail = new TokenTrail();
  let results = 0;
  for (const [position, event] of events.entries()) {
    if ('hear' in event) trail.hear(event.hear);
    else if ('answer' in event) trail.say(event.answer, position, 'answer');
    else if ('call' in event) trail.say(event.call, position, 'call');
    else {
      trail.retrieve(event.result, results, position);
      results += 1;
    }
  }
  return trail;
}

function reuses(events: readonly Event[], isLive: (result: number) => boolean = () => true): Reuse[] {
  return trailOf(events).reuses(isLive);
}

/** `0:1 by 3`: result and line that are cited, and the position of the message that does. */
function citedBy(found: readonly Reuse[]): string[] {
  return [
    ...new Set(found.map(({ result, line, position }) => `${result}:${line} by ${position}`)),
  ].toSorted();
}

/** As many names as make a line cited when one answer says them. */
const NAMES = 'max_size, min_size and top_size';

describe('a line is cited', () => {
  test.each<[rule: string, events: Event[], cited: string[]]>([
    [
      'by an answer with its names',
      [{ result: ['a line', NAMES] }, { answer: `It is ${NAMES}.` }],
      ['0:2 by 1'],
    ],
    [
      'by every answer with them',
      [{ result: [NAMES] }, { answer: NAMES }, { answer: NAMES }],
      ['0:1 by 1', '0:1 by 2'],
    ],
    ['not by an answer before it', [{ answer: NAMES }, { result: [NAMES] }], []],
    [
      'not by names that the assistant had coined',
      [{ answer: `I add ${NAMES}.` }, { result: [NAMES] }, { answer: NAMES }],
      [],
    ],
    [
      'not by names that the operator had said',
      [{ hear: `Where is ${NAMES}?` }, { result: [NAMES] }, { answer: NAMES }],
      [],
    ],
    [
      'by names that the operator only said later',
      [{ result: [NAMES] }, { hear: `Why ${NAMES}?` }, { answer: NAMES }],
      ['0:1 by 2'],
    ],
    ['not by the operator', [{ result: [NAMES] }, { hear: NAMES }], []],
    [
      'not by the numbers of lines',
      [
        { result: ['  1048→ a line', '  1049→ a line', '  1050→ a line'] },
        { answer: 'Lines 1048, 1049 and 1050.' },
      ],
      [],
    ],
    [
      'the newest of several that hold the names',
      [{ result: [NAMES] }, { result: ['x', NAMES] }, { answer: NAMES }],
      ['1:2 by 2'],
    ],
    ['the last one of a result', [{ result: [NAMES, `${NAMES} again`] }, { answer: NAMES }], ['0:2 by 1']],
    [
      'the newest before the last use',
      [{ result: [NAMES] }, { answer: NAMES }, { result: [NAMES] }],
      ['0:1 by 1'],
    ],
    [
      'only by the uses behind it',
      [{ result: [NAMES] }, { answer: NAMES }, { result: [NAMES] }, { answer: NAMES }],
      ['1:1 by 3'],
    ],
  ])('%s', (_, events, cited) => {
    expect(citedBy(reuses(events))).toStrictEqual(cited);
  });

  test('only where its result counts', () => {
    const events = [{ result: [NAMES] }, { result: [NAMES] }, { answer: NAMES }];
    expect(citedBy(reuses(events, (one) => one === 0))).toStrictEqual(['0:1 by 2']);
  });

  test('for each of its names', () => {
    const events = [
      { result: ['max_size min_size top_size', 'one_flag two_flag six_flag'] },
      { answer: 'six_flag two_flag one_flag, min_size top_size max_size' },
    ];
    expect(new Set(reuses(events).map(({ line, token }) => `${line} ${token}`))).toStrictEqual(
      new Set(['1 max_size', '1 min_size', '1 top_size', '2 one_flag', '2 two_flag', '2 six_flag']),
    );
  });
});

describe('what is said of a line weighs', () => {
  const said = (count: number, event: Event): Event[] => Array.from({ length: count }, () => event);

  test.each<[uses: string, events: Event[], isCited: boolean]>([
    ['two answers with one name', [{ result: ['max_size'] }, ...said(2, { answer: 'max_size' })], true],
    ['one answer with one name', [{ result: ['max_size'] }, { answer: 'max_size' }], false],
    ['an answer with two names', [{ result: [NAMES] }, { answer: 'max_size min_size' }], true],
    ['an answer with one of several names', [{ result: [NAMES] }, { answer: 'max_size' }], false],
    ['four calls with one name', [{ result: ['max_size'] }, ...said(4, { call: 'max_size' })], true],
    ['three calls with one name', [{ result: ['max_size'] }, ...said(3, { call: 'max_size' })], false],
    [
      'answers and calls together',
      [{ result: ['max_size'] }, { answer: 'max_size' }, ...said(2, { call: 'max_size' })],
      true,
    ],
    ['names of several lines', [{ result: ['max_size', 'min_size', 'top_size'] }, { answer: NAMES }], false],
    [
      'one message that says a name twice',
      [{ result: ['max_size'] }, { answer: 'max_size, max_size' }],
      false,
    ],
  ])('%s', (_, events, isCited) => {
    expect(reuses(events).length > 0).toBe(isCited);
  });
});

test.each<[rule: string, events: Event[], since: number | undefined]>([
  ['said in the newest message', [{ answer: 'max_size' }], 0],
  ['said in a call', [{ call: 'max_size' }, { answer: 'x' }], 1],
  [
    'said last three messages ago',
    [{ answer: 'max_size' }, { answer: 'max_size' }, { hear: 'x' }, { hear: 'x' }, { answer: 'x' }],
    3,
  ],
  ['counted to the assistant’s newest message', [{ answer: 'max_size' }, { hear: 'x' }], 0],
  ['only heard', [{ hear: 'max_size' }, { answer: 'x' }], undefined],
  ['never said', [{ answer: 'x' }], undefined],
])('a name %s', (_, events, since) => {
  expect(trailOf(events).messagesSince('max_size')).toBe(since);
});
