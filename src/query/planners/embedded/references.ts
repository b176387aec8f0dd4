// What a question means that points at a named thing of the history: "that ticket", "the second one", "the other one",
// or just "it" after a name. Rules, for what no training conversation has: identifiers, files, codes.
import type { Conversation, Message } from './conversation.js';
import { largest } from './extremes.js';
import { isUnmistakable, type Name } from './names.js';
import { findPersons } from './persons.js';
import type { Piece } from './quotes.js';
import { splitWords, type Word, wordKey } from './words.js';

interface Mention {
  readonly message: Message;
  readonly name: Name;
}

const DEMONSTRATIVE =
  /\b(?:that|this|the|ce|cette|ese|esa|essa|esse|dieser?|dieses) (?:same )?(\p{L}{3,})\b|(?:その|那个|这个)([\p{Script=Han}\p{Script=Katakana}ー]+)/iu;
const ORDINALS: readonly (readonly [RegExp, number])[] = [
  [/\bfirst\b/i, 0],
  [/\bsecond\b/i, 1],
  [/\bthird\b/i, 2],
  [/\bfourth\b/i, 3],
  [/\b(?:last|latter)\b/i, -1],
];
const PLACES = ['first', 'second', 'third', 'fourth', 'last'];
const PLURAL = /\b(?:they|them|their|both|these|those|the two|difference between)\b/i;
const KIND_SHAPES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:file|module|script|config|fichier|datei|archivo|arquivo|page)$/i, /\.\p{L}{1,5}$|\//u],
  [/^(?:version|release)$/i, /^v?\d+\.\d+/u],
  [/^(?:error|code|alarm|alert|warning|exception|エラー)$/i, /^\p{Lu}[\p{Lu}\p{N}_-]{2,}$/u],
  [/^(?:address|ip)$/i, /^\d+\.\d+\.\d+\.\d+$/u],
  [/^(?:host|server|node|machine|box|instance)$/i, /^\d+\.\d+\.\d+\.\d+$|^\p{L}+(?:-\p{L}+)*-?\p{N}+$/u],
  [/^(?:day|date)$/i, /^\d{4}-\d{2}-\d{2}$/u],
  [/^(?:function|method|helper|hook|call|class|component)$/i, /\p{Ll}\p{Lu}/u],
  [/^(?:table|view|column|field|dataset|metric|model)$/i, /_/u],
  [
    /^(?:ticket|issue|incident|order|invoice|case|job|claim|record|part|migration|runbook|number|request)$/i,
    /\p{N}/u,
  ],
];

const DEEDS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:it|that|this) (?:throws?|returns?|raises?|rejects?|is called|gets called)\b|\bcalls? (?:it|that|this)\b/i,
    /\p{Ll}\p{Lu}\p{L}*$/u,
  ],
];

/** The named things that the question means, as pieces of the history; empty when it points at none. */
export function findReferences(conversation: Conversation, mayGuess: boolean): readonly Piece[] {
  const mentions = findMentions(conversation);
  const kind = kindOf(conversation);
  const meant =
    ordinal(conversation, mentions) ??
    otherOne(conversation, mentions) ??
    plural(conversation, mentions) ??
    ofKind(kind, mentions, conversation) ??
    byDeed(conversation, mentions) ??
    (mayGuess ? newest(mentions) : []);
  const keys = new Set(meant.map(({ name }) => name.text.toLowerCase()));
  return [...meant.filter((one) => !mentions.includes(one)), ...mentions]
    .filter(({ name }) => keys.has(name.text.toLowerCase()))
    .map(({ message, name }) => ({ message, ...name, key: name.text.toLowerCase() }));
}

function findMentions({ messages, query }: Conversation): readonly Mention[] {
  const asked = query.toLowerCase();
  return messages.flatMap((message) =>
    message.names
      .filter(({ text }) => isUnmistakable(text) && !asked.includes(text.toLowerCase()))
      .map((name) => ({ message, name })),
  );
}

