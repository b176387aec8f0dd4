// Whether the question asks for what was said before, or for how something is now.

const PAST =
  /\b(?:again|earlier|previously|remind me|(?:you|we|i|they) (?:said|told|mentioned|suggested|showed|wrote|recommended|gave)|did (?:you|we|i) (?:\w+ )?(?:say|tell|mention|suggest|show|write|recommend|give|see|find|name|call|list|use|decide|agree)|(?:last|first) time|back then|what was (?:its|his|her|their|the) \w+(?: \w+)? again|nochmal|noch mal|vorhin|vorher|tout à l.heure|antes dijiste|dijiste|recuérdame|era mesmo|você disse|disse antes)\b|(?:quoi|quel|quelle) déjà|déjà,|напомни|говорил|раньше|刚才|剛才|之前|さっき|先ほど|でしたっけ|아까|였죠|पहले|سابقا|قلت/iu;
const PRESENT =
  /\b(?:now|currently|current|still|right now|at (?:the|this) moment|at present|these days|nowadays|as of today|so far|immer noch|jetzt|derzeit|gerade|aktuell|maintenant|actuellement|toujours|en ce moment|ahora|actualmente|actual|actuales|todavía|sigue|siguen|agora|atualmente|ainda|adesso|ancora)\b|сейчас|до сих пор|现在|現在|目前|今も|지금|아직|अभी|الآن/iu;
// "is it healthy again?" asks for no memory.
const HAPPENS_AGAIN =
  /^\W*(?:(?:and|so|but|ok),? )?(?:is|are|does|do|has|have|will|can) (?!you\b)[^?]*\bagain\W*$/i;
const PRESENT_NOT_MEANT = /\bnow (?:that|let|tell|i|we)\b|^\W*(?:ok(?:ay)?,? )?now[, ](?!is|are|does|do\b)/i;

export type Time = 'past' | 'present' | 'unspecified';

export function readTime(query: string): Time {
  if (PAST.test(query) && !HAPPENS_AGAIN.test(query)) return 'past';
  return PRESENT.test(query) && !PRESENT_NOT_MEANT.test(query) ? 'present' : 'unspecified';
}
