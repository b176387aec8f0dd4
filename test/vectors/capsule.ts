import * as z from 'zod';
import { buildCapsule, type CapsuleEvidence } from '../../src/compaction/capsule.js';
import { outcome } from './outcome.js';
import { occurrence, toOccurrences } from './shapes.js';

const citation = z.object({
  chunk_id: z.string(),
  document_id: z.string(),
  document_uri: z.string(),
  document_title: z.string().nullable(),
  content: z.string(),
  picture_refs: z.array(z.string()),
});

const owner = z.object({
  capability: z.string(),
  occurrences: z.array(occurrence),
  citations: z.array(citation),
});

const input = z.object({ evidence: z.array(owner) });

/** `capsule.jsonl`: evidence to text and pictures. */
export function runCapsule(vectorInput: unknown): unknown {
  const evidence = input.parse(vectorInput).evidence.map(toEvidence);
  return outcome(() => {
    const { text, pictures } = buildCapsule(evidence);
    return {
      text,
      pictures: pictures.map(({ capability, chunkId, documentId, selfRef, label }) => ({
        capability,
        chunk_id: chunkId,
        document_id: documentId,
        self_ref: selfRef,
        label,
      })),
    };
  });
}

function toEvidence({ capability, occurrences, citations }: z.output<typeof owner>): CapsuleEvidence {
  return {
    capability,
    occurrences: toOccurrences(occurrences),
    citations: new Map(
      citations.map((read) => [
        read.chunk_id,
        {
          chunkId: read.chunk_id,
          documentId: read.document_id,
          documentUri: read.document_uri,
          documentTitle: read.document_title,
          content: read.content,
          pictureRefs: read.picture_refs,
        },
      ]),
    ),
  };
}
