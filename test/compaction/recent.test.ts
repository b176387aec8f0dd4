import { describe, expect, test } from 'vitest';
import { lowerBoundary } from '../../src/compaction/recent.js';
import { CAPSULE_HEADER, RECEIPT, SHORTENED, UNSHOWN } from '../../src/ledger/carried.js';
import type { OutlineMessage, OutlineResult } from '../../src/transcript/outline.js';
import { estimateTokens } from '../../src/transcript/token-estimate.js';

test.each<[text: string, tokens: number]>([
  ['', 0],
  ['tides', 1],
  ['tide '.repeat(100), 100],
  ['const maxSize = 4;', 5],
])('a text is estimated by its words and marks: %j', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

interface Return {
  readonly text: string;
  readonly isEvidence?: boolean;
  readonly isEditable?: boolean;
}

interface Place {
  readonly returns: readonly Return[];
  readonly isOnPath?: boolean;
}

/** A return of so many tokens. */
const tokens = (count: number, fields: Partial<Return> = {}): Return => ({
  text: 'tide '.repeat(count),
  ...fields,
});
const message: Place = { returns: [] };
const returned = (...returns: readonly Return[]): Place => ({ returns });

function outlineMessage({ returns, isOnPath = true }: Place, position: number): OutlineMessage {
  return {
    position,
    record: { index: position, line: position + 1, start: position, end: position + 1 },
    at: [],
    role: 'tool',
    speaker: 'tool',
    isBlank: false,
    isOnPath,
    calls: [],
    lists: [],
    results: returns.map(
      ({ isEditable = true }, part): OutlineResult => ({
        part,
        callId: null,
        tool: null,
        at: [],
        isEditable,
        isError: false,
        isBlocks: false,
        cacheControl: undefined,
        copies: [],
        frame: null,
        length: 0,
      }),
    ),
  };
}

function lowered(places: readonly Place[], count: number, boundary = places.length): number {
  const returnAt = ({ position }: OutlineMessage, { part }: OutlineResult): Return | undefined =>
    places[position]?.returns[part];
  return lowerBoundary(
    {
      outline: places.map(outlineMessage),
      isEvidence: (result, place) => returnAt(place, result)?.isEvidence ?? true,
      textOf: (place, result) => returnAt(place, result)?.text ?? '',
    },
    boundary,
    count,
  );
}

describe('the boundary moves down', () => {
  const three = [
    message,
    returned(tokens(100)),
    message,
    returned(tokens(50)),
    message,
    returned(tokens(20)),
    message,
  ];

  test.each<[rule: string, places: Place[], tokens: number, keepFrom: number]>([
    ['not at all for no tokens', three, 0, 7],
    ['not at all when the newest return is larger', three, 19, 7],
    ['to the newest return that fits', three, 20, 5],
    ['not into a return', three, 69, 5],
    ['to the first return with all that came after it', three, 70, 3],
    ['to the oldest when all fit', three, 170, 1],
    ['to nothing below that', three, 1000, 1],
    ['by all returns of a message together', [message, returned(tokens(20), tokens(20)), message], 39, 3],
    ['to a message whose returns all fit', [message, returned(tokens(20), tokens(20)), message], 40, 1],
    [
      'past returns that are no evidence',
      [returned(tokens(20)), returned(tokens(90, { isEvidence: false })), returned(tokens(20))],
      40,
      0,
    ],
    [
      'past returns that may not be replaced',
      [returned(tokens(20)), returned(tokens(90, { isEditable: false })), returned(tokens(20))],
      40,
      0,
    ],
    [
      'past what is off the path',
      [returned(tokens(20)), { ...returned(tokens(90)), isOnPath: false }, returned(tokens(20))],
      40,
      0,
    ],
    [
      'not past a return that is too large to a smaller one',
      [returned(tokens(5)), returned(tokens(90)), returned(tokens(20))],
      40,
      2,
    ],
    ['nowhere without evidence', [message, message], 40, 2],
  ])('%s', (_, places, count, keepFrom) => {
    expect(lowered(places, count)).toBe(keepFrom);
  });

  test('only below the current question', () => {
    expect(lowered(three, 60, 4)).toBe(3);
  });

  test.each([
    `${CAPSULE_HEADER}\n\n[Cited evidence group 1]\n\n[a] Source: u\nx`,
    RECEIPT,
    UNSHOWN,
    `${SHORTENED}\nx`,
  ])('no further than an earlier compaction moved it: %j', (text) => {
    expect(lowered([returned(tokens(20)), returned({ text }), returned(tokens(20))], 1000)).toBe(2);
  });
});
