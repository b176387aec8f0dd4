import { readRange } from '../transcript/lines.js';
import type { OutlineMessage } from '../transcript/outline.js';
import type { RecordRange } from '../transcript/records.js';
import type { JsonPath } from '../transcript/splice.js';
import type { FileReading } from './file-reading.js';
import { digestOf, type Finding } from './finding.js';

/** The records of an original and of what was made of it, matched. */
export interface MatchedRecords {
  /** By index, where both files have as many records and this one is the same one, changed or not. */
  readonly pairs: readonly RecordPair[];
  readonly findings: readonly Finding[];
}

export interface RecordPair {
  readonly original: RecordRange;
  readonly actual: RecordRange;
  readonly isIdentical: boolean;
  /** The path of the value that the ranges are of, where they are of a part of the record. */
  readonly root?: JsonPath;
}

/**
 * Matches the records of both files in order. Where one is missing, added or moved, positions mean something else from
 * there on: then only that is found, and with records missing or added nothing is matched.
 */
export function matchRecords(original: FileReading, actual: FileReading): MatchedRecords {
  const [keys, actualKeys] = [recordKeys(original), recordKeys(actual)];
  if (keys.length !== actualKeys.length)
    return { pairs: [], findings: unmatched(original, actual, keys, actualKeys) };
  const moved = movedRecords(keys, actualKeys);
  const pairs = original.records.flatMap((record, i): RecordPair[] => {
    const other = actual.records[i];
    return other === undefined || moved.has(i) ? [] : [recordPair(original, record, actual, other)];
  });
  return {
    pairs,
    findings: [
      ...[...moved].map((i) => recordFinding(actual, i, `not the record that stands here in the original`)),
      ...between(original, actual),
    ],
  };
}

function recordPair(
  { source }: FileReading,
  original: RecordRange,
  other: FileReading,
  actual: RecordRange,
): RecordPair {
  const bytes = readRange(source, original.start, original.end);
  return {
    original,
    actual,
    isIdentical: bytes.equals(readRange(other.source, actual.start, actual.end)),
  };
}

/** What a record is, whatever its results say: the calls that it answers, else its bytes. */
function recordKeys({ source, records, conversations }: FileReading): string[] {
  const messages = new Map<number, OutlineMessage[]>(records.map(({ index }) => [index, []]));
  for (const message of conversations.flatMap(({ outline }) => outline))
    messages.get(message.record.index)?.push(message);
  return records.map(({ index, start, end }) => {
    const own = messages.get(index) ?? [];
    const answers = own.some(({ results, lists }) => results.length > 0 || lists.length > 0);
    return answers
      ? JSON.stringify(own.map(({ role, results }) => [role, results.map(({ callId }) => callId)]))
      : digestOf(readRange(source, start, end));
  });
}

/** Indices of records that stand elsewhere in the other file. */
function movedRecords(keys: readonly string[], actualKeys: readonly string[]): Set<number> {
  const differing = keys.flatMap((key, i) => (key === actualKeys[i] ? [] : [i]));
  const wanted = new Set(differing.map((i) => keys[i]));
  return new Set(differing.filter((i) => wanted.has(actualKeys[i] ?? '')));
}

/** What differs between the first and the last record that both files have alike. */
function unmatched(
  original: FileReading,
  actual: FileReading,
  keys: readonly string[],
  actualKeys: readonly string[],
): Finding[] {
  const shorter = Math.min(keys.length, actualKeys.length);
  let first = 0;
  while (first < shorter && keys[first] === actualKeys[first]) first += 1;
  let last = 0;
  while (last < shorter - first && keys.at(-1 - last) === actualKeys.at(-1 - last)) last += 1;
  const [left, right] = [
    keys.slice(first, keys.length - last),
    actualKeys.slice(first, actualKeys.length - last),
  ];
  const missing = left.flatMap((key, i) => (right.includes(key) ? [] : [first + i]));
  const added = right.flatMap((key, i) => (left.includes(key) ? [] : [first + i]));
  const counts = `${keys.length} records in the original, ${actualKeys.length} here`;
  if (missing.length + added.length === 0) return [recordFinding(actual, first, counts)];
  return [
    ...missing.map((i) => missingRecord(original, i, actual, first)),
    ...added.map((i) =>
      recordFinding(actual, i, `a record that the original does not have here (${counts})`),
    ),
  ];
}

function missingRecord(original: FileReading, index: number, actual: FileReading, before: number): Finding {
  const record = original.records[index];
  const bytes = record === undefined ? '' : readRange(original.source, record.start, record.end);
  return {
    ...recordFinding(actual, before, `the record of the original's line ${record?.line} is missing`),
    ...placeOf(original, index),
    expected: digestOf(bytes),
    actual: null,
  };
}

function recordFinding(file: FileReading, index: number, message: string): Finding {
  const { source, records } = file;
  const record = records[index];
  return {
    kind: 'record',
    ...placeOf(file, index),
    part: null,
    line: record?.line ?? records.at(-1)?.line ?? 1,
    message,
    expected: null,
    actual: record === undefined ? null : digestOf(readRange(source, record.start, record.end)),
  };
}

/** Byte-order mark, blank lines, line ends, a cut last line: everything that is no record. */
function between(original: FileReading, actual: FileReading): Finding[] {
  const others = gaps(actual);
  return gaps(original).flatMap((bytes, i): Finding[] => {
    const other = others[i];
    if (other === undefined || bytes.equals(other)) return [];
    const where = i === 0 ? 'before the first record' : 'behind this record';
    return [
      {
        ...recordFinding(actual, Math.max(0, i - 1), `${where} stands ${shown(other)}, not ${shown(bytes)}`),
        kind: 'between',
        expected: digestOf(bytes),
        actual: digestOf(other),
      },
    ];
  });
}

/** What stands before the first record and behind each one. */
function gaps({ source, records }: FileReading): Buffer[] {
  const starts = [...records.map(({ start }) => start), source.size];
  return starts.map((end, i) => readRange(source, records[i - 1]?.end ?? 0, end));
}

/** The first message of a record. */
function placeOf({ conversations }: FileReading, index: number): Pick<Finding, 'conversation' | 'position'> {
  const conversation = conversations.findIndex(({ outline }) =>
    outline.some(({ record }) => record.index === index),
  );
  const message = conversations[conversation]?.outline.find(({ record }) => record.index === index);
  return { conversation: Math.max(0, conversation), position: message?.position ?? null };
}

const LONGEST_SHOWN = 40;

function shown(bytes: Buffer): string {
  if (bytes.length === 0) return 'nothing';
  const text = JSON.stringify(bytes.toString('latin1').slice(0, LONGEST_SHOWN));
  return bytes.length > LONGEST_SHOWN ? `${text}…` : text;
}
