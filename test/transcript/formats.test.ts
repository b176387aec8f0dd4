import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { InputError, ThreadError } from '../../src/transcript/errors.js';
import { openTranscript, readConversations, readMessages } from '../../src/transcript/transcript.js';
import { errorOf, jsonl, messagesOf, openText, sourceOf } from './read.js';

/** A line of a Claude Code session, with what every chained line has. */
function session(uuid: string, parentUuid: string | null, type: string, fields: object = {}): object {
  return { parentUuid, isSidechain: false, sessionId: 's', type, uuid, ...fields };
}

function user(content: unknown, fields: object = {}): object {
  return { message: { role: 'user', content }, ...fields };
}

function reply(content: readonly unknown[], id = 'm1'): object {
  return { message: { id, role: 'assistant', content } };
}

const request = (...parts: object[]) => ({ kind: 'request', parts });
const response = (...parts: object[]) => ({ kind: 'response', parts });
const prompt = (content: unknown) => ({ part_kind: 'user-prompt', content });

const chat = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
];
const toolChat = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'c', content: 'x' },
];
const blocks = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
];
const model = [
  request(prompt('Hi')),
  response({ part_kind: 'tool-call', tool_name: 'f', args: '{}', tool_call_id: 'c' }),
  request({ part_kind: 'tool-return', tool_name: 'f', content: 'x', tool_call_id: 'c' }),
];
const lines = [session('a', null, 'user', user('Hi')), session('b', 'a', 'assistant', reply([]))];

const rollout = [
  {
    timestamp: 't',
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
  },
  {
    timestamp: 't',
    type: 'response_item',
    payload: { type: 'reasoning', summary: [], encrypted_content: 'e' },
  },
  { timestamp: 't', type: 'event_msg', payload: { type: 'token_count', info: null } },
];

const items = [
  { role: 'user', content: 'Hi' },
  { type: 'function_call', name: 'f', arguments: '{}', call_id: 'c' },
  { type: 'function_call_output', call_id: 'c', output: 'x' },
];
const openhandsEvent = { id: 1, source: 'user', action: 'message', args: { content: 'Hi' } };
const storedMessage = { type: 'human', data: { content: 'Hi' } };

const turns = [
  { from: 'human', value: 'Hi' },
  { from: 'gpt', value: 'Hello' },
];

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

interface Layout {
  readonly name: string;
  readonly text: string;
  readonly format: string;
  /** The messages of each conversation, counted. */
  readonly messages: readonly number[];
  readonly ids?: readonly (string | null)[];
}

