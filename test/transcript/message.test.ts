import { describe, expect, test } from 'vitest';
import { messageText, resultText } from '../../src/transcript/message.js';
import { jsonl, messagesOf } from './read.js';

const DEEP: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));

const payloads: readonly { name: string; value: unknown; read: string; isFramed?: true }[] = [
  { name: 'text as it is', value: ' a\n', read: ' a\n' },
  { name: 'nothing for null', value: null, read: '' },
  { name: 'nothing for a payload that is not there', value: undefined, read: '' },
  {
    name: 'other JSON as compact JSON',
    value: { a: [1, 'é', null], b: {} },
    read: '{"a":[1,"é",null],"b":{}}',
  },
  {
    name: 'what a tool printed out of its frame',
    value: '{"output":"a\\n","metadata":{"exit_code":0}}',
    read: 'a\n',
    isFramed: true,
  },
  {
    name: 'text that only looks like a frame',
    value: '{"output":"a","metadata":0}',
    read: '{"output":"a","metadata":0}',
    isFramed: true,
  },
  { name: 'text that begins like one', value: '{"output":', read: '{"output":', isFramed: true },
  { name: 'JSON of any depth', value: DEEP, read: '['.repeat(100_000) + ']'.repeat(100_000) },
];

describe('a model reads of a result', () => {
  test.each(payloads)('$name', ({ value, read, isFramed }) =>
    expect(resultText({ value, blocks: null, ...(isFramed ? { isFramed } : {}) }) === read).toBe(true),
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
