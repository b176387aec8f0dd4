import { expect, test } from 'vitest';
import { geminiCli } from '../../../src/transcript/formats/gemini-cli.js';
import { outlineConversation } from '../../../src/transcript/outline.js';
import { readConversations } from '../../../src/transcript/transcript.js';
import { jsonl, openText } from '../read.js';
import { describeReadings, type Reading } from './readings.js';

const timestamp = '2026-01-01T00:00:00.000Z';
const header = { sessionId: 's', projectHash: 'h', startTime: timestamp, lastUpdated: timestamp };
const message = (id: string, type: string, content: unknown, fields: object = {}) => ({
  ...{ id, timestamp, type, content },
  ...fields,
});
const call = (response: unknown, fields: object = {}) => ({
  ...{ id: 'c1', name: 'find', args: { q: 1 }, status: 'success' },
  result: [{ functionResponse: { id: 'c1', name: 'find', response } }],
  ...fields,
});
const calls = (...toolCalls: readonly object[]) => message('g', 'gemini', '', { toolCalls });
const asked = (id: string) => message(id, 'user', [{ text: 'Why?' }]);
const said = (id: string) => message(id, 'gemini', 'So.');

const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

const readings: readonly Reading[] = [
  {
    name: 'a question, a call with its result, and the answer',
    values: [
      header,
      message('u', 'user', [
        { text: 'Why?' },
        picture,
        { fileData: { fileUri: 'f', mimeType: 'text/plain' } },
      ]),
      { $set: { lastUpdated: timestamp } },
      message('g1', 'gemini', 'See.', {
        thoughts: [{ subject: 's', description: 'hm' }],
        toolCalls: [call({ output: 'x' }, { resultDisplay: 'X' })],
      }),
      message('g2', 'gemini', [{ text: 'Because.' }]),
      message('i', 'info', 'Update available'),
      message('u2', 'user', 'And?'),
    ],
    messages: [
      'operator (user) | Why? | image | file f',
      'assistant (assistant) | thinking hm | See. | call c1 of find {"q":1} | result c1 of find with copy: x',
      'assistant (assistant) | Because.',
      'context (system) | Update available',
      'operator (user) | And?',
    ],
    questions: [0, 4],
    items: { 0: ['Why?', 'image AAAA', 'other'] },
  },
  {
    name: 'responses of every shape',
    values: [
      header,
      calls(
        call({ error: 'no' }),
        call({ temperature: 20, unit: 'C' }),
        call({ text: 'x' }),
        call({ list: [1] }),
      ),
      calls(call('x'), call({}, { result: undefined }), call({}, { result: [] })),
      calls(call({ output: 'x' }, { status: 'error', resultDisplay: { fileDiff: '+x' } })),
      calls(call({}, { result: { functionResponse: { response: { output: 'x' } } } })),
    ],
    messages: [
      'assistant (assistant) |  | call c1 of find {"q":1} | result c1 of find failed: no | call c1 of find {"q":1} | result c1 of find: {"temperature":20,"unit":"C"} | call c1 of find {"q":1} | result c1 of find: x | call c1 of find {"q":1} | result c1 of find: [1]',
      'assistant (assistant) |  | call c1 of find {"q":1} | result c1 of find locked: x | call c1 of find {"q":1} | call c1 of find {"q":1}',
      'assistant (assistant) |  | call c1 of find {"q":1} | result c1 of find failed: x',
      'assistant (assistant) |  | call c1 of find {"q":1} | result c1 of find: x',
    ],
    questions: [],
  },
  {
    name: 'a document, and a change that holds all messages',
    values: [
      { ...header, messages: [asked('a'), said('b')] },
      { $set: { messages: [asked('a'), said('b')] } },
    ],
    messages: [
      'operator (user) | Why?',
      'assistant (assistant) | So.',
      'operator (user) | Why?',
      'assistant (assistant) | So.',
    ],
    questions: [2],
  },
];

describeReadings(geminiCli, readings);

const log: readonly {
  readonly name: string;
  readonly values: readonly object[];
  readonly live: readonly number[];
}[] = [
  { name: 'all of a log', values: [asked('a'), said('b')], live: [0, 1] },
  { name: 'all of a document', values: [{ messages: [asked('a'), said('b')] }], live: [0, 1] },
  {
    name: 'not what only the terminal showed',
    values: [asked('a'), message('w', 'warning', 'x')],
    live: [0],
  },
  { name: 'the last of an id', values: [asked('a'), said('b'), said('b'), asked('c')], live: [0, 2, 3] },
  {
    name: 'not what a step back took away',
    values: [asked('a'), said('b'), asked('c'), said('d'), { $rewindTo: 'c' }, asked('e')],
    live: [0, 1, 4],
  },
  {
    name: 'nothing above a step back to what is not there',
    values: [asked('a'), said('b'), { $rewindTo: 'z' }, asked('e')],
    live: [2],
  },
  {
    name: 'a message that comes again after a step back',
    values: [asked('a'), said('b'), { $rewindTo: 'b' }, said('b')],
    live: [0, 2],
  },
  {
    name: 'a replaced message goes with its place',
    values: [asked('a'), said('b'), asked('c'), said('b'), { $rewindTo: 'b' }, asked('d')],
    live: [0, 4],
  },
  {
    name: 'the messages that a change sets, and those behind',
    values: [asked('a'), { $set: { messages: [asked('x'), said('y')] } }, asked('z')],
    live: [1, 2, 3],
  },
  {
    name: 'everything where a change sets none',
    values: [asked('a'), { $set: { messages: [] } }],
    live: [0],
  },
  {
    name: 'of the messages that a change sets, those before a step back',
    values: [{ $set: { messages: [asked('x'), said('y'), asked('z')] } }, { $rewindTo: 'y' }],
    live: [0],
  },
];

test.each(log)('live is $name', ({ values, live }) => {
  const transcript = openText(jsonl([header, ...values]));
  const outline = [...(transcript === undefined ? [] : readConversations(transcript))].flatMap((one) =>
    outlineConversation(one),
  );
  expect(outline.filter(({ isOnPath }) => isOnPath).map(({ position }) => position)).toStrictEqual(live);
});
