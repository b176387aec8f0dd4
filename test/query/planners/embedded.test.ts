import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstUngrounded } from '../../../src/query/grounding.js';
import { planEmbedded } from '../../../src/query/planners/embedded.js';
import { standsWhole } from '../../../src/query/tokens.js';

type Turn = readonly [role: 'user' | 'assistant' | 'system', text: string];

function plan(query: string, turns: readonly Turn[] = []) {
  return planEmbedded({ query, history: turns.map(([role, text], position) => ({ position, role, text })) });
}

const orders: readonly Turn[] = [
  ['user', 'Where is order 51302?'],
  ['assistant', 'Order 51302 left the warehouse on Monday.'],
];

describe('mode', () => {
  const rows: readonly [name: string, query: string, history: readonly Turn[], mode: string][] = [
    ['nothing was said before', 'what was its code?', [], 'direct'],
    ['the history is empty text', 'what was its code?', [['user', '']], 'direct'],
    ['thanks', 'thanks!', orders, 'none'],
    ['an acknowledgment of several words', 'ok great, thank you so much', orders, 'none'],
    ['a goodbye', 'Thank you, goodbye.', orders, 'none'],
    ['thanks before a mark of a program', 'Thank you! ###STOP###', orders, 'none'],
    ['no content at all, after a subject', 'And that?', orders, 'contextual'],
    ['no content at all, and nothing before', 'what?', [], 'direct'],
    ['thanks in another language', 'ありがとうございます', orders, 'none'],
    ['a sign only', '👍', orders, 'none'],
    ['an order about the answer itself', 'make it shorter', orders, 'none'],
    ['an order in words about writing', 'explain it in simpler words', orders, 'none'],
    ['being content', 'awesome, that did the trick!', orders, 'none'],
    ['thanks with a plan of one’s own', 'Thank you. I will check with my doctor.', orders, 'none'],
    ['thanks, and a question', 'thanks! and when does it arrive?', orders, 'contextual'],
    ['asking again for what was told', 'what was the day again?', orders, 'contextual'],
    [
      'one thing of the question before is changed',
      'and in Antwerp?',
      [['user', 'How many riders did we have in Ghent?']],
      'contextual',
    ],
    [
      'two kinds of one thing',
      'how much does it cost?',
      [['user', 'Tell me about the blue plan and the red plan.']],
      'ambiguous',
    ],
    [
      'yes to an offer',
      'yes please',
      [
        ['user', 'do you have tents'],
        ['assistant', 'The Lumen tent is in stock. Shall I reserve it?'],
      ],
      'contextual',
    ],
    ['a pronoun after a number', 'when does it arrive?', orders, 'contextual'],
    ['a question that names its own subject', 'where is order 51999 registered?', orders, 'direct'],
    [
      'two names side by side',
      'what is its price?',
      [
        ['user', 'I like the Sunder and the Belisa.'],
        ['assistant', 'The Sunder and the Belisa are both new.'],
      ],
      'ambiguous',
    ],
    [
      'a pronoun that means nothing, before news',
      'is it possible to pay by cheque?',
      [
        ['user', 'My phone number has changed.'],
        ['assistant', 'Thanks, the new one is saved.'],
      ],
      'direct',
    ],
    [
      'a demonstrative for a thing that was spoken of',
      'how long does that pump run?',
      [
        ['user', 'the pump in the cellar hums'],
        ['assistant', 'It empties the sump at night.'],
      ],
      'contextual',
    ],
    [
      'a demonstrative at the end',
      'which lid did you suggest for that?',
      [['user', 'I store soup in the Morgan jar.']],
      'contextual',
    ],
    ['a name that is then asked about', 'And CASE-77, who has it?', [['user', 'Who has CASE-76?']], 'direct'],
    [
      'a place of two words',
      'what did it cost?',
      [['assistant', 'The fair took place in Ludlow, Shropshire.']],
      'contextual',
    ],
    [
      'a name with a joining word inside',
      'what is its address?',
      [['assistant', 'The Copper Kettle and Grill is in the old town.']],
      'contextual',
    ],
    [
      'that record, of two',
      'who wrote that record?',
      [['user', 'Records R-17 and R-18 look odd.']],
      'ambiguous',
    ],
    [
      'two identifiers, and one is named',
      'who wrote R-18?',
      [['user', 'Records R-17 and R-18 look odd.']],
      'direct',
    ],
  ];
  test.each(rows)('%s', (_name, query, history, mode) => {
    expect(plan(query, history).mode).toBe(mode);
  });
});

