import { anthropicMessages } from './anthropic-messages.js';
import { claudeCode } from './claude-code.js';
import { cohere } from './cohere.js';
import type { Format } from './format.js';
import { langchain } from './langchain.js';
import { openaiChat } from './openai-chat.js';
import { openhands } from './openhands.js';
import { pi } from './pi.js';
import { pydanticAi } from './pydantic-ai.js';
import { sharegpt } from './sharegpt.js';
import { sweAgent } from './swe-agent.js';
import { field } from './values.js';

/** Every format that is read, in the order in which a tie in detection is decided. */
export const FORMATS: readonly Format[] = [
  claudeCode,
  pi,
  pydanticAi,
  openaiChat,
  anthropicMessages,
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
