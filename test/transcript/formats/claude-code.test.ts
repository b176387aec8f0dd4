import { claudeCode } from '../../../src/transcript/formats/claude-code.js';
import { describeReadings, imageBlock, LABEL, type Reading, text, toolResult, toolUse } from './readings.js';

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

const readings: readonly Reading[] = [
  {
    name: 'a question, a call, its result and the answer, a block a line',
    values: [
      session('a', null, 'user', user('Why?')),
      session('b', 'a', 'assistant', reply([{ type: 'thinking', thinking: 'hm', signature: 's' }])),
      session('c', 'b', 'assistant', reply([toolUse('t1', 'Read')])),
      session('d', 'c', 'user', user([toolResult('t1', 'file')], { toolUseResult: { file: 'file' } })),
      session('e', 'd', 'assistant', reply([text('Because.')], 'm2')),
    ],
    messages: [
      'operator (user) | Why?',
      'assistant (assistant) | thinking hm',
      'assistant (assistant) | call t1 of Read {"q":1}',
      'context (user) | result t1 of Read with copy: file',
      'assistant (assistant) | Because.',
    ],
    questions: [0],
  },
  {
    name: 'lines of every other type as no messages',
    values: [
      { type: 'mode', sessionId: 's', mode: 'x' },
      session('a', null, 'user', user('Why?')),
      session('p', 'a', 'progress', { data: {} }),
      session('q', 'p', 'attachment', { attachment: {} }),
      session('y', 'q', 'system', { content: 'x' }),
      { type: 'made-up-later', sessionId: 's' },
      session('b', 'y', 'assistant', reply([text('Because.')])),
      session('c', 'b', 'user', { message: 'text' }),
      session('d', 'c', 'user', {}),
      'a string',
      null,
      [],
    ],
    messages: ['operator (user) | Why?', 'assistant (assistant) | Because.'],
    questions: [0],
  },
  {
    name: 'harness texts as context',
    values: [
      '<command-name>/clear</command-name>',
      '<command-message>x</command-message><command-args> </command-args>',
      '<local-command-stdout>x</local-command-stdout>',
      '<local-command-caveat>x',
      '<bash-input>ls</bash-input>',
      '<bash-stdout>x</bash-stdout>',
      '<task-notification>x',
      '\n <system-reminder>x',
      '[Request interrupted by user]',
      'Caveat: The messages below',
    ].map((content, i) => session(`u${i}`, i === 0 ? null : `u${i - 1}`, 'user', user(content))),
    messages: [
      'context (user) | <command-name>/clear</command-name>',
      'context (user) | <command-message>x</command-message><command-args> </command-args>',
      'context (user) | <local-command-stdout>x</local-command-stdout>',
      'context (user) | <local-command-caveat>x',
      'context (user) | <bash-input>ls</bash-input>',
      'context (user) | <bash-stdout>x</bash-stdout>',
      'context (user) | <task-notification>x',
      'context (user) | \n <system-reminder>x',
      'context (user) | [Request interrupted by user]',
      'context (user) | Caveat: The messages below',
    ],
    questions: [],
  },
  {
    name: 'a command with arguments, and texts that only mention a tag, as questions',
    values: [
      session(
        'a',
        null,
        'user',
        user('<command-message>ask</command-message><command-args>Why?</command-args>'),
      ),
      session('b', 'a', 'assistant', reply([text('x')])),
      session('c', 'b', 'user', user('What is <system-reminder>?')),
      session('d', 'c', 'assistant', reply([text('y')], 'm2')),
      session('e', 'd', 'user', user('<command-message>x</command-message>', { origin: { kind: 'human' } })),
    ],
    messages: [
      'operator (user) | <command-message>ask</command-message><command-args>Why?</command-args>',
      'assistant (assistant) | x',
      'operator (user) | What is <system-reminder>?',
      'assistant (assistant) | y',
      'operator (user) | <command-message>x</command-message>',
    ],
    questions: [0, 2, 4],
  },
  {
    name: 'injected lines as context and the summary of a compaction as summary',
    values: [
      session('a', null, 'user', user('Old?')),
      session('m', null, 'system', { subtype: 'compact_boundary', logicalParentUuid: 'a' }),
      session('b', 'm', 'user', user('This session is being continued', { isCompactSummary: true })),
      session('c', 'b', 'user', user('notes', { isMeta: true })),
      session('d', 'c', 'user', user('from a viewer', { toolUseResult: 'x' })),
      session('e', 'd', 'user', user('New?')),
    ],
    messages: [
      'operator (user) | Old?',
      'summary (user) | This session is being continued',
      'context (user) | notes',
      'context (user) | from a viewer',
      'operator (user) | New?',
    ],
    questions: [4],
  },
  {
    name: 'text beside a result as context, and a question in blocks with a picture',
    values: [
      session('a', null, 'user', user([text('See'), imageBlock])),
      session('b', 'a', 'assistant', reply([toolUse('t1', 'Shot')])),
      session('c', 'b', 'user', user([toolResult('t1', [text('ok'), imageBlock]), text('go on')])),
    ],
    messages: [
      'operator (user) | See | image',
      'assistant (assistant) | call t1 of Shot {"q":1}',
      'context (user) | result t1 of Shot: ok | go on',
    ],
    questions: [0],
    items: { 0: ['See', 'image AAAA'], 2: ['other', 'go on'] },
  },
  {
    name: 'failed results, results of no call, and parallel results without a copy',
    values: [
      session('a', null, 'assistant', reply([toolUse('t1', 'Bash')])),
      session('b', 'a', 'assistant', reply([toolUse('t2', 'Grep')])),
      session(
        'c',
        'a',
        'user',
        user([toolResult('t2', 'two'), toolResult('t1', 'no', { is_error: true })], { toolUseResult: 'x' }),
      ),
      session('d', 'c', 'user', user([toolResult('t9', null)], { toolUseResult: null })),
      session('e', 'd', 'user', user([{ type: 'tool_result' }])),
    ],
    messages: [
      'assistant (assistant) | call t1 of Bash {"q":1}',
      'assistant (assistant) | call t2 of Grep {"q":1}',
      'context (user) | result t2 of Grep: two | result t1 of Bash failed: no',
      'context (user) | result t9 of null: ',
      'context (user) | result null of null locked: ',
    ],
    questions: [],
  },
  {
    name: 'side chains and abandoned branches without questions',
    values: [
      session('a', null, 'user', user('Why?')),
      session('s', null, 'user', user('Task', { isSidechain: true })),
      session('b', 'a', 'assistant', reply([text('x')])),
      session('c', 'b', 'user', user('Wrong?')),
      session('d', 'b', 'user', user('Right?')),
    ],
    messages: [
      'operator (user) | Why?',
      'context (user) | Task',
      'assistant (assistant) | x',
      'operator (user) | Wrong?',
      'operator (user) | Right?',
    ],
    questions: [0, 4],
  },
  {
    name: 'a retrieved picture with its label is no question',
    values: [
      session('a', null, 'user', user('Why?')),
      session('b', 'a', 'user', user([LABEL, imageBlock])),
      session('c', 'b', 'assistant', reply([text('x')])),
      session('d', 'c', 'user', user([LABEL, imageBlock], { origin: { kind: 'human' } })),
      session('e', 'd', 'assistant', reply([text('x')], 'm2')),
      session('f', 'e', 'user', user([LABEL, imageBlock, text('And?')])),
    ],
    messages: [
      'operator (user) | Why?',
      'context (user) | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image',
      'assistant (assistant) | x',
      'context (user) | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image',
      'assistant (assistant) | x',
      'operator (user) | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image | And?',
    ],
    questions: [0, 5],
  },
];

describeReadings(claudeCode, readings);
