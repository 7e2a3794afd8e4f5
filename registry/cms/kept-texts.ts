export interface TextLimits {
  readonly entries: number;
  /** Of all keys and texts together. A character takes one byte, or two in a text beyond Latin-1. */
  readonly characters: number;
}

/** Texts by key, bounded in number and size: the oldest go first. A key says all that its text rests on, so that no text is ever wrong. */
export class KeptTexts {
  readonly #limits: TextLimits;
  readonly #texts = new Map<string, string>();
  #characters = 0;

  constructor(limits: TextLimits) {
    this.#limits = limits;
  }

  /** The text of the key, made if it is not there. */
  get(key: string, make: () => string): string {
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = make();
    this.#texts.set(key, text);
    this.#characters += key.length + text.length;
    this.#evict();
    return text;
  }

  #evict(): void {
    for (const [key, text] of this.#texts) {
      if (this.#texts.size <= this.#limits.entries && this.#characters <= this.#limits.characters) return;
      this.#texts.delete(key);
      this.#characters -= key.length + text.length;
    }
  }
}
