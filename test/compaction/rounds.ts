import fc from 'fast-check';
import { answer, ask, call, line, result } from '../ledger/conversation.js';

/** How a result is written: headed blocks, a list of results in JSON, a numbered file, hits of a search, a log. */
type Kind = 'blocks' | 'list' | 'file' | 'hits' | 'log';

/** How an answer cites what a round retrieved. */
type Citing = 'marker' | 'declared' | 'names' | 'words' | 'path' | 'nothing';

/** One question with its evidence and its answer. Everything invented hangs on the numbers. */
export interface Round {
  readonly retrievals: readonly {
    readonly kind: Kind;
    readonly tool: string;
    /** Of the source; the same number is the same file again. */
    readonly source: number;
    readonly pieces: number;
    readonly callId: string;
  }[];
  readonly citings: readonly Citing[];
  /** Whether the answer also repeats names of an earlier source. */
  readonly recalls: number | null;
}

export function anyRounds(lengths: { minLength: number; maxLength: number }): fc.Arbitrary<Round[]> {
  const retrieval = fc.record({
    kind: fc.constantFrom<Kind>('blocks', 'list', 'file', 'hits', 'log'),
    tool: fc.constantFrom('read', 'grep', 'Bash', 'kb_search'),
    source: fc.nat({ max: 30 }),
    pieces: fc.integer({ min: 1, max: 9 }),
    // Some models count their calls from the start in every reply.
    callId: fc.oneof(fc.constantFrom('call_0', 'call_1'), fc.uuid()),
  });
  const round = fc.record({
    retrievals: fc.array(retrieval, { maxLength: 3 }),
    citings: fc.subarray<Citing>(['marker', 'declared', 'names', 'words', 'path', 'nothing']),
    recalls: fc.option(fc.nat({ max: 30 })),
  });
  return fc.array(round, lengths);
}

const names = (source: number, piece: number): string =>
  ['alpha', 'beta', 'gamma'].map((word) => `${word}_${source}_${piece}`).join(' ');
const words = (source: number, piece: number): string =>
  `the keeper number ${source} writes tide ${piece} on the old wooden board at gate ${source + piece} every morning`;
const path = (source: number): string => `src/part${source}/file${source}.ts`;
const id = (source: number, piece: number): string => `doc-${source}-${piece}`;
const filler = (source: number): string =>
  `and so it goes on and on for reason ${source % 7} as it always did `.repeat(2);

function payload({ kind, source, pieces }: Round['retrievals'][number]): string {
  const numbers = Array.from({ length: pieces }, (_, i) => i + 1);
  const texts = numbers.map((piece) => [words(source, piece), names(source, piece), filler(source)]);
  switch (kind) {
    case 'blocks':
      return numbers
        .map(
          (piece, i) =>
            `[${id(source, piece)}] Source: "Part ${source}" (${path(source)})\n${texts[i]?.join('\n')}`,
        )
        .join('\n\n');
    case 'list':
      return JSON.stringify({
        results: numbers.map((piece, i) => ({
          id: id(source, piece),
          url: path(source),
          text: texts[i]?.join('\n'),
        })),
      });
    case 'file':
      return texts
        .flat()
        .map((text, i) => `${String(i + 1).padStart(6)}→${text}`)
        .join('\n');
    case 'hits':
      return texts
        .flat()
        .map((text, i) => `${path(source)}:${i + 1}:${text}`)
        .join('\n');
    case 'log':
      return texts
        .map((lines, i) => `2026-03-02T04:0${i}:00 start\r\n${lines.join('\r\n')}`)
        .join('\r\n\r\n');
  }
}

function argumentsOf({ kind, source }: Round['retrievals'][number]): object {
  if (kind === 'log') return { command: `journalctl -u part${source}\r\n  --since today` };
  return kind === 'file' ? { file_path: path(source) } : { query: `part ${source}`, path: 'src' };
}

/** What an answer says, and the ids that its cite tool declares. */
function answerOf({ retrievals, citings, recalls }: Round): { text: string; declared: readonly string[] } {
  const [first] = retrievals;
  const recalled = recalls === null ? [] : [`Before that, ${names(recalls, 1)}.`];
  if (first === undefined) return { text: ['Nothing new.', ...recalled].join(' '), declared: [] };
  const { source, pieces } = first;
  const said: Record<Citing, string> = {
    marker: `At four [${id(source, 1)}].`,
    declared: '',
    names: `It needs ${names(source, pieces)}.`,
    words: `They say that ${words(source, pieces)}.`,
    path: `See ${path(source)}:2-3.`,
    nothing: 'That is all.',
  };
  const text = ['Well.', ...citings.map((citing) => said[citing]), ...recalled].join(' ');
  return { text, declared: citings.includes('declared') ? [id(source, 1)] : [] };
}

/** Writes a conversation in stretches; each ends with the question that comes next. */
export type Writer = () => (rounds: readonly Round[]) => string;

const QUESTION = 'What comes next, please?';

/** A stretch begins with the answer to the question that stands already. */
function native(): ReturnType<Writer> {
  let isBegun = false;
  return (rounds) => {
    const begin = isBegun ? '' : ask(QUESTION);
    isBegun = true;
    return begin + rounds.map((round) => `${nativeRound(round)}${ask(QUESTION)}`).join('');
  };
}

function nativeRound(round: Round): string {
  const { text, declared } = answerOf(round);
  const returned = round.retrievals.map(
    (one) => call(one.callId, one.tool, argumentsOf(one)) + result(one.callId, payload(one)),
  );
  const cite =
    declared.length === 0 ? '' : call('cite', 'kb_cite', { chunk_ids: declared }) + result('cite', 'ok');
  return returned.join('') + cite + answer(text);
}

function claudeCode(): ReturnType<Writer> {
  let count = 0;
  const record = (role: 'user' | 'assistant', content: unknown): string => {
    const parentUuid = count === 0 ? null : `u${count}`;
    count += 1;
    return line({
      parentUuid,
      isSidechain: false,
      sessionId: 's',
      type: role,
      message: { role, content },
      uuid: `u${count}`,
      timestamp: '2026-03-02T04:05:06.000Z',
    });
  };
  const round = (one: Round): string => {
    const { text } = answerOf(one);
    const returned = one.retrievals.map((retrieval) => {
      const { callId, tool } = retrieval;
      const use = { type: 'tool_use', id: callId, name: tool, input: argumentsOf(retrieval) };
      const content = payload(retrieval);
      return (
        record('assistant', [use]) + record('user', [{ type: 'tool_result', tool_use_id: callId, content }])
      );
    });
    return returned.join('') + record('assistant', [{ type: 'text', text }]);
  };
  return (rounds) => {
    const begin = count === 0 ? record('user', QUESTION) : '';
    return begin + rounds.map((one) => round(one) + record('user', QUESTION)).join('');
  };
}

export const WRITERS: Readonly<Record<string, Writer>> = { 'openai-chat': native, 'claude-code': claudeCode };
