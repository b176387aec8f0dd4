import { expect, test } from 'vitest';
import { labelledPictures } from '../../src/compaction/pictures.js';
import { messagesOf } from '../transcript/read.js';

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
