import { pydanticAi } from '../../../src/transcript/formats/pydantic-ai.js';
import { describeReadings, LABEL, type Reading } from './readings.js';

const request = (...parts: object[]) => ({ kind: 'request', parts });
const response = (...parts: object[]) => ({ kind: 'response', parts });
const prompt = (content: unknown) => ({ part_kind: 'user-prompt', content });
const picture = { kind: 'binary', media_type: 'image/png', data: 'AAAA' };

const readings: readonly Reading[] = [
  {
    name: 'requests and responses',
    values: [
      request({ part_kind: 'system-prompt', content: 'Be brief.' }),
      request(prompt('Why?')),
      response(
        { part_kind: 'thinking', content: 'hm' },
        { part_kind: 'text', content: 'Let me see.' },
        { part_kind: 'tool-call', tool_name: 'find', args: '{"q": 1}', tool_call_id: 'c1' },
        { part_kind: 'tool-call', tool_name: 'read', args: { q: 2 }, tool_call_id: 'c2' },
        { part_kind: 'tool-call', tool_name: 'odd', args: '{"q":', tool_call_id: 'c3' },
      ),
      request(
        { part_kind: 'tool-return', tool_name: 'find', content: { a: [1, 'é'] }, tool_call_id: 'c1' },
        { part_kind: 'tool-return', tool_name: 'read', content: 'text', tool_call_id: 'c2' },
        { part_kind: 'retry-prompt', tool_name: 'odd', content: 'no JSON', tool_call_id: 'c3' },
      ),
      response({ part_kind: 'text', content: 'Because.' }),
    ],
    messages: [
      'system (system) | raw system-prompt',
      'operator (user) | Why?',
      'assistant (assistant) | thinking hm | Let me see. | call c1 of find {"q":1} | call c2 of read {"q":2} | call c3 of odd "{\\"q\\":"',
      'context (user) | result c1 of find: {"a":[1,"é"]} | result c2 of read: text | result c3 of odd failed locked: no JSON',
      'assistant (assistant) | Because.',
    ],
    questions: [1],
  },
  {
    name: 'a prompt beside returns as a question',
    values: [
      request({ part_kind: 'tool-return', tool_name: 'f', content: 'x', tool_call_id: 'c' }, prompt('And?')),
      request({ part_kind: 'system-prompt', content: 'x' }, prompt('So?')),
      request(prompt(' \n')),
      request(),
      request({ part_kind: 'retry-prompt', content: 'again' }),
    ],
    messages: [
      'operator (user) | result c of f: x | And?',
      'operator (user) | raw system-prompt | So?',
      'operator (user) |  \n',
      'context (user)',
      'context (user) | raw retry-prompt',
    ],
    questions: [0],
  },
  {
    name: 'pictures and files of a prompt',
    values: [
      request(
        prompt([
          'See',
          { kind: 'binary', media_type: 'image/png', data: 'AAAA' },
          { kind: 'image-url', url: 'u' },
          { kind: 'document-url', url: 'u' },
        ]),
      ),
      response({ part_kind: 'text', content: 'x' }),
      request(prompt([{ kind: 'binary', media_type: 'image/png', data: 'AAAA' }])),
    ],
    messages: [
      'operator (user) | See | image | image | file null',
      'assistant (assistant) | x',
      'operator (user) | image',
    ],
    questions: [0, 2],
    items: { 0: ['See', 'image AAAA', 'other', 'other'], 2: ['image AAAA'] },
  },
  {
    name: 'tools of the provider as locked, and a compaction as summary',
    values: [
      response({ part_kind: 'compaction', content: 'So far' }),
      response({ part_kind: 'compaction', content: null }),
      response(
        { part_kind: 'builtin-tool-call', tool_name: 'web', args: null, tool_call_id: 'b' },
        { part_kind: 'builtin-tool-return', tool_name: 'web', content: ['x'], tool_call_id: 'b' },
        { part_kind: 'made-up-later' },
      ),
    ],
    messages: [
      'summary (assistant) | So far',
      'summary (assistant)',
      'assistant (assistant) | call b of web null | result b of web locked: ["x"] | raw made-up-later',
    ],
    questions: [],
  },
  {
    name: 'a retrieved picture with its label is no question',
    values: [
      request(prompt('Why?')),
      response({ part_kind: 'tool-call', tool_name: 'f', args: '{}', tool_call_id: 'c' }),
      request(
        { part_kind: 'tool-return', tool_name: 'f', content: 'x', tool_call_id: 'c' },
        prompt([LABEL.text, picture]),
      ),
      request(prompt([LABEL.text, picture, LABEL.text, picture, { kind: 'cache-point' }])),
      response({ part_kind: 'text', content: 'x' }),
      request(prompt([LABEL.text, picture]), prompt('And?')),
      response({ part_kind: 'text', content: 'x' }),
      request(prompt([LABEL.text]), prompt([picture])),
    ],
    messages: [
      'operator (user) | Why?',
      'assistant (assistant) | call c of f {}',
      'context (user) | result c of f: x | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image',
      'context (user) | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image | raw cache-point',
      'assistant (assistant) | x',
      'operator (user) | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image | And?',
      'assistant (assistant) | x',
      'operator (user) | Picture of [c1] [haiku.rag/retrieved-image], page 2 | image',
    ],
    questions: [0, 5, 7],
  },
];

describeReadings(pydanticAi, readings);
