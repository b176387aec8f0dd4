import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import headless from '@xterm/headless';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answer, ask, line } from '../chat-lines.js';
import { behaviours, type OllamaServer, startOllamaServer } from '../query/planners/ollama-server.js';
import { type Folder, makeFolder } from './folder.js';
import { ROOT } from './run.js';

const COLUMNS = 120;
/** Told of in the title of what is skipped. */
const hasScript = spawnSync('script', ['--version']).status === 0;
const where = `on a pseudo-terminal${hasScript ? '' : ' (skipped: no `script` of util-linux here)'}`;

/** What a text may try to do to a terminal. */
const HOSTILE: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'sets the title', text: '\u001b]0;owned\u0007' },
  { name: 'sets the title as C1', text: '\u009d0;owned\u009c' },
  { name: 'writes the clipboard', text: '\u001b]52;c;b3duZWQ=\u0007' },
  { name: 'clears the screen', text: '\u001b[2J\u001b[H' },
  { name: 'clears it as C1', text: '\u009b2J\u009bH' },
  { name: 'moves up and writes over', text: '\u001b[3A\rthread: all is well\u001b[K' },
  { name: 'goes back in its line', text: 'secret\rthread: all is well' },
  { name: 'rubs out', text: 'secret\b\b\b\b\b\bpublic' },
  { name: 'changes screens', text: '\u001b[?1049h' },
  { name: 'hides the cursor and itself', text: '\u001b[?25l\u001b[8mhidden' },
  { name: 'asks the terminal to answer', text: '\u001b[6n\u001b[c\u0005' },
  { name: 'rings', text: '\u0007\u0007' },
  { name: 'resets', text: '\u001bc\u001b[!p' },
  { name: 'links elsewhere', text: '\u001b]8;;http://evil.example\u0007here\u001b]8;;\u0007' },
  { name: 'turns the direction', text: '\u202egnp.exe\u2066\u200f' },
  { name: 'takes no place', text: 'a\u200b\u2060\ufeffb\u{e0041}\u{e0042}' },
  { name: 'separates lines', text: 'one\u2028thread: warning: forged\u2029two' },
];

/** Lines that look like ours: the summary, a warning, a hint, the heading of a passage. */
const FORGED = '\nthread: warning: forged\nthread: all is well\n  hint: forged\nforged.jsonl#3.0 operator\n';
const all = HOSTILE.map(({ text }) => text).join(' ') + FORGED;
/** As a file's name, which has no more than 255 bytes and no `/`. */
const NAME = `named${HOSTILE[0]?.text ?? ''}${FORGED}`;
const OPTION = `--opt${HOSTILE[0]?.text ?? ''}${FORGED}`;

/** The same text in the places that commands print: words, names, ids, arguments. */
function transcriptOf(text: string): string {
  const id = `c1${text}`;
  const tool = `search${text}`;
  return [
    ask(`Where is the pump ${text}?`),
    line({
      role: 'assistant',
      content: null,
      tool_calls: [
        { id, type: 'function', function: { name: tool, arguments: JSON.stringify({ q: text }) } },
      ],
    }),
    line({
      role: 'tool',
      tool_call_id: id,
      content: `[doc-1${text}] Source: "Pump ${text}" (a.md)\n${`The pump ${text} is in bay 4. `.repeat(8)}`,
    }),
    answer(`It is in bay 4 ${text} [doc-1${text}].`),
    ask(`And what is its code ${text}?`),
  ].join('');
}

let folder: Folder;
let server: OllamaServer;

beforeAll(async () => {
  server = await startOllamaServer();
  folder = makeFolder({
    'chat.jsonl': transcriptOf(all),
    'plain.jsonl': transcriptOf(''),
    [`${NAME}.jsonl`]: transcriptOf(''),
    [`${NAME}.case.json`]: JSON.stringify({ version: 1, args: ['show', 'chat.jsonl', all] }),
    'plan.json': JSON.stringify({
      mode: all,
      time: 'unspecified',
      termIds: [all],
      basis: [{ message: 0, quote: all }],
    }),
    'cut.json': `{"mode": "${all}`,
    'broken.jsonl': `${transcriptOf('')}{"role":"${all}"`,
    'ledger.jsonl': line({
      type: 'capability',
      capability: `rag${all}`,
      tool_names: [`search${all}`],
      question: 90,
    }),
  });
});

