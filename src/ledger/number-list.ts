/** A list of whole numbers below 2^32 in four bytes each. */
export class NumberList {
  #numbers = new Uint32Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = value;
    this.#length += 1;
  }

  /** The number at an index below the length. */
  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}
