import { expect, test } from 'vitest';
import { pi } from '../../../src/transcript/formats/pi.js';
import { outlineConversation } from '../../../src/transcript/outline.js';
import { readConversations } from '../../../src/transcript/transcript.js';
import { jsonl, messagesOf, openText } from '../read.js';
import { describeReadings, LABEL, type Reading, text } from './readings.js';

const TIME = '2026-01-01T00:00:00.000Z';
const header = { type: 'session', version: 3, id: 's', timestamp: TIME, cwd: '/x' };
const oldHeader = { type: 'session', id: 's', timestamp: TIME, cwd: '/x', provider: 'p', modelId: 'm' };
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };

/** An entry of a tree. */
function entry(id: string, parentId: string | null, type: string, fields: object): object {
  return { type, id, parentId, timestamp: TIME, ...fields };
}

function message(id: string, parentId: string | null, role: string, fields: object): object {
  return entry(id, parentId, 'message', { message: { role, ...fields, timestamp: 1 } });
}

/** An entry of version 1, which has no id. */
function flat(role: string, content: unknown, fields: object = {}): object {
  return { type: 'message', timestamp: TIME, message: { role, content, ...fields } };
}

const call = (id: string, name: string) => ({ type: 'toolCall', id, name, arguments: { q: 1 } });
const result = (toolCallId: string, toolName: string, content: unknown, fields: object = {}) => ({
  toolCallId,
  toolName,
  content,
  isError: false,
  ...fields,
});
const truncated = { truncation: { content: 'file', truncated: true } };

