import type { Format } from '../transcript/formats/format.js';
import { isRetrievedLabel, RETRIEVED_IMAGE_TAG } from '../transcript/labels.js';
import { type ByteSource, readRange } from '../transcript/lines.js';
import type { Item, Message } from '../transcript/message.js';
import type { OutlineMessage } from '../transcript/outline.js';
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

/** In either alphabet: pydantic writes the one for URLs. */
function isBase64(data: string | null): boolean {
  return data !== null && data.length % 4 === 0 && /^(?:[A-Za-z0-9+/]+|[\w-]+)={0,2}$/.test(data);
}

export interface PlacedPicture {
  readonly picture: CapsulePicture;
  readonly source: LabelledPicture;
}

/** What becomes of a capsule's pictures. */
export interface PicturePlacement {
  /** To be put beside the capsule. */
  readonly moving: readonly PlacedPicture[];
  /** Nowhere in the transcript, or not decodable. */
  readonly missing: readonly CapsulePicture[];
  /** Whether a labelled picture stays in its prompt, because results of the format may not hold pictures. */
  stays(message: OutlineMessage, label: Item): boolean;
}

/**
 * Finds each picture by the label in front of it, which names the reference and a chunk of the same document.
 * `chunksOf` gives the ids of the cited chunks of a picture's document.
 */
export function placePictures(
  pictures: readonly CapsulePicture[],
  candidates: readonly LabelledPicture[],
  format: Format,
  chunksOf: (picture: CapsulePicture) => readonly string[],
): PicturePlacement {
  const found = pictures.flatMap((picture) => {
    const source = findPicture(picture, candidates, chunksOf(picture));
    return source === undefined ? [] : [{ picture, source }];
  });
  const kept = new Set(found.map(({ picture }) => picture));
  const staying = format.pictures === 'in-place' ? found.filter(({ source }) => source.isPrompted) : [];
  const places = new Set(staying.map(({ source }) => placeOf(source.position, source.label)));
  return {
    moving: found.filter((one) => !staying.includes(one)),
    missing: pictures.filter((picture) => !kept.has(picture)),
    stays: (message, label) => places.has(placeOf(message.position, label)),
  };
}

function findPicture(
  { selfRef }: CapsulePicture,
  candidates: readonly LabelledPicture[],
  chunkIds: readonly string[],
): LabelledPicture | undefined {
  return candidates.findLast(
    ({ label: { text }, isDecodable }) =>
      isDecodable && text.includes(`(${selfRef})`) && chunkIds.some((id) => text.includes(`[${id}]`)),
  );
}

function placeOf(position: number, label: Item): string {
  return `${position}/${label.at.join('/')}`;
}

/** A label and its picture as JSON texts, in the format's own shape; the picture's is the transcript's own text. */
export function pictureItem(
  source: ByteSource,
  { picture, source: place }: PlacedPicture,
  format: Format,
  style: JsonStyle,
): [label: string, picture: string] {
  const text = `${picture.label} ${RETRIEVED_IMAGE_TAG}`;
  // pydantic-ai has bare strings among a prompt's items, the others text blocks.
  const label = format.pictures === 'in-message' ? text : { type: format.textBlock ?? 'text', text };
  const bytes = readRange(source, place.record.start, place.record.end);
  const [span] = locate(bytes.toString('latin1'), [place.at]);
  if (span === undefined) throw new Error(`no picture at /${place.at.join('/')}`);
  return [writeJson(label, style), bytes.subarray(span.start, span.end).toString('utf8')];
}
