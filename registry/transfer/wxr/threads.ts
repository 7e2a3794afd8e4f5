const START_SIZE = 1024;

/** Pairs of numbers in typed arrays, which take 16 bytes a pair, sorted when they are first asked for. */
class Pairs {
  #pairs = new Float64Array(2 * START_SIZE);
  #count = 0;
  /** Places of the pairs, by key. null: not sorted yet. */
  #order: Uint32Array | null = null;

  add(key: number, value: number): void {
    if (this.#count * 2 === this.#pairs.length) {
      const larger = new Float64Array(this.#pairs.length * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs.set([key, value], this.#count * 2);
    this.#count += 1;
    this.#order = null;
  }

  #keyAt = (place: number): number => Number(this.#pairs[place * 2]);

  /** Pairs of one key keep the order in which they were added. */
  #sort(): Uint32Array {
    return Uint32Array.from({ length: this.#count }, (_, place) => place).sort(
      (left, right) => this.#keyAt(left) - this.#keyAt(right) || left - right,
    );
  }

  of(key: number): readonly number[] {
    const order = (this.#order ??= this.#sort());
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keyAt(Number(order[middle])) < key) low = middle + 1;
      else high = middle;
    }
    const values: number[] = [];
    for (let at = low; at < order.length && this.#keyAt(Number(order[at])) === key; at += 1)
      values.push(Number(this.#pairs[Number(order[at]) * 2 + 1]));
    return values;
  }
}

/** The comments of each record, as ids. */
export class Threads {
  readonly #pairs = { media: new Pairs(), posts: new Pairs() };

  /** Comments are added in the order of their ids. */
  add(collection: 'media' | 'posts', id: number, comment: number): void {
    this.#pairs[collection].add(id, comment);
  }

  of(collection: 'media' | 'posts', id: number): readonly number[] {
    return this.#pairs[collection].of(id);
  }
}
