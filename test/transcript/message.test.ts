import { describe, expect, test } from 'vitest';
import { messageText, resultText } from '../../src/transcript/message.js';
import { jsonl, messagesOf } from './read.js';

const DEEP: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));

const payloads: readonly { name: string; value: unknown; read: string }[] = [
  { name: 'text as it is', value: ' a\n', read: ' a\n' },
  { name: 'nothing for null', value: null, read: '' },
  { name: 'nothing for a payload that is not there', value: undefined, read: '' },
  {
    name: 'other JSON as compact JSON',
    value: { a: [1, 'é', null], b: {} },
    read: '{"a":[1,"é",null],"b":{}}',
  },
  { name: 'JSON of any depth', value: DEEP, read: '['.repeat(100_000) + ']'.repeat(100_000) },
];

describe('a model reads of a result', () => {
  test.each(payloads)('$name', ({ value, read }) =>
    expect(resultText({ value, blocks: null }) === read).toBe(true),
  );
});

test('the words of a message are its texts with a blank line between them', () => {
  const [read] = messagesOf(
    jsonl([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'thinking' },
          { type: 'text', text: '' },
          { type: 'text', text: 'b' },
        ],
      },
    ]),
  ).flat();
  expect(read && messageText(read)).toBe('a\n\n\n\nb');
});
