import { counted, grouped } from '../transcript/counts.js';
import { folded, type ShownLine } from './fold.js';
import { hunksOf } from './hunks.js';
import { diffLines } from './line-diff.js';
import type { RenderOptions } from './render.js';
import { plainRows, textRows } from './screen.js';
import type { Section } from './sections.js';
import { placeOf } from './stat.js';
import type { ConversationDiff, MessageChange, TranscriptDiff } from './transcript-diff.js';

export interface ChangeOptions extends RenderOptions {
  readonly diff: TranscriptDiff;
  readonly conversation: ConversationDiff;
}

/** A headed block for a message that is not the same: what happened to it, then what differs in it. */
export function* changeRows(change: MessageChange, options: ChangeOptions): Generator<string> {
  if (change.kind === 'same') return;
  const { screen, diff } = options;
  yield '';
  yield* plainRows(heading(change), 'heading', screen);
  if (change.kind === 'reformatted' || (change.kind === 'moved' && !change.isChanged)) return;
  const sections = diff.bodies.sections(change.before, change.after);
  for (const section of sections) yield* sectionRows(section, options);
  if (sections.length === 0) yield* plainRows(besideText(change, diff), 'dim', screen);
}

function heading(change: MessageChange): string {
  const { role, tool } = change.after ?? change.before;
  const who = tool === null ? role : `${role} ${tool}`;
  const [before, after] = [change.before?.bytes ?? 0, change.after?.bytes ?? 0];
  return `=== ${placeOf(change)} ${who}: ${whatHappened(change)}, ${bytesText(before, after)} bytes`;
}

function bytesText(before: number, after: number): string {
  return before === after ? grouped(before) : `${grouped(before)} → ${grouped(after)}`;
}

function whatHappened(change: MessageChange): string {
  switch (change.kind) {
    case 'capsule':
      return `capsule with ${counted(change.after.evidence.chunks, 'chunk')}`;
    case 'moved':
      return change.isChanged ? 'moved and changed' : 'moved';
    case 'reformatted':
      return 'reformatted: only spacing, escapes or the order of keys differ';
    case 'same':
    case 'changed':
    case 'receipt':
    case 'removed':
    case 'added':
      return change.kind;
  }
}

/** Of a message whose parts are the same, the fields that are not. */
function besideText(change: MessageChange, { bodies, isAcrossFormats }: TranscriptDiff): string {
  if (change.before === null || change.after === null) return 'no text';
  if (isAcrossFormats) return 'its parts are the same text';
  const paths = bodies.differingPaths(change.before, change.after).map((path) => path || '/');
  return `its text is the same; other fields differ: ${paths.join(' ')}`;
}

function* sectionRows(section: Section, options: ChangeOptions): Generator<string> {
  const { screen, context } = options;
  const { runs, isComplete } = diffLines(section.before ?? '', section.after ?? '');
  yield* plainRows(sectionTitle(section), 'dim', screen);
  for (const row of entryLines(section, options)) yield* plainRows(row, 'dim', screen);
  if (!isComplete)
    yield* plainRows('too different to be compared line by line: shown as replaced', 'dim', screen);
  for (const line of folded(hunksOf(runs, context), options.isFull)) yield* lineRows(line, options);
}

function sectionTitle({ title, before, after }: Section): string {
  if (before === null) return `${title} (added)`;
  return after === null ? `${title} (removed)` : title;
}

function entryLines({ entries }: Section, { diff, conversation }: ChangeOptions): string[] {
  const { index } = conversation.before ?? { index: 0 };
  return entries.map(({ ownId, content, group }) => {
    const questions = diff.citing(index, ownId);
    const by = questions.length > 0 ? `cited by ${questions.join(', ')}` : `in group ${group}`;
    return `  [${ownId}] ${by}: ${counted(content.length, 'character')}`;
  });
}

function* lineRows(line: ShownLine, { screen }: ChangeOptions): Generator<string> {
  switch (line.kind) {
    case 'hunk':
      yield screen.paint('dim', `@@ -${rangeText(line.hunk.before)} +${rangeText(line.hunk.after)} @@`);
      return;
    case 'line':
      yield* textRows(line.sign, line.pieces, screen);
      return;
    case 'fold':
      yield* plainRows(`  … ${line.text}`, 'dim', screen);
  }
}

/** As in a unified diff: a count of 1 is left away. */
function rangeText({ start, count }: { readonly start: number; readonly count: number }): string {
  return count === 1 ? String(start) : `${start},${count}`;
}
