// Things that a message names as two ends of one: "the import between store.ts and session.ts".
import type { Message } from './conversation.js';
import type { Name } from './names.js';
import type { Piece } from './quotes.js';

/** The pieces, and of each spelled name among them the one that it is never meant without. */
export function withOtherEnds(pieces: readonly Piece[]): readonly Piece[] {
  const known = new Set(pieces.map(({ key }) => key));
  const others = pieces.flatMap(({ message, start }) =>
    otherEnds(message, start).map((name) => ({ message, ...name, key: name.text.toLowerCase() })),
  );
  return [...pieces, ...others.filter(({ key }) => !known.has(key))];
}

function otherEnds({ names, text }: Message, start: number): readonly Name[] {
  return names.slice(1).flatMap((second, i) => {
    const first = names[i];
    if (first === undefined || (first.start !== start && second.start !== start)) return [];
    const isPair =
      /\bbetween (?:the )?$/i.test(text.slice(Math.max(0, first.start - 13), first.start)) &&
      /^ and (?:the )?$/.test(text.slice(first.end, second.start));
    return isPair ? [first.start === start ? second : first] : [];
  });
}
