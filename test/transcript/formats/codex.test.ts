import { expect, test } from 'vitest';
import { codex } from '../../../src/transcript/formats/codex.js';
import { outlineConversation } from '../../../src/transcript/outline.js';
import { readConversations } from '../../../src/transcript/transcript.js';
import { jsonl, openText } from '../read.js';
import { describeReadings, type Reading } from './readings.js';

const TIME = '2026-01-01T00:00:00.000Z';
const line = (type: string, payload: object) => ({ timestamp: TIME, type, payload });
const item = (payload: object) => line('response_item', payload);
const event = (type: string, fields: object = {}) => line('event_msg', { type, ...fields });
const words = (type: string, ...texts: string[]) => texts.map((text) => ({ type, text }));
const said = (role: string, ...texts: string[]) => ({
  type: 'message',
  role,
  content: words(role === 'assistant' ? 'output_text' : 'input_text', ...texts),
});
const user = (...texts: string[]) => item(said('user', ...texts));
const answer = (text: string) => item(said('assistant', text));
const heard = (message: string) => event('user_message', { message });
const asked = (text: string) => [user(text), heard(text)];
const meta = line('session_meta', { id: 's', cwd: '/x', source: 'cli' });
const call = (id: string) =>
  item({ type: 'function_call', name: 'shell', arguments: '{"q":1}', call_id: id });
const output = (id: string, printed: unknown) =>
  item({ type: 'function_call_output', call_id: id, output: printed });
const compacted = (...history: object[]) => line('compacted', { message: '', replacement_history: history });

