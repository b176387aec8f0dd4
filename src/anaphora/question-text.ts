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

function proseLines(text: string): string[] {
  let isCode = false;
  return text.split('\n').filter((line) => {
    if (line.trimStart().startsWith('```')) {
      isCode = !isCode;
      return false;
    }
    return !isCode && !/^\s*[<>|]/.test(line);
  });
}

/** A sentence without greetings, politeness and a request for confirmation at its end. */
export interface PlainSentence {
  readonly text: string;
  /** Ended in ", right?" or the like. */
  readonly isConfirmed: boolean;
}

export function plainSentence(sentence: string): PlainSentence {
  const untailed = sentence.replace(CONFIRMATION, '');
  let text = untailed.trim();
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(OPENING, '').trimStart();
  }
  return { text: text === '' ? untailed.trim() : text, isConfirmed: untailed !== sentence };
}

const CONFIRMATION =
  /,? (?:right|correct|is that right|isn['’]t it|aren['’]t they|doesn['’]t it|don['’]t they|yes|no|ok|okay|huh)\s?\?+$/i;

/** One opening at a time; `tell me` is one only in front of a question word. */
const OPENING = new RegExp(
  `^(?:${[
    '(?:please|hi|hello|hey|ok|okay|so|and|but|also|well|now|then|thanks|thank you|great|hmm|sorry|first|next|finally|alright|cool|good|perfect|just|quickly|yes)(?: there| again)?(?:[,.!:]|\\b(?![\\w-]))',
    '(?:can|could|would|will) you (?:please |kindly |just |quickly )?(?=[a-z])',
    "(?:i want|i['’]d like|i would like|i need|we need|i wanted) (?:you )?to (?:know\\b|understand\\b)?",
    '(?:do you know|i wonder|any idea|tell me|explain(?: to me)?|remind me) (?=(?:what|why|how|who|which|whether)\\b)',
    "(?:let['’]?s|let us|help me(?: to)?|go ahead and|try to|i was wondering(?: if)?)\\b",
    'whether\\b',
  ].join('|')})\\s*`,
  'i',
);
