// How a question points back: by a pronoun, by a thing that it does not name, or by leaving out what it is about.
import type { Conversation } from './conversation.js';
import { findNames, isUnmistakable } from './names.js';

const SINGULAR =
  /\b(?:it|its|that|this|he|him|his|she|her|one|there)\b|\b(?:es|er|sie|seine|seiner|seinem|ihre|dieser|diese|dieses|darauf|damit|davon|dort|elle|il|sa|son|cette|ce fichier|celle|celui|ça|lo|la abrió|su|esa|ese|esta|este|ela|ele|dela|dele|essa|esse|isso)\b|-t-(?:elle|il)\b|(?<!\p{L})(?:он|она|оно|его|ему|её|него|неё|этот|эта|это|там)(?!\p{L})|[它他她]|这个|那个|それ|その|そちら|이거|그거|그것|इसकी|इसका|उसकी|उसका|इसे|उसे|\p{Script=Arabic}{3,20}ه(?!\p{L})/iu;
const SINGULAR_THING =
  /\b(?:it|its|that one|this one)\b|\b(?:that|this) (?!(?:is|was|are|be|mean|means|helps|works|still|of|you|we|do|does|did|has|have|would|will|can|time)\b)\p{L}{3,}|\b(?:seine|seiner|seinem|son|sa|cette|esa|ese|essa|esse|su)\b|(?<!\p{L})(?:него|неё|его|её)(?!\p{L})|[它]|这个|那个|それ|その|그거|그것|इसकी|उसकी/iu;
const PLURAL =
  /\b(?:they|them|their|both|these|those|each|all|either|neither|two|difference|differ|compare|other|others|another|the (?:second|first|third|last)|latter|former|which of|better|beide|beiden|welche|les deux|ambos|ambas|оба)\b|两|都|両方|둘/iu;

const QUESTION_WORD = /^(?:얼마|뭐|무엇|어떻|언제|어디|누구|왜|몇|いくら|多少|سعر)/u;

export interface Pointing {
  readonly isPointing: boolean;
  /** One thing is meant, and nothing in the question tells which. */
  readonly isSingular: boolean;
  readonly isElliptical: boolean;
  /** The question spells out an identifier, a file or the like. */
  readonly hasSpelledName: boolean;
  readonly hasOwnName: boolean;
  readonly contentWords: number;
}

export function readPointing(conversation: Conversation): Pointing {
  const { query, queryWords } = conversation;
  const content = queryWords.filter((word) => !word.isStop);
  const names = findNames(query);
  // German writes every noun with a capital.
  const foreign = isForeign(conversation);
  const capitals = foreign ? [] : content.filter((word) => word.isCapital && !word.startsSentence);
  return {
    isPointing: SINGULAR.test(query) || PLURAL.test(query),
    isSingular: SINGULAR_THING.test(query) && !PLURAL.test(query),
    isElliptical:
      content.length <= 1 ||
      /^\W*(?:and|or|what about|how about|same for|et|und|y|¿y|e|и|а|那|では|そして|그럼|و)\b/iu.test(query),
    hasSpelledName: names.some(({ text }) => isUnmistakable(text)),
    contentWords: content.filter(
      ({ start, end, surface }) =>
        !QUESTION_WORD.test(surface) &&
        !(foreign && isForeignFunctionWord(surface)) &&
        names.every((name) => end <= name.start || start >= name.end),
    ).length,
    hasOwnName: names.length > 0 || capitals.length > 0,
  };
}

/** A question in a language that the classifier has not been trained on. */
export function isForeign({ query, queryWords }: Conversation): boolean {
  if (/[^\p{Script=Latin}\P{L}]|[¿¡]/u.test(query)) return true;
  const count = (list: ReadonlySet<string>) =>
    queryWords.filter(({ surface }) => list.has(surface.toLowerCase())).length;
  return count(FOREIGN) > count(ENGLISH);
}

/** A word of another language that says nothing about the subject of a question. */
export function isForeignFunctionWord(surface: string): boolean {
  return FOREIGN.has(surface.toLowerCase()) || FOREIGN_VERBS.has(surface.toLowerCase());
}

// Words that only English has, and words that it has not.
const ENGLISH = new Set(
  `the is are were be does did can could how what who when where why which whose it its they his their them my you your we
  our of on at from with about and or not that this there have had would`.split(/\s+/),
);
const FOREIGN = new Set(
  `der das und ist wie warum wer ich nicht gibt kann seine ihre dieser noch wann les est et pour pourquoi qui comment combien
  ce cette quelle quel le la el los las por para qué que quien quién cómo como cuánto cuanto dónde lo sigue em qual quanto o
  não está uma foi quoi était c wo wann welche kostet sie peux je pode quem isso`.split(/\s+/),
);

const FOREIGN_VERBS = new Set(
  `tiene tienen cuántos cuántas hay puede puedo es y son está están hat haben hatte kann können kostet sind war waren a ont
  peut puis je il elle est-ce sous tem têm há pode é são déjà l mesmo era então sie noch guten tag ai besoin j je war nochmal wie какой там был напомните`.split(
    /\s+/,
  ),
);