const layouts: readonly Layout[] = [
  { name: 'session lines', text: jsonl(lines), format: 'claude-code', messages: [2] },
  {
    name: 'session lines below comments, two of them glued',
    text: `// a\n\n${jsonl(lines).replace('\n', '')}`,
    format: 'claude-code',
    messages: [2],
  },
  {
    name: 'a session that begins with bookkeeping',
    text: jsonl([{ type: 'queue-operation', sessionId: 's' }, { type: 'mode', sessionId: 's' }, ...lines]),
    format: 'claude-code',
    messages: [2],
  },
  {
    name: 'a title line',
    text: jsonl([{ type: 'summary', summary: 'x', leafUuid: 'y' }]),
    format: 'claude-code',
    messages: [0],
  },
  {
    name: 'a snapshot line',
    text: jsonl([{ type: 'file-history-snapshot' }]),
    format: 'claude-code',
    messages: [0],
  },
  { name: 'rollout lines', text: jsonl(rollout), format: 'codex', messages: [2] },
  {
    name: 'rollout lines of Windows',
    text: jsonl(rollout).replaceAll('\n', '\r\n'),
    format: 'codex',
    messages: [2],
  },
  { name: 'a rollout of events only', text: jsonl(rollout.slice(2)), format: 'codex', messages: [0] },
  {
    name: 'bare items under a rollout header',
    text: jsonl([
      { id: 's', timestamp: 't', instructions: null },
      ...rollout.slice(0, 2).map(({ payload }) => payload),
    ]),
    format: 'codex',
    messages: [2],
  },
  {
    name: 'an array of items',
    text: JSON.stringify(items),
    format: 'openai-responses',
    messages: [3],
    ids: [null],
  },
  { name: 'an item a line', text: jsonl(items), format: 'openai-responses', messages: [3] },
  {
    name: 'a request with items',
    text: pretty({ model: 'm', input: items }),
    format: 'openai-responses',
    messages: [3],
    ids: [null],
  },
  {
    name: 'a request with nothing but messages',
    text: JSON.stringify({ model: 'm', input: chat }),
    format: 'openai-responses',
    messages: [2],
  },
  {
    name: 'responses a line, one with what was sent',
    text: jsonl([
      { id: 'r1', object: 'response', output: items.slice(1) },
      { id: 'r2', object: 'response', input: 'Hi', output: items.slice(1) },
      { id: 'r3', object: 'response', output: [] },
    ]),
    format: 'openai-responses',
    messages: [2, 3, 0],
    ids: ['r1', 'r2', 'r3'],
  },
  {
    name: 'an array of model messages',
    text: JSON.stringify(model),
    format: 'pydantic-ai',
    messages: [3],
    ids: [null],
  },
  { name: 'model messages over several lines', text: pretty(model), format: 'pydantic-ai', messages: [3] },
  {
    name: 'model messages under messages',
    text: JSON.stringify({ id: 'x', messages: model }),
    format: 'pydantic-ai',
    messages: [3],
    ids: ['x'],
  },
  { name: 'a model message a line', text: jsonl(model), format: 'pydantic-ai', messages: [3] },
  {
    name: 'an array of model messages a line',
    text: jsonl([model, [], model]),
    format: 'pydantic-ai',
    messages: [3, 0, 3],
  },
  {
    name: 'an array of chat messages',
    text: JSON.stringify(toolChat),
    format: 'openai-chat',
    messages: [4],
    ids: [null],
  },
  { name: 'chat messages over several lines', text: pretty(toolChat), format: 'openai-chat', messages: [4] },
  { name: 'a chat message a line', text: jsonl(toolChat), format: 'openai-chat', messages: [4], ids: [null] },
  {
    name: 'an empty array among chat messages',
    text: jsonl([[], chat[0], { messages: [] }, chat[1]]),
    format: 'openai-chat',
    messages: [2],
  },
  {
    name: 'a chat a line',
    text: jsonl([
      { messages: chat, tools: [] },
      { id: 'b', messages: toolChat },
    ]),
    format: 'openai-chat',
    messages: [2, 4],
    ids: [null, 'b'],
  },
  {
    name: 'a request of chat messages',
    text: pretty({ model: 'm', messages: toolChat }),
    format: 'openai-chat',
    messages: [4],
  },
  {
    name: 'a response of chat messages',
    text: pretty({ id: 'r', choices: [{ message: chat[1] }, { message: chat[1] }] }),
    format: 'openai-chat',
    messages: [1, 1],
    ids: ['r', 'r'],
  },
  {
    name: 'an array of chat messages a line',
    text: jsonl([chat, [], chat]),
    format: 'openai-chat',
    messages: [2, 0, 2],
  },
  { name: 'a chat of text only', text: JSON.stringify(chat), format: 'openai-chat', messages: [2] },
  { name: 'text rows only', text: jsonl(chat), format: 'openai-chat', messages: [2] },
  {
    name: 'rows of text blocks only',
    text: jsonl([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]),
    format: 'openai-chat',
    messages: [1],
  },
  {
    name: 'a row of OpenHands events for each instance',
    text: jsonl([
      { instance_id: 'i', history: [openhandsEvent, openhandsEvent] },
      { instance_id: 'k', history: [openhandsEvent] },
    ]),
    format: 'openhands',
    messages: [2, 1],
    ids: ['i', 'k'],
  },
  { name: 'an OpenHands event alone', text: pretty(openhandsEvent), format: 'openhands', messages: [1] },
  {
    name: 'LangChain messages a line',
    text: jsonl([[storedMessage], { id: 'b', messages: [storedMessage, null, storedMessage] }]),
    format: 'langchain',
    messages: [1, 2],
    ids: [null, 'b'],
  },
  {
    name: 'an array of ShareGPT rows, one of them broken',
    text: pretty([{ id: 'a', conversations: turns }, null, { conversation: turns }, { conversations: [] }]),
    format: 'sharegpt',
    messages: [2, 0, 2, 0],
    ids: ['a', null, null, null],
  },
  {
    name: 'a ShareGPT row a line',
    text: jsonl([{ conversation_id: 'a', conversations: turns }, { conversations: [] }, { items: turns }]),
    format: 'sharegpt',
    messages: [2, 0, 2],
    ids: ['a', null, null],
  },
  {
    name: 'a row of chat messages that a data set calls a conversation',
    text: jsonl([
      { conversation_id: 'a', model: 'm', conversation: chat },
      { conversation_hash: 'b', conversation: [] },
    ]),
    format: 'openai-chat',
    messages: [2, 0],
    ids: ['a', 'b'],
  },
  {
    name: 'a function call',
    text: jsonl([{ role: 'assistant', function_call: { name: 'f' } }]),
    format: 'openai-chat',
    messages: [1],
  },
  {
    name: 'an array of block messages',
    text: JSON.stringify(blocks),
    format: 'anthropic-messages',
    messages: [3],
  },
  {
    name: 'block messages over several lines',
    text: pretty(blocks),
    format: 'anthropic-messages',
    messages: [3],
  },
  { name: 'a block message a line', text: jsonl(blocks), format: 'anthropic-messages', messages: [3] },
  {
    name: 'a request of block messages',
    text: JSON.stringify({ model: 'm', system: 'Be brief.', messages: blocks }),
    format: 'anthropic-messages',
    messages: [3],
  },
  {
    name: 'a request of block messages a line',
    text: jsonl([{ messages: blocks }, { messages: chat }]),
    format: 'anthropic-messages',
    messages: [3, 2],
  },
  {
    name: 'a response of block messages',
    text: JSON.stringify({
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'x' }],
    }),
    format: 'anthropic-messages',
    messages: [1],
  },
];

