/** One conversation told in every format: questions, searches, what they found, answers. */

export interface ToldTurn {
  readonly question: string;
  /** A `turn` object on the question; none when undefined. */
  readonly turn?: object;
  /** What a search finds before the answer; no search when undefined. */
  readonly found?: string;
  readonly answer: string;
}

/** The file's values, one a line, or the one document of a format that has no lines. */
type Teller = (turns: readonly ToldTurn[]) => readonly object[];

const withTurn = (turn: object | undefined): object => (turn === undefined ? {} : { turn });

function anthropicMessages(turns: readonly ToldTurn[]): object[] {
  return turns.flatMap(({ question, turn, found, answer }, i) => [
    { role: 'user', content: question, ...withTurn(turn) },
    ...(found === undefined
      ? []
      : [
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'A search.', signature: 's' },
              { type: 'tool_use', id: `c${i}`, name: 'search', input: { query: 'x' } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${i}`, content: found }] },
        ]),
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'So.', signature: 's' }, text(answer)] },
  ]);
}

function text(said: string): object {
  return { type: 'text', text: said };
}

/** Blocks of one answer stand on lines of their own, which share the message's id. */
function claudeCode(turns: readonly ToldTurn[]): object[] {
  const messages = anthropicMessages(turns).flatMap((message, i): object[] => {
    const { role, content } = Object(message);
    if (role === 'user' || !Array.isArray(content)) return [message];
    return content.map((block) => ({ id: `msg_${i}`, role, content: [block] }));
  });
  return messages.map((message, i) => {
    const { role, turn, ...rest } = Object(message);
    const parentUuid = i === 0 ? null : `u${i - 1}`;
    return {
      type: role,
      sessionId: 's',
      uuid: `u${i}`,
      parentUuid,
      message: { role, ...rest },
      ...withTurn(turn),
    };
  });
}

function pi(turns: readonly ToldTurn[]): object[] {
  const messages = turns.flatMap(({ question, turn, found, answer }, i): object[] => [
    { role: 'user', content: [text(question)], ...withTurn(turn) },
    ...(found === undefined
      ? []
      : [
          {
            role: 'assistant',
            content: [{ type: 'toolCall', id: `c${i}`, name: 'search', arguments: { query: 'x' } }],
          },
          {
            role: 'toolResult',
            toolCallId: `c${i}`,
            toolName: 'search',
            content: [text(found)],
            isError: false,
          },
        ]),
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'So.' }, text(answer)] },
  ]);
  const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/srv' };
  const entries = messages.map((message, i) => {
    const parentId = i === 0 ? null : `e${i - 1}`;
    return { type: 'message', id: `e${i}`, parentId, message };
  });
  return [header, ...entries];
}

function pydanticAi(turns: readonly ToldTurn[]): object[] {
  const messages = turns.flatMap(({ question, turn, found, answer }, i): object[] => [
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: question }], ...withTurn(turn) },
    ...(found === undefined
      ? []
      : [
          {
            kind: 'response',
            parts: [{ part_kind: 'tool-call', tool_name: 'search', args: '{}', tool_call_id: `c${i}` }],
          },
          {
            kind: 'request',
            parts: [{ part_kind: 'tool-return', tool_name: 'search', content: found, tool_call_id: `c${i}` }],
          },
        ]),
    {
      kind: 'response',
      parts: [
        { part_kind: 'thinking', content: 'So.' },
        { part_kind: 'text', content: answer },
      ],
    },
  ]);
  return [messages];
}

function openaiChat(turns: readonly ToldTurn[]): object[] {
  return turns.flatMap(({ question, turn, found, answer }, i) => [
    { role: 'user', content: question, ...withTurn(turn) },
    ...(found === undefined
      ? []
      : [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `c${i}`, type: 'function', function: { name: 'search', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: `c${i}`, content: found },
        ]),
    { role: 'assistant', content: answer },
  ]);
}

export const TELLERS: readonly { readonly format: string; readonly tell: Teller }[] = [
  { format: 'openai-chat', tell: openaiChat },
  { format: 'anthropic-messages', tell: anthropicMessages },
  { format: 'claude-code', tell: claudeCode },
  { format: 'pi', tell: pi },
  { format: 'pydantic-ai', tell: pydanticAi },
];
