import { describe, expect, test } from 'vitest';
import { makeFolder } from '../cli/folder.js';
import { runCommand } from '../cli/run.js';

const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

const user = { role: 'user', content: 'When?' };
const said = { role: 'assistant', content: 'Now.' };
const calls = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'search', arguments: '{}' } })),
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });

const use = (id: string) => ({ type: 'tool_use', id, name: 'search', input: {} });
const used = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
const text = { type: 'text', text: 'And?' };
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const asked = (...content: readonly unknown[]) => ({ role: 'user', content });

const piMessage = (id: string, parentId: string | null, message: object) => ({
  ...{ type: 'message', id, parentId },
  message,
});

const response = (...parts: readonly unknown[]) => ({ kind: 'response', parts });
const request = (...parts: readonly unknown[]) => ({ kind: 'request', parts });
const prompt = { part_kind: 'user-prompt', content: 'When?' };
const called = (id: string) => ({ part_kind: 'tool-call', tool_name: 'search', tool_call_id: id, args: {} });
const returned = (id: string) => ({
  ...{ part_kind: 'tool-return', tool_name: 'search', tool_call_id: id },
  content: 'x',
});

const modelCall = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'search', input: {} });
const modelResult = (id: string) => ({
  ...{ type: 'tool-result', toolCallId: id, toolName: 'search' },
  output: { type: 'text', value: 'x' },
});
const uiMessage = (fields: object, ...parts: readonly unknown[]) => ({
  ...{ id: 'm', role: 'assistant' },
  parts: [{ type: 'tool-search', toolCallId: 'u', input: {}, ...fields }, ...parts],
});

const opencodeTool = (status: string) => ({
  ...{ type: 'tool', tool: 'search', callID: 'c' },
  state: { status, input: {}, output: 'x' },
});

const geminiMessage = (id: string, type: string, toolCalls: readonly unknown[]) => ({
  ...{ id, type, timestamp: '2026-01-01T00:00:00.000Z' },
  content: 'x',
  toolCalls,
});
const geminiCall = (id: string, ...outputs: readonly string[]) => ({
  ...{ id, name: 'search', args: {} },
  result: outputs.map((output) => ({ functionResponse: { id, response: { output } } })),
});

const googleContent = (role: string, ...parts: readonly unknown[]) => ({ role, parts });
const googleCall = (id?: string) => ({ functionCall: { ...(id ? { id } : {}), name: 'search', args: {} } });
const googleResponse = (id?: string) => ({
  functionResponse: { ...(id ? { id } : {}), name: 'search', response: { output: 'x' } },
});
const stored = (type: string, data: object) => ({ type, data });
const storedCalls = (...ids: readonly string[]) =>
  stored('ai', { content: '', tool_calls: ids.map((id) => ({ id, name: 'search', args: {} })) });
const storedResult = (id: string) => stored('tool', { content: 'x', tool_call_id: id });
const human = stored('human', { content: 'When?' });

const acts = (tool_call_id: string) => ({
  ...{
    id: `a${tool_call_id}`,
    source: 'agent',
    thought: [],
    action: {},
    tool_name: 'terminal',
    tool_call_id,
  },
  kind: 'ActionEvent',
});
const observed = (tool_call_id: string) => ({
  ...{ id: `o${tool_call_id}`, source: 'environment', tool_name: 'terminal', tool_call_id },
  observation: { content: [{ type: 'text', text: 'x' }] },
  kind: 'ObservationEvent',
});

const ran = (command: string) => ({
  role: 'assistant',
  content: `\`\`\`mswea_bash_command\n${command}\n\`\`\``,
});
const printed = (words: string) => ({
  role: 'user',
  content: `<returncode>0</returncode>\n<output>\n${words}\n</output>`,
});

const turn = (from: string) => ({ from, value: from === 'function_call' ? '{"name":"x"}' : 'x' });