const readings: readonly Reading[] = [
  {
    name: 'a question, a call, its result and the answer',
    values: [
      header,
      message('a', null, 'user', { content: [text('Why?')] }),
      message('b', 'a', 'assistant', {
        content: [{ type: 'thinking', thinking: 'hm', thinkingSignature: 's' }, call('t1', 'read')],
      }),
      message('c', 'b', 'toolResult', result('t1', 'read', [text('one'), text('two')])),
      message('d', 'c', 'assistant', { content: [text('Because.')] }),
      message('e', 'd', 'user', { content: 'And?' }),
    ],
    messages: [
      'operator (user) | Why?',
      'assistant (assistant) | thinking hm | call t1 of read {"q":1}',
      'tool (tool) | result t1 of read: one\ntwo',
      'assistant (assistant) | Because.',
      'operator (user) | And?',
    ],
    questions: [0, 4],
    items: { 0: ['Why?'] },
  },
  {
    name: 'a flat session without ids',
    values: [
      oldHeader,
      flat('user', [text('Why?')]),
      { type: 'thinking_level_change', timestamp: TIME, thinkingLevel: 'off' },
      flat('assistant', [call('t1', 'bash')], { stopReason: 'aborted' }),
      flat('assistant', [], { stopReason: 'aborted' }),
      flat('user', [text('Again.')]),
    ],
    messages: [
      'operator (user) | Why?',
      'assistant (assistant) | call t1 of bash {"q":1}',
      'assistant (assistant)',
      'operator (user) | Again.',
    ],
    questions: [0, 3],
  },
  {
    name: 'entries of every other type as no messages',
    values: [
      header,
      entry('a', null, 'model_change', { provider: 'p', modelId: 'm' }),
      entry('b', 'a', 'thinking_level_change', { thinkingLevel: 'high' }),
      message('c', 'b', 'user', { content: 'Why?' }),
      entry('d', 'c', 'custom', { customType: 'x', data: { text: 'state' } }),
      entry('e', 'd', 'label', { targetId: 'c', label: 'here' }),
      entry('f', 'e', 'session_info', { name: 'x' }),
      entry('g', 'f', 'made_up_later', { content: 'x' }),
      message('h', 'g', 'made up later', { content: 'x' }),
      entry('i', 'h', 'message', { message: 'x' }),
      entry('j', 'i', 'message', {}),
      'a string',
      null,
      [],
    ],
    messages: ['operator (user) | Why?'],
    questions: [0],
  },
  {
    name: 'what the operator ran, and what extensions said, as context',
    values: [
      header,
      message('a', null, 'bashExecution', { command: 'ls', output: 'files', exitCode: 0 }),
      message('b', 'a', 'bashExecution', { command: 'env', output: 'x', excludeFromContext: true }),
      message('c', 'b', 'user', { content: 'Why?' }),
      message('d', 'c', 'custom', { customType: 'x', content: 'note', display: true }),
      message('e', 'd', 'hookMessage', { customType: 'x', content: [text('old note')], display: false }),
      entry('f', 'e', 'custom_message', { customType: 'x', content: [text('see'), image], display: true }),
    ],
    messages: [
      'context (user) | ls | files',
      'operator (user) | Why?',
      'context (user) | note',
      'context (user) | old note',
      'context (user) | see | image',
    ],
    questions: [1],
    items: { 3: ['old note'], 4: ['see', 'image AAAA'] },
  },
  {
    name: 'pictures, and blocks of kinds that do not exist yet',
    values: [
      message('a', null, 'user', { content: [image, { type: 'text' }, { type: 'sound' }, 'x'] }),
      message('b', 'a', 'assistant', { content: [{ type: 'thinking' }, { type: 'toolCall' }] }),
    ],
    messages: [
      'operator (user) | image | raw text | raw sound | raw ',
      'assistant (assistant) | thinking  | call null of  undefined',
    ],
    questions: [0],
    items: { 0: ['image AAAA', 'other', 'other', 'other'] },
  },
  {
    name: 'failed results, results of no call, and what is left of odd ones',
    values: [
      message('a', null, 'toolResult', result('t1', 'bash', [text('no')], { isError: true })),
      message('b', 'a', 'toolResult', result('t2', 'read', [text('file')], { details: truncated })),
      message('c', 'b', 'toolResult', result('t3', 'edit', [text('ok')], { details: { diff: '+' } })),
      message('d', 'c', 'toolResult', { content: 'text' }),
      message('e', 'd', 'toolResult', {}),
    ],
    messages: [
      'tool (tool) | result t1 of bash failed: no',
      'tool (tool) | result t2 of read with copy: file',
      'tool (tool) | result t3 of edit: ok',
      'tool (tool) | result null of null: text',
      'tool (tool) | result null of null locked: ',
    ],
    questions: [],
  },
  {
    name: 'the branch that was taken up last, with what became of the other',
    values: [
      header,
      message('a', null, 'user', { content: 'Why?' }),
      message('b', 'a', 'assistant', { content: [text('x')] }),
      message('c', 'b', 'user', { content: 'Wrong?' }),
      entry('d', 'b', 'branch_summary', { fromId: 'c', summary: 'It was wrong.' }),
      entry('e', 'd', 'branch_summary', { fromId: 'c', summary: '' }),
      message('f', 'e', 'user', { content: 'Right?' }),
    ],
    messages: [
      'operator (user) | Why?',
      'assistant (assistant) | x',
      'operator (user) | Wrong?',
      'summary (user) | It was wrong.',
      'operator (user) | Right?',
    ],
    questions: [0, 4],
  },
  {
    name: 'a session that goes on from an entry that is no message',
    values: [
      header,
      message('a', null, 'user', { content: 'Why?' }),
      message('b', 'a', 'assistant', { content: [text('x')] }),
      message('c', 'b', 'user', { content: 'Wrong?' }),
      entry('d', 'b', 'model_change', { provider: 'p', modelId: 'm' }),
    ],
    messages: ['operator (user) | Why?', 'assistant (assistant) | x', 'operator (user) | Wrong?'],
    questions: [0],
  },
  {
    name: 'a session that was left at an earlier entry',
    values: [
      header,
      message('a', null, 'user', { content: 'Why?' }),
      message('b', 'a', 'assistant', { content: [text('x')] }),
      message('c', 'b', 'user', { content: 'Wrong?' }),
      entry('d', 'c', 'leaf', { targetId: 'b' }),
    ],
    messages: ['operator (user) | Why?', 'assistant (assistant) | x', 'operator (user) | Wrong?'],
    questions: [0],
  },
  {
    name: 'a session that was left before its first entry',
    values: [
      header,
      message('a', null, 'user', { content: 'Why?' }),
      message('b', 'a', 'assistant', { content: [text('x')] }),
      entry('c', 'b', 'leaf', { targetId: null }),
    ],
    messages: ['operator (user) | Why?', 'assistant (assistant) | x'],
    questions: [],
  },
  {
    name: 'the summary of a compaction and the messages that it keeps',
    values: [
      header,
      message('a', null, 'user', { content: 'Old?' }),
      message('b', 'a', 'assistant', { content: [text('x')] }),
      message('c', 'b', 'user', { content: 'Kept?' }),
      message('d', 'c', 'assistant', { content: [text('y')] }),
      entry('e', 'd', 'compaction', { summary: 'Old was x.', firstKeptEntryId: 'c', tokensBefore: 9 }),
      message('f', 'e', 'user', { content: 'New?' }),
    ],
    messages: [
      'operator (user) | Old?',
      'assistant (assistant) | x',
      'operator (user) | Kept?',
      'assistant (assistant) | y',
      'summary (user) | Old was x.',
      'operator (user) | New?',
    ],
    questions: [2, 5],
  },
  {
    name: 'a compaction of a flat session, which counts the lines from the header on',
    values: [
      oldHeader,
      flat('user', 'Old?'),
      flat('assistant', [text('x')]),
      flat('user', 'Kept?'),
      { type: 'compaction', timestamp: TIME, summary: 'Old was x.', firstKeptEntryIndex: 3, tokensBefore: 9 },
      flat('assistant', [text('y')]),
      flat('user', 'New?'),
    ],
    messages: [
      'operator (user) | Old?',
      'assistant (assistant) | x',
      'operator (user) | Kept?',
      'summary (user) | Old was x.',
      'assistant (assistant) | y',
      'operator (user) | New?',
    ],
    questions: [2, 5],
  },
  {
    name: 'the messages that a compaction repeats in itself instead of those above it',
    values: [
      header,
      message('a', null, 'user', { content: 'Old?' }),
      message('b', 'a', 'assistant', { content: [call('t1', 'read')] }),
      message('c', 'b', 'toolResult', result('t1', 'read', [text('file')])),
      entry('d', 'c', 'compaction', {
        summary: 'Old was asked.',
        tokensBefore: 9,
        retainedTail: [
          { role: 'branchSummary', summary: 'It was wrong.', fromId: 'x' },
          { role: 'user', content: 'Old?' },
          { role: 'assistant', content: [call('t1', 'read')] },
          { role: 'toolResult', ...result('t1', 'read', [text('file')]) },
        ],
      }),
      message('e', 'd', 'user', { content: 'New?' }),
    ],
    messages: [
      'operator (user) | Old?',
      'assistant (assistant) | call t1 of read {"q":1}',
      'tool (tool) | result t1 of read: file',
      'summary (user) | Old was asked.',
      'summary (user) | It was wrong.',
      'operator (user) | Old?',
      'assistant (assistant) | call t1 of read {"q":1}',
      'tool (tool) | result t1 of read: file',
      'operator (user) | New?',
    ],
    questions: [5, 8],
  },
  {
    name: 'a retrieved picture with its label is no question',
    values: [
      header,
      message('a', null, 'user', { content: 'Why?' }),
      message('b', 'a', 'user', { content: [LABEL, image] }),
      message('c', 'b', 'assistant', { content: [text('x')] }),
      message('d', 'c', 'user', { content: [LABEL, image, image] }),
    ],
    messages: [
      'operator (user) | Why?',
      'context (user) | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image',
      'assistant (assistant) | x',
      'operator (user) | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image | image',
    ],
    questions: [0, 3],
  },
];

