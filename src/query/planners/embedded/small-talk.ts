// Messages that ask for nothing to be searched: thanks, goodbyes, waits, and orders about the answer that was just given.

const COURTESY = new Set(
  `thanks thank thx ty cheers bye goodbye good great perfect nice cool awesome excellent ok okay k alright right yes yep
  yeah yup no nope nah sure fine got it that this s is was all i you re the best very much so a lot for your help that'll
  do will be please one sec second minute moment me give wait hold on hello hi hey morning evening night day have nice
  worked works helped helps makes sense understood see ah oh hmm well lovely wonderful amazing brilliant sounds welcome
  later then now really appreciate anything else need today nothing more done glad too again many thankyou noted
  danke dankeschön vielen dank super gut prima alles klar tschüss verstanden passt nein ja
  merci beaucoup d accord parfait bien oui non au revoir super compris
  gracias muchas vale perfecto bien sí si no adiós entendido
  obrigado obrigada muito valeu certo sim não tchau perfeito
  grazie mille va bene perfetto ciao sì capito
  понял поняла спасибо хорошо ладно отлично да нет пока большое ясно
  شكرا جزيلا حسنا نعم لا تمام
  ठीक है धन्यवाद हाँ नहीं अच्छा जी शुक्रिया
  네 예 감사합니다 고마워요 고맙습니다 알겠습니다 좋아요 아니요
  ll ve m`
    .split(/\s+/)
    .filter(Boolean),
);
const SIGN = new Set(
  `thanks thank thx ty cheers bye goodbye great perfect nice cool awesome excellent ok okay alright yes yep yeah yup no
  nope nah sure fine got sec minute moment wait worked works helped helps sense understood see lovely wonderful amazing
  brilliant welcome appreciate all best nothing good hello hi hey morning done noted
  danke dank super prima klar tschüss verstanden passt nein ja merci accord parfait oui non revoir compris gracias vale
  perfecto sí adiós entendido obrigado obrigada valeu certo sim não tchau perfeito grazie bene perfetto ciao capito
  понял поняла спасибо хорошо ладно отлично да нет пока ясно شكرا حسنا نعم تمام ठीक धन्यवाद हाँ अच्छा शुक्रिया
  네 예 감사합니다 고마워요 고맙습니다 알겠습니다 좋아요 아니요`
    .split(/\s+/)
    .filter(Boolean),
);
const COURTESY_UNSPACED =
  /好的|好|谢谢|謝謝|多谢|明白了?|知道了?|收到|可以|不用了?|没事了?|再见|您|你|了|ありがとう(?:ございま(?:す|した))?|どうも|了解(?:です|しました)?|わかりました|分かりました|はい|いいえ|大丈夫です|さようなら|なるほど|ok/giu;

const EDITS: readonly RegExp[] = [
  /^(?:\w+,? )?(?:please |now |can you |could you )*make (?:it|that|this|them) (?:\w+ ){0,2}(?:shorter|longer|simpler|clearer|formal|friendlier|nicer|brief|concise|bold|smaller|bigger|informal|polite)\b/i,
  /^(?:please |now |can you |could you |ok,? )*(?:put|turn|convert|format|rewrite|rephrase|reword|shorten|translate|summari[sz]e|reformat|paraphrase|condense|simplify) (?:it|that|this|them|those|the (?:answer|text|reply|message|email|list|last))\b/i,
  /^(?:please |now |can you |could you )*(?:shorten|shorter|longer|simpler|rephrase|rewrite|translate|summari[sz]e)(?: please)?[.!]?$/i,
  /^(?:please |now )*(?:round|capitali[sz]e|bold|sort|number|indent|align|underline) (?:the|all|them|it|everything)\b/i,
  /^(?:please |now )*(?:drop|remove|cut|skip|leave out) the \w+ and (?:write|put|keep|make|say) it\b/i,
  /^(?:please )*(?:sound|be) (?:a bit |a little |much )?(?:more|less) \w+/i,
  /^(?:a bit |a little |much )?(?:more|less) (?:formal|friendly|polite|detailed|casual|concise)(?: please)?[.!]?$/i,
  /^(?:deixa|deixe|faça|torne) (?:\w+ )?mais \w+/i,
  /^(?:hazlo|ponlo|escríbelo|resúmelo|tradúcelo)\b/i,
  /^(?:mach|schreib|fass|übersetze?|formuliere?)e? (?:es|das|den text)\b/i,
  /^(?:rends|mets|écris|traduis|résume)[- ](?:le|la|ça|cela|moi)\b/i,
];

/** Whether there is nothing to search for; `lastReply` decides what "yes" means. */
export function isSmallTalk(query: string, lastReply: string | undefined): boolean {
  const words = query.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0) return true;
  if (words.join('').replace(COURTESY_UNSPACED, '') === '') return true;
  if (EDITS.some((edit) => edit.test(query.trim()))) return true;
  if (
    words.length > 16 ||
    !words.every((word) => COURTESY.has(word)) ||
    !words.some((word) => SIGN.has(word))
  )
    return false;
  return !(
    isAsked(lastReply) &&
    /^(?:yes|yep|yeah|yup|sure|ok|okay)\b(?!.*\b(?:thanks?|thx|bye|goodbye)\b)/i.test(query.trim())
  );
}

function isAsked(reply: string | undefined): boolean {
  return /[?？]\s*$/.test(reply ?? '');
}
