import { expect, test } from 'vitest';
import { openaiResponses } from '../../../src/transcript/formats/openai-responses.js';
import { messagesOf } from '../read.js';
import { describeReadings, type Reading } from './readings.js';

const call = (id: string) => ({ type: 'function_call', name: 'find', arguments: '{"q":1}', call_id: id });
const output = (id: string, printed: unknown) => ({
  type: 'function_call_output',
  call_id: id,
  output: printed,
});
const hit = (name: string, text: unknown) => ({ file_id: `f-${name}`, filename: name, score: 0.5, text });
const answer = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});

const readings: readonly Reading[] = [
  {
    name: 'calls and their outputs',
    values: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Why?' },
      {
        type: 'reasoning',
        id: 'rs',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'e',
      },
      call('a'),
      call('b'),
      output('b', [
        { type: 'input_text', text: 'x' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        { type: 'input_file', file_id: 'f' },
      ]),
      output('a', 'y'),
      { type: 'computer_call', call_id: 'c', action: { type: 'click' } },
      { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', file_id: 'f' } },
      { type: 'tool_search_call', id: 't1', call_id: null, execution: 'server', arguments: {} },
      { type: 'tool_search_output', id: 't2', call_id: null, execution: 'server', tools: [] },
      { type: 'made_up_later' },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Why?',
      'assistant (assistant) | thinking hm',
      'assistant (assistant) | call a of find {"q":1}',
      'assistant (assistant) | call b of find {"q":1}',
      'tool (tool) | result b of find: x\n{"type":"input_file","file_id":"f"}',
      'tool (tool) | result a of find: y',
      'assistant (assistant) | call c of computer {"type":"click"}',
      'tool (tool) | result c of computer locked: {"type":"computer_screenshot","file_id":"f"}',
      'assistant (assistant) | call t1 of tool_search {}',
      'tool (tool) | result t2 of null locked: ',
      'assistant (assistant) | No.',
    ],
    questions: [1],
  },
  {
    name: 'calls of the provider with what it found in them',
    values: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: 'https://e.org/x.png' },
          { type: 'input_image', image_url: null },
          { type: 'input_file', filename: 'x.pdf' },
        ],
      },
      {
        type: 'file_search_call',
        id: 'f',
        queries: ['x'],
        results: [hit('a.md', 'one'), hit('b.md', null), hit('c.md', 'two')],
      },
      { type: 'file_search_call', id: 'g', queries: ['y'], results: null },
      {
        type: 'web_search_call',
        id: 'w',
        action: { type: 'search', query: 'x', sources: [{ type: 'url', url: 'https://e.org' }] },
      },
      {
        type: 'code_interpreter_call',
        id: 'p',
        code: 'print(1)',
        outputs: [
          { type: 'logs', logs: '1' },
          { type: 'image', url: 'data:' },
        ],
      },
      { type: 'mcp_call', id: 'm', name: 'ask', arguments: '{"a":1}', output: 'z' },
      { type: 'image_generation_call', id: 'i', result: 'AAAA', revised_prompt: 'A boat.' },
      answer('So.'),
    ],
    messages: [
      'operator (user) | Look. | image | raw input_image | file x.pdf',
      'assistant (assistant) | call f of file_search {"queries":["x"]} | result f of file_search: one | result f of file_search: two',
      'assistant (assistant) | call g of file_search {"queries":["y"]}',
      'assistant (assistant) | call w of web_search {"type":"search","query":"x","sources":[{"type":"url","url":"https://e.org"}]} | result w of web_search locked: https://e.org',
      'assistant (assistant) | call p of code_interpreter {"code":"print(1)"} | result p of code_interpreter locked: 1',
      'assistant (assistant) | call m of ask {"a":1} | result m of ask locked: z',
      'assistant (assistant) | call i of image_generation {"revised_prompt":"A boat."}',
      'assistant (assistant) | So.',
    ],
    questions: [0],
    items: { 0: ['Look.', 'image null', 'other', 'other'] },
  },
  {
    name: 'a compaction as a summary that only the provider reads',
    values: [
      { role: 'user', content: 'One?' },
      answer('a'),
      { type: 'compaction', id: 'cmp', encrypted_content: 'e' },
      { role: 'user', content: 'Two?' },
    ],
    messages: [
      'operator (user) | One?',
      'assistant (assistant) | a',
      'summary (user) | raw compaction',
      'operator (user) | Two?',
    ],
    questions: [0, 3],
  },
];

describeReadings(openaiResponses, readings);

test('annotations come with the text that they are of', () => {
  const annotation = { type: 'url_citation', start_index: 0, end_index: 1, url: 'https://e.org', title: 'T' };
  const content = [
    { type: 'output_text', text: 'a', annotations: [] },
    { type: 'output_text', text: 'b', annotations: [annotation] },
  ];
  const [[message] = []] = messagesOf(JSON.stringify([{ type: 'message', role: 'assistant', content }]));
  expect(message?.parts).toMatchObject([
    { text: 'a', annotations: [] },
    { text: 'b', at: [0, 'content', 1, 'text'], annotations: [annotation] },
  ]);
});
