import { isEnglish } from './language.js';
import { plainSentence, sentencesOf } from './question-text.js';

/** What a question wants. */
export type Intent =
  | 'definition'
  | 'cause'
  | 'procedure'
  | 'comparison'
  | 'correction'
  | 'recall'
  | 'verification'
  | 'narrative'
  | 'example'
  | 'transitive_query'
  | 'unknown';

export interface ReadIntent {
  readonly intent: Intent;
  /** The cue that tells it, for people. */
  readonly rule: string;
  /** The sentence that holds the cue, plain; the first one when none does. */
  readonly sentence: string;
  /** What follows the cue. */
  readonly rest: string;
}

/** The intent of the first sentence that has a cue at its start. Other languages than English are `unknown`. */
export function readIntent(question: string): ReadIntent {
  const sentences = sentencesOf(question);
  const first = sentences[0] === undefined ? '' : plainSentence(sentences[0]).text;
  if (!isEnglish(sentences.join(' '))) return unknown(first, 'not English');
  for (const [i, sentence] of sentences.entries()) {
    const read = readSentence(sentence, sentences[i + 1] ?? '', i === 0);
    if (read !== undefined) return read;
  }
  return unknown(first, 'no cue');
}

function unknown(sentence: string, rule: string): ReadIntent {
  return { intent: 'unknown', rule, sentence, rest: '' };
}

interface Cue {
  readonly intent: Intent;
  readonly name: string;
  readonly pattern: RegExp;
  /** Only a sentence with a question mark. */
  readonly asks?: true;
}

function cue(intent: Intent, name: string, pattern: string, asks?: true): Cue {
  return {
    intent,
    name,
    pattern: new RegExp(`^(?:${pattern})(?![\\w-])[,:]?\\s*`, 'i'),
    ...(asks && { asks }),
  };
}

const AUXILIARY =
  "(?:is|are|was|were|does|do|did|can|could|will|would|should|must|may|might|has|have|had)(?:n?['’]t)?";

/** The first that fits counts: the narrow ones stand above the wide ones. */
const CUES: readonly Cue[] = [
  cue('correction', 'no,', "(?:no|nope|nah)(?=\\s*(?:[,.;:!–—]|- |$|that['’]s|i meant))"),
  cue(
    'correction',
    'actually',
    "actually|i meant|that['’]?s (?:not right|wrong|incorrect|not what)|that is (?:not right|wrong|incorrect)|not quite|wrong|you(?: are|['’]re) wrong",
  ),
  cue(
    'recall',
    'remember',
    '(?:do you |you )?(?:remember|recall)(?: what (?:i|we|you) said about)?|remind me(?: (?:about|of|again))?|(?:go|going|come|coming|let us go)? ?back to',
  ),
  cue(
    'recall',
    'what did we say',
    '(?:what|where|when|how) (?:did|had|have) (?:i|we|you) (?:just )?(?:say|said|tell|told|call|called|decide|decided|mention|mentioned|agree|agreed|find|found|discuss|discussed)(?: (?:me|us))?(?: (?:about|on|for|to))?|(?:earlier|before),? (?:you|we|i) (?:said|told|mentioned|talked about)|you (?:said|told me|mentioned)(?: earlier)?',
  ),
  cue(
    'comparison',
    'compare',
    "compare|contrast|(?:what(?: is| are|['’]s) )?the differences? between|difference between|how (?:does|do|is|are|did)(?= .{1,80}(?:\\bdiffer\\b|\\bdifferent from\\b|\\bcompare\\b))|(?:which|what) (?:one )?is (?:better|faster|cheaper|bigger|larger|safer|heavier|lighter|longer|older|stronger)|what distinguishes",
  ),
  cue(
    'example',
    'give an example of',
    "(?:give|show)(?: (?:me|us))?(?: (?:an?|some|another|one|a few|two|three|more|other))*(?: \\w+)? examples?(?: (?:of|for|where|how|with))?|(?:what(?: is| are|['’]s) )(?:an?|some|another|other) (?:\\w+ )?examples? (?:of|for)|examples? of|for example|such as what",
  ),
  cue(
    'procedure',
    'how do I',
    "how (?:do|can|should|would|could|must|might|did|shall) (?:i|we|you|one|they|somebody|someone)|how to|what(?: is| are|['’]s) the (?:best |right |proper |safest |usual |correct |easiest )?(?:way|procedure|steps?|method)(?: (?:to|for|of))?|(?:walk|guide|talk) (?:me|us) through|steps (?:to|for)|what (?:do|should|must) (?:i|we) do (?:to|about|with|when|if)|which steps",
  ),
  cue(
    'cause',
    'why',
    "why(?: (?:is|are|was|were|does|do|did|can|could|would|will|should|has|have|had)(?:n?['’]t)?| can['’]t| won?['’]t)?|how come|what (?:causes|caused|makes|made|triggers|triggered|leads to|led to|explains)|what(?: is|['’]s| was) the (?:cause|reason|reasons|root cause)(?: (?:of|for|behind|that))?|for what reason",
  ),
  cue('cause', 'how does X work', 'how (?:does|do|did|is|are|was|were)'),
  cue('definition', 'what do you mean by', 'what (?:do|did) (?:you|we|they) mean (?:by|with)'),
  cue('definition', 'what a … is', 'what(?= (?:an?|the) .{1,60}\\b(?:is|are)[?.]?$)'),
  cue('definition', 'what does X mean', 'what (?:does|do|did)(?= .{1,80}\\b(?:mean|stand for|refer to)\\b)'),
  cue(
    'narrative',
    'tell me about',
    'tell (?:me|us) (?:more |a bit |something |all |everything )?about|tell (?:me|us) the story of|describe|summari[sz]e|explain|what happened (?:to|with|in|at|during|after)|what happened|give (?:me|us) (?:an overview|a summary|a description|the story|the history) of|talk about|(?:the )?(?:history|story) of|tell (?:me|us)',
  ),
  cue('transitive_query', 'what does X do', '(?:what|whom|which \\w+) (?:does|do|did)'),
  cue(
    'definition',
    'what is',
    "what (?:exactly |precisely )?(?:is|are|was|were)(?: meant by)?|what['’]?s|who (?:is|was|are|were)|who['’]s|define|(?:the )?(?:meaning|definition) of|what kind of|what type of",
  ),
  cue('verification', 'is … ?', AUXILIARY, true),
];

function readSentence(sentence: string, next: string, isFirst: boolean): ReadIntent | undefined {
  const { text, isConfirmed } = plainSentence(sentence);
  for (const { intent, name, pattern, asks } of CUES) {
    const match = pattern.exec(text);
    if (match === null || (asks && !sentence.trimEnd().endsWith('?'))) continue;
    if (intent === 'correction' && !isFirst) continue;
    const rest = text.slice(match[0].length);
    return {
      intent,
      rule: `"${name}"`,
      sentence: text,
      rest: /\w/.test(rest) || /\p{L}/u.test(rest) ? rest : next,
    };
  }
  return isConfirmed ? { intent: 'verification', rule: '", right?"', sentence: text, rest: text } : undefined;
}
