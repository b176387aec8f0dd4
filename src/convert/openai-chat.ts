import type { Content, Dialogue, PairedCall, Said } from './dialogue.js';
import type { Losses } from './losses.js';

/** Chat Completions messages (formats.md section 4): every result directly behind the message with its call. */
export function openaiMessages({ said }: Dialogue, losses: Losses): readonly object[] {
  return said.flatMap((one) => message(one, losses));
}

function message(said: Said, losses: Losses): readonly object[] {
  if (said.role !== 'assistant') return [{ role: said.role, content: content(said.content) }];
  const { calls } = said;
  const texts = said.content.filter(({ kind }) => kind === 'text');
  losses.note('picture', said.content.length - texts.length);
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : content(texts),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
    },
    ...calls.map((call) => toolMessage(call, losses)),
  ];
}

function content(items: readonly Content[]): unknown {
  const [first] = items;
  if (items.length === 1 && first?.kind === 'text') return first.text;
  return items.map((item) =>
    item.kind === 'text'
      ? { type: 'text', text: item.text }
      : { type: 'image_url', image_url: { url: `data:${item.mediaType};base64,${item.data}` } },
  );
}

function toolCall({ id, tool, input }: PairedCall): object {
  const written = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return { id, type: 'function', function: { name: tool, arguments: written } };
}

/** Tool messages hold text only, and do not say whether it is an error. */
function toolMessage({ id, result }: PairedCall, losses: Losses): object {
  const texts = result.content.filter(({ kind }) => kind === 'text');
  losses.note('picture', result.content.length - texts.length);
  losses.note('error flag', Number(result.isError));
  return { role: 'tool', tool_call_id: id, content: texts.length === 0 ? '' : content(texts) };
}
