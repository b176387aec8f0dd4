import { spelledOut } from './chat-spelling.js';
import { REQUESTS } from './words.js';

/** What is looked at of a question: prompts may have whole files pasted behind them. */
const LOOKED_AT = 2000;

/** The sentences of a question in order, without mark-up that a host wrapped around it, code and quoted mail. */
export function sentencesOf(question: string): string[] {
  const sentences: string[] = [];
  for (const line of proseLines(question.slice(0, LOOKED_AT))) {
    let start = 0;
    for (const { index } of line.matchAll(SENTENCE_END)) {
      sentences.push(line.slice(start, index + 1).trim());
      start = index + 1;
    }
    sentences.push(line.slice(start).trim());
  }
  return sentences.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** A full stop inside `src/a.ts` or `1.5` ends nothing, and one behind `e.g` neither. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|vs|Dr|Mr|Mrs|St))[.!?](?=\s)|[。？！]/g;

/** Without the marks of headings and list items. */
function proseLines(text: string): string[] {
  let isCode = false;
  return text.split('\n').flatMap((line) => {
    if (line.trimStart().startsWith('```')) {
      isCode = !isCode;
      return [];
    }
    return isCode || /^\s*[<>|]/.test(line) ? [] : [line.replace(/^\s*(?:#{1,6}|[-*•+]|\d{1,3}[.)])\s+/, '')];
  });
}

/** A sentence, or what is left of one behind a preface: `quick question: why …`, `just curious, is it …`. */
export interface SentencePart {
  readonly text: string;
  /** Empty for the whole sentence. */
  readonly preface: string;
}

export function sentenceParts(sentence: string): SentencePart[] {
  const parts: SentencePart[] = [{ text: sentence, preface: '' }];
  for (const { index, 0: mark } of sentence.matchAll(/[,:;](?=\s)|\s(?:[–—-]|but)(?=\s)/g)) {
    const preface = plainSentence(sentence.slice(0, index)).text;
    if (isPreface(preface, mark)) parts.push({ text: sentence.slice(index + mark.length).trim(), preface });
    if (parts.length > MOST_PREFACES || index > FARTHEST_PREFACE) break;
  }
  return parts;
}

const MOST_PREFACES = 3;

/** In UTF-16 units. */
const FARTHEST_PREFACE = 300;

/** What was asked to be done is no preface, and in front of a comma or a `but` only something short is one. */
function isPreface(text: string, mark: string): boolean {
  const words = text.split(/\s+/);
  if (REQUESTS.has(words[0]?.toLowerCase() ?? '')) return false;
  return /[:;–—-]/.test(mark) || words.length <= LONGEST_PREFACE;
}

const LONGEST_PREFACE = 8;

/** A sentence without greetings, politeness and a request for confirmation at its end. */
export interface PlainSentence {
  readonly text: string;
  /** Ended in ", right?" or the like. */
  readonly isConfirmed: boolean;
  /** Ended in a question mark. */
  readonly isAsking: boolean;
}

export function plainSentence(sentence: string): PlainSentence {
  const spelled = spelledOut(sentence.trim()).replace(EXPLETIVE, '');
  const untailed = spelled.replace(CONFIRMATION, '');
  let text = untailed.trim();
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(OPENING, '').trimStart();
  }
  return {
    text: text === '' ? untailed.trim() : text,
    isConfirmed: untailed !== spelled,
    isAsking: /[?？]["”»)]*$/.test(spelled),
  };
}

const CONFIRMATION =
  /(?:,? (?:right|correct|is that (?:right|correct|so|true)|yes|no|ok|okay|huh|yeah)|,? (?:is|are|was|were|do|does|did|can|could|will|wo|would|should|has|have|had)n?['’]?t (?:it|they|he|she|we|you|i|there)|, (?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had) (?:it|they|he|she|we|i|there))\s?\?+$/i;

/** `why the heck`, `what on earth`. */
const EXPLETIVE =
  /(?<=^.{0,40}\b(?:what|why|how|where|who|when)) (?:on earth|in the world|the (?:heck|hell|fuck|devil))\b/i;

/** One opening at a time; `tell me` is one only in front of a question word. */
const OPENING = new RegExp(
  `^(?:${[
    '(?:please|hi|hello|hey|ok|okay|oh|ah|so|and|but|also|well|now|then|thanks|thank you(?: so much| very much)?|great|hmm+|hm|um|uh|wait|sorry|first|next|finally|alright|all right|cool|good|perfect|just|quickly|yes|yeah|sure|dude|btw|by the way|one more thing|good (?:morning|evening|afternoon|day))(?: there| again| everyone| all)?(?:[,.!:]|\\b(?![\\w-]))',
    "(?:(?:i was |i am |i[’']m )?(?:wondering )?(?:if|whether) you (?:can|could|would|will|might)|(?:can|could|would|will) you) (?:mind |please |kindly |just |quickly |also |maybe |perhaps )*(?:be so kind as to )?(?=[a-z])",
    '(?:go ahead and|proceed to)\\b',
    "(?!i[\\w'’ ]{1,12} to (?:know|hear|learn|read) (?:more |a bit more )?about)(?:i want|i['’]d like|i would like|i need|we need|i wanted|we want|we have) (?:you )?to (?:know\\b|understand\\b)?",
    "(?:do you know|i wonder|any idea|tell me|explain(?: to me)?|explaining|remind me|show me|(?:walk|talk|guide) (?:me|us) through|i don['’]t (?:know|understand|get)|i was wondering|actually,?|sorry to (?:bother|trouble|disturb) you(?: again)?,?) (?=(?:what|why|how|who|which|whether|the (?:difference|diff|reason))\\b)",
    "(?:let['’]?s|let us|help me(?: to| with)?|try to|i was wondering(?: if)?|make sure(?: that)?)\\b(?! (?:go )?back\\b)",
    'whether\\b',
    '[:;]-?[()DPp](?=\\s)',
  ].join('|')})\\s*`,
  'i',
);
