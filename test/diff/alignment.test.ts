import { describe, expect, test } from 'vitest';
import { type Alignable, alignMessages, type Slot } from '../../src/diff/alignment.js';

/** `u:hello` is a user's message, `u:hello#7` has the id 7, `t:found@c1` is the result of call c1. */
function messages(...texts: readonly string[]): Alignable[] {
  return texts.map((text) => {
    const [, role = '', content = '', id, call] = /^(\w):([^#@]*)(?:#(\w+))?(?:@(\w+))?$/.exec(text) ?? [];
    return { role, content: `${role} ${content}`, id: id ?? null, callIds: call ?? null };
  });
}

/** `0=0` is a pair, `0>3` a moved one, `-0` removed, `+0` added. */
function written(slot: Slot): string {
  if (slot.kind === 'removed') return `-${slot.before}`;
  if (slot.kind === 'added') return `+${slot.after}`;
  return `${slot.before}${slot.isMoved ? '>' : '='}${slot.after}`;
}

const cases: readonly { name: string; before: string[]; after: string[]; slots: string }[] = [
  { name: 'nothing', before: [], after: [], slots: '' },
  { name: 'the same', before: ['u:a', 'a:b'], after: ['u:a', 'a:b'], slots: '0=0 1=1' },
  { name: 'all new', before: [], after: ['u:a'], slots: '+0' },
  {
    name: 'by position where nothing else tells',
    before: ['u:a', 'a:b', 'u:c'],
    after: ['u:x', 'a:y', 'u:z'],
    slots: '0=0 1=1 2=2',
  },
  {
    name: 'an inserted message shifts nothing',
    before: ['u:a', 'a:b', 'u:c', 'a:d'],
    after: ['u:a', 'u:new', 'a:b', 'u:c', 'a:changed'],
    slots: '0=0 +1 1=2 2=3 3=4',
  },
  {
    name: 'a removed one shifts nothing, even among equals',
    before: ['u:ok', 'u:ok', 'u:ok', 'a:b'],
    after: ['u:ok', 'u:ok', 'a:b'],
    slots: '0=0 1=1 -2 3=2',
  },
  {
    name: 'another role is another message',
    before: ['u:a', 'u:b', 'u:c'],
    after: ['u:a', 'a:b', 'u:c'],
    slots: '0=0 -1 +1 2=2',
  },
  {
    name: 'ids tell changed messages apart',
    before: ['u:a#1', 'u:b#2', 'u:c#3'],
    after: ['u:new#4', 'u:A#1', 'u:B#2', 'u:C#3'],
    slots: '+0 0=1 1=2 2=3',
  },
  {
    name: 'ids that repeat do not',
    before: ['u:a#1', 'u:b#1'],
    after: ['u:b#1', 'u:c#1'],
    slots: '-0 1=0 +1',
  },
  {
    name: 'call ids tell results apart',
    before: ['t:long@c1', 't:longer@c2'],
    after: ['t:receipt@c2'],
    slots: '-0 1=0',
  },
  {
    name: 'a moved message',
    before: ['u:a', 'u:b', 'u:c'],
    after: ['u:b', 'u:c', 'u:a'],
    slots: '1=0 2=1 0>2',
  },
  {
    name: 'a moved message that changed as well',
    before: ['u:a#1', 'u:b#2', 'u:c#3'],
    after: ['u:b#2', 'u:c#3', 'u:x#1'],
    slots: '1=0 2=1 0>2',
  },
];

/** Alternating roles, more of them than are weighed pair by pair. */
const talk = (user: string, assistant: string): string[] =>
  Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? `u:${user}` : `a:${assistant}`));
const numbered = (word: string): string[] => talk(word, word).map((text, i) => `${text} ${i}`);
const GO = talk('go on', 'ok');

/** What is not paired with its own kind. */
const longTalks: readonly { name: string; before: string[]; after: string[]; unpaired: string }[] = [
  {
    name: 'two insertions far apart shift nothing, even among equals',
    before: GO,
    after: [...GO.slice(0, 100), 'u:new', ...GO.slice(100, 900), 'u:other', ...GO.slice(900)],
    unpaired: '+100 +901',
  },
  {
    name: 'two removals far apart shift nothing, even among equals',
    before: GO,
    after: GO.filter((_, i) => i !== 100 && i !== 900),
    unpaired: '-100 -900',
  },
  {
    name: 'an insertion shifts nothing where every message changed',
    before: numbered('was'),
    after: [...numbered('is').slice(0, 500), 'a:new', ...numbered('is').slice(500)],
    unpaired: '+500',
  },
];

describe('messages are aligned', () => {
  test.each(longTalks)('$name', ({ before, after, unpaired }) => {
    expect(
      alignMessages(messages(...before), messages(...after))
        .filter(({ kind }) => kind !== 'pair')
        .map(written)
        .join(' '),
    ).toBe(unpaired);
  });

  test.each(cases)('$name', ({ before, after, slots }) => {
    expect(
      alignMessages(messages(...before), messages(...after))
        .map(written)
        .join(' '),
    ).toBe(slots);
  });

  test('each once, in bounded time, where nothing identifies thousands of them', () => {
    const many = (content: string, count: number) =>
      messages(...Array.from({ length: count }, () => content));
    const slots = alignMessages(
      [...many('u:x', 1), ...many('u:same', 3000), ...many('u:y', 1)],
      [...many('u:p', 2), ...many('u:same', 2500), ...many('u:q', 2)],
    );
    const before = slots.flatMap((slot) => (slot.kind === 'added' ? [] : [slot.before]));
    const after = slots.flatMap((slot) => (slot.kind === 'removed' ? [] : [slot.after]));
    expect(before).toStrictEqual([...Array(3002).keys()]);
    expect(after).toStrictEqual([...Array(2504).keys()]);
  });
});