describeReadings(pi, readings);

test('pi: a compaction takes what it does not keep off the path, and the compactions before it', () => {
  const compaction = { firstKeptEntryId: 'b', tokensBefore: 9 };
  const transcript = openText(
    jsonl([
      header,
      message('a', null, 'user', { content: 'a' }),
      message('b', 'a', 'user', { content: 'b' }),
      entry('m1', 'b', 'compaction', { ...compaction, summary: 'first' }),
      message('c', 'm1', 'user', { content: 'c' }),
      entry('m2', 'c', 'compaction', { ...compaction, summary: 'second' }),
      message('d', 'm2', 'user', { content: 'd' }),
    ]),
  );
  const [conversation] = transcript === undefined ? [] : [...readConversations(transcript)];
  const outline = conversation === undefined ? [] : outlineConversation(conversation);
  expect(outline.map(({ isOnPath }) => isOnPath)).toStrictEqual([false, true, false, true, true, true]);
});

test('pi: a picture in a result keeps its base64', () => {
  const content = [text('Read image file [image/png]'), image];
  const [[read] = []] = messagesOf(jsonl([message('a', null, 'toolResult', result('t1', 'read', content))]));
  expect(read?.parts).toMatchObject([
    {
      at: ['message', 'content'],
      blocks: [
        { kind: 'text', text: 'Read image file [image/png]', at: ['message', 'content', 0] },
        { kind: 'image', data: 'AAAA', at: ['message', 'content', 1] },
      ],
    },
  ]);
});
