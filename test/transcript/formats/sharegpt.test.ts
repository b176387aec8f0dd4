import { sharegpt } from '../../../src/transcript/formats/sharegpt.js';
import { describeReadings, type Reading } from './readings.js';

const turn = (from: string, value: unknown) => ({ from, value });
const tagged = (call: string) => `<tool_call>\n${call}\n</tool_call>`;
const found = '{"name":"find","arguments":{"q":1}}';

const readings: readonly Reading[] = [
  {
    name: 'a conversation with calls of its own turns',
    values: [
      {
        id: 'a',
        system: 'Be brief.',
        conversations: [
          turn('system', 'Answer.'),
          turn('human', 'Why?'),
          turn('human', 'Tell me.'),
          turn('function_call', found),
          turn('observation', 'x'),
          turn('gpt', 'Because [1].'),
          turn('user', 'And?'),
          turn('function_call', '{"name":"find","arguments":"{\\"q\\":2}"}'),
          turn('function_response', 'y'),
          turn('function_call', 'free text'),
          turn('tool', ''),
          turn('chatgpt', 'So.'),
        ],
      },
    ],
    messages: [
      'system (system) | Answer.',
      'operator (user) | Why?',
      'operator (user) | Tell me.',
      'assistant (assistant) | call null of find {"q":1}',
      'tool (tool) | result null of find: x',
      'assistant (assistant) | Because [1].',
      'operator (user) | And?',
      'assistant (assistant) | call null of find {"q":2}',
      'tool (tool) | result null of find: y',
      'assistant (assistant) | call null of  "free text"',
      'tool (tool) | result null of : ',
      'assistant (assistant) | So.',
    ],
    questions: [1, 6],
  },
  {
    name: 'calls between tags in what the model says',
    values: [
      {
        conversations: [
          turn('human', 'Why?'),
          turn('gpt', `Look. ${tagged(found)}${tagged('{"name":"get"}')}`),
          turn('tool', '<tool_response>x</tool_response>'),
          turn('gpt', '<tool_call>{"cut'),
        ],
      },
    ],
    messages: [
      'operator (user) | Why?',
      `assistant (assistant) | Look. ${tagged(found)}${tagged('{"name":"get"}')} | call null of find [{"q":1},{"name":"get"}]`,
      'tool (tool) | result null of find: <tool_response>x</tool_response>',
      'assistant (assistant) | <tool_call>{"cut | call null of  "{\\"cut"',
    ],
    questions: [0],
  },
  {
    name: 'a list of turns with some that are none',
    values: [
      [
        turn('human', 'Why?'),
        turn('narrator', 'Silence.'),
        turn('gpt', 7),
        null,
        { from: 'gpt' },
        turn('bard', 'x'),
      ],
    ],
    messages: ['operator (user) | Why?', 'assistant (assistant) | x'],
    questions: [0],
  },
];

describeReadings(sharegpt, readings);
