import { isRetrievedLabel, RETRIEVED_IMAGE_TAG } from '../transcript/labels.js';
import { type ByteSource, readRange } from '../transcript/lines.js';
import type { Item, Message } from '../transcript/message.js';
import type { RecordRange } from '../transcript/records.js';
import { type JsonPath, type JsonStyle, locate, writeJson } from '../transcript/splice.js';
import type { CapsulePicture } from './capsule.js';

/** A picture in the transcript with the text directly before it, which may be its label. */
export interface LabelledPicture {
  readonly position: number;
  readonly record: RecordRange;
  readonly label: Item & { readonly kind: 'text' };
  /** Path of the picture inside the record. */
  readonly at: JsonPath;
  readonly isDecodable: boolean;
  /** In a user prompt, not in a tool result. */
  readonly isPrompted: boolean;
}

/** The pictures of a message that have a text in front of them: in results' blocks, or in prompts under our own tag. */
export function labelledPictures(message: Message): LabelledPicture[] {
  const blocks = message.parts.flatMap((part) =>
    part.kind === 'tool-result' && part.blocks !== null ? [part.blocks] : [],
  );
  const inResults = blocks.flatMap((items) => pairs(message, items, false));
  const inPrompts = message.lists
    .flatMap((list) => pairs(message, list.items, true))
    .filter(({ label }) => isRetrievedLabel(label));
  return [...inResults, ...inPrompts];
}

function pairs(
  { position, record }: Message,
  items: readonly Item[],
  isPrompted: boolean,
): LabelledPicture[] {
  return items.flatMap((item, i) => {
    const label = items[i - 1];
    if (item.kind !== 'image' || label?.kind !== 'text') return [];
    return [{ position, record, label, at: item.at, isDecodable: isBase64(item.data), isPrompted }];
  });
}

function isBase64(data: string | null): boolean {
  return data !== null && data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

/** Where the pictures of a capsule stand, and which of them are nowhere to be found. */
export interface FoundPictures {
  readonly found: readonly { readonly picture: CapsulePicture; readonly source: LabelledPicture }[];
  readonly missing: readonly CapsulePicture[];
}

/**
 * Finds each picture by the label in front of it, which names the reference and a chunk of the same document. Pictures
 * that cannot be decoded count as missing. `chunksOf` gives the ids of a document's cited chunks.
 */
export function findPictures(
  pictures: readonly CapsulePicture[],
  candidates: readonly LabelledPicture[],
  chunksOf: (picture: CapsulePicture) => readonly string[],
): FoundPictures {
  const found = pictures.flatMap((picture) => {
    const ids = chunksOf(picture);
    const source = candidates.findLast(
      ({ label, isDecodable }) =>
        isDecodable &&
        label.text.includes(`(${picture.selfRef})`) &&
        ids.some((id) => label.text.includes(`[${id}]`)),
    );
    return source === undefined ? [] : [{ picture, source }];
  });
  const kept = new Set(found.map(({ picture }) => picture));
  return { found, missing: pictures.filter((picture) => !kept.has(picture)) };
}

/** The label as it stands on the wire: with the tag that tells our own pictures from others. */
export function wireLabel(picture: CapsulePicture): string {
  return `${picture.label} ${RETRIEVED_IMAGE_TAG}`;
}

/** A picture's own JSON text, as the transcript has it. */
export function pictureJson(source: ByteSource, { record, at }: LabelledPicture): string {
  const bytes = readRange(source, record.start, record.end);
  const [span] = locate(bytes.toString('latin1'), [at]);
  if (span === undefined) throw new Error(`no picture at /${at.join('/')}`);
  return bytes.subarray(span.start, span.end).toString('utf8');
}

/** A label as an item of a prompt or a result; pydantic-ai has bare strings there, the others text blocks. */
export function labelJson(picture: CapsulePicture, isBareString: boolean, style: JsonStyle): string {
  const text = wireLabel(picture);
  return writeJson(isBareString ? text : { type: 'text', text }, style);
}