/** The kind of thing that the question points at: "that ticket". */
export function kindOf({ query }: Conversation): string | undefined {
  const found = DEMONSTRATIVE.exec(query);
  return found?.[1] ?? found?.[2];
}

function ordinal(
  { query, messages }: Conversation,
  mentions: readonly Mention[],
): readonly Mention[] | undefined {
  const place = ORDINALS.find(([pattern]) => pattern.test(query))?.[1];
  if (place === undefined) return undefined;
  for (const message of messages.toReversed()) {
    const lines = message.text.split('\n').filter((line) => /^\s*(?:[-*•]|\d+[.)])\s/.test(line));
    const own = distinct(mentions.filter((mention) => mention.message === message));
    const item =
      announced(message, place) ??
      (lines.length > 1 ? nameOfLine(message, lines.at(place) ?? '', own) : inlineItem(message, own, place));
    if (item !== undefined) return [item];
  }
  return undefined;
}

/** "There are two ways. The first is SSE: …" */
function announced(message: Message, place: number): Mention | undefined {
  const pattern = `\\bthe ${PLACES.at(place)} (?:one |way |option )?is (?:the |an? )?[\\p{L}\\p{N}]+`;
  const found = new RegExp(pattern, 'iu').exec(message.text);
  const word = message.words.find(({ end }) => found !== null && end === found.index + found[0].length);
  return word === undefined ? undefined : { message, name: nameOf(word) };
}

/** Of names in one sentence: spelled ones, or else capitalised ones that are joined. */
function inlineItem(message: Message, own: readonly Mention[], place: number): Mention | undefined {
  if (own.length > 1) return own.at(place);
  const persons = findPersons(message);
  const person = persons.length > 1 ? persons.at(place) : undefined;
  if (person !== undefined) return { message, name: person };
  const joined =
    /(?:[:,] |\b(?:have|has|are|is|were|offer|with|the) )(?:the )?(\p{Lu}[\p{L}\p{N}-]{1,30}(?: \p{Lu}[\p{L}\p{N}-]{1,30}){0,3})(?:, | (?:and|or) )(?:the )?(\p{Lu}[\p{L}\p{N}-]{1,30}(?: \p{Lu}[\p{L}\p{N}-]{1,30}){0,3})(?:,? (?:and|or) (?:the )?(\p{Lu}[\p{L}\p{N}-]{1,30}(?: \p{Lu}[\p{L}\p{N}-]{1,30}){0,3}))?/u.exec(
      message.text,
    );
  const text = (joined?.slice(1).filter((item) => item !== undefined) ?? []).at(place)?.trim();
  if (text === undefined) return undefined;
  const start = message.text.indexOf(text, joined?.index);
  return { message, name: { text, start, end: start + text.length } };
}

/** A list item is called by the name in it, or by its first word. */
function nameOfLine(message: Message, line: string, own: readonly Mention[]): Mention | undefined {
  const from = message.text.indexOf(line);
  const isIn = ({ start, end }: Name) => start >= from && end <= from + line.length;
  const named = own.find(({ name }) => isIn(name));
  const word = message.words.find(
    (one) => isIn({ ...one, text: '' }) && !one.isStop && /^\p{L}/u.test(one.surface),
  );
  if (named !== undefined || word === undefined) return named;
  return { message, name: { text: word.surface, start: word.start, end: word.end } };
}

/** Of two things named together, the one that was not spoken of last. */
function otherOne(
  { query, messages }: Conversation,
  mentions: readonly Mention[],
): readonly Mention[] | undefined {
  if (!/\bother(?: one)?\b/i.test(query)) return undefined;
  for (const message of messages.toReversed()) {
    const pair = distinct(mentions.filter((mention) => mention.message === message));
    if (pair.length !== 2) continue;
    const last = mentions.findLast(
      ({ name }) => pair.some((one) => one.name.text === name.text) && message !== messages.at(-1),
    );
    // Of two that were both new, the first is what the conversation was about.
    const spokenOf = last ?? pair[0];
    const other = pair.find(({ name }) => name.text !== spokenOf?.name.text);
    if (other !== undefined) return [other];
  }
  return undefined;
}

