import { expect, test } from 'vitest';
import { compatibleSubjects, isReference } from '../../src/anaphora/reference.js';

const cases = [
  { reference: 'it', known: ['clutch'], means: ['clutch'] },
  { reference: 'it', known: ['clutch', 'clutch'], means: ['clutch'] },
  { reference: 'it', known: ['clutch', 'fan'], means: ['clutch', 'fan'] },
  { reference: 'it', known: ['rollers', 'fan'], means: ['fan'] },
  { reference: 'they', known: ['rollers', 'fan'], means: ['rollers'] },
  { reference: 'that file', known: ['src/a.ts', 'fan'], means: ['src/a.ts'] },
  { reference: 'that file', known: ['src/a.ts', 'src/b.ts'], means: ['src/a.ts', 'src/b.ts'] },
  { reference: 'that clutch', known: ['one-way clutch', 'fan'], means: ['one-way clutch'] },
  { reference: 'this kit', known: ['ck-31 kit', 'fan'], means: ['ck-31 kit'] },
  { reference: 'second one', known: ['clutch', 'fan'], means: ['clutch', 'fan'] },
  { reference: 'it', known: [], means: [] },
];

test.each(cases)('$reference of $known', ({ reference, known, means }) => {
  expect(isReference(reference)).toBe(true);
  expect(compatibleSubjects(reference, known)).toStrictEqual(means);
});

test.each(['italy', 'one-way clutch', 'thistle'])('%s refers to nothing else', (name) => {
  expect(isReference(name)).toBe(false);
});
