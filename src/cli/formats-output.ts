import type { Inventory, ToolShare, takeInventory } from '../ledger/inventory.js';
import { FORMATS } from '../transcript/formats/index.js';
import { cellWidth, fitEnd, oneLine } from './columns.js';
import { counted, grouped, safeJson } from './terminal.js';

/** Every format: what it is called, what it is, and what it says of its sources itself. */
export async function formatTable(isJson: boolean): Promise<string[]> {
  if (isJson)
    return FORMATS.map(
      ({ name, title, citations }) =>
        `${safeJson({ name, title, read: true, rewrite: true, questions: true, citations: citations ?? null })}\n`,
    );
  const rows = [
    ['FORMAT', 'READ', 'REWRITE', 'QUESTIONS', 'CITATIONS OF ITS OWN', 'WHAT IT IS'],
    ...FORMATS.map(({ name, title, citations }) => [name, 'yes', 'yes', 'yes', citations ?? '-', title]),
  ];
  return aligned(rows);
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) =>
    rows.reduce((widest, row) => Math.max(widest, cellWidth(row[i] ?? '')), 0),
  );
  return rows.map(
    (row) =>
      `${row
        .map((cell, i) => fitEnd(cell, widths[i] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
  );
}

type Found = ReturnType<typeof takeInventory>;

const WITHOUT_MESSAGES = {
  empty: 'empty: no messages',
  ledger: 'a ledger: what a conversation cited, without its messages',
} as const;

const ROLES = ['system', 'user', 'assistant', 'tool'] as const;
const SHOWN_TOOLS = 8;
const DEFAULT_WIDTH = 100;
const LABEL = 11;

/** What is in a file, for people: a block of lines that are no wider than `width` cells. */
export function inventoryReport(file: string, inventory: Found, width = DEFAULT_WIDTH): string {
  const lines = typeof inventory === 'string' ? [['', WITHOUT_MESSAGES[inventory]]] : reportLines(inventory);
  return [oneLine(file), ...lines.map(([label = '', text = '']) => `  ${label.padEnd(LABEL)}${text}`)]
    .map((line) => `${fitEnd(line, width).trimEnd()}\n`)
    .join('');
}

function reportLines(inventory: Inventory): readonly (readonly string[])[] {
  const { format, confidence, decidedBy, conversations, messages, offPath, questions, evidence, images } =
    inventory;
  return [
    ['format', `${format} (${Math.round(confidence * 100)} % sure, by line ${decidedBy})`],
    [
      'messages',
      [
        ...(conversations === 1 ? [] : [counted(conversations, 'conversation')]),
        counted(messages, 'message'),
        ...(offPath === 0 ? [] : [`${grouped(offPath)} of them off the live path`]),
        counted(questions, 'question'),
      ].join(', '),
    ],
    [
      'evidence',
      [counted(evidence, 'return'), ...(images === 0 ? [] : [counted(images, 'image')])].join(', '),
    ],
    ...tokenLines(inventory),
    ...inventory.damage.map(({ kind, count, line }, i) => [
      i === 0 ? 'damage' : '',
      `${kind}: ${count === 1 ? `line ${line}` : `${grouped(count)}, the first on line ${line}`}`,
    ]),
  ];
}

function tokenLines({ tokensByRole, tools }: Inventory): readonly (readonly string[])[] {
  const total = ROLES.reduce((sum, role) => sum + (tokensByRole.get(role) ?? 0), 0);
  const roles = ROLES.filter((role) => (tokensByRole.get(role) ?? 0) > 0).map(
    (role) => `${role} ${share(tokensByRole.get(role) ?? 0, total)}`,
  );
  const rest = tools.slice(SHOWN_TOOLS);
  return [
    ['tokens', [`about ${grouped(total)}`, ...(roles.length === 0 ? [] : [roles.join(', ')])].join(': ')],
    ...tools.slice(0, SHOWN_TOOLS).map((tool, i) => [i === 0 ? 'tools' : '', toolLine(tool, total)]),
    ...(rest.length === 0 ? [] : [['', `and ${counted(rest.length, 'other tool')}`]]),
  ];
}

function toolLine({ tool, results, tokens }: ToolShare, total: number): string {
  const name = tool === null ? '(no call)' : oneLine(tool);
  return `${name}: ${counted(results, 'result')}, about ${counted(tokens, 'token')} (${share(tokens, total)})`;
}

function share(tokens: number, total: number): string {
  return `${total === 0 ? 0 : Math.round((100 * tokens) / total)} %`;
}

/** Described by docs/schemas/formats.schema.json. */
export function inventoryJson(file: string, inventory: Found): object {
  const head = { schema: 'thread/formats', version: 1, file };
  if (typeof inventory === 'string') return { ...head, format: null, without_messages: inventory };
  const { format, confidence, decidedBy, conversations, messages, offPath, questions, evidence } = inventory;
  return {
    ...head,
    format,
    confidence: Math.round(confidence * 1000) / 1000,
    decided_by: decidedBy,
    conversations,
    messages,
    off_path: offPath,
    questions,
    evidence_returns: evidence,
    images: inventory.images,
    tokens_by_role: Object.fromEntries(ROLES.map((role) => [role, inventory.tokensByRole.get(role) ?? 0])),
    tools: inventory.tools.map(({ tool, results, tokens }) => ({ tool, results, tokens })),
    damage: inventory.damage.map(({ kind, count, line }) => ({ kind, count, line })),
  };
}