let parent: string | null = null;
/** A Claude Code line below the one before it. */
const session = (uuid: string, type: 'user' | 'assistant', ...content: readonly unknown[]) => {
  const value = { type, uuid, parentUuid: parent, sessionId: 's', message: { role: type, content } };
  parent = uuid;
  return value;
};

const rollout = (payload: object) => ({ timestamp: 't', type: 'response_item', payload });

interface Case {
  readonly name: string;
  readonly input: string;
  readonly code: number;
  readonly stdout: string;
}

const cases: readonly Case[] = [
  {
    name: 'openai-chat: results directly behind their calls, in any order',
    input: lines(user, calls('a', 'b'), result('b'), result('a'), said),
    code: 0,
    stdout: 'verified: 2 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'openai-chat: an id that is used again pairs with its nearest call',
    input: lines(calls('a'), result('a'), said, calls('a'), result('a')),
    code: 0,
    stdout: 'verified: 2 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'openai-chat: a call that is still running is told, and refutes nothing',
    input: lines(user, calls('a')),
    code: 0,
    stdout: '<stdin>:2: 1.0 note: call a: no result\nverified: 1 call, 0 results, 0 pairs hold\n',
  },
  {
    name: 'openai-chat: a call without a result before the next message',
    input: lines(user, calls('a', 'b'), result('a'), user),
    code: 1,
    stdout: '<stdin>:2: 1.1 pair: call b: no result in the next message\n',
  },
  {
    name: 'openai-chat: a result behind another message',
    input: lines(calls('a'), user, result('a')),
    code: 1,
    stdout:
      '<stdin>:1: 0.0 pair: call a: no result in the next message\n' +
      '<stdin>:3: 2.0 pair: result a: no call in the message before, or another result of it\n',
  },
  {
    name: 'openai-chat: a result without a call',
    input: lines(user, result('a')),
    code: 1,
    stdout: '<stdin>:2: 1.0 pair: result a: no call in the message before, or another result of it\n',
  },
  {
    name: 'openai-chat: a second result of a call',
    input: lines(calls('a'), result('a'), result('a')),
    code: 1,
    stdout: '<stdin>:3: 2.0 pair: result a: no call in the message before, or another result of it\n',
  },
  {
    name: 'anthropic-messages: results first in the next message',
    input: lines(asked(text), assistant(text, use('a'), use('b')), asked(used('a'), used('b'), text)),
    code: 0,
    stdout: 'verified: 2 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'anthropic-messages: messages of one side are one',
    input: lines(assistant(use('a')), assistant(use('b')), asked(used('a')), asked(used('b'), text)),
    code: 0,
    stdout: 'verified: 2 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'anthropic-messages: text before a result',
    input: lines(assistant(use('a')), asked(text, used('a'))),
    code: 1,
    stdout: '<stdin>:2: 1.1 pair: result a: results come first in their message\n',
  },
  {
    name: 'anthropic-messages: a call that is not answered in the next message',
    input: lines(assistant(use('a')), asked(text), assistant(text), asked(used('a'))),
    code: 1,
    stdout:
      '<stdin>:1: 0.0 pair: call a: no result in the next message\n' +
      '<stdin>:4: 3.0 pair: result a: no call in the message before, or another result of it\n',
  },
  {
    name: 'anthropic-messages: a provider’s own tool has its result in the same message',
    input: lines(
      asked(text),
      assistant(
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
        text,
      ),
      asked(text),
    ),
    code: 0,
    stdout: 'verified: 1 call, 1 result, 1 pair holds\n',
  },
  {
    name: 'langchain: results directly behind their calls',
    input: lines(human, storedCalls('a', 'b'), storedResult('b'), storedResult('a')),
    code: 0,
    stdout: 'verified: 2 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'langchain: a call whose result was removed',
    input: lines(
      storedCalls('a'),
      stored('tool', { content: 'x', tool_call_id: 'a', id: 'r' }),
      stored('remove', { id: 'r' }),
      human,
    ),
    code: 1,
    stdout: '<stdin>:1: 0.0 pair: call a: no result in the next message\n',
  },
  {
    name: 'openhands: an observation anywhere behind its action',
    input: lines(acts('a'), acts('b'), observed('b'), observed('a')),
    code: 0,
    stdout: 'verified: 2 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'openhands: an observation whose action a condensation forgot',
    input: lines(acts('a'), observed('a'), {
      ...{ id: 'c', source: 'environment', forgotten_event_ids: ['aa'], summary: null, kind: 'Condensation' },
    }),
    code: 1,
    stdout: '<stdin>:2: 1.0 pair: result a: no call\n',
  },
  {
    name: 'swe-agent: commands in the text and what they print',
    input: lines(ran('ls'), printed('a'), ran('pwd'), printed('b')),
    code: 0,
    stdout: 'verified: 2 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'swe-agent: an observation that answers another call',
    input: lines(
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', function: { name: 'x' } }], agent: 'main' },
      { role: 'tool', content: 'x', tool_call_ids: ['b'], agent: 'main' },
    ),
    code: 1,
    stdout: '<stdin>:2: 1.0 pair: result b: no call\n<stdin>:1: 0.1 note: call a: no result\n',
  },
  {
    name: 'sharegpt: an observation behind its call',
    input: lines({ conversations: [turn('human'), turn('function_call'), turn('observation'), turn('gpt')] }),
    code: 0,
    stdout: 'verified: 1 call, 1 result, 1 pair holds\n',
  },
  {
    name: 'sharegpt: an observation that stands behind something else',
    input: lines({ conversations: [turn('function_call'), turn('human'), turn('gpt'), turn('observation')] }),
    code: 1,
    stdout:
      '<stdin>:1: 0.0 pair: call without an id: no result in the next message\n' +
      '<stdin>:1: 3.0 pair: result without an id: no call in the message before, or another result of it\n',
  },
  {
    name: 'cohere: a call without its result before the next message',
    input: lines({ ...calls('a'), tool_plan: 'Look.' }, user),
    code: 1,
    stdout: '<stdin>:1: 0.1 pair: call a: no result in the next message\n',
  },
  {
    name: 'pydantic-ai: returns in the next request, before or behind a prompt',
    input: JSON.stringify([
      request(prompt),
      response(called('a'), called('b')),
      request(returned('a'), prompt, returned('b')),
      response(called('c')),
      request(prompt),
    ]),
    code: 1,
    stdout: '<stdin>:1: 3.0 pair: call c: no result in the next message\n',
  },
  {
    name: 'vercel-ai: a result in its call, or in the tool messages behind',
    input: lines(
      asked(text),
      assistant(modelCall('a'), modelCall('b')),
      { role: 'tool', content: [modelResult('b')] },
      { role: 'tool', content: [modelResult('a')] },
      uiMessage({ state: 'output-available', output: 'x' }, text),
      uiMessage({ state: 'input-streaming' }),
      asked(text),
    ),
    code: 0,
    stdout: 'verified: 3 calls, 3 results, 3 pairs hold\n',
  },
  {
    name: 'vercel-ai: calls that are asked on without a result, and a result without a call',
    input: lines(
      assistant(modelCall('a')),
      asked(text),
      { role: 'tool', content: [modelResult('z')] },
      uiMessage({ state: 'input-available' }),
      asked(text),
    ),
    code: 1,
    stdout:
      '<stdin>:1: 0.0 pair: call a: no result in the next message\n' +
      '<stdin>:3: 2.0 pair: result z: no call in the message before, or another result of it\n' +
      '<stdin>:4: 3.0 pair: call u: no result in the next message\n',
  },
  {
    name: 'opencode: a call holds its result; one that was interrupted is told',
    input: lines(
      { info: { id: 'm1', role: 'user' }, parts: [text] },
      { info: { id: 'm2', role: 'assistant' }, parts: [opencodeTool('completed'), opencodeTool('running')] },
      { info: { id: 'm3', role: 'user' }, parts: [text] },
    ),
    code: 0,
    stdout: '<stdin>:2: 1.2 note: call c: no result\nverified: 2 calls, 1 result, 1 pair holds\n',
  },
  {
    name: 'gemini-cli: what was stepped back from does not count',
    input: lines(
      { sessionId: 's', projectHash: 'h' },
      geminiMessage('u', 'user', []),
      geminiMessage('g', 'gemini', [geminiCall('a', 'x'), geminiCall('b')]),
      { $rewindTo: 'g' },
      geminiMessage('h', 'gemini', [geminiCall('c', 'x'), geminiCall('d')]),
    ),
    code: 0,
    stdout: '<stdin>:5: 2.3 note: call d: no result\nverified: 2 calls, 1 result, 1 pair holds\n',
  },
  {
    name: 'google-genai: responses in the next content, also without ids',
    input: lines(
      googleContent('model', googleCall('a'), googleCall()),
      googleContent('user', googleResponse(), googleResponse('a')),
      googleContent('model', googleCall('b'), googleCall('c')),
      googleContent('user', googleResponse('b'), googleResponse('z')),
    ),
    code: 1,
    stdout:
      '<stdin>:3: 2.1 pair: call c: no result in the next message\n' +
      '<stdin>:4: 3.1 pair: result z: no call in the message before, or another result of it\n',
  },
  {
    name: 'claude-code: results anywhere behind their calls; an interrupted call is told',
    input: lines(
      session('1', 'user', text),
      session('2', 'assistant', use('a')),
      session('3', 'assistant', use('b')),
      session('4', 'assistant', use('c')),
      session('5', 'user', used('b')),
      session('6', 'user', text),
      session('7', 'user', used('a')),
    ),
    code: 0,
    stdout: '<stdin>:4: 3.0 note: call c: no result\nverified: 3 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'claude-code: a result without a call',
    input: lines(session('8', 'assistant', use('a')), session('9', 'user', used('a'), used('z'))),
    code: 1,
    stdout: '<stdin>:2: 1.1 pair: result z: no call\n',
  },
  {
    name: 'pi: a result without a call',
    input: lines(
      piMessage('a1', null, {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'a', name: 'x', arguments: {} }],
      }),
      piMessage('a2', 'a1', { role: 'toolResult', toolCallId: 'a', toolName: 'x', content: [] }),
      piMessage('a3', 'a2', { role: 'toolResult', toolCallId: 'z', toolName: 'x', content: [] }),
    ),
    code: 1,
    stdout: '<stdin>:3: 2.0 pair: result z: no call\n',
  },
  {
    name: 'codex: results behind their calls, other items between them, a call that is running',
    input: lines(
      rollout({ type: 'function_call', name: 'f', arguments: '{}', call_id: 'a' }),
      rollout({ type: 'custom_tool_call', name: 'g', input: '', call_id: 'b' }),
      rollout({ type: 'web_search_call', id: 'w', action: {} }),
      rollout({ type: 'function_call_output', call_id: 'a', output: 'x' }),
      rollout({ type: 'message', role: 'assistant', content: [] }),
      rollout({ type: 'custom_tool_call_output', call_id: 'b', output: [] }),
      rollout({ type: 'local_shell_call', call_id: 'c', action: {} }),
    ),
    code: 0,
    stdout: '<stdin>:7: 6.0 note: call c: no result\nverified: 3 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'codex: a result without a call',
    input: lines(rollout({ type: 'function_call_output', call_id: 'z', output: 'x' })),
    code: 1,
    stdout: '<stdin>:1: 0.0 pair: result z: no call\n',
  },
  {
    name: 'codex: what a compaction replaced does not count',
    input: lines(rollout({ type: 'function_call_output', call_id: 'z', output: 'x' }), {
      timestamp: 't',
      type: 'compacted',
      payload: { message: '', replacement_history: [] },
    }),
    code: 0,
    stdout: 'verified: 0 calls, 0 results, 0 pairs hold\n',
  },
  {
    name: 'openai-responses: outputs behind their calls; what the provider calls it answers itself',
    input: lines(
      user,
      { type: 'function_call', name: 'f', arguments: '{}', call_id: 'a', id: 'fc_1' },
      { type: 'function_call', name: 'f', arguments: '{}', call_id: 'b', id: 'fc_2' },
      { type: 'function_call_output', call_id: 'b', output: 'x' },
      { type: 'function_call_output', call_id: 'a', output: 'x' },
      { type: 'file_search_call', id: 'fs', queries: [], results: [{ text: 'x' }, { text: 'y' }] },
      { type: 'tool_search_call', id: 't', call_id: null, execution: 'server' },
      { type: 'tool_search_output', id: 'u', call_id: null, execution: 'server', tools: [] },
      { type: 'function_call', name: 'f', arguments: '{}', call_id: 'c', id: 'fc_3' },
    ),
    code: 0,
    stdout: '<stdin>:9: 8.0 note: call c: no result\nverified: 3 calls, 2 results, 2 pairs hold\n',
  },
  {
    name: 'openai-responses: no tool output for a call before the next question',
    input: lines(user, { type: 'function_call', name: 'f', arguments: '{}', call_id: 'a' }, user),
    code: 1,
    stdout: '<stdin>:2: 1.0 pair: call a: no result\n',
  },
  {
    name: 'openai-responses: an output by the id of its call in place of the call_id, and one before its call',
    input: lines(
      { type: 'function_call', name: 'f', arguments: '{}', call_id: 'a', id: 'fc_1' },
      { type: 'function_call_output', call_id: 'fc_1', output: 'x' },
      { type: 'function_call_output', call_id: 'b', output: 'x' },
      { type: 'function_call', name: 'f', arguments: '{}', call_id: 'b' },
    ),
    code: 1,
    stdout:
      '<stdin>:2: 1.0 pair: result fc_1: no call\n' +
      '<stdin>:3: 2.0 pair: result b: no call\n' +
      '<stdin>:1: 0.0 note: call a: no result\n' +
      '<stdin>:4: 3.0 note: call b: no result\n',
  },
  {
    name: 'claude-code: what is not on the path does not count',
    input: lines(
      { ...session('r', 'user', text), parentUuid: null },
      { ...session('x', 'user', used('z')), parentUuid: 'r' },
      { ...session('y', 'assistant', text), parentUuid: 'r' },
    ),
    code: 0,
    stdout: 'verified: 0 calls, 0 results, 0 pairs hold\n',
  },
];

