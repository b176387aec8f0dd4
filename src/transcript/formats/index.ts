import { anthropicMessages } from './anthropic-messages.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { cohere } from './cohere.js';
import type { Format } from './format.js';
import { geminiCli } from './gemini-cli.js';
import { googleGenai } from './google-genai.js';
import { langchain } from './langchain.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { opencode } from './opencode.js';
import { openhands } from './openhands.js';
import { pi } from './pi.js';
import { pydanticAi } from './pydantic-ai.js';
import { sharegpt } from './sharegpt.js';
import { sweAgent } from './swe-agent.js';
import { field } from './values.js';
import { vercelAi } from './vercel-ai.js';

/** Every format that is read, in the order in which a tie in detection is decided. */
export const FORMATS: readonly Format[] = [
  claudeCode,
  codex,
  pi,
  pydanticAi,
  openaiChat,
  anthropicMessages,
  openaiResponses,
  vercelAi,
  opencode,
  geminiCli,
  googleGenai,
  langchain,
  openhands,
  sweAgent,
  sharegpt,
  cohere,
];

/** How a format was recognised. */
export interface Detection {
  readonly format: Format;
  /** Index, among the values looked at, of the one that speaks for it most. */
  readonly decidedBy: number;
  /** From 0.5 (another format fits as well) to 1 (no other fits at all). */
  readonly confidence: number;
  /** Nothing in the values tells the format from another one: text alone is the same in several. */
  readonly isTie: boolean;
}

const ENTRIES_LOOKED_AT = 50;

/**
 * Recognises the format of a transcript by the first values of its input (formats.md section 18): what each format
 * gives for them is added up, counting the first entries inside a value that holds whole conversations, or all of them
 * when the first tell nothing.
 */
export function detectFormat(values: readonly unknown[]): Detection | undefined {
  const detection = detectIn(values, ENTRIES_LOOKED_AT);
  return detection?.isTie ? detectIn(values, Number.POSITIVE_INFINITY) : detection;
}

function detectIn(values: readonly unknown[], entries: number): Detection | undefined {
  let best: (Omit<Detection, 'confidence'> & { weight: number }) | undefined;
  let second = 0;
  for (const format of FORMATS) {
    const weights = values.map((value) => weightOf(format, value, entries));
    const weight = weights.reduce((sum, one) => sum + one, 0);
    const decidedBy = weights.indexOf(Math.max(...weights));
    second = Math.max(second, Math.min(weight, best?.weight ?? 0));
    if (weight > (best?.weight ?? 0)) best = { format, weight, decidedBy, isTie: false };
    else if (weight === best?.weight) best = { ...best, isTie: true };
  }
  return best === undefined ? undefined : { ...best, confidence: best.weight / (best.weight + second) };
}

function weightOf(format: Format, value: unknown, entries: number): number {
  const slots = format.conversations(value);
  if (slots === null) return format.weigh(value);
  return slots
    .flatMap((slot) => slot.entries.slice(0, entries))
    .reduce((sum, entry) => sum + format.weigh(entry.value), 0);
}

export function formatNamed(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

const CODEX_STREAM: ReadonlySet<unknown> = new Set([
  'thread.started',
  'turn.started',
  'turn.completed',
  'turn.failed',
  'item.started',
  'item.updated',
  'item.completed',
]);

interface LookAlike {
  readonly matches: (value: unknown) => boolean;
  readonly is: string;
  readonly hint: string;
  /** Some of its records read like another format's, of which it is none. */
  readonly isMixed?: true;
}

/** Files that look like transcripts and are none, each with what to use instead. */
const LOOK_ALIKES: readonly LookAlike[] = [
  {
    matches: (value) =>
      field(value, 'type') === 'system' &&
      field(value, 'subtype') === 'init' &&
      field(value, 'session_id') !== undefined,
    is: 'the event stream of `claude --output-format stream-json`, not a session',
    hint: 'use the session file under ~/.claude/projects instead',
  },
  {
    matches: (value) => CODEX_STREAM.has(field(value, 'type')),
    is: 'the event stream of `codex exec --json`, not a session',
    hint: 'use the rollout file under ~/.codex/sessions instead',
  },
  {
    matches: (value) => {
      const type = field(value, 'type');
      return (
        typeof type === 'string' &&
        type.startsWith('response.') &&
        field(value, 'sequence_number') !== undefined
      );
    },
    is: 'the event stream of a response, not its items',
    hint: `use the \`response\` of its last event: jq -c 'select(.type == "response.completed").response' FILE`,
  },
  {
    matches: (value) => Array.isArray(field(value, 'loglines')),
    is: 'a Claude Code web export (`loglines`), not a session file',
    hint: 'write its loglines one a line: jq -c ".loglines[]" FILE',
  },
  {
    matches: (value) =>
      field(value, 'type') === 'init' &&
      typeof field(value, 'session_id') === 'string' &&
      typeof field(value, 'model') === 'string',
    is: 'the event stream of `gemini --output-format stream-json`, not a chat',
    hint: 'use the chat under ~/.gemini/tmp/PROJECT/chats instead',
    isMixed: true,
  },
  {
    matches: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((item) => typeof field(item, 'messageId') === 'number' && 'sessionId' in Object(item)),
    is: 'the prompt log of Gemini CLI (`logs.json`), which has no answers',
    hint: 'use a chat under ~/.gemini/tmp/PROJECT/chats instead',
  },
  {
    matches: (value) =>
      typeof field(value, 'sessionID') === 'string' && typeof field(value, 'part') === 'object',
    is: 'the event stream of `opencode run --format json`, not a session',
    hint: 'export the session: opencode export SESSION > session.json',
  },
  {
    matches: (value) =>
      typeof field(value, 'sessionID') === 'string' &&
      (typeof field(value, 'messageID') === 'string' || /^msg_/.test(String(field(value, 'id')))),
    is: 'one message or part out of the storage of OpenCode, not a session',
    hint: 'export the session: opencode export SESSION > session.json',
  },
  {
    matches: (value) => /^(?:text|reasoning|tool-input)-(?:start|delta)$/.test(String(field(value, 'type'))),
    is: 'the chunks of a Vercel AI SDK stream, not messages',
    hint: 'store the messages that it ends in: onFinish of toUIMessageStreamResponse gives them',
  },
  {
    matches: (value) => field(value, 'object') === 'interaction' && Array.isArray(field(value, 'steps')),
    is: 'a response of the Google Interactions API, not a Gemini CLI chat',
    hint: 'use a chat under ~/.gemini/tmp/PROJECT/chats, or the `contents` of generateContent',
  },
  {
    matches: (value) => typeof field(value, 'messages_display') === 'string',
    is: 'conversations written out as one display text each, without messages',
    hint: 'export the messages themselves: objects with `role` and `content`',
  },
];

/**
 * What a file that no format recognises probably is, or undefined. Of a file that was recognised, only what is told apart
 * by one record.
 */
export function lookAlike(
  values: readonly unknown[],
  isRecognised: boolean,
): Pick<LookAlike, 'is' | 'hint'> | undefined {
  const candidates = LOOK_ALIKES.filter(({ isMixed }) => !isRecognised || isMixed);
  return candidates.find(({ matches }) => values.some(matches));
}
