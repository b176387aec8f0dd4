import { describe, expect, test } from 'vitest';
import { CAPSULE_HEADER, RECEIPT, SHORTENED, UNSHOWN } from '../../src/ledger/carried.js';
import { parseLedger } from '../../src/ledger/entry.js';
import { CORPUS, corpusFiles, isCorpusMissing, readCorpusFile } from '../corpus-files.js';
import { answer, ask, found, line, PLAIN } from '../ledger/conversation.js';
import { compactBytes, returnTexts } from './compacted.js';

/** What stands in the returns afterwards, in order. */
async function returns(transcript: string, options = {}): Promise<string[]> {
  const { output } = await compactBytes(transcript, options);
  return [...returnTexts(output).values()];
}

const capsule = (...groups: readonly string[][]): string =>
  [CAPSULE_HEADER, ...groups.flatMap((entries, i) => [`[Cited evidence group ${i + 1}]`, ...entries])].join(
    '\n\n',
  );

const TIDES = `[k-1] Source: kb/tides\n${PLAIN}`;
const LOCKS = `[k-2] Source: kb/locks\n${PLAIN}`;

describe('where answers say what they cite', () => {
  const marked =
    ask('q') +
    found('c1', `${TIDES}\n\n${LOCKS}`) +
    answer('[k-1]') +
    ask('r') +
    found('c2', LOCKS) +
    answer('Yes.') +
    ask('s');

  test('the newest earlier return carries the capsule and its receipt, the others are bare receipts', async () => {
    expect(await returns(marked)).toStrictEqual([
      `${UNSHOWN}\nthread show FILE 2.0`,
      `${capsule([TIDES])}\n\n${UNSHOWN}\nthread show FILE 6.0`,
    ]);
  });

  test('receipts are without addresses where none are asked for', async () => {
    expect(await returns(marked, { addresses: false })).toStrictEqual([
      UNSHOWN,
      `${capsule([TIDES])}\n\n${UNSHOWN}`,
    ]);
  });

  test('nothing recent stays unless somebody says so', async () => {
    expect(await returns(marked, { recent: 50 })).toStrictEqual([
      `${capsule([TIDES])}\n\n${UNSHOWN}\nthread show FILE 2.0`,
      LOCKS,
    ]);
  });

  test('addresses name the conversation where a file has several', async () => {
    const messages = marked
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(await returns(line({ messages }).repeat(2), { addresses: true })).toStrictEqual(
      [0, 1].flatMap((index) => [
        `${UNSHOWN}\nthread show FILE --conversation ${index} 2.0`,
        `${capsule([TIDES])}\n\n${UNSHOWN}\nthread show FILE --conversation ${index} 6.0`,
      ]),
    );
  });
});

describe('where answers only repeat what they read', () => {
  /** Cited in its second line; two others name something. */
  const LAMP = [`${PLAIN}`, 'max_size min_size top_size', `${PLAIN.slice(9)}`, 'one_flag', 'lamp_gate'].join(
    '\n',
  );
  const repeated = ask('q') + found('c1', LAMP) + answer('max_size, min_size and top_size') + ask('r');

  test('receipts keep the lines whose names are shown nowhere else', async () => {
    const transcript = repeated + found('c2', `${PLAIN.slice(5)}\nlamp_gate`) + ask('s');
    expect(await returns(transcript, { recent: 0 })).toStrictEqual([
      `${SHORTENED}\none_flag\nthread show FILE 2.0`,
      `${capsule(['[c1#2] Source: \nmax_size min_size top_size'])}\n\n${SHORTENED}\nlamp_gate\nthread show FILE 6.0`,
    ]);
  });

  test('names of evidence that stays are shown', async () => {
    const transcript = repeated + found('c2', `${PLAIN.slice(5)}\none_flag lamp_gate`) + ask('s');
    expect(await returns(transcript, { recent: 100 })).toStrictEqual([
      `${capsule(['[c1#2] Source: \nmax_size min_size top_size'])}\n\n${SHORTENED}\nthread show FILE 2.0`,
      `${PLAIN.slice(5)}\none_flag lamp_gate`,
    ]);
  });

  test('receipts without lines are bare, but for the newest', async () => {
    const transcript =
      ask('q') + found('c0', PLAIN) + answer('x') + repeated + found('c2', PLAIN.slice(5)) + ask('s');
    expect(await returns(transcript, { recent: 0, addresses: false })).toStrictEqual([
      UNSHOWN,
      `${SHORTENED}\none_flag\nlamp_gate`,
      `${capsule(['[c1#2] Source: \nmax_size min_size top_size'])}\n\n${SHORTENED}`,
    ]);
  });

  test('compacting again keeps the same evidence, although no receipt has lines', async () => {
    // What is left then cites nothing outright and nothing by reuse: only a receipt tells how it was compacted.
    const only =
      ask('q') +
      found('c1', `${PLAIN}\nmax_size min_size top_size`) +
      answer('max_size, min_size and top_size');
    const plain = [1, 2, 3, 4, 5].map((i) => found(`p${i}`, PLAIN.slice(i).repeat(90)) + answer('Yes.'));
    const { output } = await compactBytes(`${only}${ask('r')}${plain.join('')}${ask('s')}`);
    expect((await compactBytes(output)).output.toString()).toBe(output.toString());
  });

  test('some of the newest evidence stays when nobody says how much', async () => {
    const { compacted } = await compactBytes(repeated);
    expect(compacted.conversations.map(({ compaction }) => compaction.keepFrom)).toStrictEqual([2]);
  });

  test('a chunk that stays in view is not carried', async () => {
    const transcript = repeated + found('c2', LAMP) + answer('max_size, min_size and top_size') + ask('s');
    expect(await returns(transcript, { recent: 100 })).toStrictEqual([
      `${SHORTENED}\nthread show FILE 2.0`,
      LAMP,
    ]);
  });

  test('a chunk that stays in view is carried when only what is gone was cited', async () => {
    const transcript = repeated + found('c2', LAMP) + answer('Yes.') + ask('s');
    const [first] = await returns(transcript, { recent: 100 });
    expect(first).toBe(
      `${capsule(['[c1#2] Source: \nmax_size min_size top_size'])}\n\n${SHORTENED}\nthread show FILE 2.0`,
    );
  });
});