describe('thread verify --pairs', () => {
  test.each(cases)('$name', async ({ input, code, stdout }) => {
    const stderr = code === 0 ? '' : expect.stringMatching(/^thread: refuted: \d+ findings?\n$/);
    expect(await runCommand(['verify', '--pairs', '-'], { stdin: input })).toMatchObject({
      code,
      stdout,
      stderr,
    });
  });

  test('of two files, what both have refutes nothing', async () => {
    const broken = lines(user, result('lost'), calls('a'), result('a'), user);
    const folder = makeFolder({ 'broken.jsonl': broken });
    const pairs = (stdin: string) =>
      runCommand(['verify', '--pairs', 'broken.jsonl', '-'], { cwd: folder.path, stdin });
    expect(await pairs(broken)).toMatchObject({
      code: 0,
      stdout:
        '<stdin>:2: 1.0 note: result lost: no call in the message before, or another result of it\n' +
        'verified: 1 call, 2 results, 1 pair holds\n',
    });
    expect(await pairs(broken.replace(lines(result('a')), ''))).toMatchObject({
      code: 1,
      stdout:
        '<stdin>:3: 2.0 pair: call a: no result in the next message\n' +
        '<stdin>:2: 1.0 note: result lost: no call in the message before, or another result of it\n',
    });
    folder.remove();
  });

  test('-q leaves the counts away', async () => {
    const outcome = await runCommand(['verify', '--pairs', '-q', 'fixtures/rag.jsonl']);
    expect(outcome).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});