afterAll(async () => {
  folder?.remove();
  await server?.stop();
});

const COMMANDS: readonly string[] = [
  'show chat.jsonl 0',
  'show chat.jsonl 2.0',
  'show chat.jsonl 1',
  'show chat.jsonl 9',
  'resolve chat.jsonl --explain',
  'resolve chat.jsonl --text',
  'recall chat.jsonl --terms pump',
  'diff plain.jsonl chat.jsonl',
  'diff --stat plain.jsonl chat.jsonl',
  'compact chat.jsonl --diff',
  'compact chat.jsonl --ledger ledger.jsonl -o /dev/null',
  'compact chat.jsonl --budget 1 -o /dev/null',
  'anaphora chat.jsonl --table',
  'ledger chat.jsonl --explain',
  'ledger chat.jsonl --status',
  'verify plain.jsonl chat.jsonl',
  'verify --pairs chat.jsonl',
  'formats chat.jsonl',
  'formats broken.jsonl',
  'compact broken.jsonl',
  `compact '${NAME}.jsonl' -o /dev/null`,
  `compact '${NAME}.nowhere'`,
  `compact -q '${NAME}.jsonl' --ledger '${NAME}.case.json'`,
  `recall '${NAME}.jsonl' '${NAME}.case.json' --terms pump`,
  `formats '${NAME}.jsonl' '${NAME}.case.json'`,
  `verify '${NAME}.jsonl' chat.jsonl`,
  `diff '${NAME}.jsonl' chat.jsonl`,
  `check '${NAME}.case.json'`,
  `check '${NAME}.case.json' --reporter github`,
  `show chat.jsonl '${OPTION}'`,
  `show chat.jsonl -- '${OPTION}'`,
  `show chat.jsonl 0 --conversation='${OPTION}'`,
  `show chat.jsonl 0 '${OPTION}'`,
  `'${OPTION}'`,
  `compact chat.jsonl --format='${OPTION}'`,
  'compact -q chat.jsonl',
  'compact -q chat.jsonl -o /dev/stdout',
  'compact chat.jsonl --report - -o /dev/null',
  'convert plain.jsonl --to anthropic-messages --lossy',
  'convert chat.jsonl --to anthropic-messages --lossy',
  'convert chat.jsonl --to anthropic-messages',
  'anaphora chat.jsonl --apply',
  'anaphora chat.jsonl --json --pack x',
  'show chat.jsonl 0 --json',
  'recall chat.jsonl --terms pump --json',
  'ledger chat.jsonl',
  'resolve chat.jsonl',
  'diff --json plain.jsonl chat.jsonl',
  'verify --json plain.jsonl chat.jsonl',
  'formats --json chat.jsonl',
  'resolve chat.jsonl --plan plan.json --explain',
  'resolve chat.jsonl --plan cut.json --text',
  'resolve chat.jsonl --planner ollama --model m --explain',
  'resolve chat.jsonl --planner ollama --model m --fallback none',
];

interface Screen {
  readonly bytes: string;
  readonly lines: readonly string[];
  /** The lines without those that go on with a line that is too long for the terminal. */
  readonly begun: readonly string[];
  readonly events: readonly string[];
}

async function onTerminal(command: string): Promise<Screen> {
  return screenOf(await printed(command));
}

async function printed(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'bash',
    [
      '-c',
      `script -qc "$1" /dev/null < /dev/null || true`,
      'x',
      `stty cols ${COLUMNS}; ${process.execPath} ${ROOT}/bin/thread.js ${command}`,
    ],
    {
      cwd: folder.path,
      env: { ...process.env, TERM: 'xterm-256color', OLLAMA_HOST: server.host },
      maxBuffer: 1 << 26,
    },
  );
  return stdout;
}

