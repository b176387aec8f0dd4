import { lstatSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answer, ask, call, line, result } from '../chat-lines.js';
import type { Case } from './case.js';
import { type Folder, makeFolder } from './folder.js';
import { runCommand } from './run.js';

const TIDE_TEXT =
  'High water at the north pier comes 40 minutes after high water at the lock, and half a metre lower in a neap week.';
const TIDES = `[tide-1] Source: "Tide tables" (kb/tides.md)\n${TIDE_TEXT}`;
const LOCK =
  '[lock-1] Source: "Lock book" (kb/lock.md)\nHigh water at the lock comes with the moon due south; the keeper writes it on the board at the gate each morning.';

const RECEIPT =
  '[Evidence retrieved for an earlier question, no longer shown. It does not count as cited for the current question.]';
/** The receipt where the ledger is derived. */
const UNSHOWN = '[Earlier evidence, no longer shown; not cited now.]';
const unshown = (address: string): string => `${UNSHOWN}\nthread show FILE ${address}`;
const CAPSULE = `[Evidence cited earlier in this conversation, kept so later questions can rely on it. Cite these chunk_ids directly when you use them.]

[Cited evidence group 1]

`;

const pier = ask('When is high water at the pier?') + call('c1');
const pierAnswer = answer('40 minutes after the lock [tide-1].');
const lock = ask('And at the lock?') + call('c2');

const chat = pier + result('c1', TIDES) + pierAnswer + ask('And at the lock?');
/** The current question has searched, and not answered yet. */
const midRun = pier + result('c1', TIDES) + pierAnswer + lock + result('c2', LOCK);
const uncited = pier + result('c1', TIDES) + lock + result('c2', LOCK) + ask('Thanks!');

const ledgerOf = (text: string): string =>
  line({ type: 'capability', capability: 'tides', tool_names: ['search'], question: 4, in_progress: true }) +
  line({
    type: 'evidence',
    capability: 'tides',
    chunk_id: 'tide-1',
    document_uri: 'ledger',
    content: text,
    retrieved_in_questions: [0],
    cited_in_questions: [0],
  });
/** The same ledger as a host's state object. */
const stateOf = (content: string): string =>
  line({
    tides: {
      tool_names: ['search'],
      citation_index: { 'tide-1': { document_uri: 'ledger', content } },
      evidence: {
        question: 4,
        in_progress: true,
        occurrences: { 'tide-1': { retrieved_in_questions: [0], cited_in_questions: [0] } },
      },
    },
  });
const capsuleOf = (text: string): string => `${CAPSULE}[tide-1] Source: ledger\n${text}`;
const withPayload = (payload: string): string =>
  pier + result('c1', payload) + pierAnswer + ask('And at the lock?');

/** Behind the records that are parsed to find the format: a word that no JSON has, in a record that nothing changes. */
const looseTail = `${ask('Hello?').repeat(60)}{"role":"assistant","content":"x","more":[tru]}\n`;

const files: Readonly<Record<string, string | Uint8Array>> = {
  'chat.jsonl': chat,
  'kept.jsonl': chat,
  'kept.ledger.jsonl': ledgerOf('From the ledger beside it.'),
  'other.ledger.jsonl': ledgerOf('From another ledger.'),
  'mid-run.jsonl': midRun,
  'uncited.jsonl': uncited,
  'cut.jsonl': `${chat}{"role":"assi`,
  'broken.jsonl': `${ask('Hello?')}{"role":"assistant" "content":"x"}\n${ask('Hello?')}`,
  'loose.jsonl': `${chat}${looseTail}`,
  'empty.jsonl': '',
  'blank.jsonl': '\n \r\n',
  'none.json': '[]',
  'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'orders.jsonl': '{"order":1}\n{"order":2}\n',
  'rows.jsonl': line({
    messages: chat
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one)),
  }).repeat(2),
  'names.ledger.jsonl': '{"type":"capability","capability":"tides","tool_names":"search","question":4}\n',
  'numbers.ledger.jsonl': `${ledgerOf('x')}{"type":"evidence","capability":"tides","chunk_id":"t2","cited_in_questions":[0,"4"]}\n`,
  'content.ledger.jsonl': '\n{"type":"evidence","capability":"tides","chunk_id":"t2","content":5}\n',
  'kind.ledger.jsonl': '{"type":"chunk"}\n',
  'ahead.ledger.jsonl': '{"type":"capability","capability":"tides","tool_names":["search"],"question":40}\n',
  'garbled.ledger.jsonl': Buffer.from(
    '{"type":"capability","capability":"tides","tool_names":["search"]}\n{"type":"evidence","chunk_id":"t\xff"}\n',
    'latin1',
  ),
  'lost.ledger.jsonl': '{"type":"capability","capability":"tides","tool_names":["search"]}\n',
};

