import { googleGenai } from '../../../src/transcript/formats/google-genai.js';
import { describeReadings, type Reading } from './readings.js';

const content = (role: string, ...parts: readonly object[]) => ({ role, parts });
const call = (name: string, fields: object = {}) => ({ functionCall: { name, args: { q: 1 }, ...fields } });
const answer = (name: string, response: unknown, fields: object = {}) => ({
  functionResponse: { name, response, ...fields },
});
const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

const readings: readonly Reading[] = [
  {
    name: 'contents with calls and responses',
    values: [
      content('user', { text: 'Why?' }, picture, { fileData: { fileUri: 'f', mimeType: 'text/plain' } }),
      content(
        'model',
        { text: 'hm', thought: true },
        { text: 'See.' },
        call('find', { id: 'c1' }),
        call('dig'),
      ),
      content('user', answer('find', { output: 'x' }, { id: 'c1' }), answer('dig', { a: 1, b: 2 })),
      content('model', { text: 'Because.' }),
      content('user', answer('find', { error: 'no' }), { text: 'And?' }),
      content('function', answer('find', { result: [1] })),
    ],
    messages: [
      'operator (user) | Why? | image | file f',
      'assistant (assistant) | thinking hm | See. | call c1 of find {"q":1} | call null of dig {"q":1}',
      'context (user) | result c1 of find: x | result null of dig: {"a":1,"b":2}',
      'assistant (assistant) | Because.',
      'operator (user) | result null of find failed: no | And?',
      'tool (tool) | result null of find: [1]',
    ],
    questions: [0, 4],
    items: { 0: ['Why?', 'image AAAA', 'other'], 2: ['other', 'other'], 4: ['other', 'And?'] },
  },
  {
    name: "Google's own tools as locked",
    values: [
      content(
        'model',
        { toolCall: { id: 't', toolType: 'FILE_SEARCH', args: {} }, thoughtSignature: 's' },
        { toolResponse: { id: 't', toolType: 'FILE_SEARCH', response: { result: [{ text: 'x' }] } } },
        { executableCode: { language: 'PYTHON', code: '1+1' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
      ),
    ],
    messages: [
      'assistant (assistant) | call t of file_search {} | result t of file_search locked: [{"text":"x"}] | call null of code_execution "1+1" | result null of code_execution locked: 2',
    ],
    questions: [],
  },
  {
    name: 'what Python writes, in snake case beside nulls',
    values: [
      content('model', {
        text: null,
        function_call: { id: null, name: 'find', args: { q: 1 } },
        thought: null,
      }),
      content('user', {
        text: null,
        function_response: { id: null, name: 'find', response: { output: 'x' } },
      }),
      content(
        'user',
        { text: 'See', inline_data: null },
        { inline_data: { mime_type: 'image/png', data: 'AAAA' } },
      ),
    ],
    messages: [
      'assistant (assistant) | call null of find {"q":1}',
      'context (user) | result null of find: x',
      'operator (user) | See | image',
    ],
    questions: [2],
    items: { 1: ['other'], 2: ['See', 'image AAAA'] },
  },
  {
    name: 'a history that Gemini CLI saved',
    values: [
      {
        history: [
          content('user', { text: 'This is the Gemini CLI. We are setting up the context for our chat.' }),
          content('model', { text: 'Got it.' }),
          content('user', { text: 'Why?' }),
        ],
      },
    ],
    messages: [
      'context (user) | This is the Gemini CLI. We are setting up the context for our chat.',
      'assistant (assistant) | Got it.',
      'operator (user) | Why?',
    ],
    questions: [2],
  },
  {
    name: 'a response, each candidate by itself',
    values: [{ candidates: [{ content: content('model', { text: 'x' }) }] }],
    messages: ['assistant (assistant) | x'],
    questions: [],
  },
];

describeReadings(googleGenai, readings);
