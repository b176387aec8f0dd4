import { openaiChat } from '../../../src/transcript/formats/openai-chat.js';
import { describeReadings, type Reading, text } from './readings.js';

const readings: readonly Reading[] = [
  {
    name: 'every role',
    values: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Be kind.' },
      { role: 'user', content: 'Why?' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'hm',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q": 1}' } },
          { id: 'c2', type: 'custom', custom: { name: 'run', input: 'ls' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c2', content: 'files' },
      { role: 'tool', tool_call_id: 'c1', content: [text('one'), text('two')] },
      { role: 'tool', tool_call_id: 'c9', content: null },
      { role: 'tool', tool_call_id: 'c1', name: 'own', content: 'x' },
      { role: 'assistant', content: 'Because.' },
    ],
    messages: [
      'system (system) | Be brief.',
      'system (system) | Be kind.',
      'operator (user) | Why?',
      'assistant (assistant) | thinking hm | call c1 of find {"q":1} | call c2 of run "ls"',
      'tool (tool) | result c2 of run: files',
      'tool (tool) | result c1 of find: one\ntwo',
      'tool (tool) | result c9 of null: ',
      'tool (tool) | result c1 of own: x',
      'assistant (assistant) | Because.',
    ],
    questions: [2],
  },
  {
    name: 'a result as that of the nearest call above it with its id',
    values: [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c', function: { name: 'first', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c', function: { name: 'second', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'y' },
      { role: 'tool', tool_call_id: '__proto__', content: 'z' },
    ],
    messages: [
      'assistant (assistant) |  | call c of first {}',
      'tool (tool) | result c of first: x',
      'assistant (assistant) |  | call c of second {}',
      'tool (tool) | result c of second: y',
      'tool (tool) | result __proto__ of null: z',
    ],
    questions: [],
  },
  {
    name: 'a function call and its reply',
    values: [
      { role: 'assistant', content: null, function_call: { name: 'find', arguments: '{"q":1}' } },
      { role: 'function', name: 'find', content: 'x' },
    ],
    messages: ['assistant (assistant) | call null of find {"q":1}', 'tool (tool) | result null of find: x'],
    questions: [],
  },
  {
    name: 'content parts',
    values: [
      {
        role: 'user',
        content: [
          text('See'),
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'file', file: { filename: 'a.pdf' } },
          { type: 'input_audio', input_audio: {} },
          { type: 'made_up_later' },
        ],
      },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }] },
    ],
    messages: [
      'operator (user) | See | image | file a.pdf | file null | raw made_up_later',
      'assistant (assistant) | No.',
      'operator (user) | image',
    ],
    questions: [0, 2],
    items: { 0: ['See', 'image AAAA', 'other', 'other', 'other'], 2: ['image null'] },
  },
  {
    name: 'what a source says of a message',
    values: [
      { role: 'user', content: 'a', source: { type: 'compaction-summary' } },
      { role: 'system', content: 'b', source: { type: 'compaction-summary' } },
      { role: 'user', content: 'c', source: { type: 'goal-round' } },
      { role: 'user', content: 'd', source: { type: 'runtime-context', kind: 'environment' } },
      { role: 'user', content: 'e', source: { type: 'runtime-context', kind: 'steering' } },
      { role: 'user', content: 'f', source: { kind: 'steering' } },
      { role: 'user', content: 'g', source: {} },
      { role: 'user', content: 'h', source: null },
      { role: 'assistant', content: 'i', source: { type: 'compaction-summary' } },
      { role: 'user', content: 'j', source: 'web' },
    ],
    messages: [
      'summary (user) | a',
      'summary (system) | b',
      'operator (user) | c',
      'context (user) | d',
      'operator (user) | e',
      'context (user) | f',
      'context (user) | g',
      'operator (user) | h',
      'assistant (assistant) | i',
      'operator (user) | j',
    ],
    questions: [2, 4, 7, 9],
  },
  {
    name: 'observations of agents without tool roles as context',
    values: [
      { role: 'user', content: 'Fix it' },
      { role: 'assistant', content: 'ls' },
      { role: 'user', content: '<returncode>0</returncode>' },
      { role: 'user', content: '\n<output>x</output>' },
      { role: 'user', content: 'Observation: x' },
      { role: 'user', content: [text('OBSERVATION: x')] },
      { role: 'user', content: 'My observation: x' },
      { role: 'user', content: [] },
      { role: 'user', content: null },
    ],
    messages: [
      'operator (user) | Fix it',
      'assistant (assistant) | ls',
      'context (user) | <returncode>0</returncode>',
      'context (user) | \n<output>x</output>',
      'context (user) | Observation: x',
      'context (user) | OBSERVATION: x',
      'operator (user) | My observation: x',
      'operator (user)',
      'operator (user)',
    ],
    questions: [0, 6],
  },
];

describeReadings(openaiChat, readings);
