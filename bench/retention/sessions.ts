import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringLeaves } from '../../src/ledger/derive.js';
import { isEvidenceResult } from '../../src/ledger/results.js';
import { InputError } from '../../src/transcript/errors.js';
import { memorySource } from '../../src/transcript/lines.js';
import { type Message, messageText, resultText } from '../../src/transcript/message.js';
import { outlineConversation } from '../../src/transcript/outline.js';
import { questionPositions } from '../../src/transcript/question.js';
import {
  openTranscript,
  readConversations,
  readMessages,
  type Transcript,
} from '../../src/transcript/transcript.js';

/** What a message says and brings, as the measure needs it. */
export interface SessionMessage {
  readonly position: number;
  readonly speaker: Message['speaker'];
  /** Its text and the arguments of its calls. */
  readonly said: string;
  readonly results: readonly string[];
  readonly isEvidence: boolean;
}

/** A real session, cut at one of its questions. */
export interface Cut {
  readonly name: string;
  readonly bytes: Buffer;
  /** Position of the question at which the session is cut. */
  readonly question: number;
  readonly before: readonly SessionMessage[];
  readonly after: readonly SessionMessage[];
}

/** Folders of sessions long enough to measure. */
const FOLDERS = ['claude-code', 'codex', 'pi'];
const FEWEST_RETURNS = 3;

/** Every session of a corpus folder, cut at every question with at least three evidence returns before it. */
export function readCuts(corpus: string): Cut[] {
  return FOLDERS.filter((name) => existsSync(join(corpus, name))).flatMap((name) =>
    readdirSync(join(corpus, name))
      .filter((file) => file.endsWith('.jsonl'))
      .sort()
      .flatMap((file) => sessionCuts(join(corpus, name, file), `${name}/${file}`)),
  );
}

/** A format that is not read yet has no cuts. */
function openSession(name: string, bytes: Buffer): Transcript | undefined {
  try {
    return openTranscript(memorySource(name, bytes), { lenient: true, isForeign: () => false });
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function sessionCuts(path: string, name: string): Cut[] {
  const bytes = readFileSync(path);
  const transcript = openSession(name, bytes);
  if (transcript === undefined) return [];
  return [...readConversations(transcript)].flatMap((conversation) => {
    const outline = outlineConversation(conversation);
    const onPath = new Set(outline.filter(({ isOnPath }) => isOnPath).map(({ position }) => position));
    const messages = [...readMessages(conversation)]
      .filter(({ position }) => onPath.has(position))
      .map(sessionMessage);
    return questionPositions(outline)
      .map((question) => ({
        ...{ name, bytes, question },
        before: messages.filter(({ position }) => position < question),
        after: messages.filter(({ position }) => position >= question),
      }))
      .filter(
        ({ before }) =>
          before.reduce((sum, { isEvidence, results }) => sum + (isEvidence ? results.length : 0), 0) >=
          FEWEST_RETURNS,
      );
  });
}

function sessionMessage({ position, speaker, parts }: Message): SessionMessage {
  const results = parts.filter((part) => part.kind === 'tool-result');
  const calls = parts.flatMap((part) => (part.kind === 'tool-call' ? stringLeaves(part.input) : []));
  return {
    position,
    speaker,
    said: [messageText({ parts }), ...calls].join('\n'),
    results: results.map(resultText),
    isEvidence: results.some(isEvidenceResult),
  };
}