describe('where a ledger was given', () => {
  const transcript =
    ask('q') + found('c1', PLAIN) + answer('x') + ask('r') + found('c2', PLAIN) + answer('y') + ask('s');
  const ledger = parseLedger(
    line({ type: 'capability', capability: 'kb', tool_names: ['read'], question: 8, in_progress: true }) +
      line({
        type: 'evidence',
        capability: 'kb',
        chunk_id: 'k-1',
        document_uri: 'kb/tides',
        content: 'Tides.',
        retrieved_in_questions: [0],
        cited_in_questions: [0],
      }),
    'ledger',
  );
  const CARRIED = capsule(['[k-1] Source: kb/tides\nTides.']);

  test.each<[options: object, returns: string[]]>([
    [{}, [RECEIPT, CARRIED]],
    [{ addresses: false }, [RECEIPT, CARRIED]],
    [{ addresses: true }, [`${RECEIPT}\nthread show FILE 2.0`, CARRIED]],
    [{ recent: 50 }, [CARRIED, PLAIN]],
    [{ recent: 500 }, [PLAIN, PLAIN]],
    [{ budget: 0 }, [RECEIPT, RECEIPT]],
  ])('receipts are the pinned text: %j', async (options, expected) => {
    expect(await returns(transcript, { ledger, ...options })).toStrictEqual(expected);
  });

  test.each([{}, { recent: 50 }, { addresses: true }, { budget: 0 }])(
    'compacting again changes nothing: %j',
    async (options) => {
      const { output } = await compactBytes(transcript, { ledger, ...options });
      const again = await compactBytes(output, { ledger, ...options });
      expect(again.output.toString()).toBe(output.toString());
    },
  );

  test('compacting again keeps the same evidence, although there is room for receipts', async () => {
    const longer = ask('q') + found('c0', PLAIN.repeat(9)) + transcript.replace('"q"', '"p"');
    const shifted = parseLedger(
      line({ type: 'capability', capability: 'kb', tool_names: ['read'], question: 11, in_progress: true }) +
        line({
          type: 'evidence',
          capability: 'kb',
          chunk_id: 'k-1',
          content: 'Tides.',
          retrieved_in_questions: [0],
          cited_in_questions: [0],
        }),
      'ledger',
    );
    const options = { ledger: shifted, recent: 90 };
    const { output } = await compactBytes(longer, options);
    expect((await compactBytes(output, options)).output.toString()).toBe(output.toString());
  });
});

describe('a line in cited text that looks like one of ours', () => {
  test.each([CAPSULE_HEADER, RECEIPT, UNSHOWN, SHORTENED, '[Cited evidence group 3]', '[x y] Source: z'])(
    'is warned of: %s',
    async (imitation) => {
      const transcript =
        ask('q') + found('c1', `[k-1] Source: u\n${PLAIN}\n  x\n${imitation}`) + answer('[k-1]') + ask('r');
      const { compacted } = await compactBytes(transcript);
      expect(compacted.conversations.flatMap(({ compaction }) => compaction.warnings)).toStrictEqual([
        "the text of [k-1] has a line that looks like a capsule's own heading or entry",
      ]);
    },
  );
});

test('an earlier capsule keeps its receipt where it stood', async () => {
  const first = ask('q') + found('c1', TIDES) + answer('[k-1]') + ask('r');
  const { output } = await compactBytes(first);
  const later = output.toString() + found('c2', LOCKS) + answer('[k-2]') + ask('s');
  expect(await returns(later)).toStrictEqual([
    `${UNSHOWN}\nthread show FILE 2.0`,
    `${capsule([LOCKS], [TIDES])}\n\n${UNSHOWN}\nthread show FILE 6.0`,
  ]);
});

describe.skipIf(isCorpusMissing)(CORPUS, () => {
  test.each(corpusFiles())('%s: every receipt is shorter than what it stands for', async (file) => {
    const bytes = readCorpusFile(file);
    const before = returnTexts(bytes);
    const { output } = await compactBytes(bytes, { recent: 0 });
    const longer = [...returnTexts(output)].filter(
      ([place, text]) => !text.startsWith(CAPSULE_HEADER) && text.length > (before.get(place)?.length ?? 0),
    );
    expect(longer).toStrictEqual([]);
  });
});
