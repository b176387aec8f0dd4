import { actor, nounPhrase, nounTokens, supportOf, verbObject } from './noun-phrase.js';
import { tokensOf } from './tokens.js';
import { BREAKS, COPULAS, DETERMINERS, REQUESTS } from './words.js';

/** What a sentence without a cue is about: the object of a request, who does something, what somebody has to do with. */
export function statementSubject(sentence: string): string | null {
  const text = sentence
    .replace(THINKING, '')
    .replace(FRONTED, '')
    .replace(LOOK, 'look at ')
    .replace(/^get rid of\s/i, 'remove ');
  return requestObject(text) ?? askedActor(text) ?? speakersObject(text) ?? statedActor(text);
}

const THINKING = /^(?:i|we) (?:think|guess|believe|suppose|bet|hope|fear|wonder if)(?: that)?\s+/i;
const FRONTED = /^(?:in|on|for|at|from|inside|within|under)\b[^,]{1,80},\s+(?=[a-z]+\b)/i;
const LOOK = /^(?:have|take) an?(?: \w+)? look (?:at|into)\s+/i;

/** `fix the parser`: the parser; `make the bar red`: the bar. */
function requestObject(sentence: string): string | null {
  const [verb = '', second = ''] = tokensOf(sentence);
  // `change of plan` asks for nothing.
  if (second.toLowerCase() === 'of' || !(REQUESTS.has(verb.toLowerCase()) || isOrder(verb, second)))
    return null;
  const object = /^make$/i.test(verb) ? actor(sentence.slice(verb.length)) : verbObject(sentence);
  return object !== null && /\p{L}/u.test(object) && !/^following\b/i.test(object) ? object : null;
}

/** Any other word in front of an article, `whitelist the address`, is taken for a request too. */
function isOrder(verb: string, second: string): boolean {
  const word = verb.toLowerCase();
  return /^[a-z-]+$/.test(word) && /^(?:the|an?|my|our|all)$/i.test(second) && !isFunctionWord(word);
}

function isFunctionWord(word: string): boolean {
  return BREAKS.has(word) || DETERMINERS.has(word) || COPULAS.has(word);
}

/** `when was the canal dug`, `what about the canal`, `who dug the canal`. */
function askedActor(sentence: string): string | null {
  const about = /^(?:what|how) about\s+/i.exec(sentence);
  if (about !== null) return nounPhrase(sentence.slice(about[0].length));
  const asked = ASKED.exec(sentence);
  if (asked !== null) return supportedActor(sentence.slice(asked[0].length), asked[0]);
  return /^who\s/i.test(sentence) ? verbObject(sentence.replace(/^who\s+/i, '')) : null;
}

const ASKED =
  /^(?:when|where|who|whose|which|what|how (?:long|often|many|much|far|old|big|fast|tall|deep|heavy|hot|soon|well))\b(?: [\w-]+){0,3}? (?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|had)(?:n['’]t)?\s+/i;

/** Behind `does` or `is`; what the speaker does has an object: `why do I need a licence`. */
export function supportedActor(text: string, cue: string): string | null {
  const support = supportOf(cue);
  // `are you sure` asks about nothing.
  const isDoing = support !== 'is' || /^\w+\s+(?:not\s+)?\w+(?:ing|ed)\b/i.test(text);
  return (isDoing ? speakersObject(text) : null) ?? actor(text, support);
}

/** `I want to use the gift card`: the gift card. */
function speakersObject(sentence: string): string | null {
  const speaker = /^(?:i|we|you|one)(?:['’](?:d|ll|ve|m|re))?\s+/i.exec(sentence);
  if (speaker === null) return null;
  let rest = sentence.slice(speaker[0].length);
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(BEFORE_VERB, '');
  }
  return verbObject(rest);
}

const BEFORE_VERB =
  /^(?:(?:can|could|will|would|should|must|may|might|do|did|am|are|was|were|be|been)(?:n['’]t)?|cannot|not|also|just|really|still|already|now|only|never|always|probably|maybe|almost|\w+ly|(?:like|want|need|have|had|got|going|try|trying|able|hoping|wish|love|willing|looking) to|(?:have|had)(?=\s+(?:\w+ed|been)\b)|(?:keep|kept|start|started|stop|stopped|enjoy|like|love)(?=\s+\w+ing\b))(?:\s+|$)/i;

/** `The lamp is cold`, `Mercury is liquid`: only where the sentence begins as a noun phrase does, or says what it is. */
function statedActor(sentence: string): string | null {
  const named = sentence.replace(NAMING, '');
  if (named !== sentence) return nounPhrase(named);
  const all = tokensOf(sentence);
  if (/^(?:the|my|our|your|this|that|these|those|a|an|it|they)$/i.test(all[0] ?? '')) return actor(sentence);
  const { tokens } = nounTokens(all);
  const isSaid = tokens.length > 0 && COPULAS.has(all[tokens.length]?.toLowerCase() ?? '');
  return isSaid && !/^(?:what|why|how|which|who|where|when|there)$/i.test(all[0] ?? '')
    ? tokens.join(' ')
    : null;
}

/** `it's the blue wire` */
const NAMING = /^(?:it|that|this)(?:['’]s| is| was)\s+(?=(?:the|an?|my|our|your)\s)/i;

/** What somebody meant is a noun phrase; else a statement stands against what was said. */
export function correctedSubject(text: string): string | null {
  const positive = text.replace(NOT_THIS, '');
  const named = positive.replace(MEANT, '');
  if (named !== positive || positive !== text) return nounPhrase(named);
  return statementSubject(text) ?? actor(text);
}

const NOT_THIS =
  /^(?:(?:it|that|this)(?: is|['’]s| was)? ?(?:n['’]t|not)|not)\s[^,.;:–—]{1,60}(?:[,.;:–—]|\sbut)\s*(?:but\s+)?(?=\S)/i;
const MEANT =
  /^(?:i (?:meant?|said|asked (?:for|about)|wanted)|it(?:['’]s| is| was)|that(?:['’]s| is)|i (?:was|am) (?:asking|talking) about)\s+(?:about\s+)?/i;

/** `what I said about the pump`, `the pump`, or a whole sentence that is remembered. */
export function recalledSubject(text: string, cue: string): string | null {
  const named = text.replace(
    /^(?:that |what |how |when |earlier )*(?:i |we |you )?(?:said |told me |asked |discussed |agreed |talked |spoke |spoken |were talking |looked )?(?:about |on |at )?/i,
    '',
  );
  const isSentence = /^you (?:said|told|mentioned)/i.test(cue) && !/^(?:about|on)\b/i.test(text);
  return isSentence ? actor(named) : nounPhrase(named);
}