describe('recognises', () => {
  test.each(layouts)('$name as $format', ({ text, format, messages, ids }) => {
    const transcript = openText(text);
    const conversations = transcript === undefined ? [] : [...readConversations(transcript)];
    expect(transcript?.format.name).toBe(format);
    expect(conversations.map((one) => [...readMessages(one)].length)).toStrictEqual(messages);
    expect(conversations.map(({ index }) => index)).toStrictEqual([...messages.keys()]);
    if (ids !== undefined) expect(conversations.map(({ id }) => id)).toStrictEqual(ids);
  });
});

test('says which record decided', () => {
  expect(openText(jsonl([...chat, toolChat[3], ...chat]))?.decidedBy).toBe(2);
  expect(openText(jsonl(chat), 'anthropic-messages')?.decidedBy).toBe(0);
});

const texts = (count: number) => Array.from({ length: count }, () => chat[0]);

/** The format of a file in which it only shows late, and the record that decides. */
const late: readonly { name: string; text: string; format: string; decidedBy: number }[] = [
  {
    name: 'block messages behind 50 text rows',
    text: jsonl([...texts(50), ...blocks.slice(1)]),
    format: 'anthropic-messages',
    decidedBy: 50,
  },
  {
    name: 'block messages behind 5000 text rows',
    text: jsonl([...texts(5000), ...blocks.slice(1)]),
    format: 'anthropic-messages',
    decidedBy: 5000,
  },
  {
    name: 'tool messages behind text rows, before block messages',
    text: jsonl([...texts(60), toolChat[3], ...blocks]),
    format: 'openai-chat',
    decidedBy: 60,
  },
  {
    name: 'block messages behind text rows and a row of no format that tells nothing',
    text: jsonl([...texts(50), { a: 1 }, lines[0], ...blocks.slice(1)]),
    format: 'anthropic-messages',
    decidedBy: 52,
  },
  {
    name: 'an array of block messages that begins with text',
    text: JSON.stringify([...texts(50), ...blocks.slice(1)]),
    format: 'anthropic-messages',
    decidedBy: 0,
  },
  {
    name: 'a conversation of blocks behind 50 of text',
    text: jsonl([...texts(50).map((one) => ({ messages: [one] })), { messages: blocks }]),
    format: 'anthropic-messages',
    decidedBy: 50,
  },
  {
    name: 'no block messages behind 50 rows that tell',
    text: jsonl([...texts(49), toolChat[3], ...blocks.slice(1), ...blocks.slice(1)]),
    format: 'openai-chat',
    decidedBy: 49,
  },
  { name: 'text rows alone', text: jsonl(texts(60)), format: 'openai-chat', decidedBy: 0 },
];

