import { type EditedRecord, mergeEdits } from '../transcript/edited.js';
import type { Format } from '../transcript/formats/format.js';
import { inFrame } from '../transcript/framed.js';
import { type Edit, type JsonPath, type JsonStyle, writeJson } from '../transcript/splice.js';
import type { HistoryPlan, ReturnPlan, Stripping } from './history.js';

export interface RewriteOptions {
  readonly format: Format;
  readonly style: JsonStyle;
  /** The capsule's pictures as JSON items in the format's own shape: label, picture, label, … */
  readonly pictureItems: readonly string[];
  readonly textFor: (plan: ReturnPlan) => string;
}

/** The edits that carry out a plan. */
export function rewriteEdits(plan: HistoryPlan, options: RewriteOptions): EditedRecord[] {
  const strips = plan.stripped.map((one) => ({ record: one.message.record, edits: stripEdits(one) }));
  const rewrites = plan.returns.map((one, i) => {
    // Pictures go to the last return, also when the capsule's text is empty and it gets a receipt.
    const pictures = i === plan.returns.length - 1 ? options.pictureItems : [];
    return { record: one.message.record, edits: returnEdits(one, options.textFor(one), pictures, options) };
  });
  return mergeEdits([...strips, ...rewrites]);
}

function stripEdits({ list, removed }: Stripping): Edit[] {
  if (list.owner !== null && removed.length === list.items.length)
    return [{ op: 'remove', at: list.owner.at }];
  return removed.map((index) => ({ op: 'remove', at: [...list.at, index] }));
}

function returnEdits(
  plan: ReturnPlan,
  text: string,
  pictures: readonly string[],
  options: RewriteOptions,
): Edit[] {
  const { format, style } = options;
  const { result, message } = plan;
  const inMessage = format.pictures === 'in-message' && pictures.length > 0;
  const payload = payloadJson(plan, text, inMessage ? [] : pictures, options);
  const edits: Edit[] = [{ op: 'replace', at: result.at, json: payload }];
  const { blocksMark, isBlocks } = result;
  if (blocksMark !== undefined && !isBlocks && pictures.length > 0)
    edits.push({ op: 'replace', at: blocksMark.at, json: writeJson(blocksMark.value, style) });
  if (inMessage)
    edits.push({ op: 'append', at: [...message.at, 'parts'], json: userPromptPart(pictures, style) });
  return edits;
}

/** The new payload in the type the field had; only pictures turn a string into an array of blocks. */
export function payloadJson(
  { result }: Pick<ReturnPlan, 'result'>,
  text: string,
  pictures: readonly string[],
  { format, style }: Pick<RewriteOptions, 'format' | 'style'>,
): string {
  if (result.wrap !== undefined) return writeJson({ [result.wrap]: text }, style);
  if (!result.isBlocks && pictures.length === 0) {
    return writeJson(result.frame === null ? text : inFrame(result.frame, text), style);
  }
  const mark = result.cacheControl === undefined ? {} : { cache_control: result.cacheControl };
  const block = writeJson({ type: format.textBlock ?? 'text', text, ...mark }, style);
  return joinArray([block, ...pictures], style);
}

/** A part of a pydantic-ai request, in the key order of its own dumps; it has no other fields (vectors/README.md). */
function userPromptPart(items: readonly string[], style: JsonStyle): string {
  const [colon, comma] = style.spaced ? [': ', ', '] : [':', ','];
  return `{"content"${colon}${joinArray(items, style)}${comma}"part_kind"${colon}"user-prompt"}`;
}

function joinArray(items: readonly string[], style: JsonStyle): string {
  return `[${items.join(style.spaced ? ', ' : ',')}]`;
}

/** Text that a viewer's copy keeps of a string that is no longer shown. */
const SHORT_STRING = 200;

/** Levels of a viewer's copy that are looked at: real ones have a few, and paths as long as one is deep cost its square. */
const COPY_DEPTH = 100;

/**
 * The edits that shrink a record's viewer copy of a replaced result: every long string in it becomes the receipt; its
 * type and keys stay, because viewers rely on them.
 */
export function copyEdits(at: JsonPath, copy: unknown, receipt: string, style: JsonStyle): Edit[] {
  const edits: Edit[] = [];
  const pending: { at: JsonPath; value: unknown }[] = [{ at, value: copy }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { at: here, value } = next;
    if (here.length - at.length > COPY_DEPTH) continue;
    if (typeof value === 'string') {
      if (value.length > SHORT_STRING)
        edits.push({ op: 'replace', at: here, json: writeJson(receipt, style) });
    } else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) pending.push({ at: [...here, i], value: item });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) pending.push({ at: [...here, key], value: item });
    }
  }
  return edits;
}
