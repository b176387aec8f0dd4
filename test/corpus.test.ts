import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseLedger } from '../src/ledger/entry.js';
import { InputError } from '../src/transcript/errors.js';
import { memorySource } from '../src/transcript/lines.js';
import { type OutlineMessage, outlineConversation } from '../src/transcript/outline.js';
import { questionPositions } from '../src/transcript/question.js';
import { openTranscript, readConversations } from '../src/transcript/transcript.js';
import { runCommand } from './cli/run.js';
import { compactBytes } from './compaction/compacted.js';
import { FORMAT_NAMES } from './corpus-files.js';
import { sharedFolder } from './shared-folder.js';
import { verify } from './verify/cases.js';

const { path: folder, isMissing, title } = sharedFolder('corpus', 'THREAD_CORPUS');

/** Files that are no transcripts, and what is said of them. */
const REFUSED: ReadonlyMap<string, RegExp> = new Map([
  ['openai-chat/tau-airline-fewshot.jsonl', /written out as one display text/],
  ['gemini-cli/resp-google-search-interactions.json', /a response of the Google Interactions API/],
  ['claude-code-export/web-session-loglines.json', /a Claude Code web export/],
]);

const present = FORMAT_NAMES.filter(isPresent);
const absent = FORMAT_NAMES.filter((format) => !isPresent(format));
const files = present.flatMap((format) => filesIn(join(folder, format)));

function isPresent(format: string): boolean {
  return existsSync(join(folder, format));
}

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function outline(bytes: Buffer): OutlineMessage[] {
  const transcript = openTranscript(memorySource('x', bytes), { lenient: false, isForeign: () => false });
  return transcript === undefined
    ? []
    : [...readConversations(transcript)].flatMap((one) => outlineConversation(one));
}

/** What must survive a rewrite of a message: everything but the payloads of its results. */
function skeleton(messages: readonly OutlineMessage[]) {
  return messages.map(({ position, role, speaker, isOnPath, calls, results }) => ({
    ...{ position, role, speaker, isOnPath, calls },
    results: results.map(({ callId, tool, isError, at }) => ({ callId, tool, isError, at })),
  }));
}

describe.skipIf(isMissing)(title, () => {
  const transcripts = files.filter((file) => !REFUSED.has(file));

  test('has transcripts', () => expect(transcripts).not.toStrictEqual([]));

  test.skip.each(absent)('%s (skipped: not in the folder)', () => undefined);

  test.each(transcripts)('%s is detected as the format of its folder', (file) => {
    const source = memorySource('x', readFileSync(join(folder, file)));
    const transcript = openTranscript(source, { lenient: false, isForeign: () => false });
    expect(transcript?.format.name).toBe(file.split('/')[0]);
  });

  test.each(transcripts)(
    '%s: only lines with earlier evidence change, pairs and roles stay',
    async (file) => {
      const bytes = readFileSync(join(folder, file));
      const { compacted, output } = await compactBytes(bytes);
      const edited = new Set(compacted.edits.map(({ record }) => record.line));
      const [before, after] = [bytes.toString('latin1').split('\n'), output.toString('latin1').split('\n')];
      expect(after.length).toBe(before.length);
      const isDocument = compacted.transcript?.recordOptions.isDocument === true;
      const changed = before.flatMap((line, i) => (line === after[i] ? [] : [i + 1]));
      if (!isDocument) expect(changed.filter((line) => !edited.has(line))).toEqual([]);
      expect(skeleton(outline(output))).toEqual(skeleton(outline(bytes)));
      const returns = compacted.conversations.flatMap(({ compaction }) => compaction.returns);
      expect(changed.length > 0).toBe(returns.length > 0);
    },
  );

  test.each(transcripts)('%s: compactions are proved and keep the questions, commands run', async (file) => {
    const original = readFileSync(join(folder, file));
    const positions = outline(original).map(({ position }) => position);
    // Many have one question only, so as if another one came near the end as well.
    const boundary = Math.min(...positions.filter((_, i) => (positions[i + 1] ?? 0) === 0));
    for (const options of [{ recent: 0 }, { recent: 5000 }, { recent: 0, boundary }]) {
      const { output } = await compactBytes(original, options);
      expect(questionPositions(outline(output))).toEqual(questionPositions(outline(original)));
      expect(await verify({ name: file, original, ledger: undefined }, output)).toMatchObject({
        findings: [],
      });
    }
    for (const args of [['ledger'], ['resolve', '--all'], ['recall', '--terms', 'file,error'], ['anaphora']])
      expect([0, 1]).toContain((await runCommand([...args, join(folder, file)])).code);
  });

  test.each(transcripts)(
    '%s: as if asked once more, all of it is earlier; pairs and roles stay, and it is proved',
    async (file) => {
      const bytes = readFileSync(join(folder, file));
      const boundary = Math.max(0, ...outline(bytes).map(({ position }) => position + 1));
      const { output } = await compactBytes(bytes, { boundary, recent: 0, copies: true });
      expect(skeleton(outline(output))).toEqual(skeleton(outline(bytes)));
      expect(await verify({ name: file, original: bytes, ledger: undefined }, output)).toMatchObject({
        findings: [],
      });
    },
    120_000,
  );

  test.each(transcripts)(
    '%s: a ledger with nothing below the boundary gives back the same bytes',
    async (file) => {
      const bytes = readFileSync(join(folder, file));
      const tools = outline(bytes).flatMap(({ results }) => results.map(({ tool }) => tool ?? ''));
      const capability = {
        type: 'capability',
        capability: 'all',
        tool_names: [...new Set(tools)],
        question: 0,
        in_progress: true,
      };
      const { output } = await compactBytes(bytes, { ledger: parseLedger(JSON.stringify(capability), 'l') });
      expect(output.equals(bytes)).toBe(true);
    },
  );

  test.each([...REFUSED].filter(([file]) => existsSync(join(folder, file))))(
    '%s is refused for what it is',
    async (file, problem) => {
      const refused = compactBytes(readFileSync(join(folder, file)));
      await expect(refused).rejects.toThrow(problem);
      await expect(refused).rejects.toBeInstanceOf(InputError);
    },
  );
});
