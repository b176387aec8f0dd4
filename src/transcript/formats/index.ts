import { anthropicMessages } from './anthropic-messages.js';
import { claudeCode } from './claude-code.js';
import type { Format } from './format.js';
import { openaiChat } from './openai-chat.js';
import { pydanticAi } from './pydantic-ai.js';
import { field } from './values.js';

/** Every format that is read, in the order in which a tie in detection is decided. */
export const FORMATS: readonly Format[] = [claudeCode, pydanticAi, openaiChat, anthropicMessages];

/** How a format was recognised. */
export interface Detection {
  readonly format: Format;
  /** Index, among the values looked at, of the one that speaks for it most. */
  readonly decidedBy: number;
}

/**
 * Recognises the format of a transcript by the first values of its input (formats.md section 18): what each format
 * gives for them is added up, counting the entries inside a value that holds whole conversations.
 */
export function detectFormat(values: readonly unknown[]): Detection | undefined {
  let best: (Detection & { weight: number }) | undefined;
  for (const format of FORMATS) {
    const weights = values.map((value) => weightOf(format, value));
    const weight = weights.reduce((sum, one) => sum + one, 0);
    const decidedBy = weights.indexOf(Math.max(...weights));
    if (weight > (best?.weight ?? 0)) best = { format, weight, decidedBy };
  }
  return best;
}

const ENTRIES_LOOKED_AT = 50;

function weightOf(format: Format, value: unknown): number {
  const slots = format.conversations(value);
  if (slots === null) return format.weigh(value);
  return slots
    .flatMap((slot) => slot.entries.slice(0, ENTRIES_LOOKED_AT))
    .reduce((sum, entry) => sum + format.weigh(entry.value), 0);
}

export function formatNamed(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

interface LookAlike {
  readonly matches: (value: unknown) => boolean;
  readonly is: string;
  readonly hint: string;
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
    matches: (value) =>
      field(value, 'type') === 'thread.started' || field(value, 'type') === 'item.completed',
    is: 'the event stream of `codex exec --json`, not a session',
    hint: 'use the rollout file under ~/.codex/sessions instead',
  },
  {
    matches: (value) => Array.isArray(field(value, 'loglines')),
    is: 'a Claude Code web export (`loglines`), not a session file',
    hint: 'write its loglines one a line: jq -c ".loglines[]" FILE',
  },
  {
    matches: (value) => typeof field(value, 'messages_display') === 'string',
    is: 'conversations written out as one display text each, without messages',
    hint: 'export the messages themselves: objects with `role` and `content`',
  },
];

/** What a file that no format recognises probably is, or undefined. */
export function lookAlike(values: readonly unknown[]): Pick<LookAlike, 'is' | 'hint'> | undefined {
  return LOOK_ALIKES.find((candidate) => values.some(candidate.matches));
}