describe('focus', () => {
  const rows: readonly [name: string, query: string, history: readonly Turn[], focus: string][] = [
    ['an order number', 'when does it arrive?', orders, '51302'],
    [
      'a ticket',
      'who closed that ticket?',
      [
        ['user', 'Please open a ticket.'],
        ['assistant', 'Done: your ticket is HELP-402.'],
      ],
      'HELP-402',
    ],
    [
      'a file',
      'who edited that file last?',
      [
        ['user', 'Where is the parser?'],
        ['assistant', 'In src/parse/tokens.ts, at the top.'],
      ],
      'src/parse/tokens.ts',
    ],
    [
      'an error code',
      'what does this error mean?',
      [
        ['user', 'The run stopped with E_DISK_FULL yesterday.'],
        ['assistant', 'I see it.'],
      ],
      'E_DISK_FULL',
    ],
    [
      'a function',
      'does it throw?',
      [
        ['user', 'What does readHeader return?'],
        ['assistant', 'readHeader returns a map.'],
      ],
      'readHeader',
    ],
    [
      'the second of a list',
      'how big is the second one?',
      [
        ['user', 'list the snapshots'],
        ['assistant', '- snap-01\n- snap-02\n- snap-03'],
      ],
      'snap-02',
    ],
    [
      'a host by its kind',
      'how much memory does that host have?',
      [
        ['user', 'which host runs the billing cron'],
        ['assistant', 'The billing cron runs on batch-11.'],
      ],
      'batch-11',
    ],
    [
      'a Chinese name',
      '它多少钱？',
      [
        ['user', '晴岚路由器支持网线供电吗？'],
        ['assistant', '支持。'],
      ],
      '晴岚路由器',
    ],
    [
      'the name that answered a question',
      'does it fold?',
      [
        ['user', 'which pram do you recommend for trains?'],
        ['assistant', 'For trains I would take the Corvo.'],
      ],
      'Corvo',
    ],
    [
      'the name that answered a question in German',
      'wie schwer ist er?',
      [
        ['user', 'Welcher Koffer ist der größte?'],
        ['assistant', 'Der größte ist der Albatros, danach kommt der Bussard.'],
      ],
      'Albatros',
    ],
    [
      'what answered a question about such a thing',
      'can I wash the rug myself if it stains?',
      [
        ['user', 'do you have round rugs?'],
        ['assistant', 'Yes, the Solander, in two sizes.'],
        ['user', 'is it thick?'],
        ['assistant', 'About two centimetres.'],
      ],
      'Solander',
    ],
    [
      'both ends of one thing',
      'how do I avoid the conflict?',
      [
        ['user', 'The merge reports a conflict.'],
        ['assistant', 'The conflict is between parser.ts and lexer.ts.'],
      ],
      'parser.ts lexer.ts',
    ],
    [
      'what throws is a function',
      'who catches it when it throws?',
      [
        ['user', 'Which file reads the token?'],
        ['assistant', 'src/auth/token.ts does, by calling readToken.'],
      ],
      'readToken',
    ],
    [
      'what is called is a function',
      'who calls it?',
      [
        ['user', 'Where do we split the lines?'],
        ['assistant', 'In src/text/split.ts, by splitLines.'],
      ],
      'splitLines',
    ],
    [
      'whose thing it is',
      'how do we raise that limit?',
      [
        ['user', 'the nightly import stopped'],
        ['assistant', 'The table of billing-api grew, so Redis refused it at its limit.'],
      ],
      'Redis',
    ],
    [
      'a number by its kind',
      'who else uses the port?',
      [
        ['user', 'What changed on the firewall?'],
        ['assistant', 'Change CHG-2210 opened port 9183.'],
      ],
      '9183',
    ],
    [
      'the first of what is counted in words',
      'show me the first way in code',
      [
        ['user', 'How can the page get updates?'],
        ['assistant', 'There are two ways. The first is polling. The second is a socket.'],
      ],
      'polling',
    ],
    [
      'the kind of one',
      'how heavy is the folding one again?',
      [
        ['user', 'how much is the folding table?'],
        ['assistant', 'The folding table costs 80 euros.'],
      ],
      'folding',
    ],
    [
      'a name that begins a reply without a capital',
      'what if it stops?',
      [
        ['user', 'The log of mail.example.org grows.'],
        ['assistant', 'rsyslog trims it every night.'],
      ],
      'rsyslog',
    ],
    [
      'what stays when a name is exchanged for a name',
      'and Chile?',
      [
        ['user', 'list exports to Peru in June'],
        ['assistant', 'Exports to Peru in June were 40 tons.'],
      ],
      'exports',
    ],
  ];
  test.each(rows)('%s', (_name, query, history, focus) => {
    expect(plan(query, history).focusTerms.join(' ')).toContain(focus);
  });

  const unwanted: readonly [name: string, query: string, history: readonly Turn[], terms: RegExp][] = [
    ['a time of day', 'is it healthy?', [['user', 'At 03:00 PM lb-2 dropped two nodes.']], /^(?:03|00|PM)$/],
    [
      'a code of a terminal',
      'what does it mean?',
      [['user', 'It prints \u001b[31mred and \u001b[2J here.']],
      /mred|2J/,
    ],
  ];
  test.each(unwanted)('is not %s', (_name, query, history, terms) => {
    expect(plan(query, history).terms.filter((term) => terms.test(term))).toEqual([]);
  });

  test('of a question without content and history are its words', () => {
    expect(plan('And that?').terms).toEqual(['And', 'that']);
  });

  test('of an ambiguous question are the two quotes', () => {
    const { quotes, terms } = plan('who wrote that record?', [['user', 'Records R-17 and R-18 look odd.']]);
    expect([quotes.map(({ quote }) => quote), terms]).toEqual([['R-17', 'R-18'], []]);
  });
});