const readings: readonly Reading[] = [
  {
    name: 'calls and results of every kind',
    values: [
      meta,
      item(said('developer', 'Be brief.')),
      ...asked('Why?'),
      item({ type: 'reasoning', summary: words('summary_text', 'hm'), encrypted_content: 'e' }),
      call('c1'),
      output('c1', '{"output":"one","metadata":{"exit_code":1}}'),
      item({ type: 'custom_tool_call', name: 'exec', input: 'run()', call_id: 'c2' }),
      item({
        type: 'custom_tool_call_output',
        call_id: 'c2',
        output: [
          ...words('input_text', 'a', 'b'),
          { type: 'input_image', image_url: 'data:x/y;base64,AAAA' },
        ],
      }),
      item({ type: 'local_shell_call', call_id: 'c3', action: { type: 'exec', command: ['ls'] } }),
      output('c3', { content: 'x' }),
      item({ type: 'tool_search_call', call_id: 'c4', arguments: { query: 'x' } }),
      item({ type: 'tool_search_output', call_id: 'c4', tools: [] }),
      output('c5', [{ type: 'encrypted_content', encrypted_content: 'e' }]),
      item({ type: 'web_search_call', id: 'w', action: { type: 'search', query: 'x' } }),
      item({ type: 'ghost_snapshot' }),
      item({ type: 'agent_message', author: '/a', content: words('input_text', 'Done.') }),
      answer('Because.'),
      event('token_count'),
    ],
    messages: [
      'system (system) | Be brief.',
      'operator (user) | Why?',
      'assistant (assistant) | thinking hm',
      'assistant (assistant) | call c1 of shell {"q":1}',
      'tool (tool) | result c1 of shell failed: one',
      'assistant (assistant) | call c2 of exec "run()"',
      'tool (tool) | result c2 of exec: a\nb',
      'assistant (assistant) | call c3 of local_shell {"type":"exec","command":["ls"]}',
      'tool (tool) | result c3 of local_shell locked: {"content":"x"}',
      'assistant (assistant) | call c4 of tool_search {"query":"x"}',
      'tool (tool) | result c4 of tool_search locked: ',
      'tool (tool) | result c5 of null locked: {"type":"encrypted_content","encrypted_content":"e"}',
      'assistant (assistant) | call w of web_search {"type":"search","query":"x"}',
      'context (user) | Done.',
      'assistant (assistant) | Because.',
    ],
    questions: [1],
  },
  {
    name: 'what an event repeats as a question, before its item or behind it, and nothing else',
    values: [
      meta,
      user('Some instructions that no event repeats.'),
      ...asked('One?'),
      user('A notice behind it.'),
      answer('a'),
      heard('Two?'),
      line('turn_context', {}),
      user('Context of the turn.'),
      user('Two?', 'Seen in an editor.'),
      answer('b'),
      user('<turn_aborted>\n</turn_aborted>'),
      answer('c'),
      user('[hidden 3]'),
      heard('[masked 3]'),
      answer('d'),
    ],
    messages: [
      'context (user) | Some instructions that no event repeats.',
      'operator (user) | One?',
      'context (user) | A notice behind it.',
      'assistant (assistant) | a',
      'context (user) | Context of the turn.',
      'operator (user) | Two? | Seen in an editor.',
      'assistant (assistant) | b',
      'context (user) | <turn_aborted>\n</turn_aborted>',
      'assistant (assistant) | c',
      'operator (user) | [hidden 3]',
      'assistant (assistant) | d',
    ],
    questions: [1, 5, 9],
  },
  {
    name: 'bare items under a header, whose injected texts are known by how they begin',
    values: [
      { id: 's', timestamp: TIME, instructions: null, git: {} },
      { record_type: 'state' },
      said('user', '<environment_context>x</environment_context>'),
      said('user', '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>'),
      said('user', 'Why?'),
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c' },
      { record_type: 'state' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
      said('assistant', 'So.'),
    ],
    messages: [
      'context (user) | <environment_context>x</environment_context>',
      'context (user) | # AGENTS.md instructions for /x\n\n<INSTRUCTIONS>',
      'operator (user) | Why?',
      'assistant (assistant) | call c of shell {}',
      'tool (tool) | result c of shell: x',
      'assistant (assistant) | So.',
    ],
    questions: [2],
  },
  {
    name: "a sub-agent's order as another agent's words",
    values: [
      line('session_meta', { id: 's', source: { subagent: { thread_spawn: {} } } }),
      ...asked('Look at this.'),
      answer('a'),
      ...asked('And that?'),
    ],
    messages: ['context (user) | Look at this.', 'assistant (assistant) | a', 'operator (user) | And that?'],
    questions: [2],
  },
  {
    name: 'a new history in place of the old one, in which nothing is asked twice',
    values: [
      meta,
      user('Rules that nobody marks.'),
      ...asked('One?'),
      answer('a'),
      compacted(
        said('user', 'Rules that nobody marks.'),
        said('user', 'One?'),
        said('user', 'Another language model started to solve this problem: it did a.'),
        { type: 'compaction', encrypted_content: 'e' },
      ),
      event('context_compacted'),
      ...asked('Two?'),
      answer('b'),
    ],
    messages: [
      'context (user) | Rules that nobody marks.',
      'operator (user) | One?',
      'assistant (assistant) | a',
      'context (user) | Rules that nobody marks.',
      'operator (user) | One?',
      'summary (user) | Another language model started to solve this problem: it did a.',
      'summary (user) | raw compaction',
      'operator (user) | Two?',
      'assistant (assistant) | b',
    ],
    questions: [4, 7],
  },
];

describeReadings(codex, readings);

/** Positions of the messages that are live. */
function livePositions(values: readonly unknown[]): number[] {
  const transcript = openText(jsonl(values));
  if (transcript === undefined) return [];
  return [...readConversations(transcript)].flatMap((conversation) =>
    outlineConversation(conversation).flatMap(({ isOnPath, position }) => (isOnPath ? [position] : [])),
  );
}

const rolledBack = (turns: unknown) => event('thread_rolled_back', { num_turns: turns });
const two = [meta, ...asked('One?'), answer('a'), ...asked('Two?'), answer('b')];

test.each<{ name: string; values: readonly unknown[]; live: readonly number[] }>([
  { name: 'everything, without marks', values: two, live: [0, 1, 2, 3] },
  {
    name: 'only what stands in the last compaction and behind it',
    values: [
      ...two,
      compacted(said('user', 'One?')),
      answer('c'),
      compacted(said('user', 'Two?')),
      answer('d'),
    ],
    live: [6, 7],
  },
  {
    name: 'nothing but an empty history',
    values: [...two, compacted()],
    live: [],
  },
  {
    name: "the operator's words and the summary, for a compaction without a history",
    values: [...two, line('compacted', { message: 'A summary.' }), answer('c')],
    live: [0, 2, 4, 5],
  },
  { name: 'no question that was taken back', values: [...two, rolledBack(1)], live: [0, 1] },
  {
    name: 'what was asked in place of it',
    values: [...two, rolledBack(1), ...asked('Three?'), answer('c')],
    live: [0, 1, 4, 5],
  },
  { name: 'none of all questions', values: [...two, rolledBack(9), ...asked('Three?')], live: [4] },
  { name: 'none of the only question', values: [meta, ...asked('One?'), rolledBack(1)], live: [] },
  {
    name: 'all, when nothing is taken back',
    values: [...two, rolledBack('1'), rolledBack(0), rolledBack(-2)],
    live: [0, 1, 2, 3],
  },
  {
    name: 'a compaction whatever is taken back behind it',
    values: [...two, compacted(said('user', 'Two?')), ...asked('Three?'), rolledBack(5), answer('c')],
    live: [4, 6],
  },
])('codex: live is $name', ({ values, live }) => {
  expect(livePositions(values)).toStrictEqual(live);
});

const copy = (type: string, id: string, fields: object) => event(type, { call_id: id, ...fields });

test.each<{ name: string; values: readonly unknown[]; copies: readonly string[] }>([
  {
    name: 'before the result and behind it',
    values: [
      call('a'),
      copy('exec_command_end', 'a', { stdout: 'x', stderr: '', exit_code: 0 }),
      output('a', 'x'),
      copy('mcp_tool_call_end', 'a', { result: { Ok: {} } }),
    ],
    copies: ['1: 2/payload/stdout 2/payload/stderr 4/payload/result'],
  },
  {
    name: 'by an id of its own, of the newest call that is open',
    values: [
      call('a'),
      call('b'),
      output('b', 'x'),
      copy('patch_apply_end', 'exec-1', { changes: {} }),
      output('a', 'y'),
    ],
    copies: ['3: 4/payload/changes'],
  },
  {
    name: 'of the next result, where ids repeat',
    values: [
      call('a'),
      output('a', 'x'),
      call('a'),
      copy('exec_command_end', 'a', { stdout: 'y' }),
      output('a', 'y'),
    ],
    copies: ['3: 4/payload/stdout'],
  },
  {
    name: 'of none, when nothing is open',
    values: [call('a'), output('a', 'x'), copy('exec_command_end', 'exec-1', { stdout: 'x' })],
    copies: [],
  },
])('codex: an event is a copy $name', ({ values, copies }) => {
  const transcript = openText(jsonl([meta, ...values]));
  const [conversation] = transcript === undefined ? [] : readConversations(transcript);
  const outline = conversation === undefined ? [] : outlineConversation(conversation);
  const found = outline.flatMap(({ position, results }) =>
    results
      .filter((result) => result.copies.length > 0)
      .map(
        (result) =>
          `${position}: ${result.copies.map(({ record, at }) => [record.index, ...at].join('/')).join(' ')}`,
      ),
  );
  expect(found).toStrictEqual(copies);
});
