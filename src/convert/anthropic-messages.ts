import { isObject } from '../transcript/formats/values.js';
import type { Content, Dialogue, PairedCall, Said } from './dialogue.js';
import type { Losses } from './losses.js';

/**
 * The body of a request to the Messages API (formats.md section 6): the results of a message's calls come first in the
 * user message behind it.
 */
export function anthropicBody({ said }: Dialogue, losses: Losses): object {
  const start = said.findIndex(({ role }) => role !== 'system');
  const leading = start < 0 ? said : said.slice(0, start);
  const system = leading.flatMap(({ content }) => content);
  const [only] = system;
  const rest = said.slice(leading.length);
  return {
    ...(system.length === 0
      ? {}
      : { system: system.length === 1 && only?.kind === 'text' ? only.text : system.map(block) }),
    messages: rest.flatMap((one) => message(one, losses)),
  };
}

function message(said: Said, losses: Losses): readonly object[] {
  if (said.role !== 'assistant') {
    losses.note('system message behind the first one', Number(said.role === 'system'));
    return [{ role: 'user', content: content(said.content) }];
  }
  const calls = said.calls.map((call) => ({ ...call, id: soundId(call.id, losses) }));
  if (calls.length === 0) return [{ role: 'assistant', content: content(said.content) }];
  return [
    {
      role: 'assistant',
      content: [...said.content.map(block), ...calls.map((call) => toolUse(call, losses))],
    },
    { role: 'user', content: calls.map(toolResult) },
  ];
}

function content(items: readonly Content[]): unknown {
  const [first] = items;
  return items.length === 1 && first?.kind === 'text' ? first.text : items.map(block);
}

function block(item: Content): object {
  return item.kind === 'text'
    ? { type: 'text', text: item.text }
    : { type: 'image', source: { type: 'base64', media_type: item.mediaType, data: item.data } };
}

/** Ids may have letters, digits, `_` and `-` only. */
function soundId(id: string, losses: Losses): string {
  const sound = id.replace(/[^A-Za-z0-9_-]/g, '_');
  losses.note('call id', Number(sound !== id));
  return sound;
}

function toolUse({ id, tool, input }: PairedCall, losses: Losses): object {
  const isSound = isObject(input);
  losses.note('arguments that are no object', Number(!isSound && input !== undefined && input !== ''));
  return { type: 'tool_use', id, name: tool, input: isSound ? input : { input: input ?? null } };
}

function toolResult({ id, result }: PairedCall): object {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: result.content.length === 0 ? '' : content(result.content),
    ...(result.isError ? { is_error: true } : {}),
  };
}
