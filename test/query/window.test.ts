import { expect, test } from 'vitest';
import { selectWideWindow, selectWindow, type WindowMessage } from '../../src/query/window.js';

// The window itself is pinned by the vectors; here stands what `thread resolve` adds to it.

function chat(count: number): WindowMessage[] {
  return Array.from({ length: count }, (_, position) => ({
    position,
    speaker: position % 2 === 0 ? 'operator' : 'assistant',
    text: `message ${position}`,
  }));
}

const positions = (rows: readonly { readonly position: number }[]): number[] =>
  rows.map(({ position }) => position);

test('the wide window keeps the first operator message, the newest summary and forty rows', () => {
  const messages = chat(100).with(20, { position: 20, speaker: 'summary', text: 'so far' });
  const rows = selectWideWindow(messages, { query: 'next', currentIndex: -1 });
  expect(positions(rows)).toStrictEqual([0, 20, ...Array.from({ length: 40 }, (_, i) => 60 + i)]);
  expect(rows[1]).toStrictEqual({
    position: 20,
    role: 'system',
    source: 'compaction-summary',
    text: 'so far',
    truncated: false,
  });
});

test('its rows are whole, and end before the question', () => {
  const text = 'a'.repeat(700);
  const messages = chat(4).with(1, { position: 1, speaker: 'assistant', text });
  const rows = selectWideWindow(messages, { query: 'message 2' });
  expect(rows.map((row) => row.text)).toStrictEqual(['message 0', text]);
});

test('positions are those of the messages, whatever was left out between them', () => {
  const messages = chat(10).filter(({ position }) => position > 5);
  expect(positions(selectWindow(messages, { query: 'next', currentIndex: -1 }))).toStrictEqual([6, 7, 8, 9]);
});