describe('time', () => {
  const rows: readonly [query: string, time: string][] = [
    ['what was the code again?', 'past'],
    ['which flag did you suggest?', 'past'],
    ['is it still open?', 'present'],
    ['where is it right now?', 'present'],
    ['how large is it?', 'unspecified'],
    ['how do I now that you mention it do this?', 'unspecified'],
  ];
  test.each(rows)('%s: %s', (query, time) => {
    expect(plan(query, orders).time).toBe(time);
  });
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc
    .array(
      fc.constantFrom(
        'it',
        'that',
        'Orion',
        'and',
        'ORD-12',
        'src/a.ts',
        '订单表',
        'の',
        'नमस्ते',
        '\ud800',
        'e\u0301',
        '.',
        '\n',
        '"x"',
        '?',
      ),
      { maxLength: 30 },
    )
    .map((words) => words.join(' ')),
);
const history = fc.array(
  fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const), text }),
  { maxLength: 8 },
);

describe('whatever was said', () => {
  test('all that is returned stands in the question or the history, whole', () => {
    fc.assert(
      fc.property(text, history, (query, turns) => {
        const result = planEmbedded({
          query,
          history: turns.map((turn, i) => ({ ...turn, position: 2 * i })),
        });
        for (const { position, quote } of result.quotes) {
          expect(quote.trim()).not.toBe('');
          expect(standsWhole(quote, turns[position / 2]?.text ?? '')).toBe(true);
        }
        const sources = [query, ...result.quotes.map(({ quote }) => quote)];
        for (const term of result.terms)
          expect(sources.some((source) => standsWhole(term, source))).toBe(true);
        for (const term of result.focusTerms) expect(result.terms).toContain(term);
        expect(shapeOf(result)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('the same input gives the same plan', () => {
    fc.assert(
      fc.property(text, history, (query, turns) => {
        const input = { query, history: turns.map((turn, position) => ({ ...turn, position })) };
        expect(planEmbedded(input)).toEqual(planEmbedded(structuredClone(input)));
      }),
      { numRuns: 50 },
    );
  });

  // What is quadratic in the length would not end within the time that a test has.
  test.each([
    ['words', 'look at Orion', 'word '.repeat(200_000)],
    ['one word, and brackets', 'x'.repeat(1_000_000), '('.repeat(1_000_000)],
  ])('a message of a megabyte is read: %s', (_name, asked, answered) => {
    const { terms } = plan('what is its size?', [
      ['user', asked],
      ['assistant', answered],
    ]);
    expect(firstUngrounded(terms, ['what is its size?', asked, answered])).toBeUndefined();
  });
});

describe('a question of any length', () => {
  const rows: readonly [name: string, query: string][] = [
    ['one word a million times', 'x '.repeat(1_000_000)],
    ['a run without spaces', '漢'.repeat(60_000)],
    ['many words', Array.from({ length: 120_000 }, (_, i) => `w${i.toString(36)}`).join(' ')],
    ['many names', Array.from({ length: 120_000 }, (_, i) => `ORD-${i}`).join(' ')],
  ];
  test.each(rows)('is read: %s', (_name, query) => {
    const { terms } = plan(query, orders);
    expect(firstUngrounded(terms, [query, ...orders.map(([, said]) => said)])).toBeUndefined();
  });
});

function shapeOf({ mode, terms, quotes }: ReturnType<typeof planEmbedded>): boolean {
  const shapes = {
    direct: quotes.length === 0,
    contextual: quotes.length > 0 && terms.length > 0,
    ambiguous: quotes.length > 0 && terms.length === 0,
    none: quotes.length === 0 && terms.length === 0,
  };
  return shapes[mode];
}
