/** A text that is held for later, to be read as often as needed. */
export interface KeptText extends KeptPart {
  /** In UTF-16 units. */
  readonly length: number;
  /** What stands between two offsets in UTF-16 units, neither of them inside a character. Fastest from front to back. */
  part(start: number, end: number): KeptPart;
}

export interface KeptPart {
  read(): string;
}

const SLAB_SIZE = 1 << 20;

/**
 * Holds texts in UTF-8, outside of the engine's heap: one character above U+00FF makes a string two bytes a character,
 * and most results of a session have one. The text that was read last is remembered, because it is often wanted again.
 */
export class TextStore {
  #slab = Buffer.alloc(0);
  #filled = 0;
  readonly #last: LastRead = { kept: undefined, text: '' };

  keep(text: string): KeptText {
    if (LONE_SURROGATE.test(text)) return new PlainText(text); // UTF-8 cannot hold it
    const size = Buffer.byteLength(text);
    if (size > this.#slab.length - this.#filled) {
      this.#slab = Buffer.allocUnsafeSlow(Math.max(size, SLAB_SIZE));
      this.#filled = 0;
    }
    const start = this.#filled;
    this.#filled += this.#slab.write(text, start);
    const kept = new PackedText(this.#slab, start, this.#filled, text.length, this.#last);
    [this.#last.kept, this.#last.text] = [kept, text];
    return kept;
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;

interface LastRead {
  kept: KeptText | undefined;
  text: string;
}

class PackedText implements KeptText {
  readonly length: number;
  readonly #slab: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #last: LastRead;
  /** How far parts were cut: UTF-16 units, and the bytes that they take. */
  #units = 0;
  #bytes = 0;

  constructor(slab: Buffer, start: number, end: number, length: number, last: LastRead) {
    this.#slab = slab;
    this.#start = start;
    this.#end = end;
    this.length = length;
    this.#last = last;
  }

  read(): string {
    const last = this.#last;
    if (last.kept === this) return last.text;
    const text = this.#slab.toString('utf8', this.#start, this.#end);
    [last.kept, last.text] = [this, text];
    return text;
  }

  part(start: number, end: number): KeptPart {
    const from = this.#start + this.#bytesBefore(start);
    const to = this.#start + this.#bytesBefore(end);
    return new PackedPart(this.#slab, from, to);
  }

  #bytesBefore(units: number): number {
    if (units < this.#units) [this.#units, this.#bytes] = [0, 0];
    this.#bytes += Buffer.byteLength(this.read().slice(this.#units, units));
    this.#units = units;
    return this.#bytes;
  }
}

/** Reading one does not make the whole forgotten that others are still cut out of. */
class PackedPart implements KeptPart {
  readonly #slab: Buffer;
  readonly #start: number;
  readonly #end: number;

  constructor(slab: Buffer, start: number, end: number) {
    this.#slab = slab;
    this.#start = start;
    this.#end = end;
  }

  read(): string {
    return this.#slab.toString('utf8', this.#start, this.#end);
  }
}

class PlainText implements KeptText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get length(): number {
    return this.#text.length;
  }

  read(): string {
    return this.#text;
  }

  part(start: number, end: number): KeptText {
    return new PlainText(this.#text.slice(start, end));
  }
}

/**
 * The same text in memory of its own: the engine cuts a longer piece out of a string by pointing into it, so that a name
 * that is kept would keep the whole text which it stands in.
 */
export function flatCopy(text: string): string {
  return text.length < SHORTEST_POINTER ? text : [text.slice(0, 1), text.slice(1)].join('');
}

/** V8 copies shorter pieces anyway. */
const SHORTEST_POINTER = 13;
