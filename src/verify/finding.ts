import { createHash } from 'node:crypto';

export type FindingKind =
  /** A record is missing, was added, or stands elsewhere. */
  | 'record'
  /** Line ends, blank lines, a byte-order mark: what stands between the records. */
  | 'between'
  /** A record without replaced evidence is not the original's. */
  | 'untouched'
  /** Something beside a replaced payload is not the original's. */
  | 'around'
  | 'capsule'
  /** A chunk is missing, altered, twice or out of place. */
  | 'chunk'
  | 'receipt'
  /** A receipt keeps lines of its return, but not those that a compaction keeps. */
  | 'excerpt'
  /** A receipt ends with the address of another return. */
  | 'address'
  /** The copy that a record keeps for viewers. */
  | 'copy'
  | 'picture'
  /** A call without its result, or a result without its call. */
  | 'pair';

/** One thing that keeps a file from being what it should be. */
export interface Finding {
  readonly kind: FindingKind;
  /** 0-based index of the conversation. */
  readonly conversation: number;
  /** Null where no single message can be named. */
  readonly position: number | null;
  readonly part: number | null;
  /** 1-based, in the file that is checked. */
  readonly line: number;
  readonly message: string;
  /** SHA-256 of the bytes that should stand there and of those that do, where there are such. */
  readonly expected: string | null;
  readonly actual: string | null;
}

/** SHA-256 in hexadecimal. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