async function screenOf(bytes: string): Promise<Screen> {
  const terminal = new headless.Terminal({
    cols: COLUMNS,
    rows: 50,
    scrollback: 100_000,
    allowProposedApi: true,
  });
  const events: string[] = [];
  terminal.onTitleChange((title) => events.push(`title ${title}`));
  terminal.onBell(() => events.push('bell'));
  terminal.onData((data) => events.push(`answer ${JSON.stringify(data)}`));
  for (const code of [8, 52]) terminal.parser.registerOscHandler(code, () => events.push(`osc ${code}`) > 0);
  terminal.buffer.onBufferChange(() => events.push('other screen'));
  await new Promise<void>((done) => terminal.write(bytes, done));
  const { length } = terminal.buffer.active;
  const lines = Array.from(
    { length },
    (_, i) => terminal.buffer.active.getLine(i)?.translateToString(true) ?? '',
  );
  const begun = lines.filter((_, i) => terminal.buffer.active.getLine(i)?.isWrapped !== true);
  return { bytes, lines, begun, events };
}

/** All that our own output does to a terminal: colours, and the end of a line. */
const ESCAPE = '\u001b';
const COLOUR = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');
const OURS = new RegExp(`${COLOUR.source}|\\r?\\n|\\t`, 'g');
const CONTROLS = new RegExp(
  [
    '[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]',
    '[\\u{e0000}-\\u{e007f}]',
  ].join('|'),
  'u',
);

describe.skipIf(!hasScript)(where, () => {
  const titled = COMMANDS.map((command) => [JSON.stringify(command), command] as const);
  test.each(titled)('thread %s does nothing but print', async (_, command) => {
    server.behave(behaviours.error(500, all));
    await expectPrints(command);
  });

  test.each([
    ['an answer', behaviours.streamed([all])],
    ['an error in an answer', behaviours.errorInStream(all)],
    ['a page', behaviours.page(all)],
    ['a status', behaviours.status(404, all)],
  ])('%s of a model server does nothing but print', async (_, behaviour) => {
    server.behave(behaviour);
    await expectPrints('resolve chat.jsonl --planner ollama --model m --explain');
  });
});

async function expectPrints(command: string): Promise<void> {
  const { bytes, lines, begun, events } = await onTerminal(command);
  expect(events).toStrictEqual([]);
  expect(CONTROLS.exec(bytes.replace(OURS, ''))).toBeNull();
  // As many lines as there were line ends, each where it was written: nothing was moved or written over.
  const written = bytes.replace(COLOUR, '').split(/\r?\n/);
  const shown = lines.join('\n');
  for (const text of written.filter((one) => one !== '' && one.length <= COLUMNS / 2 && !one.includes('\t')))
    expect(shown).toContain(text.trimEnd());
  expect(bytes).not.toBe('');
  for (const forged of FORGED.split('\n').filter((one) => one !== ''))
    expect(begun.filter((text) => text.startsWith(forged))).toStrictEqual([]);
}

test.each(HOSTILE)('what would be noticed: a text that $name', ({ text }) => {
  expect(CONTROLS.test(text.replace(OURS, ''))).toBe(true);
});

test.each([
  { name: 'a title', bytes: '\u001b]0;owned\u0007', event: 'title owned' },
  { name: 'the clipboard', bytes: '\u001b]52;c;b3duZWQ=\u0007', event: 'osc 52' },
  { name: 'a link', bytes: '\u001b]8;;http://a.example\u0007', event: 'osc 8' },
  { name: 'a bell', bytes: '\u0007', event: 'bell' },
  { name: 'another screen', bytes: '\u001b[?1049h', event: 'other screen' },
  { name: 'a question to the terminal', bytes: '\u001b[6n', event: 'answer "\\u001b[1;1R"' },
])('the emulator tells of $name', async ({ bytes, event }) => {
  expect((await screenOf(bytes)).events).toStrictEqual([event]);
});
