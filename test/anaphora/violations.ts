import { prefixEdits } from '../../src/anaphora/apply.js';
import { type Recollection, recollect } from '../../src/anaphora/recollect.js';
import { readTurns, type TurnOptions } from '../../src/anaphora/turns.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { memorySource } from '../../src/transcript/lines.js';

const GROUNDED: ReadonlySet<string> = new Set(['teaching', 'pack']);
const OPENING = /^\(Recalling turn (-?\d+): /;
const CLOSING = '.) ';
/** A name of 200 units, each of them escaped. */
const LONGEST = 1200;

/** What is wrong with the prefixes of one conversation: nothing, whatever the conversation says. */
export function violations(recollections: readonly Recollection[]): string[] {
  return recollections.flatMap((one, i) => violationsOf(one, recollections.slice(0, i)));
}

function violationsOf(
  { summary, anchor, prefix, reason }: Recollection,
  earlier: readonly Recollection[],
): string[] {
  const found: string[] = [];
  const must = (holds: boolean, what: string): void => {
    if (!holds) found.push(`turn at ${summary.position}: ${what}`);
  };
  must((prefix === null) !== (reason === null), 'either a prefix or a reason');
  must((prefix === null) === (anchor === null), 'an anchor with a prefix only');
  if (prefix === null || anchor === null) return found;
  must(GROUNDED.has(summary.groundingSource), 'itself grounded');
  must(GROUNDED.has(anchor.groundingSource), 'its anchor grounded');
  must(
    earlier.some(({ summary: { position } }) => position === anchor.position),
    'an earlier anchor',
  );
  must(OPENING.exec(prefix)?.[1] === String(anchor.turnIndex), 'the number of its anchor');
  must(!/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(prefix), 'on one line, nothing invisible');
  const said = prefix.replace(OPENING, '').slice(0, -CLOSING.length);
  const subject = summary.subject?.toLowerCase() ?? '';
  const names = [`${subject} grounded ${anchor.groundingSource}`, `chain ${escaped(anchor.chainId ?? '')}`];
  must(prefix.endsWith(CLOSING) && names.includes(said), 'nothing but subject and tier, or chunk id');
  must(said.length <= LONGEST, 'no more than a name');
  return found;
}

function escaped(name: string): string {
  const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
  return name.replace(unsafe, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export interface ReadAloud {
  /** By conversation. */
  readonly conversations: readonly (readonly Recollection[])[];
  readonly applied: Buffer;
}

/** Everything that `thread anaphora` says about a transcript, and the transcript with it. */
export async function recollectAll(
  bytes: Uint8Array,
  options: Partial<TurnOptions> = {},
): Promise<ReadAloud> {
  const source = memorySource('x', bytes);
  const defaults = { packs: new Set<string>(), lenient: false, onBrokenTail: () => undefined };
  const { conversations, style } = await readTurns(source, { ...defaults, ...options });
  const recollections = conversations.map(({ turns }) => recollect(turns));
  const edits = prefixEdits(source, recollections.flat(), style);
  const pieces: Buffer[] = [];
  // One by one: the buffer of a piece is used again for the next.
  for (const { bytes: piece } of editedPieces(source, edits, style)) pieces.push(Buffer.from(piece));
  return { conversations: recollections, applied: Buffer.concat(pieces) };
}
