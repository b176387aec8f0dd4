import { CUES, type Cue, type Intent, type Shape } from './cues.js';
import { isEnglish } from './language.js';
import { type PlainSentence, plainSentence, sentenceParts, sentencesOf } from './question-text.js';

export interface ReadIntent {
  readonly intent: Intent;
  /** The cue that tells it, for people. */
  readonly rule: string;
  /** Where the subject is looked for; null when no cue says. */
  readonly behind: { readonly shape: Shape; readonly text: string; readonly cue: string } | null;
  /** The plain sentences before the cue; without one, all of them. */
  readonly before: readonly string[];
}

export const NOT_ENGLISH = 'not English';

/** The intent of the first sentence that has a cue at its start. Other languages than English are `unknown`. */
export function readIntent(question: string): ReadIntent {
  const sentences = sentencesOf(question);
  if (!isEnglish(sentences.join(' '))) return unknown(NOT_ENGLISH, []);
  const plain = sentences.map((sentence) => plainSentence(sentence).text);
  for (const [i, sentence] of sentences.entries()) {
    for (const { text, preface } of sentenceParts(sentence)) {
      const mayCorrect = i === 0 && preface === '';
      const read = readPart(plainSentence(text), mayCorrect, plain[i + 1] ?? '');
      if (read === undefined) continue;
      return { ...read, before: [...plain.slice(0, i), ...(preface === '' ? [] : [preface])] };
    }
  }
  return unknown('no cue', plain);
}

function unknown(rule: string, before: readonly string[]): ReadIntent {
  return { intent: 'unknown', rule, behind: null, before };
}

function readPart(
  plain: PlainSentence,
  mayCorrect: boolean,
  next: string,
): Omit<ReadIntent, 'before'> | undefined {
  const found = CUES.filter(({ intent }) => intent !== 'correction' || mayCorrect).find((cue) =>
    fits(cue, plain),
  );
  if (found !== undefined) {
    const { intent, name, shape, pattern } = found;
    const [cue = ''] = pattern.exec(plain.text) ?? [];
    const rest = plain.text.slice(cue.length);
    const text = /\p{L}/u.test(rest) && !(intent === 'correction' && MEANT.test(next)) ? rest : next;
    return { intent, rule: `"${name}"`, behind: { shape, text, cue: cue.trim() } };
  }
  if (!plain.isConfirmed) return undefined;
  return {
    intent: 'verification',
    rule: '", right?"',
    behind: { shape: 'statement', text: plain.text, cue: '' },
  };
}

function fits({ pattern, asks }: Cue, { text, isAsking }: PlainSentence): boolean {
  return pattern.test(text) && (asks === undefined || isAsking || ASKS_UNMARKED.test(text));
}

/** People leave the question mark out. Without it, `do the same` and `can do` ask nothing. */
const ASKS_UNMARKED =
  /^(?:(?:is|are|was|were|does|did)(?:n['’]?t)? (?:an?|the|this|that|these|those|my|our|your|his|her|its|their|there|it|they|he|she|we|you|i|any|every|all)|(?:can|could|should|shall|will|would) (?:i|we|it|they|the|this|that|my|our))\b[^.!]*$/i;

/** Behind `no, that one`, what was meant instead. */
const MEANT = /^i (?:meant?|asked|was asking|was talking|am talking)\b/i;