test.each(late)('recognises $name as $format', ({ text, format, decidedBy }) => {
  const transcript = openText(text);
  expect([transcript?.format.name, transcript?.decidedBy]).toStrictEqual([format, decidedBy]);
});

const message = '{"role":"user","content":"x"}';

const shapes: readonly { name: string; text: string; messages: readonly number[] }[] = [
  { name: 'a message on a line of its own, in brackets', text: `[\n${message}\n]\n`, messages: [1] },
  {
    name: 'messages on lines of their own, in brackets',
    text: `[\n${message},\n${message}\n]\n`,
    messages: [2],
  },
  { name: 'messages on lines that begin with a comma', text: `[${message}\n,${message}\n]`, messages: [2] },
  {
    name: 'messages on lines that begin with a comma, below a bracket',
    text: `[\n${message}\n,${message}\n]`,
    messages: [2],
  },
  {
    name: 'a message on a line of its own, under messages',
    text: `{"messages":[\n${message}\n]}\n`,
    messages: [1],
  },
  { name: 'a document of CR LF', text: `[\r\n${message}\r\n]\r\n`, messages: [1] },
  {
    name: 'a document below a byte-order mark and comments',
    text: `\ufeff// a\n\n[\n${message}]`,
    messages: [1],
  },
  { name: 'a document whose only line end is CR', text: `[\r${message}\r]`, messages: [1] },
  {
    name: 'glued messages on every line',
    text: `${message}${message}\n${message}${message}\n`,
    messages: [4],
  },
  { name: 'one line without a line end', text: message, messages: [1] },
  { name: 'indented lines', text: `  ${message}\n  ${message}\n`, messages: [2] },
];

describe('reads the messages of', () => {
  test.each(shapes)('$name', ({ text, messages }) => {
    expect(messagesOf(text).map(({ length }) => length)).toStrictEqual(messages);
  });
});

const nothing: readonly string[] = ['', '\n\n', '\ufeff', '// a\n', '[]', '[]\n', '[]\n\n[]\n', '[\n]\n'];

test.each(nothing)('%j holds no transcript', (text) => expect(openText(text)).toBeUndefined());

const brokenLines: readonly { name: string; text: string; message: string }[] = [
  {
    name: 'a cut first line of several',
    text: `${message.slice(0, 10)}\n${message}\n`,
    message: 't.jsonl:1:9: not JSON: a string is not closed',
  },
  {
    name: 'a wrong first line of several',
    text: `{"role" "user"}\n${message}\n`,
    message: 't.jsonl:1:9: not JSON: a colon is missing after a key',
  },
  {
    name: 'a cut only line',
    text: `${message.slice(0, -1)}`,
    message: 't.jsonl:1:29: not JSON: an object is not closed',
  },
  {
    name: 'a wrong line of a document',
    text: '[\n{"role":user}\n]',
    message: 't.jsonl:2:9: not JSON: not a JSON value',
  },
  {
    name: 'a document behind a document',
    text: `${pretty(chat)}${pretty(chat)}`,
    message: 't.jsonl:11:1: not JSON: more text after the end of the value',
  },
  { name: 'a text file', text: 'Dear all,\nplease\n', message: 't.jsonl:1:1: not JSON: not a JSON value' },
  {
    name: 'a message among conversations',
    text: jsonl([{ messages: chat }, chat[0]]),
    message: 't.jsonl:2: not a conversation, as the records before it are (openai-chat)',
  },
];

describe('names the line of', () => {
  test.each(brokenLines)('$name', ({ text, message: expected }) => {
    const error = errorOf(() => messagesOf(text));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(expected);
  });
});

