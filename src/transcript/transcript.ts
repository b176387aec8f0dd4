import { InputError, ThreadError } from './errors.js';
import type { ConversationSlot, Entry, Format, ReadEntry } from './formats/format.js';
import { detectFormat, FORMATS, formatNamed, lookAlike } from './formats/index.js';
import { firstValueEnd } from './json-text.js';
import type { ByteSource } from './lines.js';
import { readLines } from './lines.js';
import type { Message } from './message.js';
import { messageReader } from './message-reader.js';
import { isBlank, type RecordOptions, readRecords, type TranscriptRecord } from './records.js';

/** A transcript file that has been opened: what it is, not yet what it says. */
export interface Transcript {
  readonly source: ByteSource;
  readonly format: Format;
  /** Whether records are messages of one conversation or whole conversations. */
  readonly layout: 'messages' | 'conversations';
  readonly recordOptions: RecordOptions;
  readonly isForeign: IsForeign;
  /** Index of the record that decided the format. */
  readonly decidedBy: number;
  /** How sure that is, as detection counts it; 1 for a format that was named. */
  readonly confidence: number;
}

export type IsForeign = (record: TranscriptRecord) => boolean;

export interface OpenOptions {
  /** Overrides detection. */
  readonly format?: string | undefined;
  /** A named format that finds no message is the wrong one, unless this says that the file may have lost them. */
  readonly mayLackMessages?: boolean;
  readonly lenient: boolean;
  /** Records that stand in the stream beside the transcript, such as ledger lines: no part of it. */
  readonly isForeign: IsForeign;
  readonly onBrokenTail?: (line: number) => void;
}

const RECORDS_LOOKED_AT = 50;

/**
 * Finds out what a transcript is: one JSON document or a record a line, and which format.
 * @returns undefined for an input without any value (empty, blank, `[]`).
 * @throws InputError when the format is not recognised or the named one finds no message, or the first records are not
 * JSON.
 */
export function openTranscript(source: ByteSource, options: OpenOptions): Transcript | undefined {
  const recordOptions: RecordOptions = {
    isDocument: isDocument(source),
    lenient: options.lenient,
    ...(options.onBrokenTail === undefined ? {} : { onBrokenTail: options.onBrokenTail }),
  };
  const values = firstValues(source, recordOptions, options);
  if (values.every(({ value }) => Array.isArray(value) && value.length === 0)) return undefined;
  const chosen = chooseFormat(source, values, options.format);
  const layout = values.some(({ value }) => holdsMessages(chosen.format.conversations(value)))
    ? 'conversations'
    : 'messages';
  const transcript = { source, ...chosen, layout, recordOptions, isForeign: options.isForeign } as const;
  if (options.format !== undefined && options.mayLackMessages !== true) requireMessages(transcript);
  return transcript;
}

function requireMessages(transcript: Transcript): void {
  const { source, format } = transcript;
  for (const conversation of readConversations(transcript))
    if (readMessages(conversation).next().done === false) return;
  throw new InputError({ file: source.name }, `no message of the format ${format.name} in it`, {
    hint: 'leave --format away to have it detected',
  });
}

/** An empty array says nothing: it may stand among messages as well. */
function holdsMessages(slots: readonly ConversationSlot[] | null): boolean {
  return slots?.some(({ entries }) => entries.length > 0) ?? false;
}

interface SeenValue {
  readonly record: number;
  readonly line: number;
  readonly value: unknown;
}

/** The first values; behind text that two formats write alike, also the first one that tells which of them it is. */
function firstValues(
  source: ByteSource,
  recordOptions: RecordOptions,
  { isForeign, format }: OpenOptions,
): SeenValue[] {
  const values: SeenValue[] = [];
  for (const record of readRecords(source, recordOptions)) {
    if (isForeign(record)) continue;
    const seen = { record: record.index, line: record.line, value: record.value };
    if (values.length < RECORDS_LOOKED_AT) {
      values.push(seen);
      if (values.length === RECORDS_LOOKED_AT && (format !== undefined || isTie(values) !== true)) break;
    } else if (isTie([seen]) === false && isTie([...values, seen]) === false) {
      return [...values, seen];
    }
  }
  return values;
}

/** Undefined where no format is recognised at all. */
function isTie(values: readonly SeenValue[]): boolean | undefined {
  return detectFormat(values.map(({ value }) => value))?.isTie;
}

