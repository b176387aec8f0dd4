import { openhands } from '../../../src/transcript/formats/openhands.js';
import { describeReadings, type Reading, text } from './readings.js';

const action = (id: number, name: string, args: object, fields: object = {}) => ({
  id,
  source: 'agent',
  action: name,
  args,
  ...fields,
});
const seen = (
  id: number,
  name: string,
  cause: number | undefined,
  content: unknown,
  fields: object = {},
) => ({
  id,
  source: 'agent',
  cause,
  observation: name,
  content,
  extras: {},
  ...fields,
});
const called = (tool_call_id: string, function_name: string) => ({
  tool_call_metadata: { tool_call_id, function_name, model_response: {} },
});
const asked = (id: number, content: string) => action(id, 'message', { content }, { source: 'user' });

const event = (id: string, kind: string, source: string, fields: object) => ({ id, source, ...fields, kind });
const said = (id: string, source: string, content: readonly object[]) =>
  event(id, 'MessageEvent', source, { llm_message: { role: source, content } });
const acts = (id: string, tool_call_id: string, fields: object = {}) =>
  event(id, 'ActionEvent', 'agent', {
    thought: [],
    action: { command: 'ls', kind: 'TerminalAction' },
    tool_name: 'terminal',
    tool_call_id,
    tool_call: { id: tool_call_id, name: 'terminal', arguments: '{"command":"ls"}' },
    ...fields,
  });
const observed = (id: string, tool_call_id: string, observation: object, fields: object = {}) =>
  event(id, 'ObservationEvent', 'environment', {
    tool_name: 'terminal',
    tool_call_id,
    observation,
    ...fields,
  });
const png = 'data:image/png;base64,AAAA';

