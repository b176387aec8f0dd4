// What tells whether the question can be read alone: whether it has a subject of its own, and how it points back. Only
// the mode is decided from these numbers.
import { type Commonness, commonness } from './commonness.js';
import type { Conversation } from './conversation.js';
import { largest } from './extremes.js';
import {
  before,
  capitals,
  contentIn,
  contentOf,
  definite,
  inTopic,
  isIn,
  isPartOfName,
  lastSentence,
  PRONOUN,
  pairOf,
  pronounsIn,
  rarest,
  type Setting,
  settingOf,
} from './need-setting.js';
import { STOP_WORDS } from './stop-words.js';

type Measure = (setting: Setting) => number;

const VERB =
  /^(?:is|are|was|were|be|been|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|s|re|ve|ll|d|tell|give|show|explain|describe|let|need|want|like|know|think|find|get|make|use|recommend|suggest|talk|go|mean|look|looking)$/;
const GENERIC =
  /^(?:article|aspect|thing|information|info|topic|detail|fact|example|option|kind|type|part|time|way|reason|people|person|place|name|number|year|date|word|case|answer|question|list|idea|tip|effect|difference|problem)$/;

const matches = (pattern: RegExp): Measure => {
  return ({ conversation }) => Number(pattern.test(conversation.query));
};
const count = (words: string): Measure => {
  const set = new Set(words.split(' '));
  return ({ lower }) => lower.filter((word) => set.has(word)).length;
};

