import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compactTranscript } from '../../src/compaction/compact-transcript.js';
import { compactReport } from '../../src/compaction/report.js';
import { createTally } from '../../src/compaction/tally.js';
import { parseAddress } from '../../src/recall/address.js';
import { findOriginal } from '../../src/recall/original.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { FORMATS } from '../../src/transcript/formats/index.js';
import { type ByteSource, memorySource } from '../../src/transcript/lines.js';
import { type Message, resultText } from '../../src/transcript/message.js';
import {
  type Conversation,
  openTranscript,
  readConversations,
  readMessages,
} from '../../src/transcript/transcript.js';
import { ask, call, line, result } from '../chat-lines.js';
import { CORPUS, corpusFiles, isCorpusMissing, readCorpusFile } from '../corpus-files.js';
import { type Case, expectCase, expectHelpFits } from './case.js';
import { type Folder, makeFolder } from './folder.js';
import { ROOT, runCommand } from './run.js';

const TIDES =
  '[tide-1] Source: "Tide tables" (kb/tides.md)\nHigh water at the north pier comes 40 minutes after high water at the lock, and half a metre lower in a neap week.';
const chat = ask('When is high water?') + call('c1') + result('c1', TIDES) + ask('Tomorrow?');
const UNSAFE = 'red \u001b[31m, back \u0008, bidi \u202e, next line \u0085';

const files: Readonly<Record<string, string>> = {
  'chat.jsonl': chat,
  'unsafe.jsonl': ask(UNSAFE),
  'ended.jsonl': ask('Hello?\n'),
  'cut.jsonl': `${chat}{"role":"assi`,
  'empty.jsonl': '',
  'rows.jsonl': ['One?', 'Two?']
    .map((content) =>
      line({
        messages: [
          { role: 'user', content },
          { role: 'assistant', content: 'So.' },
        ],
      }),
    )
    .join(''),
};

let folder: Folder;

beforeAll(() => {
  folder = makeFolder(files);
});

afterAll(() => folder.remove());

const json = {
  schema: 'thread/show',
  version: 1,
  file: 'chat.jsonl',
  position: 2,
  part: 0,
  role: 'tool',
  tool: 'search',
  call_id: 'c1',
};
const digest = createHash('sha256').update(JSON.stringify(TIDES)).digest('hex');

