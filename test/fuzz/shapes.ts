import { answer, ask, call, line, result } from '../chat-lines.js';

/** A whole file whose size is in how its pieces hang together: what takes a walk for each of them never ends. */
export type Shape = (count: number) => string;

const upTo = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** A Claude Code record. */
function entry(uuid: string, parentUuid: string | null, type: string, content: unknown): string {
  return line({
    type,
    uuid,
    parentUuid,
    sessionId: 's',
    isSidechain: false,
    message: { role: type, content },
  });
}

const use = (i: number) => ({ type: 'tool_use', id: `c${i}`, name: 'search', input: {} });
const used = (i: number) => ({
  ...{ type: 'tool_result', tool_use_id: `c${i}` },
  content: `what call ${i} found of all that there was to find`,
});

/** A new shape is one row here. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  'many questions': (count) => upTo(count, (i) => ask(`And ${i}?`) + answer(`That is ${i}.`)).join(''),
  'many calls of one id': (count) =>
    ask('Why?') + upTo(count, () => call('c') + result('c', 'So it is.')).join('') + ask('Now?'),
  'many calls and results in one message each': (count) =>
    line({
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: upTo(count, use) },
        { role: 'user', content: upTo(count, used) },
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'And now?' },
      ],
    }),
  'many records glued on one line': (count) => `${upTo(count, () => ask('Now?').trim()).join('')}\n`,
  'parents in one circle': (count) =>
    upTo(count, (i) =>
      entry(`u${i}`, `u${(i + 1) % count}`, i % 2 === 0 ? 'user' : 'assistant', `Message ${i}.`),
    ).join(''),
  'parents that are not there': (count) =>
    upTo(count, (i) => entry(`u${i}`, `n${i}`, i % 2 === 0 ? 'user' : 'assistant', `Message ${i}.`)).join(''),
  'one id for all': (count) => upTo(count, () => entry('u', 'u', 'user', 'Again?')).join(''),
  'results that hang from each other on a branch that was given up': (count) =>
    entry('q', null, 'user', 'Why?') +
    entry('old', 'q', 'user', 'Another branch.') +
    entry('calls', 'q', 'assistant', upTo(count, use)) +
    upTo(count, (i) => entry(`r${i}`, i === 0 ? 'old' : `r${i - 1}`, 'user', [used(i)])).join('') +
    entry('new', 'calls', 'user', 'Next?'),
};
