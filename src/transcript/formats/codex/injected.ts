import type { MessageDraft, Speaker } from '../../message.js';

/** Texts that Codex writes into user messages (formats.md section 3.5). */
const INJECTED =
  /^\s*(?:# AGENTS\.md instructions|<(?:environment_context|environments|user_instructions|INSTRUCTIONS|turn_aborted|recommended_plugins|skill|skills_instructions|plugins_instructions|apps_instructions|permissions instructions|collaboration_mode|model_switch|personality_spec|subagent_notification|user_shell_command|goal_context|hook_prompt)\b)/;

/** How a compaction without encryption begins the summary that it leaves as a user message. */
const SUMMARY =
  /^\s*(?:Another language model started to solve this problem|You were originally given instructions from a user over)/;

/** Who really speaks in a text of the role `user`; undefined when nothing says that it is not the operator. */
export function injectedSpeaker(text: string): Speaker | undefined {
  if (SUMMARY.test(text)) return 'summary';
  return INJECTED.test(text) ? 'context' : undefined;
}

export function textOf({ parts }: Pick<MessageDraft, 'parts'>): string {
  return textsOf({ parts }).join('\n');
}

export function textsOf({ parts }: Pick<MessageDraft, 'parts'>): string[] {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
}
