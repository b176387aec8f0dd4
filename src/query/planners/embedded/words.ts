// What counts as a word: runs of letters, digits and underscores; scripts written without spaces are cut where the
// script changes and at the characters that only join words.
import { STOP_WORDS } from './stop-words.js';

export interface Word {
  /** Exactly as the text spells it: text.slice(start, end). */
  readonly surface: string;
  readonly start: number;
  readonly end: number;
  /** What makes two spellings the same word: lower case, plural ending gone. */
  readonly key: string;
  readonly isStop: boolean;
  readonly isCapital: boolean;
  readonly sentence: number;
  readonly startsSentence: boolean;
}

const RUN = /[\p{L}\p{N}\p{M}_]+/gu;
const SENTENCE_END = /[.!?。！？\n]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
// A mark belongs to the letter before it, of whatever script: such runs stay whole.
const MARK = /\p{M}/u;
const SCRIPT_RUN =
  /(?:[\p{Script=Han}々]\p{M}*)+|(?:\p{Script=Hiragana}\p{M}*)+|(?:[\p{Script=Katakana}ー]\p{M}*)+|[\p{Script=Thai}\p{M}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}々ー]+/gu;
const HAN_JOINER =
  /(?:什么|怎么|怎样|为什么|哪里|哪个|多少|一下|可以|请问|以及|关于|已经|现在|目前|如何|什麼|怎麼|[的了是在和与或及吗呢吧啊这那哪谁它他她我你您们們這嗎把被给從从到对對为為也都就请請有没沒不几幾呀])\p{M}*/gu;

/** The words of a text in order, with UTF-16 offsets. */
export function splitWords(text: string): readonly Word[] {
  const words: Word[] = [];
  let [sentence, end] = [0, 0];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const startsSentence = words.length === 0 || SENTENCE_END.test(text.slice(end, index));
    if (startsSentence && words.length > 0) sentence += 1;
    for (const [surface, start] of UNSPACED.test(run) && !MARK.test(run)
      ? scriptRuns(run, index)
      : [[run, index] as const])
      words.push(makeWord(surface, start, sentence, startsSentence && start === index));
    end = index + run.length;
  }
  return words;
}

function makeWord(surface: string, start: number, sentence: number, startsSentence: boolean): Word {
  const lower = surface.normalize('NFC').toLowerCase();
  return {
    surface,
    start,
    end: start + surface.length,
    key: wordKey(lower),
    isStop: STOP_WORDS.has(lower) || isKana(surface),
    isCapital: /^\p{Lu}/u.test(surface),
    sentence,
    startsSentence,
  };
}

/** Lower case and a plain plural strip (Harman's S-stemmer): the key by which the scorer compares words. */
export function wordKey(word: string): string {
  const lower = word.normalize('NFC').toLowerCase();
  if (lower.length > 4 && lower.endsWith('ies') && !/[ae]ies$/.test(lower)) return `${lower.slice(0, -3)}y`;
  if (lower.length > 4 && /(x|ch|sh|ss|zz)es$/.test(lower)) return lower.slice(0, -2);
  if (lower.length > 3 && lower.endsWith('s') && !/(ss|us|is)$/.test(lower)) return lower.slice(0, -1);
  return lower;
}

function scriptRuns(run: string, offset: number): readonly (readonly [string, number])[] {
  return [...run.matchAll(SCRIPT_RUN)].flatMap(({ 0: piece, index }) =>
    /\p{Script=Han}/u.test(piece) ? hanPieces(piece, offset + index) : [[piece, offset + index] as const],
  );
}

function hanPieces(piece: string, offset: number): readonly (readonly [string, number])[] {
  const pieces: (readonly [string, number])[] = [];
  let start = 0;
  for (const { 0: joiner, index } of piece.matchAll(HAN_JOINER)) {
    if (index > start) pieces.push([piece.slice(start, index), offset + start]);
    start = index + joiner.length;
  }
  if (start < piece.length) pieces.push([piece.slice(start), offset + start]);
  return pieces;
}

// Runs of hiragana are endings and particles: the words around them carry the content.
function isKana(surface: string): boolean {
  return /^\p{Script=Hiragana}+$/u.test(surface);
}
