import { describe, expect, test } from 'vitest';
import { type OutlineMessage, outlineConversation } from '../../src/transcript/outline.js';
import { readConversations } from '../../src/transcript/transcript.js';
import { jsonl, openText } from './read.js';

function outline(values: readonly unknown[]): OutlineMessage[] {
  const transcript = openText(jsonl(values));
  return transcript === undefined
    ? []
    : [...readConversations(transcript)].flatMap((one) => outlineConversation(one));
}

const text = (words: string) => ({ type: 'text', text: words });
const result = (content: unknown) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content }],
});
const image = { type: 'image', source: { type: 'base64', data: 'AAAA' } };
const mark = { type: 'ephemeral' };

const blanks: readonly { name: string; content: unknown; blank: boolean }[] = [
  { name: 'text', content: 'x', blank: false },
  { name: 'nothing', content: '', blank: true },
  { name: 'null', content: null, blank: true },
  { name: 'white space', content: ' \n\u00a0\ufeff', blank: true },
  { name: 'a zero-width space', content: '\u200b', blank: false },
  { name: 'no blocks', content: [], blank: true },
  { name: 'blank blocks', content: [text(''), text(' ')], blank: true },
  { name: 'a picture', content: [text(''), { type: 'image_url', image_url: { url: 'u' } }], blank: false },
  { name: 'a file', content: [{ type: 'file', file: {} }], blank: false },
  { name: 'sound', content: [{ type: 'input_audio' }], blank: false },
];

describe('a message is blank:', () => {
  test.each(blanks)('$name: $blank', ({ content, blank }) => {
    const messages = outline([
      { role: 'system', content: 'x' },
      { role: 'user', content },
    ]);
    expect(messages.map(({ isBlank }) => isBlank)).toStrictEqual([false, blank]);
  });
});

const results: readonly { name: string; content: unknown; outlined: object }[] = [
  { name: 'text', content: 'é😀', outlined: { length: 3, isBlocks: false, cacheControl: undefined } },
  {
    name: 'blocks',
    content: [text('ab'), image, text('c')],
    outlined: { length: 4, isBlocks: true, cacheControl: undefined },
  },
  { name: 'nothing', content: null, outlined: { length: 0, isBlocks: false, cacheControl: undefined } },
  {
    name: 'blocks with a cache mark',
    content: [
      { ...text('a'), cache_control: { type: 'x' } },
      { ...text('b'), cache_control: mark },
      text('c'),
    ],
    outlined: { length: 5, isBlocks: true, cacheControl: mark },
  },
];

describe('keeps of a result what a rewrite needs:', () => {
  test.each(results)('$name', ({ content, outlined }) => {
    const [message] = outline([result(content)]);
    expect(message?.results).toMatchObject([
      { ...outlined, part: 0, callId: 't', at: ['content', 0, 'content'] },
    ]);
  });
});

test('names the part of each result and the id of each call', () => {
  const [calls, message] = outline([
    {
      role: 'assistant',
      content: [text('x'), { type: 'tool_use', id: 'a', name: 'f' }, { type: 'tool_use', name: 'g' }],
    },
    { role: 'user', content: [text('x'), { type: 'tool_result', tool_use_id: 'a', content: 'y' }] },
  ]);
  expect(calls?.calls).toStrictEqual(['a', null]);
  expect(message?.results).toMatchObject([{ part: 1, callId: 'a', tool: 'f' }]);
});

test('keeps only lists with a retrieved picture or without items, and no picture in them', () => {
  const label = text('P [haiku.rag/retrieved-image]');
  const messages = outline([
    { role: 'user', content: [text('x'), image] },
    { role: 'user', content: [label, image] },
    { role: 'user', content: [] },
  ]);
  expect(messages.map(({ lists }) => lists.map(({ items }) => items))).toStrictEqual([
    [],
    [
      [
        { kind: 'text', text: label.text, at: ['content', 0] },
        { kind: 'image', data: null, at: ['content', 1] },
      ],
    ],
    [[]],
  ]);
});

test('shows every message with its text as it goes by, those off the path too', () => {
  const line = (uuid: string, parentUuid: string | null, content: string) => ({
    ...{ type: 'user', uuid, parentUuid, sessionId: 's', message: { role: 'user', content } },
  });
  const transcript = openText(
    jsonl([line('a', null, 'one'), line('b', 'a', 'two'), line('c', 'a', 'three')]),
  );
  const [conversation] = transcript === undefined ? [] : [...readConversations(transcript)];
  const seen: number[] = [];
  const messages = conversation && outlineConversation(conversation, ({ position }) => seen.push(position));
  expect(seen).toStrictEqual([0, 1, 2]);
  expect(messages?.map(({ isOnPath }) => isOnPath)).toStrictEqual([true, false, true]);
});