const formats = `
  claude-code: lines with \`type\`, \`sessionId\`, \`uuid\` and \`parentUuid\`, or a session bookkeeping line
  codex: lines with \`timestamp\`, \`type\` such as response_item and \`payload\`, or a header with \`id\`, \`timestamp\` and \`instructions\`
  pi: a line of \`type\` session with \`cwd\`, then lines with \`type\` message and a \`message\` with its \`role\`
  pydantic-ai: an array of objects with \`kind\` request or response and \`parts[].part_kind\`
  openai-chat: objects with \`role\` and \`content\` or \`tool_calls\`: one a line, in an array, or under \`messages\`
  anthropic-messages: \`role\` user or assistant with content blocks such as tool_use, tool_result, thinking, document
  openai-responses: items with \`type\` such as function_call, function_call_output, reasoning, or \`output_text\` in messages
  vercel-ai: \`role\` with \`parts\` of a \`type\` (text, step-start, tool-NAME), or \`content\` with tool-call or tool-result parts
  opencode: an object with \`info.id\` beginning ses_ and \`messages\`, each with \`info\` and \`parts\`
  gemini-cli: an object or first line with \`sessionId\` and \`projectHash\`, messages with \`id\` and \`type\` user or gemini
  google-genai: \`role\` user or model with \`parts\` that have no \`type\`: text, functionCall, functionResponse
  langchain: objects with \`type\` human or ai and \`data\`, or with \`lc\`, \`id\` and \`kwargs\`, or with \`type\` and \`content\`
  openhands: events with \`action\` and \`args\` or \`observation\` and \`extras\`, or with \`source\` and a \`kind\` like ActionEvent
  swe-agent: messages with \`role\` and \`agent\` under \`history\`, or with \`extra\`, \`<returncode>\` or a mswea_bash_command block
  sharegpt: objects with \`conversations\`, a list of \`from\` (human, gpt, …) and \`value\`
  cohere: messages with \`tool_plan\`, \`citations\` with \`sources\`, or document blocks; or a response with a \`message\` and \`finish_reason\`
`;

const compacted = withPayload(`${CAPSULE}${TIDES}\n\n${unshown('2.0')}`);
const chatSummary =
  'thread: 5 messages, 1 evidence return below the boundary, 1 chunk kept, 512 -> 756 bytes\n';

