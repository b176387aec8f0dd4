import { expect, test } from 'vitest';
import { sweAgent } from '../../../src/transcript/formats/swe-agent.js';
import { messagesOf } from '../read.js';
import { describeReadings, type Reading, text } from './readings.js';

const FENCE = '```';
const block = (command: string, name = 'mswea_bash_command') => `${FENCE}${name}\n${command}\n${FENCE}`;
const assistant = (content: unknown, fields: object = {}) => ({ role: 'assistant', content, ...fields });
const user = (content: unknown, fields: object = {}) => ({ role: 'user', content, ...fields });
const call = (id: string, name: string) => ({
  tool_calls: [{ id, type: 'function', function: { name, arguments: '{"path":"a"}' } }],
});
const main = { agent: 'main' };
const PRINTED = '<returncode>0</returncode>\n<output>\nx\n</output>';

const readings: readonly Reading[] = [
  {
    name: 'a trajectory with tool calls',
    values: [
      {
        environment: 'main',
        trajectory: [
          { action: 'open a', observation: 'x', response: 'Look.' },
          { action: 'submit', observation: 'not what the history has', response: '' },
        ],
        history: [
          { role: 'system', content: 'Be brief.', ...main, message_type: 'system_prompt' },
          user('A demonstration.', { ...main, is_demo: true, message_type: 'demonstration' }),
          user('Fix it.', { ...main, message_type: 'observation' }),
          assistant('Look.', { ...main, action: 'open a', ...call('t1', 'open') }),
          { role: 'tool', content: 'x\nbash-$', ...main, tool_call_ids: ['t1'] },
          assistant('', { ...main, ...call('t2', 'submit'), thinking_blocks: [{ thinking: 'hm' }] }),
          { role: 'tool', content: [text('Done.')], ...main, tool_call_ids: ['t2'] },
        ],
      },
    ],
    messages: [
      'system (system) | Be brief.',
      'context (user) | A demonstration.',
      'operator (user) | Fix it.',
      'assistant (assistant) | Look. | call t1 of open {"path":"a"}',
      'tool (tool) | result t1 of open: x\nbash-$',
      'assistant (assistant) | thinking hm |  | call t2 of submit {"path":"a"}',
      'tool (tool) | result t2 of submit: Done.',
    ],
    questions: [2],
  },
  {
    name: 'an old trajectory, whose observations are user messages, with a demonstration played',
    values: [
      {
        trajectory: [{ action: 'ls\n', observation: 'x' }],
        history: [
          user('Fix that.', { ...main, is_demo: true }),
          assistant('Look.', { ...main, action: 'ls\n', is_demo: true }),
          user('shown', { ...main, is_demo: true }),
          user('Fix it.', main),
          assistant('Look.', { ...main, thought: 'Look.', action: 'ls\n' }),
          user('x', main),
        ],
      },
    ],
    messages: [
      'context (user) | Fix that.',
      'context (assistant) | Look.',
      'context (user) | shown',
      'operator (user) | Fix it.',
      'assistant (assistant) | Look. | call null of shell {"command":"ls\\n"}',
      'tool (tool) | result null of shell: x',
    ],
    questions: [3],
  },
  {
    name: 'a run of mini-swe-agent without tool calls',
    values: [
      {
        info: { mini_version: '1' },
        messages: [
          { role: 'system', content: 'Be brief.' },
          user('Fix it.'),
          assistant(`THOUGHT: look\n${block('ls', 'bash')}`),
          user(PRINTED),
          assistant('No block.'),
          user('One block, please.'),
          assistant(block('echo done')),
          user(''),
        ],
      },
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Fix it.',
      `assistant (assistant) | THOUGHT: look\n${block('ls', 'bash')} | call null of bash {"command":"ls"}`,
      `tool (tool) | result null of bash: ${PRINTED}`,
      'assistant (assistant) | No block.',
      'operator (user) | One block, please.',
      `assistant (assistant) | ${block('echo done')} | call null of bash {"command":"echo done"}`,
      'tool (tool) | result null of bash: ',
    ],
    questions: [1, 5],
  },
  {
    name: 'a run of mini-swe-agent with tool calls',
    values: [
      {
        trajectory_format: 'mini-swe-agent-1.1',
        messages: [
          user('Fix it.', { extra: {} }),
          assistant(null, { ...call('t1', 'bash'), extra: { cost: 0.5 }, reasoning_content: 'hm' }),
          { role: 'tool', tool_call_id: 't1', content: 'x', extra: { returncode: 1, raw_output: 'x' } },
          { role: 'exit', content: 'diff', extra: { exit_status: 'Submitted' } },
        ],
      },
    ],
    messages: [
      'operator (user) | Fix it.',
      'assistant (assistant) | thinking hm | call t1 of bash {"path":"a"}',
      'tool (tool) | result t1 of bash failed with copy: x',
      'context (user) | diff',
    ],
    questions: [0],
  },
];

describeReadings(sweAgent, readings);

test('a chat about shells stays a chat', () => {
  const chat = [user('How do I list files?'), assistant(block('ls', 'bash')), user('And hidden ones?')];
  const [messages = []] = messagesOf(JSON.stringify(chat));
  expect(messages.map(({ role }) => role)).toStrictEqual(['user', 'assistant', 'user']);
});
