import * as z from 'zod';
import { planHistory } from '../../src/compaction/history.js';
import { checkRecords } from '../../src/compaction/record-check.js';
import { rewriteEdits } from '../../src/compaction/rewrite.js';
import { RECEIPT } from '../../src/ledger/carried.js';
import { editedPieces } from '../../src/transcript/edited.js';
import { memorySource } from '../../src/transcript/lines.js';
import { type OutlineMessage, outlineConversation } from '../../src/transcript/outline.js';
import { openTranscript, readConversations } from '../../src/transcript/transcript.js';
import { outcome } from './outcome.js';

const historyInput = z.object({
  messages: z.array(z.unknown()),
  boundary: z.number(),
  owned_tools: z.array(z.string()),
  capsule_text: z.string(),
  capsule_images: z.array(z.unknown()),
});

const STYLE = { escapesNonAscii: true, spaced: false };

/** The messages go through the pydantic-ai adapter and the splicing as a real file's do. */
export function runHistory(raw: unknown): unknown {
  const input = historyInput.parse(raw);
  const source = memorySource('vector', Buffer.from(JSON.stringify(input.messages)));
  const { outline, format } = readOutline(source);
  if (format === undefined) return input.messages;
  const plan = planHistory(outline, {
    boundary: input.boundary,
    isOwned: ({ tool }) => tool !== null && input.owned_tools.includes(tool),
    hasCapsule: input.capsule_text !== '',
  });
  const edits = rewriteEdits(plan, {
    format,
    style: STYLE,
    pictureItems: input.capsule_images.map((item) => JSON.stringify(item)),
    textFor: ({ outcome }) => (outcome === 'capsule' ? input.capsule_text : RECEIPT),
  });
  const pieces: Buffer[] = [];
  for (const { bytes } of editedPieces(source, edits, STYLE)) pieces.push(Buffer.from(bytes));
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

const recordCheckInput = z.object({
  evidence: z.array(
    z.object({ capability: z.string(), tool_names: z.array(z.string()), state_carried: z.boolean() }),
  ),
  messages: z.array(z.unknown()),
  boundary: z.number(),
});

export function runRecordCheck(raw: unknown): unknown {
  const input = recordCheckInput.parse(raw);
  const capabilities = input.evidence.map((one) => ({
    capability: one.capability,
    toolNames: one.tool_names,
    stateCarried: one.state_carried,
  }));
  const { outline } = readOutline(memorySource('vector', Buffer.from(JSON.stringify(input.messages))));
  return outcome(() => {
    checkRecords(capabilities, outline, input.boundary);
    return null;
  });
}

function readOutline(source: ReturnType<typeof memorySource>) {
  const transcript = openTranscript(source, {
    format: 'pydantic-ai',
    lenient: false,
    isForeign: () => false,
  });
  const outline: OutlineMessage[] = [];
  if (transcript !== undefined) {
    for (const conversation of readConversations(transcript))
      outline.push(...outlineConversation(conversation));
  }
  return { outline, format: transcript?.format };
}
