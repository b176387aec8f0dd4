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

/**
 * How the words behind a cue hold the subject: they begin with it (`noun`), say what becomes
 * of it (`made`), say what it does (`actor`), ask what it does
 * (`doer`), say what is done to it (`object`), or are a whole sentence (`statement`, `corrected`, `recalled`).
 */
export type Shape = 'noun' | 'made' | 'actor' | 'doer' | 'object' | 'statement' | 'corrected' | 'recalled';

export interface Cue {
  readonly intent: Intent;
  readonly name: string;
  readonly shape: Shape;
  readonly pattern: RegExp;
  /** Only a sentence that asks. */
  readonly asks?: true;
}

function cue(intent: Intent, shape: Shape, name: string, pattern: string, asks?: true): Cue {
  return {
    intent,
    name,
    shape,
    pattern: new RegExp(`^(?:${pattern})(?![\\w-])[,:]?\\s*`, 'i'),
    ...(asks && { asks }),
  };
}

const AUXILIARY =
  "(?!have a|take a)(?:is|are|was|were|does|do|did|can|could|will|would|should|must|may|might|has|have|had)(?:n?['’]t)?";
const FINE =
  '(?:true|possible|correct|ok|okay|safe|normal|right|the case|fine|allowed|necessary|worth|likely)';
const IS = "(?: is| are|['’]s)";
const ANY =
  '(?:best|right|proper|safest|usual|correct|easiest|quickest|simplest|fastest|cleanest|recommended)';

