import type { Recollection } from '../anaphora/recollect.js';
import { cellWidth, fitEnd, oneLine } from './columns.js';

/** The turns of a conversation for people, each with an arrow to the turn that it goes back to, or why there is none. */
export function anaphoraTable(
  recollections: readonly Recollection[],
  width: number,
  isExplained: boolean,
): string {
  const rows = recollections.map(rowOf);
  const widths = columnWidths([HEADING, ...rows], width);
  const lines = rows.flatMap((row, i) => {
    const one = recollections[i];
    return [rowLine(row, widths), ...(isExplained && one !== undefined ? explanation(one) : [])];
  });
  return [rowLine(HEADING, widths), ...lines].map((line) => `${fitEnd(line, width).trimEnd()}\n`).join('');
}

type Row = readonly [turn: string, subject: string, intent: string, tier: string, anchor: string];

const HEADING: Row = ['TURN', 'SUBJECT', 'INTENT', 'TIER', 'GOES BACK TO'];
const SUBJECT_COLUMN = 1;
const GAP = '  ';
const LEAST_SUBJECT = 8;
/** Names that a host gives may be of any length; with these limits the arrow stays within 80 columns. */
const [MOST_INTENT, MOST_TIER] = [16, 12];

function rowOf({ summary, anchor, reason }: Recollection): Row {
  return [
    String(summary.turnIndex),
    oneLine(summary.subject ?? '-'),
    shortened(summary.intent, MOST_INTENT),
    shortened(summary.groundingSource, MOST_TIER),
    anchor === null ? `- (${reason})` : `→ ${anchor.turnIndex}`,
  ];
}

function shortened(name: string, most: number): string {
  const line = oneLine(name);
  return cellWidth(line) <= most ? line : fitEnd(line, most);
}

/** Every column as wide as it needs to be but the subject, which takes what is left. */
function columnWidths(rows: readonly Row[], width: number): number[] {
  const natural = HEADING.map((_, i) =>
    rows.reduce((most, row) => Math.max(most, cellWidth(row[i] ?? '')), 0),
  );
  const others = natural.reduce((sum, one, i) => sum + (i === SUBJECT_COLUMN ? 0 : one), 0);
  const left = Math.max(LEAST_SUBJECT, width - others - GAP.length * (HEADING.length - 1));
  return natural.map((one, i) => (i === SUBJECT_COLUMN ? Math.min(one, left) : one));
}

function rowLine(row: Row, widths: readonly number[]): string {
  return row.map((cell, i) => fitEnd(cell, widths[i] ?? 0)).join(GAP);
}

/** A line a field, so that no reason is cut off behind another. */
function explanation({ why }: Recollection): string[] {
  return [
    `  intent: ${why.intent}`,
    `  subject: ${why.subject}`,
    `  tier: ${why.grounding}`,
    `  chain: ${why.chain}`,
  ].map(oneLine);
}
