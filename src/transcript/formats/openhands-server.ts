import type { MessageDraft, Part, Speaker, ToolResult } from '../message.js';
import type { JsonPath } from '../splice.js';
import { field, isObject, listOf, stringOrNull } from './values.js';

/** Actions and observations of the server that say nothing to the model. */
const SILENT: ReadonlySet<unknown> = new Set([
  ...['change_agent_state', 'agent_state_changed', 'null', 'start', 'init', 'pause', 'resume', 'stop'],
  ...['recall', 'condensation_request', 'loop_recovery', 'server_ready', 'status'],
]);

/** An event of the server (V0): an action, or the observation of what it caused. */
export function readServerEvent(event: unknown, at: JsonPath): MessageDraft[] {
  return typeof field(event, 'action') === 'string' ? readAction(event, at) : readObservation(event, at);
}

function readAction(event: unknown, at: JsonPath): MessageDraft[] {
  const action = field(event, 'action');
  const args = field(event, 'args');
  const argsAt = [...at, 'args'];
  const isUser = field(event, 'source') === 'user';
  if (SILENT.has(action)) return [];
  switch (action) {
    case 'message': {
      const parts = [...texts(args, ['content'], argsAt), ...images(args)];
      return [message(at, isUser ? 'operator' : 'assistant', parts)];
    }
    case 'system':
      return [message(at, 'system', texts(args, ['content'], argsAt))];
    case 'finish':
    case 'reject':
      // The server ends here: no observation follows, so this is what the agent says, not a call.
      return [message(at, 'assistant', texts(args, ['thought', 'final_thought'], argsAt))];
    case 'condensation': {
      const parts = texts(args, ['summary'], argsAt);
      return parts.length === 0 ? [] : [message(at, 'summary', parts)];
    }
    default:
      return [
        isUser ? message(at, 'context', texts(args, ['command', 'code'], argsAt)) : agentCall(event, at),
      ];
  }
}

/** What the agent thought is its text; in `think` it is all that the call says. */
function agentCall(event: unknown, at: JsonPath): MessageDraft {
  const args = field(event, 'args');
  const isThought = field(event, 'action') === 'think';
  const { thought, ...rest } = isObject(args) ? args : { thought: undefined };
  const spoken = isThought ? [] : texts(args, ['thought'], [...at, 'args']);
  const call: Part = {
    kind: 'tool-call',
    id: callId(event, field(event, 'id')),
    tool: toolOf(event) ?? stringOrNull(field(event, 'action')) ?? '',
    input: isThought ? { thought } : rest,
  };
  return message(at, 'assistant', [...spoken.filter(isSaid), call]);
}

function isSaid(part: Part): boolean {
  return part.kind !== 'text' || part.text !== '';
}

function readObservation(event: unknown, at: JsonPath): MessageDraft[] {
  const kind = field(event, 'observation');
  const id = callId(event, field(event, 'cause'));
  if (kind === 'recall') return readRecalled(event, at);
  if (SILENT.has(kind)) return [];
  // Errors of the server itself answer no action, and what a person ran is no call of the agent.
  return id === null || field(event, 'source') === 'user'
    ? [message(at, 'context', texts(event, ['content'], at))]
    : [message(at, 'tool', [toolResult(event, at, id)])];
}

/** What is put into the context: the repository's instructions, and what the operator's words set off. */
function readRecalled(event: unknown, at: JsonPath): MessageDraft[] {
  const extras = field(event, 'extras');
  const extrasAt = [...at, 'extras'];
  const known = listOf(field(extras, 'microagent_knowledge')).flatMap((one, i) =>
    texts(one, ['content'], [...extrasAt, 'microagent_knowledge', i]),
  );
  const said = texts(extras, ['repo_instructions', 'additional_agent_instructions'], extrasAt);
  return [message(at, 'context', [...texts(event, ['content'], at), ...said.filter(isSaid), ...known])];
}

function toolResult(event: unknown, at: JsonPath, id: string): ToolResult {
  const content = field(event, 'content');
  const extras = field(event, 'extras');
  const exitCode = field(field(extras, 'metadata'), 'exit_code') ?? field(extras, 'exit_code');
  return {
    kind: 'tool-result',
    callId: id,
    tool: toolOf(event),
    isError: field(event, 'observation') === 'error' || (typeof exitCode === 'number' && exitCode > 0),
    at: [...at, 'content'],
    value: content,
    blocks: null,
    isEditable: typeof content === 'string',
    copy: isObject(extras) ? { at: [...at, 'extras'], value: extras } : null,
  };
}

/** The provider's id, which the action and its observation both have; without one, the number of the action's event. */
function callId(event: unknown, action: unknown): string | null {
  const id = field(field(event, 'tool_call_metadata'), 'tool_call_id');
  if (typeof id === 'string' && id !== '') return id;
  return typeof action === 'number' || typeof action === 'string' ? `event-${action}` : null;
}

function toolOf(event: unknown): string | null {
  return stringOrNull(field(field(event, 'tool_call_metadata'), 'function_name'));
}

function message(at: JsonPath, speaker: Speaker, parts: readonly Part[]): MessageDraft {
  const isUser = speaker === 'operator' || speaker === 'context' || speaker === 'summary';
  return { at, role: isUser ? 'user' : speaker, speaker, parts, lists: [] };
}

function texts(value: unknown, keys: readonly string[], at: JsonPath): Part[] {
  return keys.flatMap((key): Part[] => {
    const text = field(value, key);
    return typeof text === 'string' ? [{ kind: 'text', text, at: [...at, key], annotations: [] }] : [];
  });
}

function images(args: unknown): Part[] {
  return listOf(field(args, 'image_urls')).map(() => ({ kind: 'image' }));
}