function plural(
  { query, messages }: Conversation,
  mentions: readonly Mention[],
): readonly Mention[] | undefined {
  if (!PLURAL.test(query)) return undefined;
  for (const message of messages.toReversed()) {
    const several = distinct(mentions.filter((mention) => mention.message === message));
    if (several.length > 1 && several.length < 5) return several;
  }
  return undefined;
}

function ofKind(
  kind: string | undefined,
  mentions: readonly Mention[],
  { messages }: Conversation,
): readonly Mention[] | undefined {
  if (kind === undefined) return undefined;
  const called = (mention: Mention) => isCalled(mention, wordKey(kind));
  const named =
    mentions.findLast(called) ??
    messages.flatMap((message) => message.names.map((name) => ({ message, name }))).findLast(called);
  if (named !== undefined) return [named];
  const owner = ownerOf(kind, messages);
  if (owner !== undefined) return [owner];
  const shape = KIND_SHAPES.find(([kinds]) => kinds.test(kind))?.[1];
  const shaped = mentions.findLast(({ name }) => shape?.test(name.text));
  return shaped === undefined ? undefined : [shaped];
}

/** What only one kind of thing does: "when it throws" is a function, whatever was named beside it. */
function byDeed({ query }: Conversation, mentions: readonly Mention[]): readonly Mention[] | undefined {
  const shape = DEEDS.find(([deed]) => deed.test(query))?.[1];
  const done = mentions.findLast(({ name }) => shape?.test(name.text));
  return done === undefined ? undefined : [done];
}

/** Whose it is: "so Helm waited until its timeout" says it of the name that begins the clause. */
function ownerOf(kind: string, messages: readonly Message[]): Mention | undefined {
  const message = messages.findLast(({ words }) => words.some(({ key }) => key === wordKey(kind)));
  const at = message?.words.findIndex(({ key }) => key === wordKey(kind)) ?? -1;
  if (message === undefined || message.words[at - 1]?.surface !== 'its') return undefined;
  const end = message.words[at]?.start ?? 0;
  const clause = clauseStart(message.text, end);
  const word = message.words.find(
    ({ start, isStop, isCapital }) => start >= clause && start < end && isCapital && !isStop,
  );
  return word === undefined ? undefined : { message, name: nameOf(word) };
}

function nameOf({ surface, start, end }: Word): Name {
  return { text: surface, start, end };
}

function clauseStart(text: string, end: number): number {
  return (
    1 +
    largest(
      [...'.,;:!?\n'].map((mark) => text.lastIndexOf(mark, end)),
      -1,
    )
  );
}

/** Whether the kind stands beside the name: "ticket T-1", "your ticket is T-1", "the Orion record". */
function isCalled({ message, name }: Mention, kind: string): boolean {
  const before = splitWords(message.text.slice(Math.max(0, name.start - 40), name.start)).slice(-3);
  const after = splitWords(message.text.slice(name.end, name.end + 24)).slice(0, 1);
  return [...before, ...after].some(({ key }) => key === kind);
}

/** Of the newest message that spells a name: what was said since is about it. */
function newest(mentions: readonly Mention[]): readonly Mention[] {
  const last = mentions.at(-1)?.message;
  if (last === undefined || last.age > 7) return [];
  const asked = mentions.findLast(({ message }) => message.role === 'user' && message.age <= last.age + 1);
  const own = distinct(mentions.filter(({ message }) => message === (asked?.message ?? last)));
  const counts = own.map(({ name }) => mentions.filter((mention) => mention.name.text === name.text).length);
  const most = own[counts.indexOf(largest(counts))];
  return most === undefined ? [] : [most];
}

function distinct(mentions: readonly Mention[]): readonly Mention[] {
  return mentions.filter(({ name }, i) => mentions.findIndex((other) => other.name.text === name.text) === i);
}
