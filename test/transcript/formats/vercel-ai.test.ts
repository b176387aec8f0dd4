import { vercelAi } from '../../../src/transcript/formats/vercel-ai.js';
import { describeReadings, type Reading, text } from './readings.js';

let count = 0;
const ui = (role: string, ...parts: readonly object[]) => ({ id: `m${count++}`, role, parts });
const tool = (state: string, fields: object = {}) => ({
  ...{ type: 'tool-find', toolCallId: 'c1', state, input: { q: 1 } },
  ...fields,
});
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: { q: 1 } };
const answer = (output: unknown) => ({ type: 'tool-result', toolCallId: 'c1', toolName: 'find', output });
const picture = { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' };
const encrypted = [{ type: 'web_search_result', url: 'u', encryptedContent: 'x' }];

const readings: readonly Reading[] = [
  {
    name: 'a call with its result as one part',
    values: [
      ui('system', text('Be brief.')),
      ui('user', text('Why?'), picture, {
        type: 'file',
        mediaType: 'text/plain',
        filename: 'a.txt',
        url: 'u',
      }),
      ui(
        'assistant',
        { type: 'step-start' },
        { type: 'reasoning', text: 'hm' },
        tool('output-available', { output: { a: [1, 'é'] } }),
        text('Because.'),
        { type: 'source-url', sourceId: 's', url: 'u' },
      ),
      ui('user', text('And?')),
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Why? | image | file a.txt',
      'assistant (assistant) | raw step-start | thinking hm | call c1 of find {"q":1} | result c1 of find: {"a":[1,"é"]} | Because. | raw source-url',
      'operator (user) | And?',
    ],
    questions: [1, 3],
    items: { 1: ['Why?', 'image AAAA', 'other'], 3: ['And?'] },
  },
  {
    name: 'every state of a call',
    values: [
      ui('assistant', tool('input-streaming')),
      ui('assistant', tool('input-available')),
      ui('assistant', tool('approval-requested', { approval: { id: 'a' } })),
      ui('assistant', tool('output-error', { errorText: 'no' })),
      ui('assistant', tool('output-denied', { approval: { id: 'a', approved: false, reason: 'not now' } })),
      ui('assistant', tool('output-available')),
      ui('assistant', {
        ...tool('output-available', { output: 'x' }),
        type: 'dynamic-tool',
        toolName: 'dig',
      }),
      ui('assistant', tool('output-available', { output: { content: [text('one'), text('two')] } })),
    ],
    messages: [
      'assistant (assistant) | raw tool-find',
      'assistant (assistant) | call c1 of find {"q":1}',
      'assistant (assistant) | call c1 of find {"q":1}',
      'assistant (assistant) | call c1 of find {"q":1} | result c1 of find failed locked: no',
      'assistant (assistant) | call c1 of find {"q":1} | result c1 of find failed locked: not now',
      'assistant (assistant) | call c1 of find {"q":1} | result c1 of find locked: ',
      'assistant (assistant) | call c1 of dig {"q":1} | result c1 of dig: x',
      'assistant (assistant) | call c1 of find {"q":1} | result c1 of find: one\ntwo',
    ],
    questions: [],
  },
  {
    name: 'what goes back to a provider as locked',
    values: [
      ui('assistant', tool('output-available', { output: encrypted })),
      ui('assistant', tool('output-available', { output: 'x', providerExecuted: true })),
      { role: 'assistant', content: [call, answer({ type: 'json', value: { a: 1 } })] },
      { role: 'tool', content: [answer({ type: 'error-text', value: 'no' })] },
    ],
    messages: [
      'assistant (assistant) | call c1 of find {"q":1} | result c1 of find locked: {"type":"web_search_result","url":"u","encryptedContent":"x"}',
      'assistant (assistant) | call c1 of find {"q":1} | result c1 of find locked: x',
      'assistant (assistant) | call c1 of find {"q":1} | result c1 of find locked: {"a":1}',
      'tool (tool) | result c1 of find failed locked: no',
    ],
    questions: [],
  },
  {
    name: 'model messages, with results of each type',
    values: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, text('See.'), call] },
      { role: 'tool', content: [answer({ type: 'text', value: 'x' })] },
      { role: 'tool', content: [answer({ type: 'json', value: { a: 1 } })] },
      { role: 'tool', content: [answer({ type: 'content', value: [text('one'), text('two')] })] },
      { role: 'tool', content: [{ ...answer(undefined), result: 'old' }] },
      { role: 'assistant', content: 'Because.' },
      {
        role: 'user',
        content: [text('And?'), { type: 'image', image: 'AAAA' }, { type: 'image', image: 'https://x/y' }],
      },
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Why?',
      'assistant (assistant) | thinking hm | See. | call c1 of find {"q":1}',
      'tool (tool) | result c1 of find: x',
      'tool (tool) | result c1 of find: {"a":1}',
      'tool (tool) | result c1 of find: one\ntwo',
      'tool (tool) | result c1 of find locked: old',
      'assistant (assistant) | Because.',
      'operator (user) | And? | image | image',
    ],
    questions: [1, 8],
    items: { 8: ['And?', 'image AAAA', 'image null'] },
  },
  {
    name: 'calls of version 4, to read only',
    values: [
      {
        ...{ id: 'a', role: 'assistant', content: 'Because.' },
        toolInvocations: [
          { state: 'result', toolCallId: 'c1', toolName: 'find', args: { q: 1 }, result: 'x' },
        ],
      },
      ui('assistant', {
        type: 'tool-invocation',
        toolInvocation: { state: 'call', toolCallId: 'c2', toolName: 'dig', args: {} },
      }),
    ],
    messages: [
      'assistant (assistant) | Because. | call c1 of find {"q":1} | result c1 of find locked: x',
      'assistant (assistant) | call c2 of dig {}',
    ],
    questions: [],
  },
];

describeReadings(vercelAi, readings);
