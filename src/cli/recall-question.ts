// What a search is for: words as they are given, or a question that is resolved.
import { type AskedHere, contextRows, type Wanted, wantedBy, wantedTerms } from '../recall/recall.js';
import { ThreadError } from '../transcript/errors.js';
import { type Asked, askedQuestions } from './asked-questions.js';
import { lazyResolver } from './planner-choice.js';
import type { RecallOptions, Search } from './recall-search.js';
import { warn } from './warning.js';

/** No passage holds a longer one. */
const LONGEST_TERM = 512;

export interface Question {
  readonly wanted: Wanted;
  /** Of the one conversation that it is about. */
  readonly asked?: AskedHere | undefined;
}

export async function wantedOf(search: Search): Promise<Question> {
  const { terms, literal } = search.options;
  if (literal !== undefined) return { wanted: wantedTerms([nonBlank(literal, '--literal')], true) };
  if (terms !== undefined) {
    const words = terms
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
    if (words.some(({ length }) => length > LONGEST_TERM))
      throw new ThreadError(`--terms: a term has at most ${LONGEST_TERM} characters`, {
        hint: 'look for a longer text with --literal',
      });
    return { wanted: wantedTerms(words.length > 0 ? words : [nonBlank('', '--terms')], false) };
  }
  const asked = await askedIn(search);
  if (asked.missing !== undefined)
    throw new ThreadError(asked.missing, { hint: 'ask with --query TEXT', exitCode: 1 });
  const { resolution, rows } = await lazyResolver(search.choice, search.options, search.io)(asked);
  for (const warning of resolution.warnings) warn(search.io, warning);
  const context = new Set(contextRows(rows).map(({ position }) => position));
  const here = { position: asked.question, query: asked.query, context };
  const wanted = wantedBy(resolution, rows);
  if (wanted.kind === 'terms' && wanted.terms.length === 0)
    warn(search.io, 'the question names nothing to search for');
  return { wanted, asked: search.files.length === 1 ? here : undefined };
}

function nonBlank(text: string, option: string): string {
  if (text.trim() !== '') return text;
  throw new ThreadError(`${option} names nothing to search for`);
}

/** A question about several conversations has no one history, so it stands for itself. */
async function askedIn({ files, options, open }: Search): Promise<Asked> {
  const [file] = files;
  if (files.length !== 1 || file === undefined) {
    if (options.query !== undefined) return { query: options.query, messages: [] };
    throw new ThreadError('which question is meant, of several files?', { hint: 'ask with --query TEXT' });
  }
  return open(file.path, async (source) => {
    const found = [...askedQuestions(source, askedOptions(options), () => undefined)];
    const [asked] = found;
    if (asked !== undefined && found.length === 1) return asked;
    if (options.query !== undefined) return { query: options.query, messages: [] };
    throw new ThreadError(`${source.name}: which question is meant, of several conversations?`, {
      hint: 'ask with --query TEXT',
    });
  });
}

function askedOptions({ query, at, format, conversation, lenient }: RecallOptions) {
  return {
    ...(query === undefined ? {} : { query }),
    ...(at === undefined ? {} : { at }),
    ...(format === undefined ? {} : { format }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(lenient === undefined ? {} : { lenient }),
  };
}
