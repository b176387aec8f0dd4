import { expect, test } from 'vitest';
import { labelledPictures } from '../../src/compaction/pictures.js';
import { memorySource } from '../../src/transcript/lines.js';
import { verifyCompaction } from '../../src/verify/verify.js';
import { jsonl, messagesOf } from '../transcript/read.js';
import { compactBytes } from './compacted.js';

const LABEL = '[c1] (#/p/0) [haiku.rag/retrieved-image]';

function isDecodable(data: string): boolean[] {
  const prompt = { part_kind: 'user-prompt', content: [LABEL, { kind: 'binary', data }] };
  const messages = messagesOf(JSON.stringify([{ kind: 'request', parts: [prompt] }])).flat();
  return messages.flatMap(labelledPictures).map((picture) => picture.isDecodable);
}

test.each([
  { data: 'aGk=', is: true },
  { data: 'aA==', is: true },
  { data: 'ab+/', is: true },
  { data: '_-8=', is: true }, // as pydantic writes it
  { data: 'a_+=', is: false },
  { data: 'aGk', is: false },
  { data: 'a===', is: false },
  { data: '====', is: false },
  { data: 'aG k', is: false },
  { data: '', is: false },
])('"$data" is base64: $is', ({ data, is }) => expect(isDecodable(data)).toStrictEqual([is]));

test('a picture that moves into a text says in the type beside it that it is content now', async () => {
  const call = (id: string) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: id, toolName: 'find', input: {} }],
  });
  const result = (id: string, output: object) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: id, toolName: 'find', output }],
  });
  const picture = { type: 'media', data: 'aGk=', mediaType: 'image/png' };
  const label = { type: 'text', text: 'Plate of [k-1] (#/pictures/0).' };
  const found = { type: 'text', text: `[k-1] Source: kb/tides\n${'High water. '.repeat(20)}` };
  const original = jsonl([
    { role: 'user', content: 'q' },
    call('a'),
    result('a', { type: 'content', value: [found, label, picture] }),
    { role: 'assistant', content: 'At four [k-1].' },
    { role: 'user', content: 'r' },
    call('b'),
    result('b', { type: 'text', value: 'Low water. '.repeat(20) }),
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 's' },
  ]);
  const { output } = await compactBytes(original);
  const [first, second] = output
    .toString()
    .split('\n')
    .filter((line) => line.includes('tool-result'))
    .map((line) => JSON.parse(line).content[0].output);
  expect(first).toMatchObject({ type: 'content', value: [{ type: 'text' }] });
  expect(second).toMatchObject({ type: 'content', value: [{ type: 'text' }, { type: 'text' }, picture] });
  const sources = [memorySource('a', Buffer.from(original)), memorySource('b', output)] as const;
  expect((await verifyCompaction(...sources, { lenient: false })).findings).toStrictEqual([]);
});
