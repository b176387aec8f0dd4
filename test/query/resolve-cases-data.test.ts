import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

/** The hand-written cases that measure the planners: here only the file itself is checked. */
const FILE = new URL('../data/resolve-cases.jsonl', import.meta.url);

const GROUPS = ['support', 'coding', 'ops', 'data', 'other-language'] as const;
const MODES = ['direct', 'contextual', 'ambiguous', 'none'] as const;
const TIMES = ['past', 'present', 'unspecified'] as const;

const text = z.string().refine((value) => value !== '' && value === value.trim(), 'blank or untrimmed');

const caseSchema = z.strictObject({
  id: text,
  group: z.enum(GROUPS),
  history: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant', 'system', 'tool']), text }))
    .min(1)
    .max(9),
  query: text,
  mode: z.enum(MODES),
  time: z.enum(TIMES),
  focus: z.array(z.string().regex(/^\S+$/u)).max(4),
  note: text,
});

type Case = z.infer<typeof caseSchema>;

const lines = readFileSync(FILE, 'utf8').split('\n');
const rows: readonly unknown[] = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
const cases: readonly Case[] = rows.flatMap((row) => caseSchema.safeParse(row).data ?? []);

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const WORD = /[\p{L}\p{M}\p{N}_]/u;

function isWordEdge(neighbour: string | undefined): boolean {
  return neighbour === undefined || !WORD.test(neighbour) || UNSPACED.test(neighbour);
}

/** Whether `word` stands in `haystack` as spelled and cuts no word where words are spaced. */
function stands(word: string, haystack: string): boolean {
  if (UNSPACED.test(word)) return haystack.includes(word);
  for (let at = haystack.indexOf(word); at >= 0; at = haystack.indexOf(word, at + 1)) {
    if (isWordEdge(haystack[at - 1]) && isWordEdge(haystack[at + word.length])) return true;
  }
  return false;
}

const inHistory = (row: Case, word: string) => row.history.some((message) => stands(word, message.text));
const inQuery = (row: Case, word: string) => stands(word, row.query);
const ofMode = (mode: Case['mode']) => cases.filter((row) => row.mode === mode);
const ids = (chosen: readonly Case[]) => chosen.map((row) => row.id);

function count<Key extends string>(keys: readonly Key[], of: (row: Case) => Key): Record<Key, number> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
  for (const row of cases) counts[of(row)] += 1;
  return counts;
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

describe('resolve-cases.jsonl', () => {
  test('is JSONL with one case a line and a last line break', () => {
    expect(lines.at(-1)).toBe('');
    expect(lines.slice(0, -1)).not.toContain('');
  });

  test('has only well-formed cases', () => {
    expect(rows.map((row) => caseSchema.safeParse(row).error?.message).filter(Boolean)).toStrictEqual([]);
    expect(cases).toHaveLength(rows.length);
  });

  test('has at least 140 cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(140);
  });

  test('has every id once, named after its group', () => {
    expect(repeated(ids(cases))).toStrictEqual([]);
    expect(ids(cases.filter((row) => !/^-\d{2}$/.test(row.id.slice(row.group.length))))).toStrictEqual([]);
    expect(ids(cases.filter((row) => !row.id.startsWith(row.group)))).toStrictEqual([]);
  });

  test('repeats no history', () => {
    expect(repeated(cases.map((row) => JSON.stringify(row.history)))).toStrictEqual([]);
  });

  test('has every mode in a realistic share', () => {
    const counts = count(MODES, (row) => row.mode);
    const share = (mode: Case['mode']) => (100 * counts[mode]) / cases.length;
    expect(Math.abs(share('contextual') - 55)).toBeLessThan(5);
    expect(Math.abs(share('direct') - 20)).toBeLessThan(4);
    expect(Math.abs(share('ambiguous') - 12)).toBeLessThan(3);
    expect(Math.abs(share('none') - 13)).toBeLessThan(3);
  });

  test('has every time at least twenty times', () => {
    expect(Math.min(...Object.values(count(TIMES, (row) => row.time)))).toBeGreaterThanOrEqual(20);
  });

  test.each(GROUPS)('has at least 30 cases of %s, in every mode', (group) => {
    const own = cases.filter((row) => row.group === group);
    expect(own.length).toBeGreaterThanOrEqual(30);
    expect(new Set(own.map((row) => row.mode)).size).toBe(MODES.length);
  });

  test('has histories from one to nine messages', () => {
    expect([...new Set(cases.map((row) => row.history.length))].sort()).toStrictEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  test('names each focus word once', () => {
    expect(ids(cases.filter((row) => repeated(row.focus).length > 0))).toStrictEqual([]);
  });

  test('finds each focus word in the history or the question, whole', () => {
    const ungrounded = cases.flatMap((row) =>
      row.focus
        .filter((word) => !inHistory(row, word) && !inQuery(row, word))
        .map((word) => `${row.id}: ${word}`),
    );
    expect(ungrounded).toStrictEqual([]);
  });

  test('needs a word of the history for each contextual case', () => {
    const without = ofMode('contextual').filter(
      (row) => !row.focus.some((word) => inHistory(row, word) && !inQuery(row, word)),
    );
    expect(ids(without)).toStrictEqual([]);
  });

  test('needs only words of the question for each direct case', () => {
    const without = ofMode('direct').filter(
      (row) => row.focus.length === 0 || !row.focus.every((word) => inQuery(row, word)),
    );
    expect(ids(without)).toStrictEqual([]);
  });

  test('names two competitors, both absent from the question, for each ambiguous case', () => {
    const without = ofMode('ambiguous').filter(
      (row) =>
        row.focus.length < 2 || !row.focus.every((word) => inHistory(row, word) && !inQuery(row, word)),
    );
    expect(ids(without)).toStrictEqual([]);
  });

  test('names nothing and no time where there is nothing to search', () => {
    const wrong = ofMode('none').filter((row) => row.focus.length > 0 || row.time !== 'unspecified');
    expect(ids(wrong)).toStrictEqual([]);
  });
});
