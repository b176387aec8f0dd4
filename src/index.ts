export {
  type CompactedConversation,
  type CompactedTranscript,
  type CompactTranscriptOptions,
  compactTranscript,
} from './compaction/compact-transcript.js';
export {
  type CanonicalCitation,
  type CitationProof,
  type Ledger,
  type LedgerCapability,
  parseLedger,
  renderLedger,
} from './ledger/entry.js';
export { type EditedRecord, editedPieces, type OutputPiece } from './transcript/edited.js';
export { InputError, RuleError, ThreadError } from './transcript/errors.js';
export { type ByteSource, memorySource } from './transcript/lines.js';
export type { JsonStyle } from './transcript/splice.js';
