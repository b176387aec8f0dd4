import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type EmbeddedPlan, planEmbedded } from '../../../src/query/planners/embedded.js';

/** How many of the hand-written cases come out as wanted; most were looked at while the rules were written. */
interface Case {
  readonly history: readonly {
    readonly role: 'user' | 'assistant' | 'system' | 'tool';
    readonly text: string;
  }[];
  readonly query: string;
  readonly mode: string;
  readonly time: string;
  readonly focus: readonly string[];
}

const FILE = new URL('../../data/resolve-cases.jsonl', import.meta.url);
const cases: readonly Case[] = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const plans = cases.map((row) => ({
  row,
  plan: planEmbedded({
    query: row.query,
    // The planner is given what was said: no results of tools.
    history: row.history.flatMap(({ role, text }, position) =>
      role === 'tool' ? [] : [{ role, text, position }],
    ),
  }),
}));

function focusOf({ mode, quotes, focusTerms }: EmbeddedPlan): readonly string[] {
  return mode === 'ambiguous' ? quotes.map(({ quote }) => quote) : focusTerms;
}

function holds(term: string, word: string, { mode }: EmbeddedPlan): boolean {
  return mode === 'ambiguous' || UNSPACED.test(word)
    ? term.includes(word)
    : term.toLowerCase().split(' ').includes(word.toLowerCase());
}

/** The focus holds every word that is wanted, an ambiguous plan's quotes do, and small talk has none. */
function hasFocus({ focus }: Case, plan: EmbeddedPlan): boolean {
  const found = focusOf(plan);
  if (focus.length === 0) return found.length === 0;
  return focus.every((word) => found.some((term) => holds(term, word, plan)));
}

const share = (isRight: (row: Case, plan: EmbeddedPlan) => boolean) =>
  plans.filter(({ row, plan }) => isRight(row, plan)).length / plans.length;

describe('the embedded planner on the hand-written cases', () => {
  test('gives the mode of nine in ten', () => {
    expect(share((row, plan) => plan.mode === row.mode)).toBeGreaterThanOrEqual(0.9);
  });

  test('gives the time of nine in ten', () => {
    expect(share((row, plan) => plan.time === row.time)).toBeGreaterThanOrEqual(0.9);
  });

  test('gives the whole focus of nine in ten', () => {
    expect(share(hasFocus)).toBeGreaterThanOrEqual(0.9);
  });

  test('gives no more than three focus terms in ten that are not wanted', () => {
    const given = plans.flatMap(({ row, plan }) => focusOf(plan).map((term) => ({ term, row, plan })));
    const wanted = given.filter(({ term, row, plan }) => row.focus.some((word) => holds(term, word, plan)));
    expect(wanted.length / given.length).toBeGreaterThanOrEqual(0.7);
  });

  test('takes no word from elsewhere', () => {
    const invented = plans.flatMap(({ row, plan }) => {
      const said = [row.query, ...row.history.map(({ text }) => text)].join('\n');
      return [...plan.terms, ...plan.focusTerms].filter((term) => !said.includes(term));
    });
    expect(invented).toEqual([]);
  });
});
