/**
 * Watches the entries of a conversation go by, and says at the end which of its messages are live. For formats whose
 * entries change, replace or hide what stands in other ones; those with a tree of records have `livePath`.
 */
export interface LiveMessages {
  /** An entry, and the position that its first message has if it holds any. */
  see(value: unknown, position: number): void;
  /** The positions of the live messages. */
  live(): ReadonlySet<number>;
}