const RULES: readonly (readonly [string, Measure])[] = [
  [
    'content words that the history has not',
    ({ content, known }) => content.filter(({ key }) => !known.has(key)).length,
  ],
  [
    'share of content words that the history has not',
    ({ content, known }) => content.filter(({ key }) => !known.has(key)).length / Math.max(1, content.length),
  ],
  [
    'capitals that the history has not',
    (setting) => capitals(setting).filter(({ key }) => !setting.known.has(key)).length,
  ],
  [
    'capitals that many messages have',
    (setting) =>
      largest(
        capitals(setting).map(({ key }) => setting.known.get(key) ?? 0),
        0,
      ),
  ],
  ['all capitals', (setting) => capitals(setting).length],
  ['generic words', ({ content }) => content.filter(({ key }) => GENERIC.test(key)).length],
  ['content that is not generic', ({ content }) => content.filter(({ key }) => !GENERIC.test(key)).length],
  ['rarest word that is not capital', (setting) => rarest(setting, ({ isCapital }) => !isCapital)],
  ['rarest known word', (setting) => rarest(setting, ({ key }) => setting.known.has(key))],
  ['rarest new word', (setting) => rarest(setting, ({ key }) => !setting.known.has(key))],
  ['rare words', ({ content, common }) => content.filter(({ key }) => commonness(common, key) === 0).length],
  [
    'it, they, he or she before any content',
    ({ conversation }) => before(conversation, /^(?:he|him|his|she|her|it|its|they|them|their)$/, false),
  ],
  ['pronoun before any capital', ({ conversation }) => before(conversation, PRONOUN, true)],
  ['personal', count('he him his she her hers')],
  [
    'it without a clause',
    ({ conversation }) =>
      (
        conversation.query.match(
          /\b(?:it|its)\b(?!(?:'s| is| was)? (?:possible|true|important|necessary|better|worth|safe|ok|hard|difficult|easy|take|that))/giu,
        ) ?? []
      ).length,
  ],
  ['they', count('they them their theirs')],
  [
    'that or this alone',
    ({ conversation }) =>
      (
        conversation.query.match(
          /\b(?:that|this)\b(?= *(?:[?.!,]|$|is|was|are|were|do|does|did|to|in|for|and|so|as|by|with|at|on|work|mean|happen|change|affect))/giu,
        ) ?? []
      ).length,
  ],
  [
    'that or this with a noun',
    matches(
      /\b(?:this|that|these|those|such) (?:(?:same|other|new|two|particular|kind of|type of) )?(?!(?:is|was|are|were|do|does|did|to|in|for|and|so|as|by|with|at|on|the|he|she|it|they|you|i|we|can|will|would|could|should|have|has|had|a|an)\b)\p{L}{3,}/iu,
    ),
  ],
  ['there at the end', matches(/\bthere[ ?.!]*$/i)],
  ['one or ones', count('one ones')],
  [
    'other or else',
    matches(
      /\b(?:other|others|else|another|besides|aside|instead|also|too|as well|similar|same|similarly|likewise)\b/i,
    ),
  ],
  ['any other', matches(/\b(?:any(?:thing)?|some(?:thing)?|what|who|where) (?:other|else)\b/i)],
  ['more', count('more most better best less least further')],
  [
    'comparative without than',
    ({ lower }) =>
      Number(
        lower.some((word) =>
          /^(?:more|less|better|worse|cheaper|faster|older|larger|bigger|\p{L}{3,}ier)$/u.test(word),
        ) && !lower.includes('than'),
      ),
  ],
  ['other way to say the same', matches(/\b(?:i mean|i meant|not what i|no,|actually|rather|sorry)\b/i)],
  [
    'turn of the topic',
    matches(
      /\b(?:let.?s talk|now,|new topic|different (?:question|topic)|by the way|i (?:have )?heard|moving on|switch)\b/i,
    ),
  ],
  [
    'bare question',
    matches(
      /^\W*(?:(?:and|but|so|ok|okay|oh) )?(?:why|how|when|where|who|what|which|really|how so|why not|how many|how much|how long|how come|since when)[ ?.!]*$/i,
    ),
  ],
  ['what about', matches(/^\W*(?:(?:and|but|so|ok|okay|oh|well),? )?(?:what|how) about\b/i)],
  ['and first', matches(/^\W*(?:and|or|but|so|then|also)\b/i)],
  ['no verb', ({ lower }) => Number(!lower.some((word) => VERB.test(word)))],
  [
    'statement of oneself',
    matches(
      /^\W*(?:(?:yes|no|ok|okay|yeah|well|hmm|oh|thanks|cool|great|nice|interesting|hi|hello)\W+)?(?:i|i.m|i.ve|i.d|my|we|we.re|our)\b/i,
    ),
  ],
  ['I, me or my', count('i me my mine we us our')],
  ['answer first', matches(/^\W*(?:yes|no|ok|okay|yeah|sure|not really|nope|nah|yep)\b/i)],
  [
    'opens with praise',
    matches(
      /^\W*(?:thanks|thank|great|cool|nice|awesome|interesting|wow|good|perfect|ah|oh|i see|that.s)\b/i,
    ),
  ],
  [
    'asks',
    ({ conversation, lower }) =>
      Number(/[?？]/.test(conversation.query)) +
      2 *
        Number(
          /^(?:what|who|when|where|why|how|which|whose|is|are|was|were|did|do|does|can|could|will|would|should|has|have|had)$/.test(
            lower[0] ?? '',
          ),
        ),
  ],
  ['question word and auxiliary', ({ lower }) => pairOf(lower)],
  ['the + word known', ({ conversation, known }) => definite(conversation, (key) => known.has(key))],
  ['the + word new', ({ conversation, known }) => definite(conversation, (key) => !known.has(key))],
  [
    'the + word of the last reply',
    ({ conversation, lastReply }) => definite(conversation, (key) => isIn(lastReply, key)),
  ],
  ['the + one word + end', matches(/\bthe \p{L}+[ ?.!]*$/iu)],
  ['the with of', matches(/\bthe \p{L}+ (?:of|in|for|on|from|at) (?:the )?\p{L}{3,}/iu)],
  [
    'a preposition and a noun',
    ({ conversation }) =>
      (
        conversation.query.match(
          /\b(?:of|in|for|on|from|at|with|to|about|between|against|during) (?:(?:the|a|an|my) )?\p{L}{3,}/giu,
        ) ?? []
      ).filter((one) => !STOP_WORDS.has((one.split(' ').at(-1) ?? '').toLowerCase())).length,
  ],
  ['object after the verb', ({ lower }) => Number(!STOP_WORDS.has(lower.at(-1) ?? ''))],
  [
    'salient words in the question',
    ({ salient, conversation }) =>
      salient.slice(0, 3).filter((key) => conversation.queryKeys.has(key)).length,
  ],
  [
    'the most salient word in the question',
    ({ salient, conversation }) => Number(conversation.queryKeys.has(salient[0] ?? '')),
  ],
  ['salient capitals', ({ salient }) => salient.length],
  ['topic words in the question', (setting) => inTopic(setting)],
  [
    'share of topic words in the question',
    (setting) => inTopic(setting) / Math.max(1, contentOf(setting.topic).length),
  ],
  [
    'words shared with the last operator message',
    ({ content, lastOfUser }) => content.filter(({ key }) => isIn(lastOfUser, key)).length,
  ],
  [
    'share of the last operator message',
    ({ conversation, lastOfUser }) =>
      contentOf(lastOfUser).filter((key) => conversation.queryKeys.has(key)).length /
      Math.max(1, contentOf(lastOfUser).length),
  ],
  [
    'words shared with the last reply',
    ({ content, lastReply }) => content.filter(({ key }) => isIn(lastReply, key)).length,
  ],
  [
    'capitals of the last reply',
    (setting) => capitals(setting).filter(({ key }) => isIn(setting.lastReply, key)).length,
  ],
  [
    'capitals of the last operator message',
    (setting) => capitals(setting).filter(({ key }) => isIn(setting.lastOfUser, key)).length,
  ],
  ['lower case only', ({ conversation }) => Number(!/\p{Lu}/u.test(conversation.query))],
  ['quotation', matches(/["“”«»]/)],
  ['possessive of a name', matches(/\p{Lu}\p{L}+['’]s\b/u)],
  ['letters', ({ conversation }) => conversation.query.length],
  [
    'names that the history gives in full',
    (setting) => setting.content.filter((word) => isPartOfName(setting, word)).length,
  ],
  [
    'known words that are no part of a longer name',
    (setting) =>
      setting.content.filter((word) => setting.known.has(word.key) && !isPartOfName(setting, word)).length,
  ],
  ['words with a capital', ({ content }) => content.filter(({ isCapital }) => isCapital).length],
  ['pronouns of the last sentence', (setting) => pronounsIn(lastSentence(setting))],
  ['content of the last sentence', (setting) => contentIn(lastSentence(setting))],
  ['words of the last sentence', (setting) => lastSentence(setting).length],
  [
    'pronouns of the first sentence',
    ({ conversation }) => pronounsIn(conversation.queryWords.filter(({ sentence }) => sentence === 0)),
  ],
  [
    'content of the first sentence',
    ({ conversation }) => contentIn(conversation.queryWords.filter(({ sentence }) => sentence === 0)),
  ],
  [
    'content before the last sentence',
    (setting) => setting.content.length - contentIn(lastSentence(setting)),
  ],
];

/** The numbers of the question alone; how the scores lie is added where they are known. */
export function needFeatures(conversation: Conversation, common: Commonness): readonly number[] {
  const setting = settingOf(conversation, common);
  return RULES.map(([, measure]) => measure(setting));
}