const done: readonly Case[] = [
  { name: 'a file, with a summary on stderr', args: ['chat.jsonl'], stdout: compacted, stderr: chatSummary },
  { name: '-q says nothing', args: ['chat.jsonl', '-q'], stdout: compacted },
  { name: '--quiet says nothing', args: ['chat.jsonl', '--quiet'], stdout: compacted },
  { name: '- is stdin', args: ['-', '-q'], stdin: chat, stdout: compacted },
  { name: 'no argument is stdin', args: ['-q'], stdin: chat, stdout: compacted },
  {
    name: 'a file is read although stdin is a terminal',
    args: ['chat.jsonl', '-q'],
    isTerminal: true,
    stdout: compacted,
  },
  { name: '-f names the format', args: ['chat.jsonl', '-q', '-f', 'openai-chat'], stdout: compacted },
  { name: '--format names it too', args: ['chat.jsonl', '-q', '--format=openai-chat'], stdout: compacted },
  { name: '-o - is stdout', args: ['chat.jsonl', '-q', '-o', '-'], stdout: compacted },
  {
    name: 'an empty file stays empty',
    args: ['empty.jsonl'],
    stderr: 'thread: no messages, nothing to compact\n',
  },
  {
    name: 'blank lines stay',
    args: ['blank.jsonl'],
    stdout: '\n \r\n',
    stderr: 'thread: no messages, nothing to compact\n',
  },
  {
    name: 'an empty array stays',
    args: ['none.json'],
    stdout: '[]',
    stderr: 'thread: no messages, nothing to compact\n',
  },
  {
    name: '--ledger says what was cited',
    args: ['chat.jsonl', '-q', '--ledger', 'other.ledger.jsonl'],
    stdout: withPayload(capsuleOf('From another ledger.')),
  },
  {
    name: 'a ledger beside the transcript is found',
    args: ['kept.jsonl', '-q'],
    stdout: withPayload(capsuleOf('From the ledger beside it.')),
  },
  {
    name: '--ledger wins over the one beside the transcript',
    args: ['kept.jsonl', '-q', '--ledger', 'other.ledger.jsonl'],
    stdout: withPayload(capsuleOf('From another ledger.')),
  },
  {
    name: 'ledger lines in the stream count, and pass through',
    args: ['-q'],
    stdin: chat + ledgerOf('From the stream.'),
    stdout: withPayload(capsuleOf('From the stream.')) + ledgerOf('From the stream.'),
  },
  {
    name: 'ledger lines may stand before the transcript',
    args: ['-q'],
    stdin: ledgerOf('From the stream.') + chat,
    stdout: ledgerOf('From the stream.') + withPayload(capsuleOf('From the stream.')),
  },
  {
    name: '--ledger wins over ledger lines in the stream',
    args: ['-q', '--ledger', 'other.ledger.jsonl'],
    stdin: chat + ledgerOf('From the stream.'),
    stdout: withPayload(capsuleOf('From another ledger.')) + ledgerOf('From the stream.'),
  },
  {
    name: 'evidence of the current question stays where it is',
    args: ['mid-run.jsonl', '-q'],
    stdout:
      pier + result('c1', `${CAPSULE}${TIDES}\n\n${unshown('2.0')}`) + pierAnswer + lock + result('c2', LOCK),
  },
  {
    name: '--boundary at the end compacts the current question too',
    args: ['mid-run.jsonl', '-q', '--boundary', '7'],
    stdout:
      pier +
      result('c1', unshown('2.0')) +
      pierAnswer +
      lock +
      result('c2', `${CAPSULE}${TIDES}\n\n${unshown('6.0')}`),
  },
  {
    name: '--boundary on a return keeps that return',
    args: ['mid-run.jsonl', '-q', '--boundary', '6'],
    stdout:
      pier + result('c1', `${CAPSULE}${TIDES}\n\n${unshown('2.0')}`) + pierAnswer + lock + result('c2', LOCK),
  },
  { name: '--boundary 0 changes nothing', args: ['mid-run.jsonl', '-q', '--boundary', '0'], stdout: midRun },
  {
    name: '--allow-uncited drops evidence that nothing cites',
    args: ['uncited.jsonl', '-q', '--allow-uncited'],
    stdout: pier + result('c1', unshown('2.0')) + lock + result('c2', unshown('5.0')) + ask('Thanks!'),
  },
  {
    name: '--recent leaves the newest earlier evidence where it is',
    args: ['mid-run.jsonl', '-q', '--boundary', '7', '--recent', '60'],
    stdout:
      pier + result('c1', `${CAPSULE}${TIDES}\n\n${unshown('2.0')}`) + pierAnswer + lock + result('c2', LOCK),
  },
  {
    name: '--recent with room for all changes nothing',
    args: ['chat.jsonl', '-q', '--recent', '1000'],
    stdout: chat,
  },
  {
    name: '--recent with room for all drops nothing, so nothing needs to be cited',
    args: ['uncited.jsonl', '-q', '--recent', '1000'],
    stdout: uncited,
  },
  {
    name: '--recent with a given ledger',
    args: ['mid-run.jsonl', '-q', '--ledger', 'other.ledger.jsonl', '--boundary', '7', '--recent', '60'],
    stdout: pier + result('c1', capsuleOf('From another ledger.')) + pierAnswer + lock + result('c2', LOCK),
  },
  {
    name: '--budget with room changes nothing',
    args: ['chat.jsonl', '-q', '--budget', '1000'],
    stdout: compacted,
  },
  {
    name: '--budget gives up what does not fit, and says what',
    args: ['chat.jsonl', '-q', '--budget', '40'],
    stdout: withPayload(unshown('2.0')),
    stderr: 'thread: warning: given up for the budget: 1 chunk cited by question 0: [tide-1]\n',
  },
  {
    name: 'receipts of a given ledger are the pinned text',
    args: ['mid-run.jsonl', '-q', '--ledger', 'other.ledger.jsonl', '--boundary', '7'],
    stdout:
      pier + result('c1', RECEIPT) + pierAnswer + lock + result('c2', capsuleOf('From another ledger.')),
  },
  {
    name: '--addresses puts the address behind them',
    args: ['mid-run.jsonl', '-q', '--ledger', 'other.ledger.jsonl', '--boundary', '7', '--addresses'],
    stdout:
      pier +
      result('c1', `${RECEIPT}\nthread show FILE 2.0`) +
      pierAnswer +
      lock +
      result('c2', capsuleOf('From another ledger.')),
  },
  {
    name: '--no-addresses leaves them away where the ledger is derived',
    args: ['mid-run.jsonl', '-q', '--boundary', '7', '--no-addresses'],
    stdout:
      pier + result('c1', UNSHOWN) + pierAnswer + lock + result('c2', `${CAPSULE}${TIDES}\n\n${UNSHOWN}`),
  },
  {
    name: '--lenient passes over a cut last line',
    args: ['cut.jsonl', '--lenient'],
    stdout: `${compacted}{"role":"assi`,
    stderr: `thread: warning: cut.jsonl:6: the last line is cut; passed through as it is\n${chatSummary.replace('512 -> 756', '525 -> 769')}`,
  },
  {
    name: 'a given ledger, and a record that needs no rewriting: only its structure is checked',
    args: ['loose.jsonl', '-q', '--ledger', 'other.ledger.jsonl'],
    stdout: withPayload(capsuleOf('From another ledger.')) + looseTail,
  },
  {
    name: '-q does not hide a warning',
    args: ['cut.jsonl', '--lenient', '-q'],
    stdout: `${compacted}{"role":"assi`,
    stderr: 'thread: warning: cut.jsonl:6: the last line is cut; passed through as it is\n',
  },
  { name: '--help', args: ['--help'], stdout: /^Usage: thread compact \[options\] \[file\]\n/ },
  {
    name: 'a state object behind the transcript is its ledger',
    args: ['-q'],
    stdin: chat + stateOf('From the state.'),
    stdout: withPayload(capsuleOf('From the state.')) + stateOf('From the state.'),
  },
  {
    name: 'a state object before the transcript is its ledger',
    args: ['-q'],
    stdin: stateOf('From the state.') + chat,
    stdout: stateOf('From the state.') + withPayload(capsuleOf('From the state.')),
  },
];

