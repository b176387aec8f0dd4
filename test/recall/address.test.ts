import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Address, formatAddress, parseAddress } from '../../src/recall/address.js';
import { findOriginal, type Original } from '../../src/recall/original.js';
import { ThreadError } from '../../src/transcript/errors.js';
import { memorySource } from '../../src/transcript/lines.js';
import { openTranscript, readConversations } from '../../src/transcript/transcript.js';
import { line } from '../chat-lines.js';
import { ROOT } from '../cli/run.js';

const addresses: readonly (readonly [string, Address])[] = [
  ['0', { kind: 'message', position: 0 }],
  ['42', { kind: 'message', position: 42 }],
  ['42.0', { kind: 'part', position: 42, part: 0 }],
  ['42.13', { kind: 'part', position: 42, part: 13 }],
  ['call_1', { kind: 'id', id: 'call_1' }],
  ['toolu_x#12', { kind: 'id', id: 'toolu_x#12' }],
  ['toolu_x@42#12', { kind: 'id', id: 'toolu_x@42#12' }],
  ['kb-3.1', { kind: 'id', id: 'kb-3.1' }],
  ['42.', { kind: 'id', id: '42.' }],
  ['42.0.1', { kind: 'id', id: '42.0.1' }],
  ['-1', { kind: 'id', id: '-1' }],
  ['', { kind: 'id', id: '' }],
  ['1234567890123456', { kind: 'id', id: '1234567890123456' }],
];

describe('an address', () => {
  test.each(addresses)('"%s" is read', (text, address) => {
    expect(parseAddress(text)).toStrictEqual(address);
  });

  test.each(addresses)('"%s" is written as it is read', (text) => {
    expect(formatAddress(parseAddress(text))).toBe(text);
  });

  test('loses leading zeros', () => {
    expect(formatAddress(parseAddress('007.01'))).toBe('7.1');
  });
});

function find(text: string, address: string): Original {
  const source = memorySource('chat', Buffer.from(text));
  const transcript = openTranscript(source, { lenient: false, isForeign: () => false });
  const [conversation] = transcript === undefined ? [] : readConversations(transcript);
  if (conversation === undefined) throw new Error('no conversation');
  return findOriginal(conversation, parseAddress(address));
}

const call = (id: string): object => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"a": 1}' },
});
const LISTING = Array.from({ length: 60 }, (_, i) => `${i + 1}: the keeper lights lamp number ${i + 1}`).join(
  '\n',
);
const NOTE = 'short';

/** Two results of the call `c1`; `c2` has a short one; `c3` has none. */
const chat = [
  line({ role: 'user', content: 'Which lamps are there?' }),
  line({ role: 'assistant', content: 'I look.', tool_calls: [call('c1'), call('c2')] }),
  line({ role: 'tool', tool_call_id: 'c1', content: LISTING }),
  line({ role: 'tool', tool_call_id: 'c2', content: NOTE }),
  line({ role: 'assistant', content: null, tool_calls: [call('c1'), call('c3')] }),
  line({ role: 'tool', tool_call_id: 'c1', content: `${LISTING}\nand no more than these, says the keeper` }),
  line({ role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'x' } }] }),
  line({ role: 'assistant', content: null }),
].join('');

/** Without what belongs to the place of the value in the file. */
const shortened = ({ line: _, sha256: __, ...original }: Original): object => original;
const found = { part: null, tool: null, callId: null, chunkId: null, lines: null, note: null };

