import { describe, expect, test } from 'vitest';
import type { Speaker } from '../../src/transcript/message.js';
import { type Asker, findBoundary, questionOf, questionPositions } from '../../src/transcript/question.js';

const SPEAKERS: ReadonlyMap<string, Speaker> = new Map([
  ['o', 'operator'],
  ['a', 'assistant'],
  ['t', 'tool'],
  ['c', 'context'],
  ['s', 'summary'],
  ['y', 'system'],
]);

/** Messages by the first letter of who speaks (y: system); `_` marks a blank one, `-` one off the path. */
function messages(short: string): Asker[] {
  return short.split(' ').map((one, position) => ({
    position,
    speaker: SPEAKERS.get(one.charAt(0)) ?? 'system',
    isBlank: one.includes('_'),
    isOnPath: !one.includes('-'),
  }));
}

const cases: readonly { name: string; messages: string; questions: readonly number[]; boundary: number }[] = [
  { name: 'each operator message asks', messages: 'y o a t a o a', questions: [1, 5], boundary: 5 },
  {
    name: 'consecutive operator messages are one question',
    messages: 'o o o a o',
    questions: [0, 4],
    boundary: 4,
  },
  {
    name: 'the last operator messages are one question too',
    messages: 'o a o o',
    questions: [0, 2],
    boundary: 2,
  },
  { name: 'a blank operator message asks nothing', messages: 'o a o_ a', questions: [0], boundary: 0 },
  { name: 'a question begins behind a blank message', messages: 'o_ o a', questions: [1], boundary: 1 },
  { name: 'a blank operator message parts no question', messages: 'o o_ o a', questions: [0], boundary: 0 },
  {
    name: 'an operator message off the path asks nothing',
    messages: 'o a o- a- o a',
    questions: [0, 4],
    boundary: 4,
  },
  { name: 'a message off the path parts no question', messages: 'o a- o a', questions: [0], boundary: 0 },
  { name: 'context parts two questions', messages: 'o c o', questions: [0, 2], boundary: 2 },
  { name: 'blank context parts two questions', messages: 'o c_ o', questions: [0, 2], boundary: 2 },
  { name: 'only the operator asks', messages: 'y a t c s', questions: [], boundary: 0 },
  { name: 'a summary parts two questions', messages: 'o s o', questions: [0, 2], boundary: 2 },
  { name: 'nothing on the path is no question', messages: 'o- o-', questions: [], boundary: 0 },
];

describe('finds the questions', () => {
  test.each(cases)('$name', ({ messages: short, questions, boundary }) => {
    expect(questionPositions(messages(short))).toStrictEqual(questions);
    expect(findBoundary(messages(short))).toBe(boundary);
  });
});

test('finds no question in no messages', () => {
  expect(questionPositions([])).toStrictEqual([]);
  expect(findBoundary([])).toBe(0);
});

test('names a question by its position, not by its place among the messages given', () => {
  const later = messages('o a o').map((one) => ({ ...one, position: one.position + 7 }));
  expect(questionPositions(later)).toStrictEqual([7, 9]);
});

const owners: readonly { position: number; question: number | undefined }[] = [
  { position: 0, question: undefined },
  { position: 1, question: 1 },
  { position: 3, question: 1 },
  { position: 4, question: 4 },
  { position: 99, question: 4 },
];

test.each(owners)('message $position belongs to question $question of 1 and 4', ({ position, question }) => {
  expect(questionOf(position, [1, 4])).toBe(question);
});
