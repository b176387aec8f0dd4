import { NOT_ENGLISH, type ReadIntent, readIntent } from './intent.js';
import { actor, doer, madeObject, nounPhrase, verbObject } from './noun-phrase.js';
import { correctedSubject, recalledSubject, statementSubject, supportedActor } from './statement.js';
import { markedNames } from './tokens.js';

export interface FoundSubject {
  /** As it stands in the question; a pronoun is not resolved yet. Null when no rule finds one. */
  readonly name: string | null;
  readonly rule: string;
  /** What the sentences before it are about: a pronoun may mean one of these. */
  readonly earlier: readonly string[];
}

/** The head noun phrase that a question is about. */
export function findSubject(question: string): FoundSubject {
  const read = readIntent(question);
  const before = read.before.flatMap((sentence) => statementSubject(sentence) ?? []);
  const name = read.behind === null ? (before[0] ?? null) : subjectBehind(read.behind);
  if (name !== null)
    return {
      name,
      rule: `noun phrase behind ${read.behind === null ? 'the request' : read.rule}`,
      earlier: read.behind === null ? [] : before,
    };
  const [only, ...others] = markedNames(question);
  return only !== undefined && others.length === 0
    ? { name: only, rule: 'the only path, identifier or quoted name', earlier: [] }
    : { name: null, rule: read.rule === NOT_ENGLISH ? NOT_ENGLISH : 'no noun phrase found', earlier: [] };
}

function subjectBehind({ shape, text, cue }: NonNullable<ReadIntent['behind']>): string | null {
  switch (shape) {
    case 'noun':
      return nounPhrase(text);
    case 'made':
      return madeObject(text);
    case 'actor':
      return supportedActor(text, cue);
    case 'doer':
      return doer(text);
    case 'object':
      return verbObject(text);
    case 'statement':
      return statementSubject(text) ?? actor(text);
    case 'corrected':
      return correctedSubject(/^i meant?$/i.test(cue) ? `${cue} ${text}` : text);
    case 'recalled':
      return recalledSubject(text, cue);
  }
}