const refused: readonly Case[] = [
  {
    name: 'a missing file',
    args: ['nope.jsonl'],
    code: 2,
    stderr: 'thread: nope.jsonl: cannot read: no such file or directory\n',
  },
  {
    name: 'a name with an escape sequence is shown, not obeyed',
    args: ['\u001b[2Jnope.jsonl'],
    code: 2,
    stderr: 'thread: \\x1b[2Jnope.jsonl: cannot read: no such file or directory\n',
  },
  {
    name: 'a directory',
    args: ['folder'],
    code: 2,
    stderr: 'thread: folder: cannot read: it is a directory\n',
  },
  {
    name: 'a binary file',
    args: ['picture.png'],
    code: 2,
    stderr: 'thread: picture.png:1:1: not UTF-8 text\n  hint: is this a binary file?\n',
  },
  {
    name: 'a line that is not JSON',
    args: ['broken.jsonl'],
    code: 2,
    stderr: 'thread: broken.jsonl:2:21: not JSON: a comma or } is missing\n',
  },
  {
    name: 'a cut last line',
    args: ['cut.jsonl'],
    code: 2,
    stderr:
      'thread: cut.jsonl:6:9: not JSON: a string is not closed\n  hint: a file that is still being written? add --lenient\n',
  },
  {
    name: '--strict parses every record',
    args: ['loose.jsonl', '--strict', '--ledger', 'other.ledger.jsonl'],
    code: 2,
    stderr: 'thread: loose.jsonl:66:43: not JSON: not a JSON value\n',
  },
  {
    name: 'without a ledger every record is parsed',
    args: ['loose.jsonl'],
    code: 2,
    stderr: 'thread: loose.jsonl:66:43: not JSON: not a JSON value\n',
  },
  {
    name: 'a broken line that is not the last, although --lenient',
    args: ['broken.jsonl', '--lenient'],
    code: 2,
    stderr: 'thread: broken.jsonl:2:21: not JSON: a comma or } is missing\n',
  },
  {
    name: 'broken text on stdin',
    args: ['-'],
    stdin: 'hello',
    code: 2,
    stderr: 'thread: <stdin>:1:1: not JSON: not a JSON value\n',
  },
  {
    name: 'a terminal on stdin: help',
    args: [],
    isTerminal: true,
    code: 2,
    stderr:
      /^Usage: thread compact .*\nExamples:\n.*\nthread: no input: name a transcript file, or pipe one in\n$/s,
  },
  {
    name: 'an unknown option',
    args: ['chat.jsonl', '--boundry', '3'],
    code: 2,
    stderr: "thread: unknown option '--boundry'\n(Did you mean --boundary?)\n",
  },
  {
    name: 'an option without its value',
    args: ['chat.jsonl', '--ledger'],
    code: 2,
    stderr: "thread: option '--ledger <file>' argument missing\n",
  },
  {
    name: 'two files',
    args: ['chat.jsonl', 'kept.jsonl'],
    code: 2,
    stderr: "thread: too many arguments for 'compact'. Expected 1 argument but got 2.\n",
  },
  ...['x', '-1', '1.5', ''].map((value) => ({
    name: `--boundary "${value}"`,
    args: ['chat.jsonl', '--boundary', value],
    code: 2,
    stderr: `thread: option '--boundary <position>' argument '${value}' is invalid. a position is a whole number from 0.\n`,
  })),
  ...['--recent', '--budget'].flatMap((option) =>
    ['x', '-1', '1.5', ''].map((value) => ({
      name: `${option} "${value}"`,
      args: ['chat.jsonl', option, value],
      code: 2,
      stderr: `thread: option '${option} <tokens>' argument '${value}' is invalid. tokens are a whole number from 0.\n`,
    })),
  ),
  {
    name: 'an unknown format',
    args: ['chat.jsonl', '--format', 'xml'],
    code: 2,
    stderr:
      'thread: no format "xml"\n  hint: formats: claude-code, codex, pi, pydantic-ai, openai-chat, anthropic-messages, openai-responses, vercel-ai, opencode, gemini-cli, google-genai, langchain, openhands, swe-agent, sharegpt, cohere\n',
  },
  {
    name: 'a file of no known format',
    args: ['orders.jsonl'],
    code: 2,
    stderr: `thread: orders.jsonl:1: not a transcript of a known format; looked for:${formats}  hint: name it with --format if it is one of these\n`,
  },
  {
    name: 'a ledger that is not there',
    args: ['chat.jsonl', '--ledger', 'nope.jsonl'],
    code: 2,
    stderr: 'thread: nope.jsonl: cannot read: no such file or directory\n',
  },
  {
    name: 'a ledger with a text where names belong',
    args: ['chat.jsonl', '--ledger', 'names.ledger.jsonl'],
    code: 2,
    stderr: 'thread: names.ledger.jsonl:1: capability.tool_names: expected an array, got a string\n',
  },
  {
    name: 'a ledger with a text where a number belongs',
    args: ['chat.jsonl', '--ledger', 'numbers.ledger.jsonl'],
    code: 2,
    stderr:
      'thread: numbers.ledger.jsonl:3: evidence.cited_in_questions[1]: expected a whole number, got a string\n',
  },
  {
    name: 'a ledger with a number where a text belongs',
    args: ['chat.jsonl', '--ledger', 'content.ledger.jsonl'],
    code: 2,
    stderr: 'thread: content.ledger.jsonl:2: evidence.content: expected a string, got 5\n',
  },
  {
    name: 'a ledger line of another kind',
    args: ['chat.jsonl', '--ledger', 'kind.ledger.jsonl'],
    code: 2,
    stderr: 'thread: kind.ledger.jsonl:1: type: expected "capability" or "evidence", got "chunk"\n',
  },
  {
    name: 'a bad ledger line in the stream, by its line there',
    args: [],
    stdin: `${chat}{"type":"capability","capability":"tides","question":"4"}\n`,
    code: 2,
    stderr: 'thread: <stdin>:6: capability.question: expected a whole number, got a string\n',
  },
  {
    name: 'the ledger of a longer transcript',
    args: ['chat.jsonl', '--ledger', 'ahead.ledger.jsonl'],
    code: 2,
    stderr:
      "thread: chat.jsonl: the ledger's tides record stands at message 40, but the transcript has only 5 messages\n  hint: is it the ledger of this transcript? message counts never go back\n",
  },
  {
    name: 'a ledger that is not UTF-8',
    args: ['chat.jsonl', '--ledger', 'garbled.ledger.jsonl'],
    code: 2,
    stderr: 'thread: garbled.ledger.jsonl:2: not UTF-8 text\n',
  },
  {
    name: 'evidence without a record of what was cited',
    args: ['chat.jsonl', '--ledger', 'lost.ledger.jsonl'],
    code: 2,
    stderr:
      /^thread: chat\.jsonl: Evidence compaction found tides evidence from an earlier question but no record/,
  },
  {
    name: 'one ledger for two conversations',
    args: ['rows.jsonl', '--ledger', 'other.ledger.jsonl'],
    code: 2,
    stderr:
      'thread: rows.jsonl: one ledger for a file of 2 conversations\n  hint: its question numbers fit one of them only: name it with --conversation ID, or leave the ledger away to derive one each\n',
  },
  {
    name: 'evidence that nothing cites',
    args: ['uncited.jsonl'],
    code: 2,
    stderr:
      'thread: uncited.jsonl: no citation was found, so nothing of the earlier evidence (2 returned) would be kept\n  hint: give a ledger with --ledger FILE, or add --allow-uncited to drop them\n',
  },
  {
    name: 'a directory as output',
    args: ['chat.jsonl', '-o', 'folder'],
    code: 2,
    stderr: 'thread: cannot write folder: it is a directory\n',
  },
  {
    name: 'an output in a folder that is not there',
    args: ['chat.jsonl', '-o', 'nope/out.jsonl'],
    code: 2,
    stderr: 'thread: cannot write nope/out.jsonl: no such file or directory\n',
  },
  {
    name: 'an output inside a file',
    args: ['chat.jsonl', '-o', 'chat.jsonl/out.jsonl'],
    code: 2,
    stderr: 'thread: cannot write chat.jsonl/out.jsonl: a part of the path is not a directory\n',
  },
  {
    name: 'an output that cannot be made, onto the input',
    args: ['cut.jsonl', '-o', 'cut.jsonl'],
    code: 2,
    stderr: /^thread: cut\.jsonl:6:9: not JSON/,
  },
  {
    name: 'a report that cannot be written: the output is not written either',
    args: ['chat.jsonl', '-o', 'chat.jsonl', '--report', 'nope/report.json'],
    code: 2,
    stderr: 'thread: cannot write nope/report.json: no such file or directory\n',
  },
  {
    name: 'a bad state object in the stream, by its line there',
    args: [],
    stdin: `${chat}{"tides":{"tool_names":"search","citation_index":{}}}\n`,
    code: 2,
    stderr: 'thread: <stdin>:6: tides.tool_names: expected an array, got a string\n',
  },
  {
    name: 'a state object beside ledger lines',
    args: [],
    stdin: chat + ledgerOf('x') + stateOf('y'),
    code: 2,
    stderr:
      'thread: <stdin>:8: a state object is a whole ledger, but there are more ledger lines\n  hint: keep one of them, or name the ledger with --ledger FILE\n',
  },
  {
    name: 'ledger lines behind a document over several lines',
    args: [],
    stdin: `[\n${ask('Hello?')}]\n${ledgerOf('x')}`,
    code: 2,
    stderr:
      'thread: <stdin>:4:1: not JSON: more text after the end of the value\n  hint: a JSON document over several lines stands alone in its file: ledger lines go into another, for --ledger\n',
  },
  {
    name: 'ledger lines before a document over several lines',
    args: [],
    stdin: `${ledgerOf('x')}[\n${ask('Hello?')}]\n`,
    code: 2,
    stderr:
      'thread: <stdin>:3:2: not JSON: an array is not closed\n  hint: a JSON document over several lines stands alone in its file: ledger lines go into another, for --ledger\n',
  },
];

