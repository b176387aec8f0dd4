import * as z from 'zod';
import { fieldError, pathStep, type Spot } from './spot.js';

export const wholeNumber = z.int('expected a whole number');
export const string = z.string('expected a string');
export const strings = list(string).default([]);

const questions = list(wholeNumber).default([]);

const chunkRef = object({ capability: string, chunk_id: string }).transform((ref) => ({
  capability: ref.capability,
  chunkId: ref.chunk_id,
}));

const declaration = object({
  question: wholeNumber,
  epoch: wholeNumber,
  refs: list(chunkRef).default([]),
});

/** An evidence record without its occurrences. */
export const recordState = object({
  question: wholeNumber.nullable().default(null),
  in_progress: z.boolean('expected true or false').default(false),
  latest_evidence_epoch: wholeNumber.default(0),
  declaration: declaration.nullable().default(null),
}).transform((read) => ({
  question: read.question,
  inProgress: read.in_progress,
  latestEvidenceEpoch: read.latest_evidence_epoch,
  declaration: read.declaration,
}));

/** An occurrence without its chunk id and capability. */
export const usage = object({
  retrieved_in_questions: questions,
  cited_in_questions: questions,
}).transform((read) => ({
  retrievedInQuestions: read.retrieved_in_questions,
  citedInQuestions: read.cited_in_questions,
}));

/** A canonical citation without its chunk id. */
export const citedContent = object({
  document_id: string.default(''),
  document_uri: string.default(''),
  document_title: string.nullable().default(null),
  content: string,
  picture_refs: strings,
}).transform((read) => ({
  documentId: read.document_id,
  documentUri: read.document_uri,
  documentTitle: read.document_title,
  content: read.content,
  pictureRefs: read.picture_refs,
}));

/** The schema of a JSON object. Unknown keys pass and are left out of the result. */
export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object(shape, 'expected an object');
}

export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item, 'expected an array');
}

/** The value as the schema's output; throws an `InputError` that names the first field that does not fit, and why. */
export function parseShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  spot: Spot,
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue === undefined) throw result.error;
  throw fieldError({ ...spot, path: spot.path + issue.path.map(pathStep).join('') }, describeIssue(issue));
}

function describeIssue({ code, input, message }: z.core.$ZodIssue): string {
  if (input === undefined) return `missing (${message})`;
  // Of a closed set of words, the word itself says more than that it is a string.
  const isWord = code === 'invalid_value' && typeof input === 'string' && input.length <= 40;
  return `${message}, got ${isWord ? JSON.stringify(input) : describeValue(input)}`;
}

function describeValue(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return 'a string';
  return Array.isArray(value) ? 'an array' : 'an object';
}
