import { isObject, memberOf } from '../transcript/formats/values.js';
import { readRange } from '../transcript/lines.js';
import type { JsonPath } from '../transcript/splice.js';
import { type Section, type SectionSide, sectionsOf } from './sections.js';
import type { MessageSummary, Side } from './side.js';

/** Reads messages again, one at a time, so that no text is kept. */
export interface BodyReader {
  sections(before: MessageSummary | null, after: MessageSummary | null): Section[];
  /** Whether two entries are the same JSON value, however it is written. */
  isSameValue(before: MessageSummary, after: MessageSummary): boolean;
  /** Where two entries differ, as JSON pointers; the first few. */
  differingPaths(before: MessageSummary, after: MessageSummary): string[];
}

export function bodyReader(before: Side, after: Side): BodyReader {
  const [left, right] = [entryReader(before), entryReader(after)];
  return {
    sections: (one, other) =>
      sectionsOf(
        one === null ? null : sectionSide(before, one, left(one)),
        other === null ? null : sectionSide(after, other, right(other)),
      ),
    isSameValue: (one, other) => differences(left(one), right(other), 1).length === 0,
    differingPaths: (one, other) => differences(left(one), right(other), SHOWN_PATHS),
  };
}

const SHOWN_PATHS = 6;

/** A record may hold a whole conversation: the last one is kept, as its messages are asked for one after the other. */
function entryReader({ source }: Side): (message: MessageSummary) => unknown {
  let last: { readonly start: number; readonly value: unknown } | undefined;
  return ({ record: { start, end }, at }) => {
    if (last?.start !== start) {
      last = undefined; // two of them would be twice the memory
      last = { start, value: JSON.parse(readRange(source, start, end).toString('utf8')) };
    }
    return at.reduce<unknown>(memberOf, last.value);
  };
}

function sectionSide(side: Side, { at, draft, resultTools }: MessageSummary, value: unknown): SectionSide {
  const parts = side.transcript?.format.read({ at, value })[draft]?.parts ?? [];
  return { parts, resultTools };
}

/** A loop, not a recursion: values may be nested to any depth. */
function differences(before: unknown, after: unknown, most: number): string[] {
  const found: string[] = [];
  const pending: { readonly at: JsonPath; readonly before: unknown; readonly after: unknown }[] = [
    { at: [], before, after },
  ];
  for (let next = pending.pop(); next !== undefined && found.length < most; next = pending.pop()) {
    const { at, before: one, after: other } = next;
    if (one === other) continue;
    if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) {
      found.push(pointer(at));
      continue;
    }
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    for (const key of keys.toReversed())
      pending.push({ at: [...at, key], before: memberOf(one, key), after: memberOf(other, key) });
  }
  return found;
}

function isContainer(value: unknown): value is object {
  return isObject(value) || Array.isArray(value);
}

function pointer(at: JsonPath): string {
  return at.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