const readings: readonly Reading[] = [
  {
    name: 'events of the server',
    values: [
      [
        action(0, 'system', { content: 'Be brief.' }),
        { ...asked(1, 'Why?'), args: { content: 'Why?', image_urls: [png] } },
        action(2, 'recall', { query: 'Why?' }, { source: 'user' }),
        seen(3, 'recall', 2, 'Added', {
          source: 'environment',
          extras: { repo_instructions: 'Test it.', microagent_knowledge: [{ content: 'Use git.' }, 7] },
        }),
        action(4, 'run', { command: 'ls', thought: 'Look.' }, called('t1', 'execute_bash')),
        seen(5, 'run', 4, 'x', { ...called('t1', 'execute_bash'), extras: { exit_code: 2 } }),
        action(6, 'think', { thought: 'Hm.' }),
        seen(7, 'think', 6, 'Logged.'),
        seen(8, 'agent_state_changed', undefined, ''),
        seen(9, 'error', undefined, 'Out of memory'),
        action(10, 'run', { command: 'pwd' }, { source: 'user' }),
        seen(11, 'run', 10, '/x', { source: 'user' }),
        action(12, 'finish', { thought: '', final_thought: 'Done.' }, called('t2', 'finish')),
        'a string',
      ],
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Why? | image',
      'context (user) | Added | Test it. | Use git.',
      'assistant (assistant) | Look. | call t1 of execute_bash {"command":"ls"}',
      'tool (tool) | result t1 of execute_bash failed with copy: x',
      'assistant (assistant) | call event-6 of think {"thought":"Hm."}',
      'tool (tool) | result event-6 of think with copy: Logged.',
      'context (user) | Out of memory',
      'context (user) | pwd',
      'context (user) | /x',
      'assistant (assistant) |  | Done.',
    ],
    questions: [1],
  },
  {
    name: 'a row of an old evaluation, with pairs of events',
    values: [
      {
        instance_id: 'b',
        history: [
          [asked(0, 'Two?'), seen(1, 'null', 0, '')],
          [action(2, 'read', { path: 'a' }), seen(3, 'read', 2, 'x')],
        ],
      },
    ],
    messages: [
      'operator (user) | Two?',
      'assistant (assistant) | call event-2 of read {"path":"a"}',
      'tool (tool) | result event-2 of read with copy: x',
    ],
    questions: [0],
  },
  {
    name: 'what a condensation of the server forgets as off the path',
    values: [
      [
        asked(0, 'One?'),
        action(1, 'message', { content: 'Yes.' }),
        asked(2, 'Two?'),
        asked(3, 'Three?'),
        action(4, 'condensation', { forgotten_event_ids: [1, 2], summary: 'One and two.' }),
        action(5, 'message', { content: 'Yes.' }),
        action(6, 'condensation', {
          forgotten_events_start_id: 0,
          forgotten_events_end_id: 0,
          summary: null,
        }),
        asked(7, 'Four?'),
      ],
    ],
    messages: [
      'operator (user) | One?',
      'assistant (assistant) | Yes.',
      'operator (user) | Two?',
      'operator (user) | Three?',
      'summary (user) | One and two.',
      'assistant (assistant) | Yes.',
      'operator (user) | Four?',
    ],
    questions: [3, 6],
  },
  {
    name: 'events of the SDK',
    values: [
      event('a', 'SystemPromptEvent', 'agent', { system_prompt: text('Be brief.'), tools: [] }),
      event('b', 'ConversationStateUpdateEvent', 'environment', { key: 'x', value: 1 }),
      said('c', 'user', [text('Why?'), { type: 'image', image_urls: [png] }]),
      acts('d', 't1', { thought: [text('Look.')], reasoning_content: 'hm' }),
      observed('e', 't1', { content: [text('x'), text('y')], is_error: true }),
      acts('f', 't2', { thinking_blocks: [{ type: 'thinking', thinking: 'ha', signature: 's' }] }),
      event('g', 'AgentErrorEvent', 'agent', { error: 'No.', tool_name: 'terminal', tool_call_id: 't2' }),
      acts('h', 't3'),
      event('i', 'UserRejectObservation', 'environment', {
        ...{ rejection_reason: 'Never.', tool_name: 'terminal', tool_call_id: 't3', action_id: 'h' },
      }),
      acts('j', 't4', { tool_call: null }),
      observed('k', 't4', { output: 'z' }),
      event('l', 'PauseEvent', 'user', {}),
      said('m', 'environment', [text('Two steps left.')]),
      said('n', 'agent', [text('Done.')]),
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Why? | image',
      'assistant (assistant) | thinking hm | Look. | call t1 of terminal {"command":"ls"}',
      'tool (tool) | result t1 of terminal failed: x\ny',
      'assistant (assistant) | thinking ha | call t2 of terminal {"command":"ls"}',
      'tool (tool) | result t2 of terminal failed locked: No.',
      'assistant (assistant) | call t3 of terminal {"command":"ls"}',
      'tool (tool) | result t3 of terminal failed locked: Never.',
      'assistant (assistant) | call t4 of terminal {"command":"ls","kind":"TerminalAction"}',
      'tool (tool) | result t4 of terminal: z',
      'context (user) | Two steps left.',
      'assistant (assistant) | Done.',
    ],
    questions: [1],
    items: { 1: ['Why?', 'image AAAA'] },
  },
  {
    name: 'what a condensation of the SDK forgets as off the path',
    values: [
      said('a', 'user', [text('One?')]),
      said('b', 'user', [text('Two?')]),
      said('c', 'agent', [text('Yes.')]),
      event('d', 'CondensationRequest', 'environment', {}),
      event('e', 'Condensation', 'environment', {
        ...{ forgotten_event_ids: ['b', 'x', 7, 'c'], summary: 'Two.', summary_offset: 1 },
      }),
      said('f', 'user', [text('Three?')]),
    ],
    messages: [
      'operator (user) | One?',
      'operator (user) | Two?',
      'assistant (assistant) | Yes.',
      'summary (user) | Two.',
      'operator (user) | Three?',
    ],
    questions: [0, 4],
  },
];

describeReadings(openhands, readings);
