import { anthropicMessages } from '../../../src/transcript/formats/anthropic-messages.js';
import { describeReadings, imageBlock, LABEL, type Reading, text, toolResult, toolUse } from './readings.js';

const readings: readonly Reading[] = [
  {
    name: 'calls and results',
    values: [
      { role: 'user', content: 'Why?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          text('Let me see.'),
          toolUse('t1', 'find'),
          toolUse('t2', 'read'),
          { type: 'mcp_tool_use', id: 't3', name: 'far', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          toolResult('t2', [text('one'), imageBlock, text('two')]),
          toolResult('t1', 'no', { is_error: true }),
          toolResult('t3', []),
          { type: 'tool_result', tool_use_id: 't1' },
        ],
      },
      { role: 'assistant', content: 'Because.' },
    ],
    messages: [
      'operator (user) | Why?',
      'assistant (assistant) | thinking hm | thinking  | Let me see. | call t1 of find {"q":1} | call t2 of read {"q":1} | call t3 of far {}',
      'context (user) | result t2 of read: one\ntwo | result t1 of find failed: no | result t3 of far:  | result t1 of find locked: ',
      'assistant (assistant) | Because.',
    ],
    questions: [0],
  },
  {
    name: 'text, a picture or a document behind results as a question',
    values: [
      { role: 'user', content: [toolResult('t', 'x'), text('And?')] },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: [toolResult('t', 'x'), imageBlock] },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: [toolResult('t', 'x'), { type: 'document', title: 'D', source: {} }] },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: [toolResult('t', 'x'), text(' ')] },
    ],
    messages: [
      'operator (user) | result t of null: x | And?',
      'assistant (assistant) | x',
      'operator (user) | result t of null: x | image',
      'assistant (assistant) | x',
      'operator (user) | result t of null: x | file D',
      'assistant (assistant) | x',
      'context (user) | result t of null: x |  ',
    ],
    questions: [0, 2, 4],
    items: { 0: ['other', 'And?'], 2: ['other', 'image AAAA'], 4: ['other', 'other'], 6: ['other', ' '] },
  },
  {
    name: 'retrieved pictures behind results as context',
    values: [
      { role: 'user', content: [toolResult('t', 'x'), LABEL, imageBlock] },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: [toolResult('t', 'x'), LABEL, imageBlock, imageBlock] },
    ],
    messages: [
      'context (user) | result t of null: x | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image',
      'assistant (assistant) | x',
      'operator (user) | result t of null: x | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image | image',
    ],
    questions: [2],
  },
  {
    name: 'results of server tools as locked',
    values: [
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 's1',
            content: [{ type: 'web_search_result', url: 'u', title: 'T', encrypted_content: 'e' }],
          },
          { type: 'made_up_later' },
          { text: 'no type' },
          null,
        ],
      },
    ],
    messages: [
      'assistant (assistant) | call s1 of web_search {"query":"x"} | result s1 of web_search locked: {"type":"web_search_result","url":"u","title":"T","encrypted_content":"e"} | raw made_up_later | raw  | raw ',
    ],
    questions: [],
  },
  {
    name: 'a retrieved picture with its label is no question',
    values: [
      { role: 'user', content: [toolResult('t', 'x'), text('Why?')] },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: [LABEL, imageBlock] },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: [toolResult('t', 'x'), LABEL, imageBlock, text('And?')] },
    ],
    messages: [
      'operator (user) | result t of null: x | Why?',
      'assistant (assistant) | x',
      'context (user) | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image',
      'assistant (assistant) | x',
      'operator (user) | result t of null: x | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image | And?',
    ],
    questions: [0, 4],
  },
];

describeReadings(anthropicMessages, readings);
