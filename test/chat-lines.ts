/** Lines of an openai-chat transcript, each with its line feed. */

export const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
export const ask = (content: string): string => line({ role: 'user', content });
export const answer = (content: string): string => line({ role: 'assistant', content });
export const result = (id: string, content: string): string =>
  line({ role: 'tool', tool_call_id: id, content });
export const call = (id: string): string =>
  line({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'search', arguments: '{}' } }],
  });
