// Messages that ask for nothing to be searched: thanks, goodbyes, waits, and orders about the answer that was just given.
import { isOrderAboutAnswer } from './answer-orders.js';

const COURTESY = new Set(
  `thanks thank thx ty cheers bye goodbye good great perfect nice cool awesome excellent ok okay k alright right yes yep
  yeah yup no nope nah sure fine got it that this s is was all i you re the best very much so a lot for your help that'll
  do will be please one sec second minute moment me give wait hold on hello hi hey morning evening night day weekend have nice
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
  ll ve m awesome fantastic excellent superb neat
  geklappt hat funktioniert einverstanden ça marche noté listo genial claro funciona beleza funcionou resolvido capito
  всё получилось помогло работает благодарю супер ок 해결됐어요 알겠어요 고마워 감사해요 이해했어요 잘 됩니다`
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
  네 예 감사합니다 고마워요 고맙습니다 알겠습니다 좋아요 아니요 알겠어요 해결됐어요 감사해요 이해했어요
  geklappt funktioniert einverstanden marche noté listo genial beleza funcionou resolvido получилось помогло благодарю супер
  fantastic superb`
    .split(/\s+/)
    .filter(Boolean),
);
// Around a thanks or a goodbye these say nothing either.
const BESIDE_THANKS = new Set(
  `and to of with about on in at by from have has had am are been be information info need needed needs know wanted wanting
  looking look believe think guess using use return tips suggestion suggestions advice explanation answer answers useful
  helpful set everything bye goobye time again me us covered cover takes care does any other questions question enough us
  just my our these those which what it's great wonderful very much indeed truly quick reply work job further would could`.split(
    /\s+/,
  ),
);
const THANKS =
  /\b(?:thanks?|thx|ty|cheers|bye|goodbye|appreciated?|danke|dank|merci|gracias|obrigad[oa]|grazie)\b|спасибо|благодарю/i;
// What somebody says who is content: one clause of it.
const CONTENT: readonly RegExp[] = [
  /^(?:that|this|it|everything|all)(?:['’]s| has| is| was)? (?:\w+ )?(?:did|does|works?|worked|working|help(?:s|ed)|fix(?:es|ed)|solve[sd]|resolved|makes|sounds?|looks?|sorted|settles|answers|explains|covers|clears|will do|fine|good|great|perfect|enough|clear|done|right|okay|ok)(?: \w+){0,3}$/i,
  /^(?:that['’]s )?good to know$/i,
  /^(?:i )?(?:closing|marking|sorted|received|done|fixed|solved|resolved|noted|understood|confirmed)(?: \w+){0,3}$/i,
  /^(?:i|we)(?:['’]m| am|['’]re| are)? (?:all )?(?:set|good|done|fine|happy|content|sorted)(?: \w+){0,2}$/i,
  /^(?:i|we)(?:['’]ve| have)? (?:got |have )?(?:everything|all(?: the \w+)?)(?: (?:that )?(?:i|we) need(?:ed)?)?(?: now)?$/i,
  /^(?:es |das |jetzt |alles )?(?:hat|ist|läuft|geht|funktioniert|klappt)(?: \p{L}+){0,2}$/iu,
  /^(?:ça (?:marche|fonctionne|va|ira)|c['’]est (?:bon|noté|parfait|clair|tout)|(?:ya )?(?:funciona|quedó)|eso es todo|deu certo|tutto chiaro|всё (?:работает|ясно|понятно))(?: \p{L}+){0,2}$/iu,
];
const THANKS_FOR =
  /^(?:(?:ok(?:ay)?|great|no|well) )?(?:many )?(?:thanks|thank you|thx)(?: so| very)?(?: much| a lot)? for \w+/i;
const OWN_PLAN =
  /^(?:i|we)(?:['’]ll| will|['’]m going to| am going to|['’]m| am|['’]ve| have) (?!.*\b(?:need|want|like|look|looking|search|know|question|wondering|curious)\b)/i;
// "is it done now?" is made of the words of courtesy, and none.
const ASKS_FOR_STATE = /^\W*(?:is|was|are|has) (?:it|that|this|everything)\b.*\?/i;
const CONTRADICTS = /\b(?:but|however|except|although|though|unless|instead)\b/i;
const COURTESY_UNSPACED =
  /太好了|太棒了|没问题|搞定了?|解决了|嗯|辛苦了?|非常|感谢|解決しました|助かりました|直りました|よかったです|好的|好|谢谢|謝謝|多谢|明白了?|知道了?|收到|可以|不用了?|没事了?|再见|您|你|了|ありがとう(?:ございま(?:す|した))?|どうも|了解(?:です|しました)?|わかりました|分かりました|はい|いいえ|大丈夫です|さようなら|なるほど|ok/giu;

// What programs write behind a last message: ###STOP###.
const MARKER = /#{2,}\w{1,20}#{2,}/g;

const LONGEST = 30;

/** Whether there is nothing to search for; `lastReply` decides what "yes" means. */
export function isSmallTalk(query: string, lastReply: string | undefined): boolean {
  const words = wordsOf(query.replace(MARKER, ' '));
  if (words.length === 0) return true;
  if (words.join('').replace(COURTESY_UNSPACED, '') === '') return true;
  if (isOrderAboutAnswer(query.trim(), words)) return true;
  return (
    words.length <= LONGEST && isCourteous(query.replace(MARKER, ' '), words) && !accepts(query, lastReply)
  );
}

function isCourteous(query: string, words: readonly string[]): boolean {
  if (ASKS_FOR_STATE.test(query)) return false;
  if (words.every((word) => COURTESY.has(word)) && words.some((word) => SIGN.has(word))) return true;
  if (/[?？]/.test(query) || CONTRADICTS.test(query)) return false;
  const clauses = query
    .split(/[.!,;:…]+|\s[-–—]\s/u)
    .map((clause) => clause.trim())
    .filter((clause) => wordsOf(clause).length > 0);
  const thanks = THANKS.test(query);
  return (
    clauses.every((clause) => isContent(clause, thanks)) &&
    (thanks || words.some((word) => SIGN.has(word)) || clauses.every((clause) => matches(CONTENT, clause)))
  );
}

function isContent(clause: string, besideThanks: boolean): boolean {
  const words = wordsOf(clause);
  return (
    words.every((word) => COURTESY.has(word) || (besideThanks && BESIDE_THANKS.has(word))) ||
    matches(CONTENT, clause) ||
    THANKS_FOR.test(clause) ||
    (besideThanks && OWN_PLAN.test(clause))
  );
}

/** "yes" after a question takes up what was offered. */
function accepts(query: string, lastReply: string | undefined): boolean {
  return (
    /[?？]\s*$/.test(lastReply ?? '') &&
    /^(?:yes|yep|yeah|yup|sure|ok|okay)\b(?!.*\b(?:thanks?|thx|bye|goodbye)\b)/i.test(query.trim())
  );
}

function matches(patterns: readonly RegExp[], clause: string): boolean {
  return patterns.some((pattern) => pattern.test(clause));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