const lookAlikes: readonly { name: string; values: readonly object[]; is: string; hint: string }[] = [
  {
    name: 'an event stream of Claude Code',
    values: [
      { type: 'system', subtype: 'init', session_id: 's' },
      { type: 'assistant', session_id: 's', message: { role: 'assistant', content: [] } },
    ],
    is: 'the event stream of `claude --output-format stream-json`, not a session',
    hint: 'use the session file under ~/.claude/projects instead',
  },
  {
    name: 'an event stream of Codex',
    values: [{ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }],
    is: 'the event stream of `codex exec --json`, not a session',
    hint: 'use the rollout file under ~/.codex/sessions instead',
  },
  {
    name: 'the end of an event stream of Codex',
    values: [{ type: 'item.completed', item: { type: 'agent_message', text: 'x' } }],
    is: 'the event stream of `codex exec --json`, not a session',
    hint: 'use the rollout file under ~/.codex/sessions instead',
  },
  {
    name: 'a turn of an event stream of Codex',
    values: [{ type: 'turn.started' }, { type: 'item.started', item: { type: 'reasoning' } }],
    is: 'the event stream of `codex exec --json`, not a session',
    hint: 'use the rollout file under ~/.codex/sessions instead',
  },
  {
    name: 'an event stream of a response',
    values: [
      { type: 'response.created', response: { object: 'response', output: [] }, sequence_number: 0 },
      { type: 'response.output_text.delta', delta: 'x', sequence_number: 1 },
    ],
    is: 'the event stream of a response, not its items',
    hint: `use the \`response\` of its last event: jq -c 'select(.type == "response.completed").response' FILE`,
  },
  {
    name: 'a web export',
    values: [{ loglines: lines }],
    is: 'a Claude Code web export (`loglines`), not a session file',
    hint: 'write its loglines one a line: jq -c ".loglines[]" FILE',
  },
  {
    name: 'an event stream of Gemini CLI, with a line that reads like a message',
    values: [
      { type: 'init', timestamp: 't', session_id: 's', model: 'gemini-3' },
      { type: 'message', role: 'user', content: 'Why?', timestamp: 't' },
    ],
    is: 'the event stream of `gemini --output-format stream-json`, not a chat',
    hint: 'use the chat under ~/.gemini/tmp/PROJECT/chats instead',
  },
  {
    name: 'a prompt log of Gemini CLI',
    values: [[{ sessionId: 's', messageId: 0, type: 'user', message: 'Why?' }]],
    is: 'the prompt log of Gemini CLI (`logs.json`), which has no answers',
    hint: 'use a chat under ~/.gemini/tmp/PROJECT/chats instead',
  },
  {
    name: 'an event stream of OpenCode',
    values: [{ type: 'text', sessionID: 'ses_1', part: { type: 'text', text: 'x', messageID: 'msg_1' } }],
    is: 'the event stream of `opencode run --format json`, not a session',
    hint: 'export the session: opencode export SESSION > session.json',
  },
  {
    name: 'a part out of the storage of OpenCode',
    values: [{ id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1', type: 'text', text: 'x' }],
    is: 'one message or part out of the storage of OpenCode, not a session',
    hint: 'export the session: opencode export SESSION > session.json',
  },
  {
    name: 'a message out of the storage of OpenCode',
    values: [{ id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 } }],
    is: 'one message or part out of the storage of OpenCode, not a session',
    hint: 'export the session: opencode export SESSION > session.json',
  },
  {
    name: 'chunks of a Vercel AI SDK stream',
    values: [{ type: 'start' }, { type: 'text-delta', id: '0', delta: 'x' }],
    is: 'the chunks of a Vercel AI SDK stream, not messages',
    hint: 'store the messages that it ends in: onFinish of toUIMessageStreamResponse gives them',
  },
  {
    name: 'a response of the Google Interactions API',
    values: [{ object: 'interaction', steps: [{ type: 'thought', signature: 's' }] }],
    is: 'a response of the Google Interactions API, not a Gemini CLI chat',
    hint: 'use a chat under ~/.gemini/tmp/PROJECT/chats, or the `contents` of generateContent',
  },
  {
    name: 'conversations in display form',
    values: [{ messages_display: 'user: Hi' }],
    is: 'conversations written out as one display text each, without messages',
    hint: 'export the messages themselves: objects with `role` and `content`',
  },
];

describe('refuses a look-alike and says what to use:', () => {
  test.each(lookAlikes)('$name', ({ values, is, hint }) => {
    const error = errorOf(() => openText(`\n${jsonl(values)}`));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ message: `t.jsonl:2: this is ${is}`, hint, exitCode: 2 });
  });
});

