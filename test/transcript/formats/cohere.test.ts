import { expect, test } from 'vitest';
import { cohere } from '../../../src/transcript/formats/cohere.js';
import { messagesOf } from '../read.js';
import { describeReadings, type Reading, text } from './readings.js';

const call = { id: 't1', type: 'function', function: { name: 'find', arguments: '{"q":1}' } };
const document = (fields: object) => ({ type: 'document', document: fields });
const citation = { start: 0, end: 2, text: 'So', sources: [{ type: 'tool', id: 't1:0' }] };

const readings: readonly Reading[] = [
  {
    name: 'a request with calls, documents and citations',
    values: [
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [text('Why?'), { type: 'image_url', image_url: { url: 'u' } }] },
          { role: 'assistant', tool_plan: 'Look.', tool_calls: [call] },
          { role: 'tool', tool_call_id: 't1', content: [document({ data: 'x' }), text('y')] },
          {
            role: 'assistant',
            content: [{ type: 'thinking', thinking: 'hm' }, text('So.')],
            citations: [citation],
          },
          { role: 'user', content: 'And?' },
          { role: 'assistant', content: null },
          { role: 'narrator', content: 'x' },
          { role: 'user' },
        ],
      },
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Why? | image',
      'assistant (assistant) | Look. | call t1 of find {"q":1}',
      'tool (tool) | result t1 of find: {"type":"document","document":{"data":"x"}}\ny',
      'assistant (assistant) | thinking hm | So.',
      'operator (user) | And?',
      'assistant (assistant)',
    ],
    questions: [1, 5],
    items: { 1: ['Why?', 'image null'] },
  },
  {
    name: 'a response',
    values: [
      {
        id: 'r',
        message: { role: 'assistant', content: [text('So.')] },
        finish_reason: 'COMPLETE',
        usage: {},
      },
    ],
    messages: ['assistant (assistant) | So.'],
    questions: [],
  },
];

describeReadings(cohere, readings);

test('reads the documents of a result, by their own ids or their places', () => {
  const content = [
    document({ id: 'd1', data: { title: 'A', url: 'a.md', snippet: 'x' } }),
    document({ data: 'y' }),
    document({ data: { age: 5 } }),
    document({ data: 7 }),
    text('z'),
  ];
  const [messages = []] = messagesOf(JSON.stringify([{ role: 'tool', tool_call_id: 't', content }]));
  expect(messages[0]?.parts[0]).toMatchObject({
    documents: [
      { id: 'd1', text: 'x', uri: 'a.md', title: 'A' },
      { id: 't:1', text: 'y', uri: '', title: null },
      { id: 't:2', text: '{"age":5}', uri: '', title: null },
    ],
  });
});