let folder: Folder;
let before: ReadonlyMap<string, string>;

beforeEach(() => {
  folder = makeFolder(files);
  before = folder.contents();
});

afterEach(() => folder.remove());

function compact(args: readonly string[], stdin = '', isTerminal = false) {
  return runCommand(['compact', ...args], { stdin, isTerminal, cwd: folder.path });
}

async function check({ args, stdin, isTerminal, code = 0, stdout = '', stderr = '' }: Case): Promise<void> {
  const outcome = await compact(args, stdin, isTerminal);
  expect(outcome).toMatchObject({ code, stdout: matching(stdout), stderr: matching(stderr) });
  expect(folder.contents()).toStrictEqual(before);
}

function matching(expected: string | RegExp): unknown {
  return typeof expected === 'string' ? expected : expect.stringMatching(expected);
}

describe('writes the transcript and touches no file', () => {
  test.each(done)('$name', check);
});

describe('refuses with exit code 2 and touches no file', () => {
  test.each(refused)('$name', check);
});

/** Those with a ledger beside them need it by name, because standard input has nothing beside it. */
const fixtures: readonly { readonly file: string; readonly args: readonly string[] }[] = [
  { file: 'fixtures/support.jsonl', args: [] },
  { file: 'fixtures/rag.jsonl', args: ['--ledger', 'fixtures/rag.ledger.jsonl'] },
  { file: 'fixtures/session.claude.jsonl', args: [] },
  { file: 'fixtures/session.claude.jsonl', args: ['--copies'] },
  { file: 'fixtures/session.codex.jsonl', args: ['--recent', '0'] },
  { file: 'fixtures/session.codex.jsonl', args: ['--recent', '0', '--copies'] },
  { file: 'fixtures/request.anthropic.json', args: [] },
  { file: 'fixtures/session.openai-responses.json', args: [] },
  { file: 'fixtures/history.pydantic-ai.json', args: [] },
  { file: 'fixtures/coding.jsonl', args: ['--recent', '0'] },
  { file: 'fixtures/coding.jsonl', args: ['--recent', '500'] },
];

