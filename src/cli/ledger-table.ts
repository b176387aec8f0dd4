import type { CanonicalCitation, CitationProof, Ledger, LedgerCapability } from '../ledger/entry.js';
import type { Occurrence } from '../ledger/record.js';
import { field } from '../transcript/formats/values.js';
import { cellWidth, fitEnd, fitMiddle, oneLine } from './columns.js';
import { counted } from './terminal.js';

/**
 * A ledger for people: a block for each capability that has chunks, in it a row for each chunk, and below the row a line for each proof
 * that it was cited: the question, the kind, the position of the message, and the quote. No line is wider than `width`.
 */
export function ledgerTable(ledger: Ledger, width: number): string {
  return ledger.capabilities
    .filter(({ record }) => record.occurrences.size > 0)
    .map((one) => capabilityBlock(one, width))
    .join('\n');
}

interface Row {
  readonly chunk: string;
  readonly source: string;
  readonly lines: string;
  readonly retrieved: string;
  readonly cited: string;
  readonly proofs: readonly CitationProof[];
}

const HEADING: Row = {
  ...{ chunk: 'CHUNK', source: 'SOURCE', lines: 'LINES', retrieved: 'RETRIEVED', cited: 'CITED' },
  proofs: [],
};

function capabilityBlock(owner: LedgerCapability, width: number): string {
  const { capability, record } = owner;
  const occurrences = [...record.occurrences.values()];
  const cited = occurrences.filter(({ citedInQuestions }) => citedInQuestions.length > 0);
  const title = oneLine(`${capability}: ${counted(occurrences.length, 'chunk')}, ${cited.length} cited`);
  const rows = occurrences.map((occurrence) => chunkRow(owner, occurrence));
  const widths = columnWidths([HEADING, ...rows], width);
  const lines = rows.flatMap((row) => [rowLine(row, widths), ...row.proofs.map(proofLine)]);
  return [title, rowLine(HEADING, widths), ...lines]
    .map((line) => `${fitEnd(line, width).trimEnd()}\n`)
    .join('');
}

function chunkRow({ citations, proofs, unknown }: LedgerCapability, occurrence: Occurrence): Row {
  const { chunkId, retrievedInQuestions, citedInQuestions } = occurrence;
  const lines = field(unknown.byChunk.get(chunkId), 'lines');
  return {
    chunk: oneLine(chunkId),
    source: oneLine(sourceOf(citations.get(chunkId))),
    lines: Array.isArray(lines) ? oneLine([...new Set(lines)].join('-')) : '-',
    retrieved: retrievedInQuestions.join(', ') || '-',
    cited: citedInQuestions.join(', ') || '-',
    proofs: proofs.get(chunkId) ?? [],
  };
}

function sourceOf(citation: CanonicalCitation | undefined): string {
  return citation?.documentUri || citation?.documentTitle || citation?.documentId || '-';
}

/** As JSON, the quote shows where it begins and ends. */
function proofLine({ question, kind, message, quote }: CitationProof): string {
  return oneLine(`  cited by ${question}, ${kind} in message ${message}: ${JSON.stringify(quote)}`);
}

const GAP = '  ';
/** Lists of questions may be long; they are cut before ids are. */
const LIST_WIDTH = 14;
/** For id and source together, however narrow the terminal is. */
const LEAST_LEFT = 8;

type Column = 'chunk' | 'source' | 'lines' | 'retrieved' | 'cited';
type Widths = Readonly<Record<Column, number>>;

/** What the short columns leave is for the chunk's id and its source; the id may take two thirds of it. */
function columnWidths(rows: readonly Row[], width: number): Widths {
  const natural = (column: Column): number =>
    rows.reduce((widest, row) => Math.max(widest, cellWidth(row[column])), 0);
  const [lines, retrieved, cited] = [
    Math.min(natural('lines'), LIST_WIDTH),
    Math.min(natural('retrieved'), LIST_WIDTH),
    Math.min(natural('cited'), LIST_WIDTH),
  ];
  const left = Math.max(LEAST_LEFT, width - lines - retrieved - cited - 4 * GAP.length);
  const chunk = Math.min(natural('chunk'), Math.max(left - natural('source'), Math.floor((left * 2) / 3)));
  return { chunk, source: Math.min(natural('source'), left - chunk), lines, retrieved, cited };
}

function rowLine(row: Row, widths: Widths): string {
  return [
    fitMiddle(row.chunk, widths.chunk),
    fitEnd(row.source, widths.source),
    fitEnd(row.lines, widths.lines),
    fitEnd(row.retrieved, widths.retrieved),
    fitEnd(row.cited, widths.cited),
  ].join(GAP);
}
