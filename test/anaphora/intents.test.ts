import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { derivedSubject } from '../../src/anaphora/derived-subject.js';
import { readIntent } from '../../src/anaphora/intent.js';
import { normaliseSubject } from '../../src/anaphora/thread-context.js';

const labelled = z.object({
  question: z.string(),
  known: z.array(z.string()).optional(),
  intent: z.string(),
  subject: z.string().nullable(),
});

const questions = readFileSync(new URL('../data/intents.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => labelled.parse(JSON.parse(line)));

describe('labelled questions', () => {
  test('are many', () => expect(questions.length).toBeGreaterThanOrEqual(150));

  test('have the intent that a person sees, 95 of 100', () => {
    const right = questions.filter(({ question, intent }) => readIntent(question).intent === intent);
    expect(right.length / questions.length).toBeGreaterThanOrEqual(0.95);
  });

  test('have the subject that a person sees, 90 of 100', () => {
    const right = questions.filter(
      ({ question, known = [], subject }) =>
        normaliseSubject(derivedSubject(question, known).name ?? '') === normaliseSubject(subject ?? ''),
    );
    expect(right.length / questions.length).toBeGreaterThanOrEqual(0.9);
  });
});
