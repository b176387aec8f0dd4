// Orders about the form of the answer that was just given: "make it shorter", "as a table", "use past tense".

const LEAD = `^(?:(?:please|now|can you|could you|ok(?:ay)?|and|great|good|nice|thanks|but),? )*`;

const ORDERS: readonly RegExp[] = [
  String.raw`${LEAD}(?:\w+,? )?make (?:it|that|this|them) (?:\w+ ){0,2}(?:shorter|longer|simpler|clearer|formal|friendlier|nicer|brief|concise|bold|smaller|bigger|informal|polite)\b`,
  String.raw`${LEAD}(?:put|turn|convert|format|rewrite|rephrase|reword|shorten|translate|summari[sz]e|reformat|paraphrase|condense|simplify) (?:it|that|this|them|those|the (?:answer|text|reply|message|email|list|last))\b`,
  `${LEAD}(?:shorten|shorter|longer|simpler|rephrase|rewrite|translate|summari[sz]e)(?: please)?[.!]?$`,
  String.raw`${LEAD}(?:round|capitali[sz]e|bold|sort|number|indent|align|underline) (?:the|all|them|it|everything)\b`,
  String.raw`${LEAD}(?:drop|remove|cut|skip|leave out) the \w+ and (?:write|put|keep|make|say) it\b`,
  String.raw`${LEAD}(?:sound|be) (?:a bit |a little |much )?(?:more|less) \w+`,
  String.raw`${LEAD}(?:say|write|put|give) (?:it|that|this|me that) (?:again )?(?:in|as) (?!which\b|what\b)\w+`,
  `${LEAD}(?:in|auf|en|em) (?:english|german|french|spanish|italian|portuguese|chinese|japanese|deutsch|englisch|français|anglais|español|inglés|português|inglês)(?:,? please|,? bitte)?[.!]?$`,
  String.raw`${LEAD}(?:in|as|into) (?:a |an |one |two |three |\d+ )?(?:\w+ )?(?:table|list|bullets?|bullet points|sentences?|words|paragraphs?|lines?)(?:,? please)?[.!]?$`,
  String.raw`^(?:deixa|deixe|faça|torne) (?:\w+ )?mais \w+`,
  String.raw`^(?:hazlo|ponlo|escríbelo|resúmelo|tradúcelo)\b`,
  String.raw`^(?:bitte )?(?:mach|schreib|fass|übersetze?|formuliere?)e? (?:es|das|den text)\b`,
  `^(?:bitte )?(?:etwas |viel |noch )?(?:kürzer|länger|einfacher|förmlicher|höflicher|freundlicher)(?:,? bitte)?[.!]?$`,
  `^(?:bitte )?als (?:tabelle|liste|stichpunkte|text)(?:,? bitte)?[.!]?$`,
  String.raw`^(?:rends|mets|écris|traduis|résume)[- ](?:le|la|ça|cela|moi)\b`,
  String.raw`^(?:un peu |beaucoup )?(?:plus|moins) (?:court|long|simple|formel|poli|clair|détaillé|bref)e?(?:,? s.il (?:te|vous) pla[iî]t)?\s?[.!]?$`,
  String.raw`^(?:un poco )?(?:más|menos) (?:cort|larg|sencill|formal|clar|breve)\w*(?:,? por favor)?[.!]?$`,
  String.raw`^(?:um pouco )?(?:mais|menos) (?:curt|long|simples|formal|clar|breve)\w*(?:,? por favor)?[.!]?$`,
  '^(?:покороче|короче|подлиннее|проще|переведи|сократи)(?![а-яё])',
  '^(?:请|再)?(?:短一点|简短|简单一点|详细一点|正式一点|翻译成|用(?:英文|中文|表格|列表))',
  '^(?:もっと|もう少し|少し)?(?:短く|長く|簡単に|丁寧に|詳しく)|^(?:箇条書き|表|英語|日本語)(?:で|に)',
  '^(?:더|좀 더|조금 더)?\\s?(?:짧게|길게|간단하게|자세히|정중하게)',
].map((source) => new RegExp(source, 'iu'));

// An order whose every word is about writing is about the answer, whatever its shape.
const FORM = new Set(
  `word words sentence sentences bullet bullets paragraph paragraphs tone tense decimals decimal digits lowercase uppercase
  capitals bold italics markdown polite formal informal
  casual friendly friendlier simpler shorter longer brief concise clearer plainer plain terms headline heading dash dashes
  comma commas prefix quotes emoji emojis exclamation thousands wording`.split(/\s+/),
);
const WRITING = new Set(
  `explain say write rewrite put make use show keep drop remove add turn phrase rephrase shorten summarise summarize
  translate round leave out cut limit start end only again please just now that it this them the in into as to of no more
  most than with without instead a an and or bit little much less also so at one two three four five ten past present
  simple short long marks mark points point case lower upper letters style format numbers places me very too fewer`.split(
    /\s+/,
  ),
);
const LONGEST = 14;

export function isOrderAboutAnswer(query: string, words: readonly string[]): boolean {
  if (/[?？]\s*$/.test(query) && !/^(?:can|could) you\b/i.test(query)) return false;
  return (
    ORDERS.some((order) => order.test(query)) ||
    (words.length <= LONGEST &&
      words.some((word) => FORM.has(word)) &&
      words.every((word) => FORM.has(word) || WRITING.has(word)))
  );
}