const UNKNOWN = [
  'not a transcript of a known format; looked for:',
  '  claude-code: lines with `type`, `sessionId`, `uuid` and `parentUuid`, or a session bookkeeping line',
  '  codex: lines with `timestamp`, `type` such as response_item and `payload`, or a header with `id`, `timestamp` and `instructions`',
  '  pi: a line of `type` session with `cwd`, then lines with `type` message and a `message` with its `role`',
  '  pydantic-ai: an array of objects with `kind` request or response and `parts[].part_kind`',
  '  openai-chat: objects with `role` and `content` or `tool_calls`: one a line, in an array, or under `messages`',
  '  anthropic-messages: `role` user or assistant with content blocks such as tool_use, tool_result, thinking, document',
  '  openai-responses: items with `type` such as function_call, function_call_output, reasoning, or `output_text` in messages',
  '  vercel-ai: `role` with `parts` of a `type` (text, step-start, tool-NAME), or `content` with tool-call or tool-result parts',
  '  opencode: an object with `info.id` beginning ses_ and `messages`, each with `info` and `parts`',
  '  gemini-cli: an object or first line with `sessionId` and `projectHash`, messages with `id` and `type` user or gemini',
  '  google-genai: `role` user or model with `parts` that have no `type`: text, functionCall, functionResponse',
  '  langchain: objects with `type` human or ai and `data`, or with `lc`, `id` and `kwargs`, or with `type` and `content`',
  '  openhands: events with `action` and `args` or `observation` and `extras`, or with `source` and a `kind` like ActionEvent',
  '  swe-agent: messages with `role` and `agent` under `history`, or with `extra`, `<returncode>` or a mswea_bash_command block',
  '  sharegpt: objects with `conversations`, a list of `from` (human, gpt, …) and `value`',
  '  cohere: messages with `tool_plan`, `citations` with `sources`, or document blocks; or a response with a `message` and `finish_reason`',
].join('\n');

const unknown: readonly { name: string; text: string; line: number }[] = [
  { name: 'a scalar', text: '\n1\n', line: 2 },
  { name: 'null', text: 'null', line: 1 },
  { name: 'objects of another kind', text: '{"a":1}\n{"role":"narrator","content":"x"}\n', line: 1 },
  { name: 'a role that is inherited', text: '{"role":"constructor","content":"x"}', line: 1 },
  { name: 'a role alone', text: '{"role":"user"}', line: 1 },
  { name: 'a message with parts', text: '{"role":"user","content":"x","parts":[]}', line: 1 },
  { name: 'an empty object', text: '{}', line: 1 },
];

describe('lists what was looked for in', () => {
  test.each(unknown)('$name', ({ text, line }) => {
    expect(errorOf(() => openText(text))).toMatchObject({
      message: `t.jsonl:${line}: ${UNKNOWN}`,
      hint: 'name it with --format if it is one of these',
    });
  });
});

test('a format that is named is not detected', () => {
  expect(openText(jsonl(chat), 'anthropic-messages')?.format.name).toBe('anthropic-messages');
  expect(messagesOf(jsonl([{ a: 1 }, ...chat]), 'openai-chat').map(({ length }) => length)).toStrictEqual([
    2,
  ]);
});

test('a format that does not exist is refused with those that do', () => {
  const error = errorOf(() => openText(jsonl(chat), 'toString'));
  expect(error).toBeInstanceOf(ThreadError);
  expect(error).toMatchObject({
    message: 'no format "toString"',
    hint: 'formats: claude-code, codex, pi, pydantic-ai, openai-chat, anthropic-messages, openai-responses, vercel-ai, opencode, gemini-cli, google-genai, langchain, openhands, swe-agent, sharegpt, cohere',
  });
});

test('foreign records are no part of the transcript and take no position', () => {
  const text = jsonl([{ foreign: true }, chat[0], { foreign: true }, chat[1]]);
  const transcript = openTranscript(sourceOf(text), {
    lenient: false,
    isForeign: ({ value }) => isDeepStrictEqual(value, { foreign: true }),
  });
  const [conversation] = transcript === undefined ? [] : [...readConversations(transcript)];
  const read = conversation === undefined ? [] : [...readMessages(conversation)];
  expect(transcript?.decidedBy).toBe(1);
  expect(read.map(({ position, record }) => [position, record.index, record.line])).toStrictEqual([
    [0, 1, 2],
    [1, 3, 4],
  ]);
});
