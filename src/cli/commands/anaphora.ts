import { type Command, InvalidArgumentError, Option } from 'commander';
import { prefixEdits } from '../../anaphora/apply.js';
import { type Recollection, recollect } from '../../anaphora/recollect.js';
import { readTurns } from '../../anaphora/turns.js';
import { editedPieces } from '../../transcript/edited.js';
import { anaphoraTable } from '../anaphora-table.js';
import { conversationOption } from '../conversation-option.js';
import { withSource } from '../input.js';
import type { Io } from '../io.js';
import { jsonOutput } from '../json-output.js';
import { givenLedger } from '../ledger-input.js';
import { safeJson } from '../terminal.js';
import { brokenTailWarning, warn } from '../warning.js';

interface Options {
  readonly ledger?: string;
  readonly maxTurns?: number;
  readonly pack?: readonly string[];
  readonly json?: true;
  readonly table?: true;
  readonly apply?: true;
  readonly explain?: true;
  readonly format?: string;
  readonly conversation?: string;
  readonly lenient?: true;
}

const EXAMPLES = `
A prefix is built from structure alone: the number of the turn gone back to, and the chunk that it cites
first, or the subject and its tier. A turn without one says why.

Examples:
  thread anaphora fixtures/anaphora.jsonl --table
  thread anaphora fixtures/anaphora.jsonl --json | jq -r 'select(.prefix).prefix'
  thread anaphora fixtures/anaphora.jsonl --apply > with-prefixes.jsonl`;

export function configure(
  command: Command,
  run: (action: (io: Io) => Promise<number>) => Promise<void>,
): void {
  command
    .argument('[file]', 'the transcript; - or nothing for the standard input')
    .option(
      '--ledger <file>',
      'what was retrieved and cited (default: FILE.ledger.jsonl beside it, else derived)',
    )
    .option('--max-turns <turns>', 'how many earlier turns are remembered (default: 8)', turnCount)
    .option('--pack <name>', 'a capability whose evidence is of the tier pack; may be repeated', added)
    .addOption(
      new Option('--json', 'a line of JSON for each turn, on a terminal too').conflicts(['table', 'apply']),
    )
    .addOption(new Option('--table', 'a table (default on a terminal)').conflicts('apply'))
    .option('--apply', 'print the transcript with each prefix in front of its answer')
    .addOption(new Option('--explain', 'say which rule each field comes from').conflicts('apply'))
    .option('-f, --format <name>', 'the transcript format (default: detected)')
    .addOption(conversationOption())
    .option('--lenient', 'pass over a last line that is cut')
    .addHelpText('after', EXAMPLES)
    .action((file: string | undefined, options: Options) => run((io) => anaphora(file, options, io)));
}

function turnCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('turns are a whole number from 1.');
  return Number(text);
}

function added(name: string, names: readonly string[] = []): readonly string[] {
  return [...names, name];
}

async function anaphora(file: string | undefined, options: Options, io: Io): Promise<number> {
  return withSource(file, io, async (source) => {
    const reading = await readTurns(source, {
      given: await givenLedger(file, options.ledger, io),
      packs: new Set(options.pack),
      format: options.format,
      conversation: options.conversation,
      lenient: options.lenient === true,
      onBrokenTail: brokenTailWarning(
        io,
        source.name,
        options.apply ? 'passed through as it is' : 'left out',
      ),
    });
    for (const name of unknownPacks(options.pack, reading.capabilities))
      warn(io, `--pack ${name}: no evidence of that name; there is ${listed(reading.capabilities)}`);
    const isOneOfMany = reading.conversations.length > 1;
    const views = reading.conversations.map(({ index, turns }) => ({
      conversation: isOneOfMany ? index : null,
      recollections: recollect(turns, options.maxTurns),
    }));
    if (options.apply) {
      const output = jsonOutput(io);
      const all = views.flatMap(({ recollections }) => recollections);
      for (const { bytes } of editedPieces(source, prefixEdits(source, all, reading.style), reading.style))
        output.write(bytes);
    } else {
      for (const piece of render(views, options, io)) io.stdout.write(piece);
    }
    return 0;
  });
}

function unknownPacks(packs: readonly string[] = [], capabilities: readonly string[]): string[] {
  return [...new Set(packs)].filter((name) => !capabilities.includes(name));
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** What is shown of one conversation. */
interface View {
  /** Null where there is only one, which needs no number. */
  readonly conversation: number | null;
  readonly recollections: readonly Recollection[];
}

function* render(views: readonly View[], options: Options, io: Io): Generator<string> {
  const isTable = options.table ?? (options.json ? false : io.isTerminal.stdout);
  for (const [i, { conversation, recollections }] of views.entries()) {
    if (isTable) {
      if (conversation !== null) yield `${i === 0 ? '' : '\n'}conversation ${conversation}\n`;
      yield anaphoraTable(recollections, io.columns ?? DEFAULT_WIDTH, options.explain === true);
    } else {
      for (const one of recollections)
        yield `${safeJson(turnLine(one, conversation, options.explain === true))}\n`;
    }
  }
}

const DEFAULT_WIDTH = 100;

/** Described by docs/schemas/anaphora.schema.json. */
function turnLine(
  { summary, prefix, reason, anchor, why }: Recollection,
  conversation: number | null,
  isExplained: boolean,
): object {
  return {
    ...(conversation === null ? {} : { conversation }),
    turn: summary.turnIndex,
    position: summary.position,
    intent: summary.intent,
    subject: summary.subject,
    grounding_source: summary.groundingSource,
    chain_id: summary.chainId,
    prefix,
    reason,
    anchor: anchor === null ? null : { turn: anchor.turnIndex, position: anchor.position },
    ...(isExplained
      ? {
          explain: {
            intent: why.intent,
            subject: why.subject,
            grounding_source: why.grounding,
            chain_id: why.chain,
          },
        }
      : {}),
  };
}
