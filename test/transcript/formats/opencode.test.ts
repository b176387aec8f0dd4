import { expect, test } from 'vitest';
import { opencode } from '../../../src/transcript/formats/opencode.js';
import { outlineConversation } from '../../../src/transcript/outline.js';
import { readConversations } from '../../../src/transcript/transcript.js';
import { openText } from '../read.js';
import { describeReadings, type Reading, text } from './readings.js';

function message(id: string, role: string, parts: readonly object[], fields: object = {}): object {
  return { info: { id, role, sessionID: 'ses_1', ...fields }, parts };
}

const tool = (state: object, fields: object = {}) => ({
  ...{ type: 'tool', tool: 'read', callID: 'c1', state: { input: { q: 1 }, ...state } },
  ...fields,
});
const done = (fields: object = {}) => tool({ status: 'completed', output: 'x', ...fields });
const added = (words: string) => ({ ...text(words), synthetic: true });
const picture = { type: 'file', mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AAAA' };

const readings: readonly Reading[] = [
  {
    name: 'a question, a call with its result, and the answer',
    values: [
      message('m1', 'user', [text('Why?'), picture]),
      message('m2', 'assistant', [
        { type: 'step-start' },
        { type: 'reasoning', text: 'hm' },
        done({ metadata: { output: 'x' } }),
        { type: 'step-finish' },
      ]),
      message('m3', 'assistant', [text('Because.')]),
    ],
    messages: [
      'operator (user) | Why? | image',
      'assistant (assistant) | raw step-start | thinking hm | call c1 of read {"q":1} | result c1 of read with copy: x | raw step-finish',
      'assistant (assistant) | Because.',
    ],
    questions: [0],
    items: { 0: ['Why?', 'image AAAA'] },
  },
  {
    name: 'every state of a call; an edit keeps its diff, and a hidden output stays',
    values: [
      message('m1', 'assistant', [tool({ status: 'pending' })]),
      message('m2', 'assistant', [tool({ status: 'running' })]),
      message('m3', 'assistant', [tool({ status: 'error', error: 'no' })]),
      message('m4', 'assistant', [done({ metadata: { preview: 'x', diff: '+x' } })]),
      message('m5', 'assistant', [done({ time: { compacted: 5 } })]),
      message('m6', 'assistant', [tool({ status: 'completed' })]),
    ],
    messages: [
      'assistant (assistant) | call c1 of read {"q":1}',
      'assistant (assistant) | call c1 of read {"q":1}',
      'assistant (assistant) | call c1 of read {"q":1} | result c1 of read failed locked: no',
      'assistant (assistant) | call c1 of read {"q":1} | result c1 of read: x',
      'assistant (assistant) | call c1 of read {"q":1} | result c1 of read locked: x',
      'assistant (assistant) | call c1 of read {"q":1} | result c1 of read locked: ',
    ],
    questions: [],
  },
  {
    name: 'what was added to a question as evidence, and to none as context',
    values: [
      message('m1', 'user', [
        text('Why?'),
        added('Called the Read tool with the following input: {"filePath":"a"}'),
        added('file text'),
        { type: 'file', mime: 'text/plain', filename: 'a', url: 'file:///a' },
        { ...text('note'), ignored: true },
      ]),
      message('m2', 'assistant', [text('Because.')]),
      message('m3', 'user', [added('Go on.')]),
      message('m4', 'user', [{ type: 'compaction', auto: true }]),
      message('m5', 'assistant', [text('So far')], { summary: true }),
    ],
    messages: [
      'operator (user) | Why? | call null of read {"filePath":"a"} | result null of read locked: file text | file a | raw text',
      'assistant (assistant) | Because.',
      'context (user) | raw text',
      'context (user) | raw compaction',
      'summary (assistant) | So far',
    ],
    questions: [0],
  },
];

describeReadings(opencode, readings);

const asked = (id: string) => message(id, 'user', [text('Why?')]);
const said = (id: string, fields: object = {}) => message(id, 'assistant', [text('So.')], fields);
const mark = (id: string, fields: object = {}) => message(id, 'user', [{ type: 'compaction', ...fields }]);
const summary = (id: string, parentID: string, fields: object = {}) =>
  said(id, { summary: true, parentID, finish: 'stop', ...fields });

interface PathRow {
  readonly name: string;
  readonly messages: readonly object[];
  readonly info?: object;
  readonly live: readonly number[];
}

const rows: readonly PathRow[] = [
  { name: 'no compaction', messages: [asked('a'), said('b')], live: [0, 1] },
  {
    name: 'from the request of the last finished summary on',
    messages: [
      asked('a'),
      mark('b'),
      summary('c', 'b'),
      asked('d'),
      mark('e'),
      summary('f', 'e'),
      asked('g'),
    ],
    live: [4, 5, 6],
  },
  {
    name: 'a summary that failed leaves everything',
    messages: [asked('a'), mark('b'), summary('c', 'b', { error: { name: 'x' } }), asked('d')],
    live: [0, 1, 2, 3],
  },
  {
    name: 'a summary that is not finished leaves everything',
    messages: [asked('a'), mark('b'), summary('c', 'b', { finish: null }), asked('d')],
    live: [0, 1, 2, 3],
  },
  {
    name: 'a request may keep what is directly above it',
    messages: [asked('a'), asked('b'), said('c'), mark('d', { tail_start_id: 'b' }), summary('e', 'd')],
    live: [1, 2, 3, 4],
  },
  {
    name: 'what was taken back is gone',
    messages: [asked('a'), said('b'), asked('c'), said('d')],
    info: { revert: { messageID: 'c' } },
    live: [0, 1],
  },
  {
    name: 'a compaction that was taken back leaves everything above it',
    messages: [asked('a'), said('b'), mark('c'), summary('d', 'c')],
    info: { revert: { messageID: 'c' } },
    live: [0, 1],
  },
];

test.each(rows)('the live messages: $name', ({ messages, info, live }) => {
  const transcript = openText(JSON.stringify({ info: { id: 'ses_1', ...info }, messages }));
  const outline = [...(transcript === undefined ? [] : readConversations(transcript))].flatMap((one) =>
    outlineConversation(one),
  );
  expect(transcript?.format.name).toBe('opencode');
  expect(outline.filter(({ isOnPath }) => isOnPath).map(({ position }) => position)).toStrictEqual(live);
});