/** The first that fits counts: the narrow ones stand above the wide ones. */
export const CUES: readonly Cue[] = [
  cue(
    'correction',
    'corrected',
    'no,',
    "(?:(?:no|nope|nah)[, ]+)*(?:no|nope|nah)(?=\\s*(?:[,.;:!–—]|- |$|that['’]s|(?:i|you|we|they|he|she|it|it['’]s|the|this|not|my|your|our)\\b))",
  ),
  cue(
    'correction',
    'corrected',
    'actually',
    "actually|i meant?(?= )|(?:i think |i believe )?(?:that['’]?s|that is|this is) (?:not right|wrong|incorrect|not correct|not true|false|not what (?:i|we)[^,.;:]{0,40})|(?:that|this) (?:can['’]t|cannot|can not) be (?:right|correct)|i (?:don['’]t|do not) think (?:that['’]s|that is|so)(?: right| correct| true)?|i disagree|not quite|not (?=(?:the|that|this|my|our)\\b)|wrong|incorrect|(?:i think |i believe |i['’]m afraid )?you(?: are|['’]re) (?:wrong|mistaken|confusing)",
  ),
  cue(
    'recall',
    'recalled',
    'remember',
    "(?:(?:do|don['’]t) you |you )?(?:still |perhaps |happen to )?(?:remember|recall)(?: what (?:i|we|you) said about)?|remind me(?: (?:about|of|again|what (?:i|we|you) \\w+ (?:about|on)))*|(?:let us |let['’]s )?(?:go|going|come|coming|get|getting|return|returning)? ?back to|(?:return|returning) to",
  ),
  cue(
    'recall',
    'recalled',
    'what did we say',
    "(?:what|where|when|how) (?:did|had|have) (?:i|we|you) (?:just )?(?:say|said|tell|told|call|called|decide|decided|mention|mentioned|agree|agreed|find|found|discuss|discussed)(?: (?:me|us))?(?: (?:about|on|for|to))?|what (?:i|we|you) (?:said|told|decided|mentioned|agreed|found|discussed)(?: (?:me|us))?(?: (?:about|on|for|to))|(?:earlier|before),? (?:you|we|i) (?:said|told|mentioned|talked about)|you (?:said|told me|mentioned)(?: earlier)?|as (?:i|we|you) (?:said|discussed|mentioned|agreed)(?: earlier| before| above)?|(?:did|didn[’']t) (?:i|we|you) (?:say|mention|tell|agree|decide|discuss|talk)(?: (?:me|us))?(?: (?:about|on|that|to))?",
  ),
  cue(
    'comparison',
    'noun',
    'compare',
    `compar(?:e|ing)|contrast|(?:what${IS} )?the (?:differences?|diff) between|(?:the )?(?:difference|diff) between|(?:how|in (?:what|which) ways?) (?:does|do|is|are|did)(?= .{1,80}(?:\\bdiffer\\b|\\bdifferent from\\b|\\bcompare\\b))|(?:which|what) (?:one )?(?:is|are|of (?:them|these|those|the two) is) (?:the )?(?:better|best|worse|worst|\\w+(?:er|est)|(?:more|less|most) \\w+)(?=[,:–—-]? .*\\bor\\b)|is there (?:an?|any) differences? between|what do(?=\\s.{1,80}\\bhave in common\\b)|what distinguishes`,
  ),
  cue(
    'example',
    'noun',
    'give an example of',
    `(?:(?:give|giving|show|showing|provide|name|find|think of|come up with|have|see|get)(?: (?:me|us))?|(?:can|could|may) (?:i|we) (?:have|get|see)|i['’]d like|i would like|i (?:want|need))(?: (?:an?|some|another|one|a few|two|three|more|other))*(?: \\w+)? examples?(?: (?:of|for|where|how|with))?|(?:what(?:${IS}| would be| could be) )(?:an?|some|another|other) (?:\\w+ )?examples? (?:of|for)|examples? of|for example|such as what`,
  ),
  cue(
    'procedure',
    'object',
    'how do I',
    'how (?:do|can|should|would|could|must|might|did|shall) (?:i|we|you|one|they|somebody|someone)(?: go about)?|how to',
  ),
  cue(
    'procedure',
    'object',
    'what is the way to',
    `what${IS} the (?:${ANY} )?(?:way|procedure|steps?|method) (?:to|of|for)(?: get(?:ting)? rid)?|steps (?:to|for)|(?:which|what) steps [^?.]{1,40}? to`,
  ),
  cue(
    'procedure',
    'noun',
    'walk me through',
    `what${IS} the (?:${ANY} )?(?:way|procedure|steps?|method)|(?:walk|guide|talk) (?:me|us) through|what (?:do|should|must) (?:i|we) do (?:about|with|to)`,
  ),
  cue('procedure', 'actor', 'what do I do if', 'what (?:do|should|must) (?:i|we|you) do (?:when|if)'),
  cue('procedure', 'actor', 'how can X be …', 'how (?:can|could|should|must)(?=\\s.{1,60}\\bbe \\w)'),
  cue(
    'cause',
    'actor',
    'why',
    "(?:why|for (?:what|which) reason)(?: (?:is|are|was|were|does|do|did|can|could|would|will|should|has|have|had)(?:n?['’]t)?| can['’]t| won?['’]t)?|how come",
  ),
  cue(
    'cause',
    'noun',
    'what causes',
    "what (?:causes|caused|triggers|triggered|leads to|led to|explains)|what(?: is|['’]s| was) (?:causing|triggering|behind)|what(?: is|['’]s| was) the (?:cause|reason|reasons|root cause)(?: (?:of|for|behind|that))?",
  ),
  cue('cause', 'made', 'what makes', 'what (?:makes|made|is making|keeps)'),
  cue('cause', 'actor', 'how does X work', 'how (?:does|do|did|is|are|was|were|can|could|would|will)'),
  cue(
    'cause',
    'actor',
    'explain how',
    'how(?= (?:an?|the|this|that|these|those|my|our|your) .{1,80}\\bworks?\\b)',
  ),
  cue('definition', 'actor', 'what do you mean by', 'what (?:do|did) (?:you|we|they) mean (?:by|with)'),
  cue('definition', 'noun', 'what a … is', 'what(?= (?:an?|the) .{1,60}\\b(?:is|are)[?.]?$)'),
  cue(
    'definition',
    'doer',
    'what does X mean',
    'what (?:does|do|did)(?= .{1,80}\\b(?:mean|stand for|refer to)\\b)',
  ),
  cue('narrative', 'actor', 'describe what X does', 'describe (?:what|how)'),
  cue(
    'narrative',
    'noun',
    'tell me about',
    "i(?:[’']d| would) (?:love|like) to (?:hear|know|learn|read) (?:more |a bit more )?about|i want to (?:hear|know|learn) (?:more |a bit more )?about|tell(?:ing)? (?:me|us) (?:more |a bit |a little |something |all |everything |some more )*about|tell (?:me|us) the story of|describ(?:e|ing)|summari[sz](?:e|ing)|explain(?:ing)?|what happened (?:to|with|in|at|during|after)|what happened|(?:give|giving) (?:me|us) (?:an?|the) (?:\\w+ )?(?:overview|summary|description|story|history|outline|rundown) of|talk about|(?:the )?(?:history|story) of|tell (?:me|us)",
  ),
  cue('transitive_query', 'doer', 'what does X do', '(?:what|whom|which \\w+) (?:does|do|did)'),
  cue(
    'definition',
    'noun',
    'what is',
    "(?:what(?: is|['’]s) )?(?:(?:an?|the) )?(?:(?:good|short|exact|simple|formal) )?(?:meaning|definition) of|what (?:exactly |precisely )?(?:is|are|was|were)(?: meant by)?|what['’]?s|who (?:is|was|are|were)|who['’]s|define|what kind of|what type of",
  ),
  cue('verification', 'object', 'is it ok to', `${AUXILIARY} it ${FINE} to`, true),
  cue('verification', 'statement', 'is it true that', `${AUXILIARY} it ${FINE}(?: that| if)`, true),
  cue('verification', 'actor', 'is … ?', AUXILIARY, true),
];
