import { grouped } from '../transcript/counts.js';
import { plainRows, type Screen } from './screen.js';
import type { ConversationDiff, MessageChange } from './transcript-diff.js';

interface Row {
  readonly place: string;
  readonly who: string;
  readonly kind: string;
  readonly bytes: string;
  readonly before: number;
  readonly after: number;
}

const GAP = '  ';
/** Tool names may be long. */
const WIDEST_WHO = 32;
const LONGEST_BAR = 50;
const SHORTEST_BAR = 8;

/**
 * A row for each message that is not the same: where, who, what happened, bytes, and a bar of them as long as the
 * largest message allows: `#` for what both have, `-` for what went and `+` for what came.
 */
export function* statRows({ changes }: ConversationDiff, screen: Screen): Generator<string> {
  const rows = changes.filter(({ kind }) => kind !== 'same').map((change) => statRow(change, screen));
  const widest = (column: 'place' | 'who' | 'kind' | 'bytes'): number =>
    rows.reduce((most, row) => Math.max(most, screen.cellWidth(row[column])), 0);
  const largest = rows.reduce((most, { before, after }) => Math.max(most, before, after), 1);
  const [place, kind, bytes] = [widest('place'), widest('kind'), widest('bytes')];
  const left = screen.width - place - kind - bytes - 4 * GAP.length - SHORTEST_BAR;
  const who = Math.max(4, Math.min(widest('who'), WIDEST_WHO, left));
  const room = screen.width - place - who - kind - bytes - 4 * GAP.length;
  for (const row of rows) {
    const columns = [
      row.place.padStart(place),
      screen.fitEnd(row.who, who),
      row.kind.padEnd(kind),
      row.bytes.padStart(bytes),
      bar(row, largest, Math.max(0, Math.min(LONGEST_BAR, room)), screen),
    ];
    const line = columns.join(GAP).trimEnd();
    if (room >= 0) yield line;
    else yield* plainRows(line, 'dim', screen);
  }
}

function statRow(change: MessageChange, screen: Screen): Row {
  const { kind } = change;
  const [before, after] = [change.before?.bytes ?? 0, change.after?.bytes ?? 0];
  const { role, tool } = change.after ?? change.before;
  return {
    place: placeOf(change),
    who: screen.oneLine(tool === null ? role : `${role} ${tool}`),
    kind,
    bytes: `${grouped(before)} → ${grouped(after)}`,
    before,
    after,
  };
}

/** The position, or both where they are not the same. */
export function placeOf({ before, after }: MessageChange): string {
  const places = [before?.position, after?.position].filter((place) => place !== undefined);
  return [...new Set(places)].join(' → ');
}

function bar({ before, after }: Row, largest: number, room: number, screen: Screen): string {
  const cells = (bytes: number): number => Math.ceil((bytes / largest) * room);
  const shared = cells(Math.min(before, after));
  const length = cells(Math.max(before, after));
  const changed = (before > after ? '-' : '+').repeat(length - shared);
  return '#'.repeat(shared) + screen.paint(before > after ? 'removed' : 'added', changed);
}