describe.each(fixtures)('$file $args', ({ file, args }) => {
  test('gets smaller, and changes no file', async () => {
    const { code, stdout, stderr } = await compact([file, ...args]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^thread: [^\n]* evidence returns below the boundary[^\n]*\n$/);
    expect(stdout.length).toBeLessThan(folder.read(file).length);
    expect(folder.contents()).toStrictEqual(before);
  });

  test('gives the same bytes from stdin', async () => {
    const fromFile = await compact([file, ...args]);
    const fromStdin = await compact(args, folder.read(file));
    expect(fromStdin.stdoutBytes.equals(fromFile.stdoutBytes)).toBe(true);
  });

  test('gives the same bytes when it is compacted again', async () => {
    const once = await compact([file, ...args]);
    const twice = await compact(args, once.stdout);
    expect(twice).toMatchObject({ code: 0, stdout: once.stdout });
  });
});

describe('-o', () => {
  test('writes a new file', async () => {
    expect(await compact(['chat.jsonl', '-o', 'folder/out.jsonl'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: chatSummary,
    });
    expect(folder.contents()).toStrictEqual(sorted([...before, ['folder/out.jsonl', compacted]]));
  });

  test('replaces a file and keeps its mode', async () => {
    folder.write('out.jsonl', 'old', 0o640);
    expect(await compact(['chat.jsonl', '-q', '--output', 'out.jsonl'])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(folder.contents()).toStrictEqual(sorted([...before, ['out.jsonl', compacted]]));
    expect(statSync(join(folder.path, 'out.jsonl')).mode & 0o777).toBe(0o640);
  });

  test('replaces what a link points to and keeps the link', async () => {
    folder.write('folder/target.jsonl', 'old');
    symlinkSync('folder/target.jsonl', join(folder.path, 'link.jsonl'));
    expect(await compact(['chat.jsonl', '-q', '-o', 'link.jsonl'])).toMatchObject({ code: 0, stderr: '' });
    expect(lstatSync(join(folder.path, 'link.jsonl')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(folder.path, 'link.jsonl'))).toBe('folder/target.jsonl');
    expect(folder.read('folder/target.jsonl')).toBe(compacted);
  });

  test('onto the input replaces it', async () => {
    expect(await compact(['chat.jsonl', '-q', '-o', 'chat.jsonl'])).toMatchObject({ code: 0, stderr: '' });
    expect(folder.contents()).toStrictEqual(sorted([...before, ['chat.jsonl', compacted]]));
  });
});

/** Later entries win; keys in the order in which a folder lists them. */
function sorted(entries: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map([...new Map(entries)].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('--report', () => {
  test('goes to a file, beside the transcript and the summary', async () => {
    const outcome = await compact(['chat.jsonl', '--report', 'report.json']);
    expect(outcome).toMatchObject({ code: 0, stdout: compacted, stderr: chatSummary });
    expect(JSON.parse(folder.read('report.json'))).toMatchObject({
      file: 'chat.jsonl',
      format: 'openai-chat',
      bytes: { before: 512, after: 756 },
    });
  });

  test('- goes to stderr, alone', async () => {
    const outcome = await compact(['chat.jsonl', '--report', '-']);
    expect(outcome).toMatchObject({ code: 0, stdout: compacted });
    expect(JSON.parse(outcome.stderr)).toMatchObject({ schema: 'thread/compact-report', version: 1 });
  });

  test('is the same for the same input', async () => {
    const [first, second] = [
      await compact(['chat.jsonl', '--report', '-']),
      await compact(['chat.jsonl', '--report', '-']),
    ];
    expect(second.stderr).toBe(first.stderr);
  });
});

describe('--copies', () => {
  const copiesOf = (text: string): unknown[] =>
    text
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one).toolUseResult)
      .filter((copy) => copy !== undefined);

  test('off, leaves the copies of results as they are', async () => {
    const { stdout } = await compact(['fixtures/session.claude.jsonl', '-q']);
    expect(copiesOf(stdout)).toStrictEqual(copiesOf(folder.read('fixtures/session.claude.jsonl')));
  });

  test('shrinks the long texts in the copies of replaced results only', async () => {
    const { stdout } = await compact(['fixtures/session.claude.jsonl', '-q', '--copies']);
    const [first, offPath, second, current] = copiesOf(stdout);
    expect(first).toMatchObject({
      query: 'lamp protocol timeout',
      numResults: 3,
      results: [
        { id: 'adr-004', path: 'docs/adr/004.md', text: RECEIPT },
        { id: 'adr-009', path: 'docs/adr/009.md', text: RECEIPT },
        { id: 'inv-01', path: 'docs/inventory.md', text: /^Two lamp controllers/ },
      ].map((item) =>
        typeof item.text === 'string' ? item : { ...item, text: expect.stringMatching(item.text) },
      ),
    });
    expect(second).toMatchObject({ results: [{ id: 'run-02', text: RECEIPT }, { id: 'run-05' }] });
    const original = copiesOf(folder.read('fixtures/session.claude.jsonl'));
    expect([offPath, current]).toStrictEqual([original[1], original[3]]);
  });
});

test('--copies shrinks the events that repeat replaced results of Codex, and no others', async () => {
  const args = ['fixtures/session.codex.jsonl', '-q', '--recent', '0'];
  const [plain, shrunk] = [(await compact(args)).stdout, (await compact([...args, '--copies'])).stdout];
  const [input, other] = [plain.split('\n'), shrunk.split('\n')];
  expect(input.flatMap((text, i) => (text === other[i] ? [] : [i + 1]))).toStrictEqual([14, 23]);
  expect(JSON.parse(other[13] ?? '').payload).toMatchObject({
    type: 'exec_command_end',
    command: ['bash', '-lc', 'rg -n trip ramp'],
    stdout: RECEIPT,
    stderr: '',
    aggregated_output: RECEIPT,
    exit_code: 0,
  });
});

test('a shell result of Codex keeps its exit code', async () => {
  const { stdout } = await compact(['fixtures/session.codex.jsonl', '-q', '--recent', '0']);
  const { output } = JSON.parse(stdout.split('\n')[14] ?? '').payload;
  expect(JSON.parse(output)).toStrictEqual({
    output: expect.stringMatching(/^\[Earlier evidence, /),
    metadata: { exit_code: 0, duration_seconds: 0.1 },
  });
});

test('a branch that was taken back stays as it is', async () => {
  const { stdout } = await compact(['fixtures/session.claude.jsonl', '-q']);
  const [input, output] = [folder.read('fixtures/session.claude.jsonl').split('\n'), stdout.split('\n')];
  const changed = input.flatMap((text, i) => (text === output[i] ? [] : [i + 1]));
  expect(changed).toStrictEqual([5, 13]);
});

test('a cited picture goes with the capsule, another one with its result', async () => {
  const { stdout } = await compact(['fixtures/request.anthropic.json', '-q']);
  const pictures = [...stdout.matchAll(/"data": "([^"]*)"/g)].map((match) => match[1]);
  const original = [...folder.read('fixtures/request.anthropic.json').matchAll(/"data": "([^"]*)"/g)];
  expect(pictures).toStrictEqual([original[0]?.[1]]);
  expect(stdout).toContain('for cited evidence [plate-3] (#/pictures/0). Not provided by the user.');
});
