// The files of a search: opened, scanned, and read again for what stands around a passage.
import { setImmediate } from 'node:timers/promises';
import { isLedgerLine } from '../ledger/ledger-line.js';
import type { PlannerChoice } from '../query/planners/index.js';
import { readTexts } from '../recall/passages.js';
import type { Ranked } from '../recall/rank.js';
import type { AskedHere, Passage, Recall } from '../recall/recall.js';
import { readVisible, type VisibleText } from '../recall/visible.js';
import { InputError } from '../transcript/errors.js';
import type { ByteSource } from '../transcript/lines.js';
import { selectConversations } from '../transcript/select-conversation.js';
import { type Conversation, openTranscript, readConversations } from '../transcript/transcript.js';
import { UnreadableInput, withSource } from './input.js';
import type { Io } from './io.js';
import { keepYoungSpaceSmall } from './memory.js';
import type { PlannerOptions } from './planner-choice.js';
import { linesAround, type Surroundings } from './recall-output.js';
import type { TranscriptFile } from './transcript-files.js';
import { brokenTailWarning, warn } from './warning.js';

export interface RecallOptions extends PlannerOptions {
  readonly query?: string;
  readonly at?: number;
  readonly terms?: string;
  readonly literal?: string;
  readonly k: number;
  readonly maxChars: number;
  readonly visible?: string;
  readonly json?: true;
  readonly context?: number;
  readonly format?: string;
  readonly conversation?: string;
  readonly lenient?: true;
}

/** What the steps of a search share. */
export interface Search {
  readonly files: readonly TranscriptFile[];
  readonly options: RecallOptions;
  readonly choice: PlannerChoice;
  readonly io: Io;
  /** Opens a file for as long as the work takes. */
  readonly open: <T>(path: string, work: (source: ByteSource) => Promise<T>) => Promise<T>;
}

export interface Coverage {
  /** Something was passed over. */
  readonly isIncomplete: boolean;
  /** A file or folder of it could not be read. */
  readonly isUnreadable: boolean;
}

export async function scanAll(
  recalling: Recall,
  asked: AskedHere | undefined,
  search: Search,
): Promise<Coverage> {
  const { files, io, open } = search;
  await keepYoungSpaceSmall();
  let [isIncomplete, isUnreadable] = [false, false];
  const onBreak = (): void => {
    isIncomplete = true;
  };
  const isManyFiles = files.length > 1; // of one file every line is looked at: a broken one is always told
  for (const { path, isFound } of files) {
    await setImmediate(); // for the spinner, and for signals
    try {
      await open(path, async (source) => {
        const conversations = conversationsOf(source, search, onBreak);
        if (isManyFiles && search.options.format === undefined && !recalling.mayHold(source)) return;
        const chosen = selectConversations(conversations, search.options.conversation, source.name);
        for (const conversation of chosen) recalling.scan({ conversation, file: source.name, asked });
      });
    } catch (error) {
      if (!isFound || !(error instanceof InputError)) throw error;
      warn(io, `passed over: ${error.headline}`);
      if (error instanceof UnreadableInput) isUnreadable = true;
      onBreak();
    }
  }
  return { isIncomplete, isUnreadable };
}

function conversationsOf(
  source: ByteSource,
  { options, io }: Search,
  onBreak: () => void = () => undefined,
): Iterable<Conversation> {
  const tell = brokenTailWarning(io, source.name, 'left out');
  const transcript = openTranscript(source, {
    format: options.format,
    lenient: options.lenient === true,
    isForeign: ({ value }) => isLedgerLine(value),
    onBrokenTail(line) {
      tell(line);
      onBreak();
    },
  });
  return transcript === undefined ? [] : readConversations(transcript);
}

export async function visibleText(path: string, search: Search): Promise<VisibleText> {
  return withSource(path, search.io, async (source) => readVisible(conversationsOf(source, search)));
}

/** Read again, each file once: a passage is held without what stands around it. */
export async function surroundings(
  found: readonly Ranked<Passage>[],
  search: Search,
): Promise<ReadonlyMap<Passage, Surroundings>> {
  const around = new Map<Passage, Surroundings>();
  const { context } = search.options;
  if (context === undefined || context === 0) return around;
  const passages = found.map(({ passage }) => passage);
  for (const { path } of search.files) {
    if (!passages.some(({ file }) => file === path || search.files.length === 1)) continue;
    await search.open(path, async (source) => {
      const here = passages.filter(({ file }) => file === source.name);
      for (const conversation of conversationsOf(source, search))
        for (const [passage, text] of partsOf(conversation, here)) {
          const { offset } = passage;
          around.set(passage, linesAround(text, offset, offset + passage.text.length, context));
        }
    });
  }
  return around;
}

/** Passages of a conversation, each with the whole text of its part. */
function* partsOf(
  conversation: Conversation,
  passages: readonly Passage[],
): Generator<readonly [Passage, string]> {
  const here = passages.filter(({ conversation: index }) => (index ?? 0) === conversation.index);
  if (here.length === 0) return;
  for (const { position, part, text } of readTexts(conversation))
    for (const passage of here)
      if (passage.position === position && passage.part === part) yield [passage, text];
}
