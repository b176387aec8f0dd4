// Two subjects that compete: named side by side in what was said last, and the question means one of them.
import { isChatter } from './chatter.js';
import type { Conversation, Message } from './conversation.js';
import type { Name } from './names.js';
import { namesNothing } from './no-subject.js';
import type { Piece } from './quotes.js';
import { wordKey } from './words.js';

const JOINED =
  /^[\s,]*(?:and|or|&|and the|or the|und|oder|et|et la|et le|ou|y|o|e|и|или|和|与|或|と|か|와|과|や|and on|또는)[\s]*(?:the |la |le |die |der |das |el )?$/iu;
const LIST_MARK = /^\s*(?:\([^)]{0,20}\)\s*)?(?:and|or|,|und|et|y|и)\s+(?:the )?$/iu;
const CALLED = /\b(?:called|named|titled) (?:the )?["“']?$/i;
const IS = /^['"”]? (?:is|was|has|does|serves|offers|features|costs|sells)\b/;
const UNSPACED_NAME = /^[\p{Script=Han}\p{Script=Katakana}]{2,6}$/u;
// "the blue plan and the red plan", 하늘 요금제와 바다 요금제, 青葉プランと若葉プラン: two kinds of one thing.
const PARALLEL: readonly RegExp[] = [
  /(?<![\p{L}\p{N}-])([\p{L}\p{N}-]{3,40}) (\p{L}{3,40}) (?:and|or|und|oder|et|ou|y|o|e|и|или) (?:the |la |le |die |der |das |el )?([\p{L}\p{N}-]{3,40}) \2(?!\p{L})/du,
  /([\p{Script=Hangul}\p{N}]{1,20}) (\p{Script=Hangul}{1,10}?)[와과] ([\p{Script=Hangul}\p{N}]{1,20}) \2/du,
  /([\p{Script=Han}ー]{1,6})([\p{Script=Katakana}ー]{2,20})[とや]([\p{Script=Han}ー]{1,6})\2/du,
];

/** The competing names as pieces of the message that puts them side by side; empty when nothing competes. */
export function findRivals(conversation: Conversation): readonly Piece[] {
  const newest = conversation.messages.filter(
    ({ age, role, text, words }) =>
      age < 2 && words.length > 0 && !(role === 'assistant' && /[?？]\s*$/.test(text)),
  );
  for (const message of newest.toReversed()) {
    const pair = coordinated(message);
    if (
      new Set(pair.map(({ key }) => key)).size === 2 &&
      pair.every((piece) => isUnnamed(piece, conversation)) &&
      areEven(pair, conversation)
    )
      return pair;
  }
  return [];
}

function coordinated(message: Message): readonly Piece[] {
  const kinds = parallel(message);
  if (kinds.length > 0) return kinds.map((name) => ({ message, ...name, key: name.text.toLowerCase() }));
  const names = withoutBracketed(subjectNames(message), message.text);
  const pairs = names.slice(1).flatMap((name, i) => {
    const before = names[i];
    const between = before === undefined ? '' : message.text.slice(before.end, name.start);
    return before !== undefined &&
      isUnspaced(before) === isUnspaced(name) &&
      (JOINED.test(between) || LIST_MARK.test(between) || isCommonNoun(between))
      ? [[before, name] as const]
      : [];
  });
  // A list of three or more is no pair: people then say which they mean by its place.
  const [pair] = pairs;
  if (pair === undefined || pairs.length > 1 || isOneName(pair, message.text)) return [];
  return pair.map(({ text, start, end }) => ({ message, text, start, end, key: text.toLowerCase() }));
}

/** A place ("Atlanta, Georgia"), or a name with a joining word inside: "Stazione Restaurant and Coffee Bar is open". */
function isOneName([first, second]: readonly [Name, Name], text: string): boolean {
  const between = text.slice(first.end, second.start);
  if (/^, $/.test(between)) return true;
  const isBare = /^ (?:and|&) $/i.test(between);
  return (
    isBare &&
    (CALLED.test(text.slice(Math.max(0, first.start - 12), first.start)) ||
      IS.test(text.slice(second.end, second.end + 12)))
  );
}

function parallel({ text }: Message): readonly Name[] {
  const found = PARALLEL.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  return [found?.indices?.[1], found?.indices?.[3]].flatMap((range) =>
    range === undefined ? [] : [{ text: text.slice(...range), start: range[0], end: range[1] }],
  );
}

/** "Priya (4417) and Tomas (4420)": what stands in brackets behind a name belongs to it. */
function withoutBracketed(names: readonly Name[], text: string): readonly Name[] {
  return names.filter(({ start, end }) => !(text[start - 1] === '(' && text[end] === ')'));
}

/** "the Ostwind bottle and the Polarlicht blanket": a noun may stand between the name and the joining word. */
function isCommonNoun(between: string): boolean {
  if (/^[\p{Script=Katakana}ー]+[とや]$/u.test(between)) return true;
  return (
    /^ (?:\p{Ll}+|\([^)]{1,12}\)) (?:and|or|und|et|y) (?:the |die |la )?$/u.test(between) ||
    /^ ?\p{Script=Hangul}{1,6}[와과] $/u.test(between)
  );
}

function isUnspaced({ text }: Name): boolean {
  return UNSPACED_NAME.test(text);
}

/** Spelled names, capitals that are no beginning of a sentence alone, and names in scripts without spaces, in order. */
export function subjectNames(message: Message): readonly Name[] {
  const spelled = message.names;
  const capitals = message.words
    .filter(
      (word) =>
        word.isCapital &&
        !word.isStop &&
        !isChatter(word.surface) &&
        !/^[AP]M$/.test(word.surface) &&
        !namesNothing(word.surface) &&
        (!word.startsSentence || isNameElsewhere(word.key, message)),
    )
    .filter((word) => spelled.every(({ start, end }) => word.end <= start || word.start >= end))
    .map(({ surface, start, end }) => ({ text: surface, start, end }));
  const unspaced = message.words
    .filter(({ surface }) => UNSPACED_NAME.test(surface))
    .map(({ surface, start, end }) => ({ text: surface, start, end }));
  return [...spelled, ...joinAdjacent(capitals, message.text), ...unspaced].toSorted(
    (a, b) => a.start - b.start,
  );
}

function isNameElsewhere(key: string, { words }: Message): boolean {
  return (
    words.some((word) => word.key === key && word.isCapital && !word.startsSentence) || words[0]?.key === key
  );
}

function joinAdjacent(names: readonly Name[], text: string): readonly Name[] {
  const joined: Name[] = [];
  for (const name of names) {
    const last = joined.at(-1);
    if (last !== undefined && text.slice(last.end, name.start) === ' ')
      joined[joined.length - 1] = {
        text: text.slice(last.start, name.end),
        start: last.start,
        end: name.end,
      };
    else joined.push(name);
  }
  return joined;
}

function isUnnamed({ text }: Piece, { queryKeys, query }: Conversation): boolean {
  return (
    !query.toLowerCase().includes(text.toLowerCase()) &&
    !text.split(/\W+/u).some((word) => word !== '' && queryKeys.has(wordKey(word)))
  );
}

/** Neither is spoken of more than the other. */
function areEven(pair: readonly Piece[], { messages }: Conversation): boolean {
  const counts = pair.map(({ text }) =>
    messages.reduce((sum, message) => sum + message.text.split(text).length - 1, 0),
  );
  return Math.abs((counts[0] ?? 0) - (counts[1] ?? 0)) <= 0;
}
