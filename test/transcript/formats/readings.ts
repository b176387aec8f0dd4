import { describe, expect, test } from 'vitest';
import type { Format } from '../../../src/transcript/formats/format.js';
import { detectFormat } from '../../../src/transcript/formats/index.js';
import { field } from '../../../src/transcript/formats/values.js';
import { type Item, type Message, type Part, resultText } from '../../../src/transcript/message.js';
import { outlineConversation } from '../../../src/transcript/outline.js';
import { questionPositions } from '../../../src/transcript/question.js';
import { type JsonPath, locate } from '../../../src/transcript/splice.js';
import { readConversations, readMessages } from '../../../src/transcript/transcript.js';
import { jsonl, openText } from '../read.js';

/** Records of a transcript, and what a format reads in them. */
export interface Reading {
  readonly name: string;
  readonly values: readonly unknown[];
  /** Each message in its short form. */
  readonly messages: readonly string[];
  /** Positions of the questions. */
  readonly questions: readonly number[];
  /** The user-prompt items of the messages that have some, by position; not checked when left out. */
  readonly items?: Readonly<Record<number, readonly string[]>>;
}

const PNG = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
export const imageBlock = { type: 'image', source: PNG };
export const text = (words: string) => ({ type: 'text', text: words });
export const toolUse = (id: string, name: string) => ({ type: 'tool_use', id, name, input: { q: 1 } });
export const toolResult = (id: string, content: unknown, fields: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...fields,
});
/** The label of a retrieved picture. */
export const LABEL = text('Picture of [c1] [haiku.rag/retrieved-image], page 2');

/** One test a row: the rows are of the format that is detected in them. */
export function describeReadings(format: Format, readings: readonly Reading[]): void {
  describe(`${format.name} reads`, () => {
    test.each(readings)('$name', ({ values, messages, questions, items }) => {
      expect(detectFormat(values)?.format.name).toBe(format.name);
      const transcript = openText(jsonl(values));
      const conversations = transcript === undefined ? [] : [...readConversations(transcript)];
      const read = conversations.flatMap((one) => [...readMessages(one)]);
      expect(read.map(shortForm)).toStrictEqual(messages);
      expect(read.map(({ position }) => position)).toStrictEqual([...messages.keys()]);
      const outline = conversations.flatMap((one) => outlineConversation(one));
      expect(questionPositions(outline)).toStrictEqual(questions);
      if (items !== undefined) expect(itemForms(read)).toStrictEqual(items);
    });

    test.each(readings)('each text and payload at its place: $name', ({ values }) => {
      const written = Buffer.from(jsonl(values));
      const transcript = openText(written.toString());
      const conversations = transcript === undefined ? [] : [...readConversations(transcript)];
      for (const message of conversations.flatMap((one) => [...readMessages(one)])) {
        const record = written.subarray(message.record.start, message.record.end);
        const placed = placedValues(message);
        const paths = placed.map(({ at }) => at);
        const spans = locate(record.toString('latin1'), paths);
        const found = spans.map((span) => span && JSON.parse(record.toString('utf8', span.start, span.end)));
        expect(found.map(wordsOf)).toStrictEqual(placed.map(({ value }) => wordsOf(value)));
      }
    });
  });
}

/** A message in one line: who speaks, and its parts. A result that must stay as it is is locked. */
function shortForm({ role, speaker, parts }: Message): string {
  return [`${speaker} (${role})`, ...parts.map(partForm)].join(' | ');
}

function partForm(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'thinking':
      return `thinking ${part.text}`;
    case 'tool-call':
      return `call ${part.id} of ${part.tool} ${JSON.stringify(part.input)}`;
    case 'tool-result': {
      const marks = [
        part.isError ? ' failed' : '',
        part.isEditable ? '' : ' locked',
        part.copy ? ' with copy' : '',
      ];
      return `result ${part.callId} of ${part.tool}${marks.join('')}: ${resultText(part)}`;
    }
    case 'image':
      return 'image';
    case 'file':
      return `file ${part.name}`;
    case 'raw':
      return `raw ${part.type}`;
  }
}

function itemForms(messages: readonly Message[]): Record<number, readonly string[]> {
  const withItems = messages.filter(({ lists }) => lists.length > 0);
  return Object.fromEntries(
    withItems.map(({ position, lists }) => [position, lists.flatMap(({ items }) => items).map(itemForm)]),
  );
}

function itemForm(item: Item): string {
  switch (item.kind) {
    case 'text':
      return item.text;
    case 'image':
      return `image ${item.data}`;
    case 'other':
      return 'other';
  }
}

/** The texts and payloads of a message with the paths that it gives for them. */
export function placedValues({
  parts,
  lists,
}: Pick<Message, 'parts' | 'lists'>): { at: JsonPath; value: unknown }[] {
  const ofParts = parts.flatMap((part) => {
    if (part.kind === 'text') return [{ at: part.at, value: part.text }];
    if (part.kind !== 'tool-result' || part.value === undefined) return [];
    const items = (part.blocks ?? []).flatMap(placedText);
    return [{ at: part.at, value: part.value }, ...items, ...(part.copy ? [part.copy] : [])];
  });
  return [...ofParts, ...lists.flatMap(({ items }) => items).flatMap(placedText)];
}

/** An item is a text itself, or an object that holds one. */
function placedText(item: Item): { at: JsonPath; value: unknown }[] {
  return item.kind === 'text' ? [{ at: item.at, value: item.text }] : [];
}

const TEXT_BLOCKS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text', 'summary_text']);

/** What an item's place holds: the text itself, or a block with the text in it. */
export function wordsOf(value: unknown): unknown {
  return TEXT_BLOCKS.has(field(value, 'type')) ? field(value, 'text') : value;
}
