import { expect, test } from 'vitest';
import { langchain } from '../../../src/transcript/formats/langchain.js';
import { messagesOf } from '../read.js';
import { describeReadings, imageBlock, type Reading, text, toolUse } from './readings.js';

const stored = (type: string, data: object) => ({ type, data });
const dumped = (name: string, kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});
const call = (id: string | undefined, name = 'find') => ({ id, name, args: { q: 1 }, type: 'tool_call' });
const rawCall = (id: string) => ({ id, type: 'function', function: { name: 'find', arguments: '{"q":1}' } });
const document = (page_content: string, metadata: object) => ({ page_content, metadata, type: 'Document' });
const human = stored('human', { content: 'Why?' });

const readings: readonly Reading[] = [
  {
    name: 'stored messages',
    values: [
      [
        stored('system', { content: 'Be brief.' }),
        human,
        stored('ai', {
          content: '',
          tool_calls: [call('t1')],
          additional_kwargs: { tool_calls: [rawCall('t1')] },
        }),
        stored('tool', { content: 'x', tool_call_id: 't1', artifact: { raw: 1 } }),
        stored('ai', { content: 'Because.' }),
      ],
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Why?',
      'assistant (assistant) | call t1 of find {"q":1}',
      'tool (tool) | result t1 of find with copy: x',
      'assistant (assistant) | Because.',
    ],
    questions: [1],
  },
  {
    name: 'dumped messages, in a prompt, of streams and of classes unknown',
    values: [
      {
        lc: 1,
        type: 'constructor',
        id: ['langchain', 'prompts', 'chat', 'ChatPromptValue'],
        kwargs: {
          messages: [
            dumped('SystemMessage', { content: 'Be brief.' }),
            dumped('HumanMessage', { content: [text('Why?'), imageBlock] }),
            dumped('AIMessageChunk', { content: [toolUse('t1', 'find')], tool_calls: [call('t1')] }),
            dumped('ToolMessage', { content: [text('x')], tool_call_id: 't1', status: 'error' }),
            { lc: 1, type: 'not_implemented', id: ['x', 'OddMessage'], repr: 'x' },
            dumped('ChatMessage', { content: 'Hm.', role: 'assistant' }),
            dumped('ChatMessage', { content: 'So?', role: 'critic' }),
          ],
        },
      },
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Why? | image',
      'assistant (assistant) | call t1 of find {"q":1}',
      'tool (tool) | result t1 of find failed: x',
      'assistant (assistant) | Hm.',
      'operator (user) | So?',
    ],
    questions: [1, 5],
    items: { 1: ['Why?', 'image AAAA'] },
  },
  {
    name: 'flat messages in a saved graph state, with standard blocks',
    values: [
      {
        values: {
          messages: [
            { type: 'human', content: 'Why?' },
            {
              type: 'ai',
              content: [
                { type: 'reasoning', reasoning: 'hm' },
                { type: 'server_tool_call', id: 's1', name: 'web', args: {} },
                { type: 'server_tool_result', tool_call_id: 's1', status: 'success', output: ['x'] },
                { ...text('So.'), annotations: [{ type: 'citation', url: 'u' }] },
                { type: 'file', mime_type: 'application/pdf', base64: 'AA' },
                { type: 'tool_call', id: 't1', name: 'find', args: { q: 1 } },
                'And.',
                { type: 'made up later' },
                null,
              ],
              tool_calls: [call('t1'), call('t2')],
              invalid_tool_calls: [{ id: 't3', name: 'find', args: '{"q"', error: 'cut' }],
            },
            { type: 'tool', content: { a: 1 }, tool_call_id: 't2' },
          ],
        },
      },
    ],
    messages: [
      'operator (user) | Why?',
      'assistant (assistant) | thinking hm | call s1 of web {} | result s1 of web locked: ["x"] | So. | file null | call t1 of find {"q":1} | And. | raw made up later | raw  | call t2 of find {"q":1} | call t3 of find "{\\"q\\""',
      'tool (tool) | result t2 of find: {"a":1}',
    ],
    questions: [0],
  },
  {
    name: 'a message a line, with calls of old providers only',
    values: [
      human,
      stored('ai', { content: '', additional_kwargs: { tool_calls: [rawCall('t1')] } }),
      stored('ai', { content: '', additional_kwargs: { function_call: { name: 'find', arguments: '{' } } }),
      stored('function', { content: 'x', name: 'find' }),
      stored('human', { content: 'Up to here: x', additional_kwargs: { lc_source: 'summarization' } }),
      stored('human', { content: '' }),
    ],
    messages: [
      'operator (user) | Why?',
      'assistant (assistant) | call t1 of find {"q":1}',
      'assistant (assistant) | call null of find "{"',
      'tool (tool) | result null of find: x',
      'summary (user) | Up to here: x',
      'operator (user)',
    ],
    questions: [0],
  },
  {
    name: 'removed messages as off the path',
    values: [
      [
        stored('human', { content: 'One?', id: 'a' }),
        stored('remove', { id: 'a' }),
        stored('human', { content: 'Two?', id: 'b' }),
        { type: 'remove', content: '', id: '__remove_all__' },
        stored('ai', { content: 'Gone.', id: 'c' }),
        stored('human', { content: 'Three?', id: 'a' }),
      ],
    ],
    messages: [
      'operator (user) | One?',
      'operator (user) | Two?',
      'assistant (assistant) | Gone.',
      'operator (user) | Three?',
    ],
    questions: [3],
  },
];

describeReadings(langchain, readings);

test.each([
  [
    'a list',
    [document('x', { source: 'a.md', title: 'A' }), document('', {}), document('y', { id: 'd2' }), 7],
  ],
  ['a named list', { context: [document('x', { source: 'a.md', title: 'A' }), document('y', { id: 'd2' })] }],
  [
    'dumped documents',
    [
      dumped('Document', document('x', { source: 'a.md', title: 'A' })),
      dumped('Document', document('y', { id: 'd2' })),
    ],
  ],
])('reads the documents of an artifact: %s', (_, artifact) => {
  const [messages = []] = messagesOf(
    JSON.stringify([human, stored('tool', { content: 'x y', tool_call_id: 't', artifact })]),
  );
  expect(messages[1]?.parts[0]).toMatchObject({
    documents: [
      { id: null, text: 'x', uri: 'a.md', title: 'A' },
      { id: 'd2', text: 'y', uri: '', title: null },
    ],
  });
});