const cases: readonly Case[] = [
  { name: 'a part, exactly as it stands', args: ['chat.jsonl', '2.0'], stdout: TIDES },
  { name: 'a message', args: ['chat.jsonl', '0'], stdout: '--- 0.0 text\nWhen is high water?\n' },
  { name: 'a call', args: ['chat.jsonl', '1.0'], stdout: '{}' },
  { name: 'a chunk', args: ['chat.jsonl', 'tide-1'], stdout: TIDES.split('\n')[1] ?? '' },
  { name: 'a call’s result', args: ['chat.jsonl', 'c1'], stdout: TIDES },
  { name: '- is stdin', args: ['-', '2.0'], stdin: chat, stdout: TIDES },
  {
    name: 'ledger lines in the stream are no messages',
    args: ['-', '0.0'],
    stdin: `{"type":"capability","capability":"tides","tool_names":["search"]}\n${chat}`,
    stdout: 'When is high water?',
  },
  {
    name: '-f names the format',
    args: ['chat.jsonl', '0.0', '-f', 'openai-chat'],
    stdout: 'When is high water?',
  },
  {
    name: '--format too',
    args: ['chat.jsonl', '0.0', '--format=openai-chat'],
    stdout: 'When is high water?',
  },
  { name: 'control characters stay in a file', args: ['unsafe.jsonl', '0.0'], stdout: UNSAFE },
  {
    name: 'control characters never reach a terminal',
    args: ['unsafe.jsonl', '0.0'],
    columns: 80,
    stdout: 'red \\x1b[31m, back \\x08, bidi \\u202e, next line \\x85\n',
  },
  { name: 'a terminal gets a final newline', args: ['chat.jsonl', '2.0'], columns: 80, stdout: `${TIDES}\n` },
  { name: 'but no second one', args: ['ended.jsonl', '0.0'], columns: 80, stdout: 'Hello?\n' },
  {
    name: '--json of a part',
    args: ['chat.jsonl', '2.0', '--json'],
    stdout: line({ ...json, line: 3, sha256: digest, text: TIDES }),
  },
  {
    name: '--json of a chunk',
    args: ['chat.jsonl', 'tide-1', '--json'],
    stdout: line({ ...json, chunk_id: 'tide-1', line: 3, sha256: digest, text: TIDES.split('\n')[1] }),
  },
  {
    name: '--json holds no control character either',
    args: ['unsafe.jsonl', '0.0', '--json'],
    stdout: /"text":"red \\u001b\[31m, back \\b, bidi \\u202e, next line \\u0085"}\n$/,
  },
  { name: '--conversation chooses', args: ['rows.jsonl', '0.0', '--conversation', '1'], stdout: 'Two?' },
  {
    name: '--lenient passes over a cut last line',
    args: ['cut.jsonl', '3.0', '--lenient'],
    stdout: 'Tomorrow?',
    stderr: 'thread: warning: cut.jsonl:5: the last line is cut; left out\n',
  },
  { name: '--help', args: ['--help'], stdout: /^Usage: thread show \[options\] <file> <address>\n/ },
  {
    name: 'a position that is not there',
    args: ['chat.jsonl', '4'],
    code: 1,
    stderr: 'thread: chat.jsonl: no message at position 4\n  hint: positions here: 0 to 3\n',
  },
  {
    name: 'a part that is not there',
    args: ['chat.jsonl', '2.1', '--json'],
    code: 1,
    stderr: 'thread: chat.jsonl: no part 2.1\n  hint: the parts of 2: 2.0 result of search (c1)\n',
  },
  {
    name: 'an id that nothing has',
    args: ['chat.jsonl', 'x\u001b'],
    code: 1,
    stderr:
      'thread: chat.jsonl: nothing has the id "x\\u001b"\n  hint: positions here: 0 to 3; a part such as 2.0; a call id such as c1; a chunk id such as tide-1\n',
  },
  {
    name: 'an empty file',
    args: ['empty.jsonl', '0'],
    code: 1,
    stderr: 'thread: empty.jsonl: it has no messages\n',
  },
  {
    name: 'several conversations and none chosen',
    args: ['rows.jsonl', '0.0'],
    code: 2,
    stderr:
      'thread: rows.jsonl: it holds 2 conversations, 0 to 1\n  hint: name the one that is meant with --conversation ID\n',
  },
  {
    name: 'a conversation that is not there',
    args: ['rows.jsonl', '0.0', '--conversation', '2'],
    code: 2,
    stderr: 'thread: rows.jsonl: no conversation 2\n  hint: it holds 2 conversations, 0 to 1\n',
  },
  {
    name: '--conversation is an index or an id',
    args: ['rows.jsonl', '0.0', '--conversation', 'x'],
    code: 2,
    stderr: 'thread: rows.jsonl: no conversation "x"\n  hint: it holds 2 conversations, 0 to 1\n',
  },
  {
    name: 'another format than the file’s',
    args: ['chat.jsonl', '0', '-f', 'pi'],
    code: 2,
    stderr:
      'thread: chat.jsonl: no message of the format pi in it\n  hint: leave --format away to have it detected\n',
  },
  {
    name: 'no address',
    args: ['chat.jsonl'],
    code: 2,
    stderr: "thread: missing required argument 'address'\n",
  },
  {
    name: 'a terminal on stdin: help',
    args: ['-', '0'],
    isTerminal: true,
    code: 2,
    stderr:
      /^Usage: thread show .*\nExamples:\n.*\nthread: no input: name a transcript file, or pipe one in\n$/s,
  },
];

describe('thread show', () => {
  test.each(cases)('$name', (one) => expectCase('show', one, folder.path));

  test('--help fits a screen', () => expectHelpFits('show', { rows: 32, columns: 102 }));

  test.each(['0', '2.0', '1.0', 'tide-1', 'c1'])('--json of %s is as its schema says', async (address) => {
    const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/show.schema.json'), 'utf8'));
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
    const { stdout } = await runCommand(['show', 'chat.jsonl', address, '--json'], { cwd: folder.path });
    validate(JSON.parse(stdout));
    expect(validate.errors).toBeNull();
  });
});