function chooseFormat(
  source: ByteSource,
  values: readonly SeenValue[],
  named: string | undefined,
): Pick<Transcript, 'format' | 'decidedBy' | 'confidence'> {
  if (named !== undefined) {
    const format = formatNamed(named);
    if (format === undefined)
      throw new ThreadError(`no format "${named}"`, {
        hint: `formats: ${FORMATS.map(({ name }) => name).join(', ')}`,
      });
    return { format, decidedBy: values[0]?.record ?? 0, confidence: 1 };
  }
  const plain = values.map(({ value }) => value);
  const detection = detectFormat(plain);
  const known = lookAlike(plain, detection !== undefined);
  if (detection !== undefined && known === undefined) {
    const { format, confidence } = detection;
    return { format, decidedBy: values[detection.decidedBy]?.record ?? 0, confidence };
  }
  const place = { file: source.name, line: values[0]?.line ?? 1 };
  if (known !== undefined) throw new InputError(place, `this is ${known.is}`, { hint: known.hint });
  throw new InputError(place, 'not a transcript of a known format; looked for:', {
    details: FORMATS.map(({ name, marks }) => `${name}: ${marks}`),
    hint: 'name it with --format if it is one of these',
  });
}

/**
 * A whole JSON document, or a value a line? A document is an array or object that the first line begins and later ones
 * go on with. Its last line closes the first, so it is no value by itself, as every line below a broken first one is.
 */
function isDocument(source: ByteSource): boolean {
  let isBegun = false;
  for (const line of readLines(source)) {
    if (isBlank(line.bytes)) continue;
    const text = line.bytes.toString('utf8');
    if (isBegun) {
      if (!isComplete(text)) return true;
    } else if (!text.startsWith('//')) {
      if (!/^\s*[[{]/.test(text) || beginsWithValue(text, line.bytes)) return false;
      isBegun = true;
    }
  }
  return false; // a cut or broken record, to be reported as such
}

/** Objects may be glued, so the first one need not end its line. */
function beginsWithValue(text: string, bytes: Buffer): boolean {
  return isComplete(text) || firstValueEnd(bytes.toString('latin1')) !== undefined;
}

function isComplete(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // only asked to tell the layouts apart; the reader reports what is wrong
  }
}

/** One conversation of a transcript, to be read as often as needed. */
export interface Conversation {
  /** 0-based, among the file's conversations. */
  readonly index: number;
  readonly id: string | null;
  readonly transcript: Transcript;
  /** A system text that stands beside the messages, as the file holds it. */
  readonly system?: unknown;
  /** The entries in file order, each with its record. */
  entries(): Iterable<PlacedEntry>;
}

export interface PlacedEntry extends Entry {
  readonly record: TranscriptRecord;
}

/** The conversations of a transcript, in order. */
export function* readConversations(transcript: Transcript): Generator<Conversation> {
  const { source, format, layout, recordOptions, isForeign } = transcript;
  if (layout === 'messages') {
    yield { index: 0, id: null, transcript, entries: () => recordEntries(transcript) };
    return;
  }
  let index = 0;
  for (const record of readRecords(source, recordOptions)) {
    if (isForeign(record)) continue;
    for (const slot of slotsOf(format, record, source)) {
      yield {
        index,
        id: slot.id,
        transcript,
        system: slot.system,
        entries: () => slot.entries.map((entry) => ({ ...entry, record })),
      };
      index += 1;
    }
  }
}

function slotsOf(format: Format, record: TranscriptRecord, source: ByteSource): readonly ConversationSlot[] {
  const slots = format.conversations(record.value);
  if (slots !== null) return slots;
  throw new InputError(
    { file: source.name, line: record.line },
    `not a conversation, as the records before it are (${format.name})`,
  );
}

function* recordEntries({ source, recordOptions, isForeign }: Transcript): Generator<PlacedEntry> {
  for (const record of readRecords(source, recordOptions)) {
    if (!isForeign(record)) yield { record, at: [], value: record.value };
  }
}

/**
 * The messages of a conversation in order, numbered, with the tool of each result named from its call. `onEntry` sees
 * every entry before its messages, bookkeeping included.
 */
export function* readMessages(
  conversation: Conversation,
  onEntry?: (read: ReadEntry<PlacedEntry>) => void,
): Generator<Message> {
  const { format } = conversation.transcript;
  const reader = messageReader();
  for (const read of readEntries(format, conversation.entries())) {
    onEntry?.(read);
    yield* reader.read(read.entry, read.messages);
  }
}

function readEntries(format: Format, entries: Iterable<PlacedEntry>): Iterable<ReadEntry<PlacedEntry>> {
  return format.readInOrder?.(entries) ?? readEach(format, entries);
}

function* readEach(format: Format, entries: Iterable<PlacedEntry>): Generator<ReadEntry<PlacedEntry>> {
  let before: unknown;
  for (const entry of entries) {
    const node = format.treeNode?.(entry.value) ?? null;
    yield { entry, messages: format.read(entry, before), node, copies: [] };
    before = entry.value;
  }
}