const rows: readonly { readonly address: string; readonly original: object }[] = [
  {
    address: '0',
    original: { ...found, position: 0, role: 'user', text: '--- 0.0 text\nWhich lamps are there?\n' },
  },
  {
    address: '1',
    original: {
      ...found,
      ...{ position: 1, role: 'assistant' },
      text: '--- 1.0 text\nI look.\n--- 1.1 call of read (c1)\n{"a":1}\n--- 1.2 call of read (c2)\n{"a":1}\n',
    },
  },
  { address: '1.0', original: { ...found, position: 1, part: 0, role: 'assistant', text: 'I look.' } },
  {
    address: '1.2',
    original: {
      ...found,
      position: 1,
      part: 2,
      role: 'assistant',
      tool: 'read',
      callId: 'c2',
      text: '{"a":1}',
    },
  },
  {
    address: '3.0',
    original: { ...found, position: 3, part: 0, role: 'tool', tool: 'read', callId: 'c2', text: NOTE },
  },
  {
    address: 'c2',
    original: { ...found, position: 3, part: 0, role: 'tool', tool: 'read', callId: 'c2', text: NOTE },
  },
  {
    address: 'c1',
    original: {
      ...found,
      ...{ position: 2, part: 0, role: 'tool', tool: 'read', callId: 'c1', text: LISTING },
      note: 'several results have this call id (2.0, 5.0): this is the first',
    },
  },
  {
    address: 'c1@5',
    original: {
      ...found,
      ...{ position: 5, part: 0, role: 'tool', tool: 'read', callId: 'c1' },
      text: `${LISTING}\nand no more than these, says the keeper`,
    },
  },
  {
    address: 'c1#1',
    original: {
      ...found,
      ...{ position: 2, part: 0, role: 'tool', tool: 'read', callId: 'c1', chunkId: 'c1#1' },
      lines: { first: 1, last: 40 },
      text: LISTING.split('\n').slice(0, 40).join('\n'),
    },
  },
  {
    address: 'c1#3',
    original: {
      ...found,
      ...{ position: 2, part: 0, role: 'tool', tool: 'read', callId: 'c1', text: LISTING },
      note: 'no passage begins at line 3 now: this is the whole result',
    },
  },
  {
    address: '6.0',
    original: {
      ...found,
      position: 6,
      part: 0,
      role: 'assistant',
      text: '',
      note: '6.0 image: it has no text',
    },
  },
  {
    address: '7',
    original: {
      ...found,
      position: 7,
      role: 'assistant',
      text: '',
      note: 'the message at position 7 has no parts',
    },
  },
];

const missing: readonly { readonly address: string; readonly message: string; readonly hint: string }[] = [
  { address: '8', message: 'chat: no message at position 8', hint: 'positions here: 0 to 7' },
  {
    address: '1.3',
    message: 'chat: no part 1.3',
    hint: 'the parts of 1: 1.0 text, 1.1 call of read (c1), 1.2 call of read (c2)',
  },
  { address: '7.0', message: 'chat: no part 7.0', hint: 'the message at position 7 has no parts' },
  { address: 'c3', message: 'chat: the call c3 has no result', hint: 'it was made in message 4' },
  ...['c9', 'c1#0', 'c1#61', 'c2#1', ''].map((address) => ({
    address,
    message: `chat: nothing has the id "${address}"`,
    hint: 'positions here: 0 to 7; a part such as 2.0; a call id such as c1; a chunk id such as c1#1',
  })),
];

describe('what stands at an address', () => {
  test.each(rows)('$address', ({ address, original }) => {
    expect(shortened(find(chat, address))).toStrictEqual(original);
  });

  test.each(missing)('"$address" does not exist', ({ address, message, hint }) => {
    expect(() => find(chat, address)).toThrow(new ThreadError(message, { hint, exitCode: 1 }));
  });

  test('names what there is in a transcript without tools', () => {
    const hint = 'positions here: 0';
    expect(() => find(line({ role: 'user', content: 'Hello?' }), 'c1')).toThrow(
      expect.objectContaining({ hint, exitCode: 1 }),
    );
  });

  test.each([
    ['a message', '1', 2, chat.split('\n')[1] ?? ''],
    ['a text', '1.0', 2, '"I look."'],
    ['a payload', '3.0', 4, '"short"'],
    ['a chunk, as its result', 'c1#41', 3, JSON.stringify(LISTING)],
  ])('%s comes with its line and the digest of its value', (_, address, at, value) => {
    const sha256 = createHash('sha256').update(value).digest('hex');
    expect(find(chat, address)).toMatchObject({ line: at, sha256 });
  });

  test.each([
    ['a call', '1.1'],
    ['a picture', '6.0'],
  ])('%s is no single value, and has no digest', (_, address) => {
    expect(find(chat, address).sha256).toBeNull();
  });

  test('a document over several lines gives the line of the value', () => {
    const text = readFileSync(join(ROOT, 'fixtures/request.anthropic.json'), 'utf8');
    const { line: number } = find(text, '2.0');
    expect(text.split('\n')[number - 1]).toContain('"content"');
    expect(number).toBeGreaterThan(1);
  });
});