/** A receipt's last line, or the last line of the receipt behind a capsule. */
const ADDRESS = /^thread show FILE (?:--conversation \d+ )?(\S+)$/gm;

/** All messages of a source's conversations, read once: every receipt asks for one of them. */
function conversationsIn(source: ByteSource): { conversation: Conversation; messages: Message[] }[] {
  const transcript = openTranscript(source, { lenient: false, isForeign: () => false });
  if (transcript === undefined) return [];
  return [...readConversations(transcript)].map((read) => {
    const entries = [...read.entries()];
    const conversation = { ...read, entries: () => entries };
    return { conversation, messages: [...readMessages(conversation)] };
  });
}

function payload(messages: readonly Message[], position: number, part: number): string {
  const found = messages[position]?.parts[part];
  return found?.kind === 'tool-result' ? resultText(found) : '';
}

interface Receipt {
  readonly conversation: number;
  /** Where the receipt stands, and what its address names. */
  readonly position: number;
  readonly part: number;
  readonly address: string | undefined;
  /** Of the payload that it replaced, by the report. */
  readonly sha256: string | null;
}

async function receiptsOf(bytes: Uint8Array): Promise<Receipt[]> {
  const source = memorySource('x', bytes);
  const compacted = await compactTranscript(source, { allowUncited: true, copies: false, lenient: false });
  const tally = createTally(compacted, createHash);
  const pieces: Buffer[] = [];
  for (const piece of editedPieces(source, compacted.edits, compacted.style)) {
    tally.see(piece);
    pieces.push(Buffer.from(piece.bytes));
  }
  const output = conversationsIn(memorySource('y', Buffer.concat(pieces)));
  return compactReport(source, compacted, tally).conversations.flatMap(({ conversation, returns }) =>
    returns
      .filter(({ outcome }) => outcome !== 'kept')
      .map(({ position, part, sha256 }) => {
        const text = payload(output[conversation]?.messages ?? [], position, part);
        return { conversation, position, part, address: [...text.matchAll(ADDRESS)].at(-1)?.[1], sha256 };
      }),
  );
}

describe('receipts', () => {
  test.each(['support.jsonl', 'session.claude.jsonl', 'request.anthropic.json', 'history.pydantic-ai.json'])(
    'of %s lead back to the original',
    async (name) => {
      const file = join(ROOT, 'fixtures', name);
      const [original] = conversationsIn(memorySource(name, readFileSync(file)));
      const receipts = await receiptsOf(readFileSync(file));
      expect(receipts.length).toBeGreaterThan(0);
      for (const { position, part, address = '', sha256 } of receipts) {
        const text = payload(original?.messages ?? [], position, part);
        expect(await runCommand(['show', file, address])).toMatchObject({
          code: 0,
          stdout: text,
          stderr: '',
        });
        const { stdout } = await runCommand(['show', file, address, '--json']);
        expect(JSON.parse(stdout)).toMatchObject({ position, part, sha256, text });
      }
    },
  );
});

const transcripts = corpusFiles(FORMATS.map(({ name }) => name));

describe.skipIf(isCorpusMissing)(CORPUS, () => {
  test('has transcripts', () => expect(transcripts.length).toBeGreaterThan(0));

  test.each(transcripts)('the receipts of %s lead back to the original', async (name) => {
    const bytes = readCorpusFile(name);
    const originals = conversationsIn(memorySource(name, bytes));
    for (const { conversation, position, part, address = '', sha256 } of await receiptsOf(bytes)) {
      const original = originals[conversation];
      if (original === undefined) throw new Error(`no conversation ${conversation}`);
      const text = payload(original.messages, position, part);
      expect(findOriginal(original.conversation, parseAddress(address))).toMatchObject({
        position,
        part,
        sha256,
        text,
      });
    }
  });
});
