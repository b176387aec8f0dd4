/**
 * Whether a question is asked in English, the only language that the rules know. A few words that other languages do
 * not share decide; text that holds none of either side counts as English when it is written in its letters.
 */
export function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  if (latin * 2 < letters.length || /[¿¡]/.test(text)) return false;
  const words = text.toLowerCase().match(/[\p{L}]+/gu) ?? [];
  const english = words.filter((word) => ENGLISH.has(word)).length;
  const foreign = words.filter((word) => FOREIGN.has(word)).length;
  return foreign === 0 || english > foreign;
}

const ENGLISH: ReadonlySet<string> = new Set(
  'the of and what how why does did with this these that those are you my which when who it its to about tell from your we they not should would could there between give show explain fix add any please because need want have been our their more than if by make'.split(
    ' ',
  ),
);

/** Function words of the neighbours; none that is an English word as well. */
const FOREIGN: ReadonlySet<string> = new Set(
  [
    'der das ist sind und nicht wie warum wieso welche welcher wer wo ein eine einen dem mit für von zu ich du wir sie ihr kann kannst bitte kostet macht heißt bedeutet geht gibt hat wird sich mir vom zum zur den im am auf auch oder aber nein meine ich meinte',
    'la le les un une des du est sont que qu quoi pourquoi comment quel quelle dans pour pas ce cette je tu nous vous peux avec et',
    'el está los las una es son qué por cómo cuál para con esta este eso puedes y mi luz',
    'o os um uma é são como porque você isso não da com em',
    'il lo gli che cosa perché perche di della sono non questo puoi',
    'het een de wat hoe waarom niet van ik je zijn deze',
    'och är vad hur varför inte det att jag',
    'co jak dlaczego jest nie czy się',
    'nedir nasıl neden bu bir ve mi',
  ].flatMap((words) => words.split(' ')),
);
